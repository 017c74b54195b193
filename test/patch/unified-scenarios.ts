import { lines, makes, type PatchScenario, refuses } from "./patch-scenario.ts";

const abc = lines("a", "b", "c");
const plain = (...body: readonly string[]) => lines("--- a/f", "+++ b/f", ...body);
const git = (...body: readonly string[]) => lines("diff --git a/f b/f", ...body);
const hunk = ["@@ -1,3 +1,3 @@", " a", "-b", "+B", " c"];
const aBc = lines("a", "B", "c");
const noNewline = "\\ No newline at end of file";

/** Unified diffs, those of git included. */
export const unifiedScenarios: readonly PatchScenario[] = [
  makes("a plain diff", { f: abc }, plain(...hunk), { f: aBc }),
  makes("a diff of git", { f: abc }, git("index 1..2 100644", "--- a/f", "+++ b/f", ...hunk), { f: aBc }),
  makes("names without prefixes", { f: abc }, lines("--- f", "+++ f", ...hunk), { f: aBc }),
  makes("a folder that is called as a prefix is", { "a/f": abc }, lines("--- a/f", "+++ a/f", ...hunk), {
    "a/f": aBc,
  }),
  makes("other prefixes of git", { f: abc }, lines("diff --git i/f w/f", "--- i/f", "+++ w/f", ...hunk), {
    f: aBc,
  }),
  makes(
    "times after a tab",
    { f: abc },
    lines("--- f\t2024-01-01 10:00:00.0 +0000", "+++ f\t2024-01-01 10:00:00.0 +0000", ...hunk),
    { f: aBc },
  ),
  makes(
    "lines of svn and of diff between files",
    { f: abc, g: abc },
    lines("Index: f", "=".repeat(67), "--- f", "+++ f", ...hunk, "diff -u g g", "--- g", "+++ g", ...hunk),
    {
      f: aBc,
      g: aBc,
    },
  ),
  makes(
    "a heading after the numbers is no anchor",
    { f: abc },
    plain("@@ -1,3 +1,3 @@ not in the file", ...hunk.slice(1)),
    { f: aBc },
  ),
  makes("counts that are left out are one", { f: lines("a") }, plain("@@ -1 +1 @@", "-a", "+b"), {
    f: lines("b"),
  }),
  makes("a diff without context", { f: abc }, plain("@@ -2 +2 @@", "-b", "+B"), { f: aBc }),
  makes(
    "a number decides between equal places",
    { f: lines("x", "x", "x") },
    plain("@@ -2 +2 @@", "-x", "+y"),
    { f: lines("x", "y", "x") },
  ),
  makes(
    "a hunk that has moved",
    { f: lines("0", "1", "a", "b", "c") },
    plain(...hunk),
    { f: lines("0", "1", "a", "B", "c") },
    '"offset":2',
  ),
  makes(
    "a removed line that looks like a header",
    { f: lines("-- x", "++ y", "z") },
    plain("@@ -1,3 +1,2 @@", "--- x", "-++ y", "+++ w", " z"),
    {
      f: lines("++ w", "z"),
    },
  ),
  makes("two files in a row", { f: abc, g: abc }, plain(...hunk) + plain(...hunk).replaceAll("/f", "/g"), {
    f: aBc,
    g: aBc,
  }),
  makes(
    "a new file",
    {},
    git("new file mode 100644", "index 0..1", "--- /dev/null", "+++ b/f", "@@ -0,0 +1,2 @@", "+a", "+b"),
    { f: lines("a", "b") },
  ),
  makes("a new file of a plain diff", {}, lines("--- /dev/null", "+++ b/d/f", "@@ -0,0 +1 @@", "+a"), {
    "d/f": lines("a"),
  }),
  makes(
    "a new file without final newline",
    {},
    git("new file mode 100644", "--- /dev/null", "+++ b/f", "@@ -0,0 +1 @@", "+a", noNewline),
    { f: "a" },
  ),
  makes(
    "a new file that may be run",
    {},
    git("new file mode 100755", "--- /dev/null", "+++ b/f", "@@ -0,0 +1 @@", "+a"),
    { "f*": lines("a") },
  ),
  makes("a new empty file", {}, git("new file mode 100644", "index 0..0"), { f: "" }),
  makes(
    "a new file with CRLF",
    {},
    git("new file mode 100644", "--- /dev/null", "+++ b/f", "@@ -0,0 +1,2 @@", "+a\r", "+b\r"),
    { f: "a\r\nb\r\n" },
  ),
  makes(
    "a deleted file",
    { f: abc, g: "" },
    git("deleted file mode 100644", "--- a/f", "+++ /dev/null", "@@ -1,3 +0,0 @@", "-a", "-b", "-c"),
    { g: "" },
  ),
  makes(
    "a deleted file with CRLF, shown with LF",
    { f: "a\r\nb\r\n", g: "" },
    lines("--- a/f", "+++ /dev/null", "@@ -1,2 +0,0 @@", "-a", "-b"),
    { g: "" },
  ),
  makes("a deleted empty file", { f: "", g: "" }, git("deleted file mode 100644", "index e69de29..0000000"), {
    g: "",
  }),
  makes(
    "a rename",
    { f: abc },
    lines("diff --git a/f b/d/g", "similarity index 100%", "rename from f", "rename to d/g"),
    { "d/g": abc },
  ),
  makes(
    "a rename with edits",
    { f: abc },
    lines(
      "diff --git a/f b/g",
      "similarity index 50%",
      "rename from f",
      "rename to g",
      "--- a/f",
      "+++ b/g",
      ...hunk,
    ),
    { g: aBc },
  ),
  makes(
    "a copy",
    { f: abc },
    lines("diff --git a/f b/g", "similarity index 100%", "copy from f", "copy to g"),
    { f: abc, g: abc },
  ),
  makes(
    "a copy with edits",
    { f: abc },
    lines(
      "diff --git a/f b/g",
      "similarity index 50%",
      "copy from f",
      "copy to g",
      "--- a/f",
      "+++ b/g",
      ...hunk,
    ),
    { f: abc, g: aBc },
  ),
  makes("a change of the mode", { f: abc }, git("old mode 100644", "new mode 100755"), { "f*": abc }),
  makes(
    "a change of the mode and of lines",
    { "f*": abc },
    git("old mode 100755", "new mode 100644", "--- a/f", "+++ b/f", ...hunk),
    { f: aBc },
  ),
  makes(
    "names with blanks",
    { "a b/c d": abc },
    lines("diff --git a/a b/c d b/a b/c d", "--- a/a b/c d\t", "+++ b/a b/c d\t", ...hunk),
    { "a b/c d": aBc },
  ),
  makes(
    "the mode of a name with blanks",
    { "x b/y": abc },
    lines("diff --git a/x b/y b/x b/y", "old mode 100644", "new mode 100755"),
    { "x b/y*": abc },
  ),
  makes(
    "quoted names",
    { "naïve.txt": abc },
    lines(
      'diff --git "a/na\\303\\257ve.txt" "b/na\\303\\257ve.txt"',
      '--- "a/na\\303\\257ve.txt"',
      '+++ "b/na\\303\\257ve.txt"',
      ...hunk,
    ),
    { "naïve.txt": aBc },
  ),
  makes(
    "a quoted name with a letter in octal",
    { qb: abc },
    lines('diff --git "a/q\\142" "b/q\\142"', "old mode 100644", "new mode 100755"),
    { "qb*": abc },
  ),
  makes(
    "a patch with CRLF everywhere on a file with LF",
    { f: abc },
    plain(...hunk).replaceAll("\n", "\r\n"),
    { f: aBc },
  ),
  makes(
    "a patch with CRLF everywhere on a file with CRLF",
    { f: "a\r\nb\r\nc\r\n" },
    plain(...hunk).replaceAll("\n", "\r\n"),
    { f: "a\r\nB\r\nc\r\n" },
  ),
  makes(
    "line ends that the diff changes",
    { f: "a\r\nb\r\nc\r\n" },
    plain("@@ -1,3 +1,3 @@", " a\r", "-b\r", "+b", " c\r"),
    { f: "a\r\nb\nc\r\n" },
  ),
  makes("a final newline is taken away", { f: abc }, plain("@@ -3 +3 @@", "-c", "+c", noNewline), {
    f: "a\nb\nc",
  }),
  makes("a final newline is added", { f: "a\nb\nc" }, plain("@@ -3 +3 @@", "-c", noNewline, "+c"), {
    f: abc,
  }),
  makes(
    "a final newline stays away",
    { f: "a\nb" },
    plain("@@ -1,2 +1,2 @@", " a", "-b", noNewline, "+B", noNewline),
    { f: "a\nB" },
  ),
  makes(
    "lines after a last one without newline",
    { f: "a" },
    plain("@@ -1 +1,2 @@", "-a", noNewline, "+a", "+b"),
    { f: lines("a", "b") },
  ),
  makes(
    "the last line goes, and the one before keeps its newline",
    { f: "a\nb" },
    plain("@@ -1,2 +1 @@", " a", "-b", noNewline),
    { f: "a\n" },
  ),
  makes("an empty file gets lines", { f: "" }, plain("@@ -0,0 +1,2 @@", "+a", "+b"), { f: lines("a", "b") }),
  makes("a file becomes empty", { f: abc }, plain("@@ -1,3 +0,0 @@", "-a", "-b", "-c"), { f: "" }),
  makes(
    "wrong counts where the end is certain",
    { f: abc },
    plain("@@ -1,7 +1,9 @@", ...hunk.slice(1)),
    { f: aBc },
    "HUNK_MISCOUNTED",
  ),
  makes(
    "counts that are too low",
    { f: abc },
    plain("@@ -1,2 +1,2 @@", ...hunk.slice(1)),
    { f: aBc },
    "HUNK_MISCOUNTED",
  ),
  makes(
    "empty lines between files",
    { f: abc, g: abc },
    `${plain(...hunk)}\n\n${plain(...hunk).replaceAll("/f", "/g")}\n`,
    { f: aBc, g: aBc },
  ),
  refuses(
    "wrong counts where a header may be meant",
    { f: abc, g: abc },
    plain("@@ -1,5 +1,5 @@", ...hunk.slice(1)) + plain(...hunk),
    ["PATCH_INVALID", "may be the header"],
  ),
  refuses("hunks that do not count their lines", { f: abc }, plain("@@", ...hunk.slice(1)), [
    "PATCH_INVALID",
    "Line 3",
  ]),
  refuses("a hunk without a file", {}, lines(...hunk), ["PATCH_INVALID", "no file has been named"]),
  refuses("prose before the diff", { f: abc }, `From: me\n${plain(...hunk)}`, ["PATCH_INVALID", "Line 1"]),
  refuses("the signature of a mail", { f: abc }, `${plain(...hunk)}-- \n2.40.0\n`, [
    "PATCH_INVALID",
    "signature",
  ]),
  refuses("a binary patch", { f: abc }, git("index 1..2", "GIT binary patch", "literal 3"), [
    "PATCH_INVALID",
    "binary",
  ]),
  refuses("binary files that differ", { f: abc }, git("index 1..2", "Binary files a/f and b/f differ"), [
    "PATCH_INVALID",
    "binary",
  ]),
  refuses("a combined diff", { f: abc }, lines("diff --cc f", "index 1,2..3"), ["PATCH_INVALID", "combined"]),
  refuses("a combined hunk", { f: abc }, plain("@@@ -1,3 -1,3 +1,3 @@@", "  a"), ["PATCH_INVALID", "hunk"]),
  refuses("a link", {}, git("new file mode 120000", "--- /dev/null", "+++ b/f", "@@ -0,0 +1 @@", "+/etc"), [
    "PATCH_INVALID",
    "symbolic link",
  ]),
  refuses(
    "a submodule",
    {},
    git("new file mode 160000", "--- /dev/null", "+++ b/f", "@@ -0,0 +1 @@", "+Subproject"),
    ["PATCH_INVALID", "submodule"],
  ),
  refuses("two names", { f: abc }, lines("--- f.orig", "+++ f", ...hunk), ["PATCH_INVALID", "two files"]),
  refuses("names that disagree with the header", { f: abc, g: abc }, git("--- a/g", "+++ b/g", ...hunk), [
    "PATCH_INVALID",
    "another file",
  ]),
  refuses("a name that cannot be read", {}, lines('--- "a/\\q"', '+++ "b/\\q"', ...hunk), [
    "PATCH_INVALID",
    "escape",
  ]),
  refuses("a quoted name without its end", {}, lines('--- "a/f', "+++ b/f", ...hunk), [
    "PATCH_INVALID",
    "closing quote",
  ]),
  refuses("a quoted name that is not UTF-8", {}, lines('--- "a/\\377"', '+++ "b/\\377"', ...hunk), [
    "PATCH_INVALID",
    "UTF-8",
  ]),
  refuses("a line separator in a name", {}, lines("--- x\u2028x", "+++ x\u2028x", ...hunk), [
    "PATCH_INVALID",
    "line separator",
  ]),
  refuses("a newline smuggled in a name", {}, lines('--- "a/x\\n--- y"', '+++ "b/x\\n--- y"', ...hunk), [
    "INVALID_PATH",
    "control character",
  ]),
  refuses("a name out of the workspace", {}, lines("--- a/../../x", "+++ b/../../x", ...hunk), [
    "INVALID_PATH",
    '".."',
  ]),
  refuses("a file without hunks", { f: abc }, plain(), ["PATCH_INVALID", "without any hunk"]),
  refuses("a header without any change", { f: abc }, git("index 1..2"), [
    "PATCH_INVALID",
    "without any change",
  ]),
  refuses("half a rename", { f: abc }, lines("diff --git a/f b/g", "rename from f"), [
    "PATCH_INVALID",
    "rename",
  ]),
  refuses("a marker without a line", { f: abc }, plain("@@ -1 +1 @@", noNewline), [
    "PATCH_INVALID",
    "no line before",
  ]),
  refuses("lines after the last one", { f: "a" }, plain("@@ -1 +1,2 @@", "-a", "+b", noNewline, "+c"), [
    "PATCH_INVALID",
    "follows the last line",
  ]),
  refuses(
    "a deleted file that holds more",
    { f: abc },
    lines("--- a/f", "+++ /dev/null", "@@ -1,2 +0,0 @@", "-a", "-b"),
    ["PATCH_CONTEXT_NOT_FOUND", "other content"],
  ),
  refuses("a deleted file that is not shown", { f: abc }, git("deleted file mode 100644", "index 1..0"), [
    "PATCH_CONTEXT_NOT_FOUND",
    "other content",
  ]),
  refuses(
    "a deleted file with context",
    { f: abc },
    lines("--- a/f", "+++ /dev/null", "@@ -1,2 +0,0 @@", " a", "-b"),
    ["PATCH_INVALID", "deleted file"],
  ),
  refuses("a new file with context", {}, lines("--- /dev/null", "+++ b/f", "@@ -0,0 +1,2 @@", " a", "+b"), [
    "PATCH_INVALID",
    "new file",
  ]),
  refuses("a new file over another", { f: abc }, lines("--- /dev/null", "+++ b/f", "@@ -0,0 +1 @@", "+x"), [
    "ALREADY_EXISTS",
    "another file",
  ]),
  refuses(
    "a rename onto another",
    { f: abc, g: "x" },
    lines("diff --git a/f b/g", "rename from f", "rename to g"),
    ["ALREADY_EXISTS", '"g"'],
  ),
  refuses("a missing newline that is there", { f: abc }, plain("@@ -3 +3 @@", "-c", noNewline, "+d"), [
    "PATCH_CONTEXT_NOT_FOUND",
    "end of the file",
  ]),
  refuses("new lines with a number alone", { f: abc }, plain("@@ -2,0 +3 @@", "+x"), [
    "PATCH_CONTEXT_AMBIGUOUS",
    "anywhere",
  ]),
  refuses("a binary file", { f: "a\0b\n" }, plain("@@ -1 +1 @@", "-a", "+b"), ["BINARY_FILE", '"f"']),
];
