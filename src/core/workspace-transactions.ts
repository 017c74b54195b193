import type { CancelOptions } from "../base/clock.ts";
import { HoldfastError } from "../base/holdfast-error.ts";
import { parseInput } from "../schema/check-input.ts";
import type { CollectionOptions } from "../schema/collection-options.ts";
import type { TransactionInfo, TransactionState } from "../schema/transaction-info.ts";
import {
  type RunTransactionOptions,
  runTransactionOptionsSchema,
  type TransactionOptions,
  transactionOptionsSchema,
} from "../schema/transaction-options.ts";
import type { Lifecycle } from "./lifecycle.ts";
import type { WorkspaceParts } from "./open-workspace.ts";
import type { Transaction } from "./transaction/transaction.ts";
import type { Transactions } from "./transaction/transactions.ts";
import type { TransactionCollection, TransactionRun, TransactionSource } from "./transaction-source.ts";

/**
 * The half of a workspace that is about transactions. What carries them out is loaded when the first is begun or looked for: programs that never
 * do so are spared it.
 */
export class WorkspaceTransactions implements TransactionSource {
  readonly transactions: TransactionCollection;
  readonly #parts: WorkspaceParts;
  readonly #lifecycle: Lifecycle;
  readonly #watching = new AbortController();
  #loading: Promise<Transactions> | undefined;

  constructor(parts: WorkspaceParts, lifecycle: Lifecycle) {
    this.#parts = parts;
    this.#lifecycle = lifecycle;
    const load = () => this.#load();
    this.transactions = {
      get: async (id: string, options?: CancelOptions) => await (await load()).get(id, options),
      list: (options?: CollectionOptions<TransactionState>) => listed(load, lifecycle, options),
    };
  }

  /** {@inheritDoc TransactionSource.beginTransaction} */
  async beginTransaction(options: TransactionOptions = {}): Promise<Transaction> {
    return await this.#lifecycle.run(options, async () => {
      return await this.#begin(parseInput(transactionOptionsSchema, options, "options"));
    });
  }

  /** {@inheritDoc TransactionSource.transaction} */
  async transaction<T>(
    run: (transaction: Transaction) => Promise<T>,
    options: RunTransactionOptions = {},
  ): Promise<TransactionRun<T>> {
    return await this.#lifecycle.run(options, async () => {
      const checked = parseInput(runTransactionOptionsSchema, options, "options");
      if (typeof run !== "function")
        throw new HoldfastError("INVALID_ARGUMENT", { message: `"run" must be a function.` });
      const transactions = await this.#load();
      return await transactions.run((some) => this.#begin(some), run, checked);
    });
  }

  /** Stops looking for changes outside, and waits for what that began. */
  async close(): Promise<void> {
    this.#watching.abort();
    await (await this.#loading)?.settled();
  }

  async #begin(options: TransactionOptions): Promise<Transaction> {
    const { mode, handle } = this.#parts;
    if (mode === "inspectionOnly") throw new HoldfastError("MUTATION_DISABLED");
    if (handle.isOutOfDate) throw new HoldfastError("WORKSPACE_OUT_OF_DATE");
    return await (await this.#load()).begin(options);
  }

  #load(): Promise<Transactions> {
    this.#loading ??= this.#loaded();
    return this.#loading;
  }

  async #loaded(): Promise<Transactions> {
    const { Transactions } = await import("./transaction/transactions.ts");
    const { context, events, handle, onConflictedRollback, watch } = this.#parts;
    const transactions = new Transactions({
      ...this.#parts,
      lifecycle: this.#lifecycle,
      workspace: handle,
      tell: (type, transactionId, paths) => events.notify({ type, transactionId, paths }),
      conflictRolledBack: () => {
        if (onConflictedRollback === "outOfDate") handle.isOutOfDate = true;
      },
    });
    const { signal } = this.#watching;
    if (watch && !signal.aborted) context.storage.watch?.((paths) => transactions.notice(paths), { signal });
    return transactions;
  }
}

function listed(
  load: () => Promise<Transactions>,
  lifecycle: Lifecycle,
  options: CollectionOptions<TransactionState> | undefined,
): AsyncIterable<TransactionInfo> {
  return lifecycle.iterate(options, async function* () {
    yield* (await load()).list(options);
  });
}
