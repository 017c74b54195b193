import type { CommitResult } from "../schema/commit-result.ts";
import type { RunTransactionOptions, TransactionOptions } from "../schema/transaction-options.ts";
import type { Transaction } from "./transaction/transaction.ts";

/** A view that transactions can be begun from. */
export interface TransactionalView {
  /**
   * Begins a transaction: changes that are staged step by step, and committed together or not at all. Several may be open at once.
   *
   * @param options - `conflictScope`, `undoDepth`, `onCapacity`, `label`, `signal`.
   * @throws {@link HoldfastError} `MUTATION_DISABLED`, `WORKSPACE_OUT_OF_DATE`, `STORAGE_FAILED`.
   */
  beginTransaction(options?: TransactionOptions): Promise<Transaction>;
  /**
   * Runs a function in a transaction and commits what it staged; when it throws, or the commit is refused, everything is rolled back.
   *
   * @param run - Gets the transaction. Called again after a conflict with `onConflict: "rerun"`.
   * @param options - As for `beginTransaction` and `commit`, `onConflict` and `attempts`. An idempotency key is bound to the options, not to the
   * function: a repeat does not call it, and has no `value`.
   * @returns What the function returned, and what the commit did.
   * @throws {@link HoldfastError} `TRANSACTION_CONFLICTED`, `MERGE_CONFLICT` with `onConflict: "rebase"`, and as `commit`; and whatever the function
   * throws.
   */
  transaction<T>(
    run: (transaction: Transaction) => Promise<T>,
    options?: RunTransactionOptions,
  ): Promise<{ readonly value: T; readonly commit: CommitResult }>;
}
