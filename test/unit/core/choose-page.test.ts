import { expect, test } from "vitest";
import { isHoldfastError } from "../../../src/base/holdfast-error.ts";
import { libraryLimits } from "../../../src/base/limits.ts";
import { choosePage } from "../../../src/core/choose-page.ts";
import type { LineRange } from "../../../src/schema/read-options.ts";

const choose = (lineCount: number, range: LineRange, pageLines = 1000) =>
  choosePage("a.ts", lineCount, range, { ...libraryLimits, pageLines });

test.each<[string, number, LineRange, object]>([
  ["everything", 10, {}, { startLine: 1, endLine: 10 }],
  ["from a line on", 10, { startLine: 4 }, { startLine: 4, endLine: 10 }],
  ["to a line", 10, { endLine: 4 }, { startLine: 1, endLine: 4 }],
  ["one line", 10, { startLine: 4, endLine: 4 }, { startLine: 4, endLine: 4 }],
  ["to beyond the end", 10, { startLine: 9, endLine: 99 }, { startLine: 9, endLine: 10 }],
  ["the last lines", 10, { last: 3 }, { startLine: 8, endLine: 10 }],
  ["more last lines than there are", 2, { last: 3 }, { startLine: 1, endLine: 2 }],
  ["nothing of an empty file", 0, {}, { startLine: 1, endLine: 0 }],
  ["the last lines of an empty file", 0, { last: 3 }, { startLine: 1, endLine: 0 }],
  [
    "a page of so many",
    10,
    { maxLines: 4 },
    { startLine: 1, endLine: 4, nextStartLine: 5, truncatedBy: "lines" },
  ],
  ["a page that just holds all", 10, { maxLines: 10 }, { startLine: 1, endLine: 10 }],
  ["a page inside a range", 10, { startLine: 3, endLine: 5, maxLines: 3 }, { startLine: 3, endLine: 5 }],
  [
    "a page of the last lines",
    10,
    { last: 5, maxLines: 2 },
    { startLine: 6, endLine: 7, nextStartLine: 8, truncatedBy: "lines" },
  ],
])("chooses %s", (_name, lineCount, range, expected) => {
  expect(choose(lineCount, range)).toEqual(expected);
});

test("the limit bounds the page whatever the call asks for", () => {
  expect(choose(10, { maxLines: 100 }, 3)).toMatchObject({ endLine: 3, truncatedBy: "lines" });
});

test.each<[string, number, LineRange]>([
  ["before the first line", 10, { startLine: 0 }],
  ["far before it", 10, { startLine: -5 }],
  ["after the last line", 10, { startLine: 11 }],
  ["in an empty file", 0, { startLine: 2 }],
  ["after its own end", 10, { startLine: 5, endLine: 4 }],
  ["with an end before the first line", 10, { endLine: 0 }],
])("refuses a page that begins %s, saying how many lines there are", (_name, lineCount, range) => {
  try {
    choose(lineCount, range);
    expect.unreachable();
  } catch (error) {
    expect(isHoldfastError(error, "LINE_OUT_OF_RANGE") && error.message).toContain(`${lineCount} lines`);
  }
});
