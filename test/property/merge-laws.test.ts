import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runSteps } from "../../src/base/steps.ts";
import {
  type MergeStretch,
  type MergeTexts,
  mergedBytes,
  mergeText,
  type TextMerge,
} from "../../src/text/merge-text.ts";
import { makeMergeCase, mergeRelations, mergeShapes } from "../support/merging/merge-cases.ts";
import { mergeOurs } from "../support/merging/merge-tally.ts";
import { byteText, editedText, linesOf, lineText, openBytes } from "../support/merging/text-arbitraries.ts";

function join(lines: readonly string[]): Uint8Array {
  return new TextEncoder().encode(lines.join(""));
}

function open(base: Uint8Array, current: Uint8Array, incoming: Uint8Array): MergeTexts {
  return { base: openBytes(base), current: openBytes(current), incoming: openBytes(incoming) };
}

function merge({ base, current, incoming }: MergeTexts): TextMerge {
  return runSteps(mergeText(base, current, incoming));
}

function merged(texts: MergeTexts): Uint8Array {
  const result = merge(texts);
  expect(result.conflicts).toBe(0);
  return runSteps(mergedBytes(result, texts));
}

const editedTriple = lineText.chain((base) =>
  fc
    .tuple(editedText(base), editedText(base))
    .map(([current, incoming]) => [join(base), join(current), join(incoming)] as const),
);
const shapedTriple = fc
  .tuple(fc.nat(), fc.constantFrom(...mergeShapes), fc.constantFrom(...mergeRelations))
  .map(([seed, shape, relation]) => {
    const { base, current, incoming } = makeMergeCase(seed, shape, relation);
    return [join(base), join(current), join(incoming)] as const;
  });
const triple = fc.oneof(fc.tuple(byteText, byteText, byteText), editedTriple, shapedTriple);

describe("a merge of texts", () => {
  it("takes the side that changed, when the other did not or changed to the same", () => {
    fc.assert(
      fc.property(triple, ([base, side]) => {
        expect(merged(open(base, base, side))).toEqual(side);
        expect(merged(open(base, side, base))).toEqual(side);
        expect(merged(open(base, side, side))).toEqual(side);
        expect(merged(open(base, base, base))).toEqual(base);
      }),
      { numRuns: 300 },
    );
  });

  it("mirrors its stretches when the sides change places", () => {
    fc.assert(
      fc.property(triple, ([base, current, incoming]) => {
        const { stretches, conflicts } = merge(open(base, current, incoming));
        const swapped = merge(open(base, incoming, current));
        expect(swapped.conflicts).toBe(conflicts);
        expect(swapped.stretches).toEqual(stretches.map(mirror));
      }),
      { numRuns: 500 },
    );
  });

  it("covers all three texts in order, and says of each stretch what is true of its lines", () => {
    fc.assert(
      fc.property(triple, ([base, current, incoming]) => {
        const texts = open(base, current, incoming);
        checkStretches(merge(texts), texts);
      }),
      { numRuns: 500 },
    );
  });

  it("gives the text with the edits of both sides, where lines are unique and an untouched line stands between the sides", () => {
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        const { truth, ...rest } = makeMergeCase(seed, "unique", "separable");
        expect(mergeOurs({ truth, ...rest })).toBe(truth?.join(""));
      }),
      { numRuns: 300 },
    );
  });

  it("conflicts where unique lines side by side are changed by different sides", () => {
    const base = Array.from({ length: 9 }, (_, line) => `line ${line}\n`);
    for (let at = 0; at < 8; at++) {
      const replaced = (line: number) => base.map((text, index) => (index === line ? `new ${text}` : text));
      expect(merge(open(join(base), join(replaced(at)), join(replaced(at + 1)))).conflicts).toBe(1);
    }
  });
});

function mirror(stretch: MergeStretch): MergeStretch {
  const kind =
    stretch.kind === "current" ? "incoming" : stretch.kind === "incoming" ? "current" : stretch.kind;
  return { kind, base: stretch.base, current: stretch.incoming, incoming: stretch.current };
}

function checkStretches({ stretches, conflicts }: TextMerge, texts: MergeTexts): void {
  const sides = ["base", "current", "incoming"] as const;
  const lines = {
    base: linesOf(texts.base),
    current: linesOf(texts.current),
    incoming: linesOf(texts.incoming),
  };
  const at = { base: 0, current: 0, incoming: 0 };
  let before: MergeStretch["kind"] = "same";
  for (const stretch of stretches) {
    for (const side of sides) {
      expect(stretch[side].from).toBe(at[side]);
      at[side] = stretch[side].to;
    }
    const [base, current, incoming] = sides.map((side) =>
      lines[side].slice(stretch[side].from, stretch[side].to).join(""),
    );
    expect(
      {
        same: base === current && base === incoming,
        current: base === incoming && base !== current,
        incoming: base === current && base !== incoming,
        both: current === incoming && base !== current,
        conflict: current !== incoming,
      }[stretch.kind],
    ).toBe(true);
    // Between two changes stands a line that all keep.
    if (before !== "same") expect(stretch.kind).toBe("same");
    before = stretch.kind;
  }
  for (const side of sides) expect(at[side]).toBe(lines[side].length);
  expect(stretches.filter(({ kind }) => kind === "conflict")).toHaveLength(conflicts);
}
