import { contentChecks } from "./contract/content-checks.ts";
import type { ContractCheck } from "./contract/contract-check.ts";
import { ContractSession } from "./contract/contract-session.ts";
import type { ContractTarget } from "./contract/contract-target.ts";
import { expectationChecks } from "./contract/expectation-checks.ts";
import { fileChecks } from "./contract/file-checks.ts";
import { folderChecks } from "./contract/folder-checks.ts";
import { lifecycleChecks } from "./contract/lifecycle-checks.ts";
import { listChecks } from "./contract/list-checks.ts";
import { logChecks } from "./contract/log-checks.ts";
import { manyBatchesChecks } from "./contract/many-batches-checks.ts";
import { nameChecks } from "./contract/name-checks.ts";
import { outsideChecks } from "./contract/outside-checks.ts";
import { pruneChecks } from "./contract/prune-checks.ts";
import { readingChecks } from "./contract/reading-checks.ts";
import { recordChecks } from "./contract/record-checks.ts";
import { watchChecks } from "./contract/watch-checks.ts";

/** One claim about every storage, to be run by any test runner. */
export interface ContractCase {
  /** The claim, as a sentence; unique. */
  readonly name: string;
  /**
   * What the storage must be able to do for the claim to concern it; a runner skips the others and says so. `"modes"`, `"symlinks"` and
   * `"watch"` are capabilities; `"caseSensitive"` needs that capability, `"caseInsensitive"` its absence; `"reopen"` needs state that outlives closing;
   * `"writeOutside"` needs the function of that name.
   */
  readonly needs: readonly string[];
  /**
   * Makes a fresh storage, checks the claim, and closes and disposes of the storage. Rejects with an `Error` when the claim does not hold; a case
   * that needs `"watch"` may instead wait for ever, for what it was to be told, and leave it to the runner's time limit.
   */
  run(): Promise<void>;
}

const checks: readonly ContractCheck[] = [
  ...fileChecks,
  ...readingChecks,
  ...folderChecks,
  ...expectationChecks,
  ...listChecks,
  ...nameChecks,
  ...contentChecks,
  ...recordChecks,
  ...logChecks,
  ...manyBatchesChecks,
  ...lifecycleChecks,
  ...pruneChecks,
  ...outsideChecks,
  ...watchChecks,
];

/**
 * Gives every rule of the storage contract as a case that any test runner can run. The cases reach the storage as the library does, through
 * the wrapper that checks state and arguments; they know no runner, share nothing, and may run in any order or at once.
 *
 * @param create - Makes a fresh, empty, unopened storage for one case.
 */
export function storageContract(create: () => Promise<ContractTarget>): readonly ContractCase[] {
  return checks.map(({ name, needs = [], check }) => ({
    name,
    needs,
    run: async () => {
      const session = await ContractSession.open(await create());
      try {
        await check(session);
      } finally {
        await session.dispose();
      }
    },
  }));
}
