import { describe, expect, it } from "vitest";
import { findFaults, formatTallies, tallyMerges } from "../../support/merging/merge-tally.ts";

const seed = 20_000;
const cases = 40;

describe("merges beside those of git merge-file", () => {
  it(`are right, or conflicts, at least as often as git's (seed ${seed}, ${cases} cases of each kind)`, async () => {
    const tallies = await tallyMerges(seed, cases);
    expect(findFaults(tallies), formatTallies(tallies)).toEqual([]);
    const unique = tallies.filter(({ shape }) => shape === "unique");
    // Where each line is unique, only one merge can be right, and both find it or both find the conflict.
    for (const { counts } of unique)
      expect(counts["both clean, equal"] + counts["both conflict"]).toBe(cases);
    const separable = unique.find(({ relation }) => relation === "separable");
    expect(separable?.counts["both clean, equal"]).toBe(cases);
  });
});
