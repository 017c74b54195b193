import { expect } from "vitest";
import { envelope, lines } from "../patch/patch-scenario.ts";
import { latin1 } from "../support/edit-text.ts";
import { unifiedDiff } from "../support/patch/unified-diff.ts";
import { rawText, testCase } from "./case-workspace.ts";

const update = (...body: readonly string[]) => envelope("*** Update File: a.txt", ...body);
const unified = (...body: readonly string[]) => lines("--- a/a.txt", "+++ b/a.txt", ...body);

/** A row: a file, a patch of it, and every byte that must be there afterwards. */
interface Row {
  readonly name: string;
  readonly before: string | Uint8Array;
  readonly patch: string;
  readonly after: string;
}

const rows: readonly Row[] = [
  {
    name: "#25 a patch of a CRLF file leaves it CRLF",
    before: "foo\r\nbar\r\n",
    patch: update("-foo", "+FOO"),
    after: "FOO\r\nbar\r\n",
  },
  {
    name: "#26 context lines of a hunk keep their bytes",
    before: "a\r\nb\r\nc\r\n",
    patch: update(" a", "-b", "+B", " c"),
    after: "a\r\nB\r\nc\r\n",
  },
  {
    name: "#26 context lines of a hunk keep the blanks at their end",
    before: "a  \nb\nc\t\n",
    patch: update(" a", "-b", "+B", " c"),
    after: "a  \nB\nc\t\n",
  },
  {
    name: "#32 the byte order mark outlives a patch",
    before: "\ufeffimport os\nx\n",
    patch: update("-import os", "+import sys"),
    after: "\ufeffimport sys\nx\n",
  },
  {
    name: "#52 a hunk that is found by look-alikes leaves those of all other lines",
    before: "“one”\n‘two’ – x\u00a0y  \n“three”\n“four”\n",
    patch: update(" 'two' - x y", '-"three"', "+3"),
    after: "“one”\n‘two’ – x\u00a0y  \n3\n“four”\n",
  },
  {
    name: "#64 a deletion without context takes the line that it names",
    before: "1\n2\n\n4\n\n6\n",
    patch: unified("@@ -3,1 +2,0 @@", "-"),
    after: "1\n2\n4\n\n6\n",
  },
  {
    name: "#82 a line is added to a file without a final newline",
    before: "a",
    patch: unified(
      "@@ -1 +1,2 @@",
      "-a",
      "\\ No newline at end of file",
      "+a",
      "+b",
      "\\ No newline at end of file",
    ),
    after: "a\nb",
  },
  {
    name: "#82 a line is added to an empty file",
    before: "",
    patch: unified("@@ -0,0 +1 @@", "+a"),
    after: "a\n",
  },
  {
    name: "#37 a patch leaves bytes that are not UTF-8",
    before: latin1("const x = 1;\n// caf\xe9\n"),
    patch: update("-const x = 1;", "+const x = 2;"),
    after: "const x = 2;\n// caf\xe9\n",
  },
];

for (const { name, before, patch, after } of rows)
  testCase(name, { "a.txt": before }, async (on) => {
    await on.workspace.applyPatch(patch);
    expect(await on.raw("a.txt")).toBe(typeof before === "string" ? rawText(after) : after);
  });

const contents = ["", "a", "a\n", "a\nb", "a\nb\n", "b\n", "\n", "\n\n"];
for (const before of contents)
  testCase(
    `#65 ${JSON.stringify(before)} becomes every other text by its diff, final newline and all`,
    { "a.txt": before },
    async (on) => {
      for (const after of contents) {
        const patch = unifiedDiff("a.txt", before, after, 3);
        on.outside("a.txt", before);
        if (patch !== "") await on.workspace.applyPatch(patch);
        expect(await on.raw("a.txt")).toBe(after);
      }
    },
  );

const alike = lines("open();", "check(1);", "close();", "open();", "check(2);", "close();");
const methods = lines("a() {", "  return x;", "}", "", "b() {", "  return x;", "}", "");

testCase(
  "#59 a hunk whose context is slightly off goes to no block that is like it",
  { "a.txt": alike },
  async (on) => {
    const patch = update(" open();", "-check(3);", "+check(4);", " close();");
    const error = await on.refuses("PATCH_CONTEXT_NOT_FOUND", () => on.workspace.applyPatch(patch));
    expect(error.message).toMatch(/nearest is at line [14]/);
  },
);

testCase(
  "#59 a hunk that has moved says to which line, and how far",
  { "a.txt": `\n\n${alike}` },
  async (on) => {
    const patch = unified("@@ -4,3 +4,3 @@", " open();", "-check(2);", "+check(4);", " close();");
    const { files } = await on.workspace.applyPatch(patch);
    expect(files[0]?.hunks).toEqual([{ grade: "exact", line: 6, offset: 2 }]);
  },
);

testCase(
  "#61 the line that a header names is not changed when its text is another",
  { "a.txt": alike },
  async (on) => {
    const patch = unified("@@ -2,1 +2,1 @@", "-check(9);", "+check(4);");
    await on.refuses("PATCH_CONTEXT_NOT_FOUND", () => on.workspace.applyPatch(patch));
  },
);

testCase("#62 lines that two methods share are no place to insert at", { "a.txt": methods }, async (on) => {
  const patch = update("   return x;", " }", " ", "+c() {", "+}");
  await on.refuses("PATCH_CONTEXT_AMBIGUOUS", () => on.workspace.applyPatch(patch));
});

testCase("#67 a newline in a quoted name smuggles no header in", { x: "x\n", y: "y\n" }, async (on) => {
  const name = "x\\n--- a/y\\n+++ b/y";
  const patch = lines(`--- "a/${name}"`, `+++ "b/${name}"`, "@@ -1 +1 @@", "-y", "+z");
  await on.refuses("INVALID_PATH", () => on.workspace.applyPatch(patch));
});

for (const odd of ["\r", "\u2028", "\u2029", "\u0085", "\v"])
  testCase(`#68 ${JSON.stringify(odd)} in a header is refused at once`, { x: "a\n" }, async (on) => {
    const patch = lines(`--- x${odd}x`, `+++ x${odd}x`, "@@ -1 +1 @@", "-a", "+b");
    await on.refuses("PATCH_INVALID", () => on.workspace.applyPatch(patch));
  });

testCase("#166 octal escapes of a quoted name are bytes of UTF-8", { "naïve.txt": "a\n" }, async (on) => {
  const name = "na\\303\\257ve.txt";
  await on.workspace.applyPatch(lines(`--- "a/${name}"`, `+++ "b/${name}"`, "@@ -1 +1 @@", "-a", "+b"));
  expect((await on.workspace.read("naïve.txt")).text).toBe("b\n");
});

testCase(
  "#167 names with blanks and prefixes inside are read whole",
  { "a b/c b/d": "a\n", "x y": "a\n" },
  async (on) => {
    const hunk = ["@@ -1 +1 @@", "-a", "+b"];
    const first = lines(
      "diff --git a/a b/c b/d b/a b/c b/d",
      "--- a/a b/c b/d\t",
      "+++ b/a b/c b/d\t",
      ...hunk,
    );
    const tab = lines(
      'diff --git "a/x\\ty" "b/x\\ty"',
      "new file mode 100644",
      "--- /dev/null",
      '+++ "b/x\\ty"',
      "@@ -0,0 +1 @@",
      "+a",
    );
    await on.workspace.applyPatch(first + lines("--- x y\t2024-01-01", "+++ x y\t2024-01-02", ...hunk));
    expect((await on.workspace.read("a b/c b/d")).text).toBe("b\n");
    expect((await on.workspace.read("x y")).text).toBe("b\n");
    await on.refuses("INVALID_PATH", () => on.workspace.applyPatch(tab));
  },
);

testCase("#197 a header of many blanks takes no longer than its length", { x: "a\n" }, async (on) => {
  const blanks = " ".repeat(200_000);
  await on.refuses("PATCH_INVALID", () =>
    on.workspace.applyPatch(`--- ${blanks}\u2028\n+++ ${blanks}\u2028\n@@ -1 +1 @@\n-a\n+b\n`),
  );
  await on.refuses("PATCH_INVALID", () => on.workspace.applyPatch(`--- x\n+++ x\n@@ -1 ${blanks}\n-a\n+b\n`));
});

testCase(
  "#110 a deletion whose lines are not those of the file deletes nothing",
  { "a.txt": "mine\n" },
  async (on) => {
    const patch = lines("--- a/a.txt", "+++ /dev/null", "@@ -1 +0,0 @@", "-theirs");
    await on.refuses("PATCH_CONTEXT_NOT_FOUND", () => on.workspace.applyPatch(patch));
  },
);
