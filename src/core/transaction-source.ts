import type { CancelOptions } from "../base/clock.ts";
import type { CollectionOptions } from "../schema/collection-options.ts";
import type { CommitResult } from "../schema/commit-result.ts";
import type { TransactionInfo, TransactionState } from "../schema/transaction-info.ts";
import type { RunTransactionOptions, TransactionOptions } from "../schema/transaction-options.ts";
import type { Transaction } from "./transaction/transaction.ts";

/** What a function that ran in a transaction came to. */
export interface TransactionRun<T> {
  /** What the function returned; `undefined` when an idempotency key says that all this was done before. */
  readonly value: T;
  /** What the commit did. */
  readonly commit: CommitResult;
}

/** The transactions of a workspace, those of other handles and earlier processes included. */
export interface TransactionCollection {
  /**
   * Finds a transaction again, in whatever state it is.
   *
   * @param id - Its id.
   * @param options - `signal`.
   * @throws {@link HoldfastError} `TRANSACTION_NOT_FOUND` when there is none, or retention removed it.
   */
  get(id: string, options?: CancelOptions): Promise<Transaction>;
  /**
   * Lists transactions by id.
   *
   * @param options - `state`, `after`, `limit`, `signal`.
   */
  list(options?: CollectionOptions<TransactionState>): AsyncIterable<TransactionInfo>;
}

/** A view from which transactions are begun. */
export interface TransactionSource {
  /** Its transactions, those of other handles and earlier processes included. */
  readonly transactions: TransactionCollection;
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
  ): Promise<TransactionRun<T>>;
}
