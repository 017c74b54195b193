import { expect, test } from "vitest";
import { runSteps } from "../../../src/base/steps.ts";
import { openDocument } from "../../../src/text/text-document.ts";
import { changedLines } from "../../../src/tree/changed-lines.ts";

const open = (text: string | undefined) => {
  if (text === undefined) return undefined;
  const document = runSteps(openDocument(new TextEncoder().encode(text)));
  return document.kind === "text" ? document : undefined;
};

test.each<readonly [string, string | undefined, string | undefined, readonly number[], readonly number[]]>([
  ["nothing", "a\nb\n", "a\nb\n", [], []],
  ["a line in the middle", "a\nb\nc\n", "a\nB\nc\n", [2, 2, 1, 1], []],
  ["a line more", "a\nb\n", "a\nx\nb\n", [2, 2, 1, 0], [2, 1]],
  ["a line less", "a\nx\nb\n", "a\nb\n", [2, 1, 0, 1], [3, -1]],
  ["a repeated line more", "a\na\n", "a\na\na\n", [3, 3, 1, 0], []],
  ["the last line end", "a\nb", "a\nb\n", [2, 2, 1, 1], []],
  ["a line end", "a\nb\n", "a\r\nb\n", [1, 1, 1, 1], []],
  ["everything", "a\nb\n", "c\n", [1, 1, 1, 2], []],
  ["the first text", undefined, "a\nb\n", [1, 2, 2, 0], []],
  ["text that goes away", "a\nb\n", undefined, [], []],
])("%s", (_what, before, after, range, shift) => {
  const changed = runSteps(changedLines(open(before), open(after)));
  const [startLine, endLine, added, removed] = range;
  const [fromLine, by] = shift;
  expect(changed.changedRanges).toEqual(range.length === 0 ? [] : [{ startLine, endLine, added, removed }]);
  expect(changed.lineShifts).toEqual(shift.length === 0 ? [] : [{ fromLine, by }]);
  if (after === undefined) expect(changed).toMatchObject({ additions: 0, removals: 2 });
});

test("long texts are compared in pieces", () => {
  const lines = (count: number, middle: string) =>
    `${"common line\n".repeat(count)}${middle}${"common line\n".repeat(count)}`;
  const steps = changedLines(open(lines(100_000, "a\n")), open(lines(100_000, "b\nc\n")));
  let pieces = 0;
  for (;;) {
    const step = steps.next();
    pieces++;
    if (step.done !== true) continue;
    expect(step.value.changedRanges).toEqual([
      { startLine: 100_001, endLine: 100_002, added: 2, removed: 1 },
    ]);
    break;
  }
  expect(pieces).toBeGreaterThan(8);
});
