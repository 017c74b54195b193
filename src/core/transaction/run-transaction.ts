import { HoldfastError, isHoldfastError } from "../../base/holdfast-error.ts";
import type { CommitResult } from "../../schema/commit-result.ts";
import type { TransactionInfo } from "../../schema/transaction-info.ts";
import type {
  CommitOptions,
  RunTransactionOptions,
  TransactionOptions,
} from "../../schema/transaction-options.ts";
import { quotePath } from "../../tree/quote-path.ts";
import type { TransactionRun } from "../transaction-source.ts";
import type { Transaction } from "./transaction.ts";

/** How a transaction is begun and committed. */
export interface RunParts {
  readonly begin: (options: TransactionOptions) => Promise<Transaction>;
  readonly commit: (transaction: Transaction, options: CommitOptions) => Promise<CommitResult>;
}

/** Runs a function in a transaction and commits it, or rolls it back. */
export async function runTransaction<T>(
  parts: RunParts,
  run: (transaction: Transaction) => Promise<T>,
  options: RunTransactionOptions,
): Promise<TransactionRun<T>> {
  const { onConflict = "throw", attempts = 3, ...rest } = options;
  const { conflictScope, undoDepth, onCapacity, label, ...commitOptions } = rest;
  const { signal } = commitOptions;
  for (let left = attempts; ; left--) {
    const transaction = await parts.begin({ conflictScope, undoDepth, onCapacity, label, signal });
    try {
      const value = await run(transaction);
      const tries = onConflict === "rebase" ? left : 1;
      const commit = await commitRebased(parts, transaction, commitOptions, tries);
      if (!commit.committed) await rollBackQuietly(transaction);
      return { value, commit };
    } catch (error) {
      await rollBackQuietly(transaction);
      const mayRunAgain = onConflict === "rerun" && left > 1 && isConflictOf(error, transaction);
      if (!mayRunAgain) throw error;
    }
  }
}

/** Commits, and puts what is staged onto what others did when that is why it was refused, as often as it may be tried. */
async function commitRebased(
  { commit }: RunParts,
  transaction: Transaction,
  options: CommitOptions,
  tries: number,
): Promise<CommitResult> {
  for (let left = tries; ; left--) {
    try {
      return await commit(transaction, options);
    } catch (error) {
      if (left <= 1 || !isConflictOf(error, transaction)) throw error;
      refuseConflicts(await transaction.rebase({ signal: options.signal }));
    }
  }
}

function isConflictOf(error: unknown, { id }: Transaction): boolean {
  return isHoldfastError(error, "TRANSACTION_CONFLICTED") && error.details.transactionId === id;
}

function refuseConflicts({ conflicts = [] }: TransactionInfo): void {
  if (conflicts.length === 0) return;
  const some = conflicts.slice(0, 3).map(({ path }) => quotePath(path));
  throw new HoldfastError("MERGE_CONFLICT", {
    message: `What was staged does not go together with what others did at ${some.join(", ")}.`,
    details: { conflicts },
  });
}

/** The refusal that led here is told; that the transaction could not be rolled back is not, for it stays as it is and can be found again. */
async function rollBackQuietly(transaction: Transaction): Promise<void> {
  await transaction.rollback().catch(() => undefined);
}
