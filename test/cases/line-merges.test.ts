import { expect, test } from "vitest";
import { runSteps } from "../../src/base/steps.ts";
import { mergedBytes, mergeText } from "../../src/text/merge-text.ts";
import { openLines } from "../support/merging/merge-tally.ts";

/** Pieces of work, of 4,096 units each, that a merge of so many lines may take. */
const mostPieces = 3_000;

function merge(base: readonly string[], current: readonly string[], incoming: readonly string[]) {
  const texts = { base: openLines(base), current: openLines(current), incoming: openLines(incoming) };
  const steps = mergeText(texts.base, texts.current, texts.incoming);
  for (let pieces = 1; ; pieces++) {
    const step = steps.next();
    if (step.done !== true) continue;
    expect(pieces).toBeLessThan(mostPieces);
    const { conflicts } = step.value;
    return { merge: step.value, text: conflicts > 0 ? undefined : runSteps(mergedBytes(step.value, texts)) };
  }
}

const encode = (lines: readonly string[]) => new TextEncoder().encode(lines.join(""));

test.each([
  ["#155 twenty thousand words out of fifty", (line: number) => `word ${(line * line + 7 * line) % 50}\n`],
  ["#194 ten thousand equal pairs", (line: number) => (line % 2 === 0 ? "{\n" : "}\n")],
])("%s are merged with bounded work", (_, word) => {
  const base = Array.from({ length: 20_000 }, (_, line) => word(line));
  const edited = (first: number, text: string) =>
    base.map((line, at) => (at % 2_000 === first ? `${text} ${at}\n` : line));
  const truth = base.map((line, at) =>
    at % 2_000 === 500 ? `mine ${at}\n` : at % 2_000 === 1_500 ? `theirs ${at}\n` : line,
  );
  expect(merge(base, edited(500, "mine"), edited(1_500, "theirs")).text).toEqual(encode(truth));
});

test("#157 texts without any order in common are given up on after bounded work, and conflict as wholes", () => {
  const count = 20_000;
  const shuffled = (step: number) =>
    Array.from({ length: count }, (_, line) => `note ${(line * step) % count}\n`);
  const { merge: result, text } = merge(shuffled(1), shuffled(7_919), shuffled(104_729));
  expect(text).toBeUndefined();
  expect(result.conflicts).toBeGreaterThan(0);
  const ends = result.stretches.at(-1);
  expect([ends?.base.to, ends?.current.to, ends?.incoming.to]).toEqual([count, count, count]);
});
