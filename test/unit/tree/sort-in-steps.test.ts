import { expect, test } from "vitest";
import { runSteps } from "../../../src/base/steps.ts";
import { sortInSteps } from "../../../src/tree/sort-in-steps.ts";

test.each([0, 1, 2, 2048, 2049, 9000])(
  "%i entries come out in order, equal ones as they went in",
  (count) => {
    // A step that shares no factor with the modulus visits every remainder, in no order that sorting knows.
    const entries = Array.from({ length: count }, (_, index) => [`${(index * 7919) % 5003}`, index] as const);
    const sorted = runSteps(sortInSteps(entries, ([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
    const expected = [...entries].sort(([a, i], [b, j]) => (a < b ? -1 : a > b ? 1 : i - j));
    expect(sorted).toEqual(expected);
  },
);
