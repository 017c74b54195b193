import fc from "fast-check";
import { expect, test } from "vitest";
import { runSteps } from "../../../../src/base/steps.ts";
import { findPattern, findPatterns } from "../../../../src/text/patch/find-patterns.ts";

const ids = (maxLength: number) => fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength });
const lines = fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 60 });

/** Every place of a pattern, found by looking at each. */
function places(text: readonly number[], pattern: readonly number[]): number[] {
  return text.flatMap((_, start) => (pattern.every((id, at) => text[start + at] === id) ? [start] : []));
}

test("every place of every pattern is found, and no other", () => {
  fc.assert(
    fc.property(lines, fc.uniqueArray(ids(6), { selector: String, maxLength: 12 }), (text, patterns) => {
      const found = new Map<string, number[]>(patterns.map((pattern) => [String(pattern), []]));
      const sought = patterns.map((pattern) => ({ ids: Int32Array.from(pattern), key: String(pattern) }));
      runSteps(
        findPatterns(Int32Array.from(text), sought, ({ key }, start) => void found.get(key)?.push(start)),
      );
      for (const pattern of patterns) expect(found.get(String(pattern))).toEqual(places(text, pattern));
    }),
  );
});

test("the first and the last place in a range are found", () => {
  fc.assert(
    fc.property(lines, ids(4), fc.nat(60), fc.nat(60), fc.nat(2), (text, pattern, a, b, skipped) => {
      const from = Math.min(a, b, text.length);
      const to = Math.min(Math.max(a, b), text.length);
      const accept = (start: number) => start % 3 !== skipped;
      const all = places(text, pattern).filter(
        (start) => start >= from && start + pattern.length <= to && accept(start),
      );
      const find = (order: "first" | "last") =>
        runSteps(findPattern(Int32Array.from(text), Int32Array.from(pattern), { from, to, order }, accept));
      expect(find("first")).toBe(all[0] ?? -1);
      expect(find("last")).toBe(all.at(-1) ?? -1);
    }),
  );
});
