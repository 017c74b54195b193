import { describe, expect, test } from "vitest";
import { hunkHeading } from "../../../src/text/hunk-range.ts";
import { diffBytes } from "../../support/diffs/diff-trees.ts";

const numbers = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => `${from + index}\n`).join("");
const changed = (text: string, ...lines: readonly number[]) =>
  lines.reduce((all, line) => all.replace(`${line}\n`, `new ${line}\n`), text);
const headings = (before: string, after: string, contextLines: number) =>
  diffBytes(before, after, { contextLines }).unified.match(/^@@.*$/gm);
const twenty = numbers(1, 20);

describe("changes are cut into hunks", () => {
  test.each<[string, readonly number[], number, readonly string[]]>([
    ["with three lines around them", [10], 3, ["@@ -7,7 +7,7 @@"]],
    ["that end at the first line", [2], 3, ["@@ -1,5 +1,5 @@"]],
    ["that end at the last line", [20], 3, ["@@ -17,4 +17,4 @@"]],
    ["that are one where their context touches", [5, 12], 3, ["@@ -2,14 +2,14 @@"]],
    ["that are two where a line lies between", [5, 13], 3, ["@@ -2,7 +2,7 @@", "@@ -10,7 +10,7 @@"]],
    ["that are one with context in common", [5, 8, 10], 3, ["@@ -2,12 +2,12 @@"]],
    ["without context", [5, 6, 8], 0, ["@@ -5,2 +5,2 @@", "@@ -8 +8 @@"]],
    ["with all there is", [10], 1_000_000, ["@@ -1,20 +1,20 @@"]],
  ])("%s", (_name, lines, context, expected) => {
    expect(headings(twenty, changed(twenty, ...lines), context)).toEqual(expected);
  });

  test.each<[string, string, string, number, readonly string[]]>([
    ["lines put at the start", twenty, `0\n${twenty}`, 0, ["@@ -0,0 +1 @@"]],
    [
      "lines put in the middle",
      numbers(1, 4),
      `${numbers(1, 2)}x\ny\n${numbers(3, 4)}`,
      0,
      ["@@ -2,0 +3,2 @@"],
    ],
    ["lines removed at the start", numbers(1, 3), numbers(2, 3), 0, ["@@ -1 +0,0 @@"]],
    ["a line removed", numbers(1, 3), "1\n3\n", 0, ["@@ -2 +1,0 @@"]],
    ["a first line", "", "1\n", 3, ["@@ -0,0 +1 @@"]],
    ["the last line gone", "1\n", "", 3, ["@@ -1 +0,0 @@"]],
    ["places that moved", twenty, `0\n${changed(twenty, 15)}`, 1, ["@@ -1 +1,2 @@", "@@ -14,3 +15,3 @@"]],
  ])("an empty side is named by the line before it: %s", (_name, before, after, context, expected) => {
    expect(headings(before, after, context)).toEqual(expected);
  });

  test("their fields say the same as their heading", () => {
    const diff = diffBytes(twenty, `0\n${changed(twenty, 15)}`, { contextLines: 0 });
    expect(diff.hunks.map(({ id: _id, ...fields }) => fields)).toEqual([
      { oldStart: 0, oldLines: 0, newStart: 1, newLines: 1, lines: ["+0"] },
      { oldStart: 15, oldLines: 1, newStart: 16, newLines: 1, lines: ["-15", "+new 15"] },
    ]);
  });
});

test("a heading leaves out the count of a single line, as git does", () => {
  const range = { firstChange: 0, endChange: 1 };
  expect(hunkHeading({ oldFrom: 4, oldTo: 5, newFrom: 0, newTo: 2, ...range })).toBe("@@ -5 +1,2 @@");
});
