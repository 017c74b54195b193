import { expect, test } from "vitest";
import { compareWithGit, tableOf } from "../../support/merge/compare-with-git.ts";

test("merges of generated trees are clean where git's are, with the same tree, and conflict where git's do", () => {
  const seed = Math.floor(Math.random() * 1_000_000_000);
  const comparison = compareWithGit(seed, 100);
  console.log(`100 trees from seed ${seed}, here and with git:\n${tableOf(comparison)}`);
  expect(comparison.differences.filter(({ why }) => why === "not known")).toEqual([]);
});
