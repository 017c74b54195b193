import { describe, expect, it } from "vitest";
import { formatTallies, type MergeTally, tallyMerges } from "../../support/merging/merge-tally.ts";

const seed = 2026;
const cases = 60;

describe("merges beside those of git merge-file", () => {
  it(`are right, or conflicts, at least as often as git's (seed ${seed}, ${cases} cases of each kind)`, async () => {
    const tallies = await tallyMerges(seed, cases);
    const sum = (of: (tally: MergeTally) => number) => tallies.reduce((total, tally) => total + of(tally), 0);
    const shown = formatTallies(tallies);
    // So few cases say little about one kind alone; the long run compares each.
    expect(
      sum(({ falseConflicts }) => falseConflicts.ours - falseConflicts.git),
      shown,
    ).toBeLessThanOrEqual(0);
    expect(
      sum(({ misMerges }) => misMerges.ours - misMerges.git),
      shown,
    ).toBeLessThanOrEqual(0);
    const unique = tallies.filter(({ shape }) => shape === "unique");
    // Where each line is unique, only one merge can be right, and both find it or both find the conflict.
    for (const { counts } of unique)
      expect(counts["both clean, equal"] + counts["both conflict"], shown).toBe(cases);
    const separable = unique.find(({ relation }) => relation === "separable");
    expect(separable?.counts["both clean, equal"], shown).toBe(cases);
  });
});
