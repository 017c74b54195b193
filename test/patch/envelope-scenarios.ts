import { envelope, lines, makes, type PatchScenario, refuses } from "./patch-scenario.ts";

const abc = lines("a", "b", "c");
const code = lines("class A:", "  def f():", "    return 1", "", "class B:", "  def f():", "    return 1");
const update = (...body: readonly string[]) => envelope("*** Update File: f", ...body);

/** Patches in the envelope form: their sections, and what is no envelope. */
export const envelopeScenarios: readonly PatchScenario[] = [
  makes("a line is replaced", { f: abc }, update("@@", " a", "-b", "+B", " c"), { f: lines("a", "B", "c") }),
  makes("the first hunk needs no @@", { f: abc }, update(" a", "-b", "+B"), { f: lines("a", "B", "c") }),
  makes("lines are added only", { f: abc }, update("@@", " b", "+b2", "+b3", " c"), {
    f: lines("a", "b", "b2", "b3", "c"),
  }),
  makes("lines are removed only", { f: abc }, update("@@", "-a", "-b"), { f: lines("c") }),
  makes("all lines are removed", { f: abc }, update("@@", "-a", "-b", "-c"), { f: "" }),
  makes("several hunks in order", { f: abc }, update("@@", "-a", "+A", "@@", "-c", "+C"), {
    f: lines("A", "b", "C"),
  }),
  makes("hunks that touch", { f: abc }, update("@@", "-a", "+A", "@@", "-b", "+B", "@@", "-c", "+C"), {
    f: lines("A", "B", "C"),
  }),
  makes(
    "a context line without its blank is an empty line",
    { f: lines("a", "", "b") },
    update(" a", "", "-b", "+c"),
    {
      f: lines("a", "", "c"),
    },
  ),
  makes("empty lines after a hunk are no part of it", { f: abc }, update("@@", " a", "-b", "+B", "", ""), {
    f: lines("a", "B", "c"),
  }),
  makes("a file is added", {}, envelope("*** Add File: d/n", "+one", "+", "+two"), {
    "d/n": lines("one", "", "two"),
  }),
  makes("an empty file is added", {}, envelope("*** Add File: n"), { n: "" }),
  makes("a file is deleted", { f: abc, g: "x" }, envelope("*** Delete File: f"), { g: "x" }),
  makes("a file is moved", { f: abc }, update("*** Move to: d/g"), { "d/g": abc }),
  makes("a file is moved and edited", { f: abc }, update("*** Move to: g", "@@", "-b", "+B"), {
    g: lines("a", "B", "c"),
  }),
  makes("a move onto the file itself is an edit", { f: abc }, update("*** Move to: f", "@@", "-b", "+B"), {
    f: lines("a", "B", "c"),
  }),
  makes("a move keeps that the file may be run", { "f*": abc }, update("*** Move to: g", "-b", "+B"), {
    "g*": lines("a", "B", "c"),
  }),
  makes(
    "many files at once",
    { f: abc, g: "old\n", h: "x\n" },
    envelope(
      "*** Add File: n",
      "+n",
      "*** Update File: f",
      "@@",
      "-b",
      "*** Delete File: g",
      "*** Update File: h",
      "-x",
      "+y",
    ),
    { f: lines("a", "c"), n: "n\n", h: "y\n" },
  ),
  makes(
    "a file takes the place of a folder that goes",
    { "p/c": "x\n" },
    envelope("*** Delete File: p/c", "*** Add File: p", "+now a file"),
    { p: "now a file\n" },
  ),
  makes(
    "sections of one file that follow each other go on",
    { f: abc },
    envelope("*** Update File: f", "-a", "+A", "*** Update File: f", "-c", "+C"),
    { f: lines("A", "b", "C") },
  ),
  makes(
    "*** End of File pins a hunk to the end",
    { f: lines("x", "a", "x") },
    update("@@", "-x", "+y", "*** End of File"),
    {
      f: lines("x", "a", "y"),
    },
  ),
  makes(
    "new lines alone go to the end before *** End of File",
    { f: abc },
    update("@@", "+d", "*** End of File"),
    {
      f: lines("a", "b", "c", "d"),
    },
  ),
  makes("new lines alone go into an empty file", { f: "" }, update("@@", "+d"), { f: "d\n" }),
  makes("an anchor names the block", { f: code }, update("@@ class B:", "-    return 1", "+    return 2"), {
    f: code.replace(/return 1\n$/, "return 2\n"),
  }),
  makes(
    "anchors go from the outer block to the inner one",
    { f: code },
    update("@@ class B:", "@@   def f():", "-    return 1", "+    return 2"),
    { f: code.replace(/return 1\n$/, "return 2\n") },
  ),
  makes(
    "an anchor may be the first line of the hunk, too",
    { f: code },
    update("@@ class B:", " class B:", "+  x = 1", "   def f():"),
    {
      f: code.replace("class B:\n", "class B:\n  x = 1\n"),
    },
  ),
  makes("new lines alone go right after their anchor", { f: abc }, update("@@ b", "+b2"), {
    f: lines("a", "b", "b2", "c"),
  }),
  makes(
    "two hunks may have one anchor",
    { f: lines("x", "fn", "1", "2", "fn2", "1") },
    update("@@ fn", "-1", "+one", "@@ fn", "-2", "+two"),
    {
      f: lines("x", "fn", "one", "two", "fn2", "1"),
    },
  ),
  makes(
    "a header with numbers is understood in an envelope",
    { f: lines("x", "x") },
    update("@@ -2,1 +2,1 @@", "-x", "+y"),
    {
      f: lines("x", "y"),
    },
  ),
  makes(
    "an envelope with CRLF everywhere",
    { f: abc },
    update("@@", " a", "-b", "+B").replaceAll("\n", "\r\n"),
    {
      f: lines("a", "B", "c"),
    },
  ),
  makes(
    "content may look like headers",
    { f: lines("*** End Patch", "a") },
    update("@@", " *** End Patch", "-a", "+*** Add File: x"),
    {
      f: lines("*** End Patch", "*** Add File: x"),
    },
  ),
  makes("the last line needs no line end", { f: abc }, update("@@", "-b").trimEnd(), { f: lines("a", "c") }),
  makes(
    "names with blanks and other letters",
    { "a b/ä ü": abc },
    envelope("*** Update File: a b/ä ü", "-b"),
    {
      "a b/ä ü": lines("a", "c"),
    },
  ),
  makes(
    "adding what is there with the same bytes changes nothing",
    { f: abc },
    envelope("*** Add File: f", "+a", "+b", "+c"),
    { f: abc },
  ),
  refuses("adding over another file", { f: abc }, envelope("*** Add File: f", "+x"), [
    "ALREADY_EXISTS",
    "another file",
  ]),
  refuses("moving onto another file", { f: abc, g: "g" }, update("*** Move to: g"), [
    "ALREADY_EXISTS",
    '"g"',
  ]),
  refuses("deleting what is not there", {}, envelope("*** Delete File: f"), ["NOT_FOUND", '"f"']),
  refuses("updating what is not there", {}, update("-a"), ["NOT_FOUND", '"f"']),
  refuses(
    "one file twice, not in a row",
    { f: abc, g: "x\n" },
    envelope("*** Update File: f", "-a", "*** Update File: g", "-x", "*** Update File: f", "-c"),
    ["DUPLICATE_PATH", '"f"'],
  ),
  refuses(
    "adding and updating one file",
    {},
    envelope("*** Add File: f", "+a", "*** Update File: f", "-a"),
    ["DUPLICATE_PATH", '"f"'],
    ["NOT_FOUND", '"f"'],
  ),
  refuses(
    "all problems of all files are told at once",
    { f: abc, g: abc },
    envelope("*** Update File: f", "-nowhere at all", "*** Add File: g", "+x", "*** Delete File: h"),
    ["PATCH_CONTEXT_NOT_FOUND", "line 3 of the patch"],
    ["ALREADY_EXISTS", '"g"'],
    ["NOT_FOUND", '"h"'],
  ),
  refuses("an envelope that is cut off", { f: abc }, update("-b").replace("*** End Patch\n", ""), [
    "PATCH_INVALID",
    '"*** End Patch"',
  ]),
  refuses("text after the envelope", { f: abc }, `${update("-b")}and so on\n`, ["PATCH_INVALID", "Line 5"]),
  refuses("text before the envelope", { f: abc }, `Here is it:\n${update("-b")}`, [
    "PATCH_INVALID",
    "Line 1",
  ]),
  refuses("an empty envelope", {}, envelope(), ["PATCH_INVALID", "names no file"]),
  refuses("nothing", {}, "", ["PATCH_INVALID", "names no file"]),
  refuses("a line without its sign", { f: abc }, update("@@", "-b", "c"), ["PATCH_INVALID", "Line 5"]),
  refuses("an added line without +", {}, envelope("*** Add File: n", "+a", "b"), ["PATCH_INVALID", "Line 4"]),
  refuses("an unknown section", {}, envelope("*** Rename File: n"), ["PATCH_INVALID", "Line 2"]),
  refuses("a section without a name", {}, envelope("*** Add File: "), ["PATCH_INVALID", "Line 2"]),
  refuses("an update without hunks", { f: abc }, update(), ["PATCH_INVALID", "without any hunk"]),
  refuses("a hunk that changes nothing", { f: abc }, update("@@", " a", " b"), ["PATCH_INVALID", "Line 3"]),
  refuses("an anchor without a hunk", { f: abc }, update("@@ a"), ["PATCH_INVALID", "Line 3"]),
  refuses("a path out of the workspace", {}, envelope("*** Add File: ../x", "+a"), ["INVALID_PATH", '".."']),
  refuses("an absolute path", {}, envelope("*** Add File: /x/y", "+a"), ["INVALID_PATH", "absolute"]),
  refuses("a protected path", {}, envelope("*** Add File: .git/hooks/x", "+a"), ["PROTECTED_PATH", ".git"]),
  refuses("a move out of the workspace", { f: abc }, update("*** Move to: ../f"), ["INVALID_PATH", '".."']),
];
