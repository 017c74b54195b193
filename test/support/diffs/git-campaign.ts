import fc from "fast-check";
import type { FileDiff } from "../../../src/tree/tree-diff.ts";
import { applyHunks } from "./apply-hunks.ts";
import { diffTrees, type Tree } from "./diff-trees.ts";
import { contextLines, textPair } from "./text-pairs.ts";
import { applyWithGit, patchOf, showModel } from "./through-git.ts";

/** What a campaign came to. */
export interface CampaignResult {
  readonly pairs: number;
  readonly hunks: number;
  readonly latin1: number;
  readonly failures: readonly string[];
}

/** Pairs that one run of git gets: starting it takes longer than applying them. */
const pairsAtOnce = 200;

/** Takes pairs of texts through the installed `git apply`, and through the hunks alone; the result must be the very bytes each time. */
export function runGitCampaign(pairs: number, seed: number): CampaignResult {
  const failures: string[] = [];
  let [hunks, latin1] = [0, 0];
  for (let done = 0, round = 0; done < pairs; done += pairsAtOnce, round++) {
    const numRuns = Math.min(pairsAtOnce, pairs - done);
    const some = fc.sample(fc.tuple(textPair, contextLines), { numRuns, seed: seed + round });
    for (const context of new Set(some.map(([, lines]) => lines))) {
      const trees = treesOf(some.filter(([, lines]) => lines === context).map(([pair]) => pair));
      const { files } = diffTrees(trees.before, trees.after, { contextLines: context });
      hunks += files.reduce((sum, file) => sum + file.hunks.length, 0);
      latin1 += files.filter(({ encoding }) => encoding === "latin1").length;
      const say = (what: string) => failures.push(`seed ${seed + round}, context ${context}: ${what}`);
      checkHunks(trees, files, say);
      // Git looks for a hunk without context one line too early, and takes what it finds there; its own diffs fare no better.
      if (context === 0) continue;
      const applied = applyWithGit(trees.before, patchOf(files));
      if (typeof applied === "string") say(applied);
      else
        for (const [path, shown] of Object.entries(showModel(trees.after)))
          if (applied[path] !== shown)
            say(`${path} ${JSON.stringify([trees.before[path], shown, applied[path]])}`);
    }
  }
  return { pairs, hunks, latin1, failures };
}

interface Trees {
  readonly before: Tree;
  readonly after: Tree;
}

function treesOf(pairs: readonly (readonly [Uint8Array, Uint8Array])[]): Trees {
  const named = (side: 0 | 1) =>
    Object.fromEntries(pairs.map((pair, index) => [`f ${index}.txt`, pair[side]]));
  return { before: named(0), after: named(1) };
}

function checkHunks({ before, after }: Trees, files: readonly FileDiff[], say: (what: string) => void): void {
  for (const file of files) {
    try {
      const made = applyHunks(before[file.path] as Uint8Array, file);
      if (!made.equals(after[file.path] as Uint8Array)) say(`${file.path} differs by its hunks`);
    } catch (error) {
      say(String(error));
    }
  }
}
