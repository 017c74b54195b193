import type { CancelOptions } from "../../base/clock.ts";
import { HoldfastError } from "../../base/holdfast-error.ts";
import type { Idempotency } from "../../history/idempotency.ts";
import { parseInput } from "../../schema/check-input.ts";
import { type CollectionOptions, idSchema, transactionListSchema } from "../../schema/collection-options.ts";
import type { CommitResult } from "../../schema/commit-result.ts";
import { cancelOptionsSchema } from "../../schema/signal.ts";
import type { TransactionInfo, TransactionState } from "../../schema/transaction-info.ts";
import type {
  CommitOptions,
  RunTransactionOptions,
  TransactionOptions,
} from "../../schema/transaction-options.ts";
import { claimsOf } from "../claims.ts";
import type { Committer, FoundKey } from "../committer.ts";
import type { Lifecycle } from "../lifecycle.ts";
import { runOnce } from "../run-once.ts";
import { significantOptions } from "../significant-arguments.ts";
import type { TransactionCollection, TransactionRun } from "../transaction-source.ts";
import { commitTransaction } from "./commit-transaction.ts";
import { OpenTransaction, type TransactionParts } from "./open-transaction.ts";
import { runTransaction } from "./run-transaction.ts";
import { StagedSteps } from "./staged-steps.ts";
import { Transaction } from "./transaction.ts";
import { type TransactionRecord, transactionPrefix } from "./transaction-record.ts";
import { TransactionStore } from "./transaction-store.ts";

/** Steps that can be undone, unless the caller says otherwise. */
const defaultUndoDepth = 100;

/** What the transactions of a workspace work with. */
export interface TransactionsParts extends Omit<TransactionParts, "store" | "ended"> {
  readonly lifecycle: Lifecycle;
  readonly committer: Committer;
  readonly idempotency: Idempotency;
}

/** The transactions of a workspace, those of other handles and earlier processes included. */
export class Transactions implements TransactionCollection {
  readonly #parts: TransactionsParts & TransactionParts;
  /** One for each id, so that all handles of this workspace see one state. */
  readonly #open = new Map<string, OpenTransaction>();

  #noticing: Promise<void> = Promise.resolve();

  constructor(parts: TransactionsParts) {
    this.#parts = {
      ...parts,
      store: new TransactionStore(parts.context),
      ended: (id) => void this.#open.delete(id),
    };
  }

  /** {@inheritDoc TransactionCollection.get} */
  async get(id: string, options: CancelOptions = {}): Promise<Transaction> {
    return await this.#parts.lifecycle.run(options, async () => {
      const checked = parseInput(idSchema, id, "id");
      await this.#parts.store.readRecord(checked, parseInput(cancelOptionsSchema, options, "options"));
      return this.#handle(checked);
    });
  }

  /** {@inheritDoc TransactionCollection.list} */
  list(options: CollectionOptions<TransactionState> = {}): AsyncIterable<TransactionInfo> {
    const { context, lifecycle } = this.#parts;
    return lifecycle.iterate(options, () => {
      const { state, after, limit, signal } = parseInput(transactionListSchema, options, "options");
      const from = after === undefined ? undefined : `${transactionPrefix}${after}`;
      const keys = context.storage.listRecords(transactionPrefix, { signal, after: from });
      return this.#listed(keys, { state, limit, signal });
    });
  }

  /**
   * Looks whether changes outside concern one of the transactions that this handle has in hand.
   *
   * @param paths - Paths that may have changed; a folder stands for all below it.
   * @internal
   */
  notice(paths: readonly string[] | "unknown"): void {
    for (const open of this.#open.values()) {
      if (paths !== "unknown" && !open.isAbout(paths)) continue;
      // What cannot be looked at now is noticed by the next call.
      this.#noticing = this.#noticing.then(() => open.enter("info", {})).then(noResult, noResult);
    }
  }

  /**
   * Waits for what `notice` began.
   */
  async settled(): Promise<void> {
    await this.#noticing;
  }

  /** Begins a transaction; the options have been checked. */
  async begin(options: TransactionOptions): Promise<Transaction> {
    const { context, log, store } = this.#parts;
    const { conflictScope = "touched", onCapacity = "squash", label, signal } = options;
    const { sequence, workspaceRevision } = await log.head({ signal });
    const record: TransactionRecord = {
      id: context.ids("tx"),
      label,
      conflictScope,
      undoDepth: options.undoDepth ?? defaultUndoDepth,
      onCapacity,
      createdAt: new Date(context.clock.now()).toISOString(),
      state: "active",
      baseSequence: sequence,
      baseRevision: workspaceRevision,
      baseSnapshotId: workspaceRevision,
      baseLabels: [],
      squashed: 0,
      rebases: 0,
      steps: [],
      cursor: 0,
      nextNumber: 1,
      mergedPaths: [],
      conflictPaths: [],
    };
    const version = await store.create(record, { signal });
    const open = this.#opened(record.id);
    open.adopt({ record, version, steps: new StagedSteps(undefined, [], 0), calls: new Map() });
    return this.#handle(record.id);
  }

  async *#listed(
    keys: AsyncIterable<string>,
    { state, limit = Number.POSITIVE_INFINITY, signal }: CollectionOptions<TransactionState>,
  ): AsyncGenerator<TransactionInfo, void, undefined> {
    let given = 0;
    for await (const key of keys) {
      const info = await this.#infoOf(key.slice(transactionPrefix.length), { signal });
      if (info === undefined || (state !== undefined && info.state !== state)) continue;
      yield info;
      given += 1;
      if (given >= limit) return;
    }
  }

  /** Retention may remove one while they are listed. */
  async #infoOf(id: string, options: CancelOptions): Promise<TransactionInfo | undefined> {
    try {
      const open = this.#open.get(id) ?? new OpenTransaction(id, this.#parts);
      return open.info(await open.enter("info", options));
    } catch (error) {
      if (error instanceof HoldfastError && error.code === "TRANSACTION_NOT_FOUND") return undefined;
      throw error;
    }
  }

  #opened(id: string): OpenTransaction {
    const open = this.#open.get(id) ?? new OpenTransaction(id, this.#parts);
    this.#open.set(id, open);
    return open;
  }

  #handle(id: string): Transaction {
    const open = this.#opened(id);
    const commit = (options: CommitOptions) => this.commit(id, options);
    return new Transaction({ lifecycle: this.#parts.lifecycle, open, commit });
  }

  /**
   * Commits a transaction; the options have been checked.
   */
  async commit(id: string, options: CommitOptions, keyed?: FoundKey): Promise<CommitResult> {
    const { context, order, committer, idempotency } = this.#parts;
    if (this.#parts.mode === "inspectionOnly") throw new HoldfastError("MUTATION_DISABLED");
    const { idempotencyKey, signal, expectedSnapshot: _guard, ...rest } = options;
    const open = this.#opened(id);
    const { steps } = await open.peek({ signal });
    const folds = !context.files.capabilities.caseSensitive;
    const isOwnKey = idempotencyKey !== undefined && keyed === undefined;
    const claims = {
      paths: [...steps.pins.keys()].flatMap((path) => claimsOf(path, folds)),
      names: [`transaction:${id}`, ...(isOwnKey ? [`key:${idempotency.hashOf(idempotencyKey)}`] : [])],
    };
    const call = {
      operation: "commit",
      arguments: () => ({ transactionId: id, options: significantOptions(rest) }),
      options: { ...rest, idempotencyKey, signal },
    };
    const work = async () => {
      if (!isOwnKey) return await commitTransaction(open, committer, options, keyed);
      return await runOnce<CommitResult>({ idempotency, hashing: context.hashing }, call, async (found) => {
        return await commitTransaction(open, committer, options, found);
      });
    };
    const result = await order.run(claims, work, signal);
    if (result.committed) this.#open.delete(id);
    return result;
  }

  /**
   * Runs a function in a transaction as `Workspace.transaction` promises; the options have been checked.
   */
  async run<T>(
    begin: (options: TransactionOptions) => Promise<Transaction>,
    run: (transaction: Transaction) => Promise<T>,
    options: RunTransactionOptions,
  ): Promise<TransactionRun<T>> {
    const { context, order, idempotency } = this.#parts;
    const { idempotencyKey, signal, expectedSnapshot: _guard, ...rest } = options;
    const work = async (keyed: FoundKey | undefined) => {
      const commit = (transaction: Transaction, some: CommitOptions) =>
        this.commit(transaction.id, some, keyed);
      return await runTransaction({ begin, commit }, run, options);
    };
    if (idempotencyKey === undefined) return await work(undefined);
    const call = {
      operation: "transaction",
      arguments: () => ({ options: significantOptions(rest) }),
      options: { ...rest, idempotencyKey, signal },
    };
    // A repeat has the recorded commit, and what the function returned is nowhere.
    let value = undefined as T;
    const once = () =>
      runOnce<CommitResult>({ idempotency, hashing: context.hashing }, call, async (keyed) => {
        const ran = await work(keyed);
        value = ran.value;
        return ran.commit;
      });
    const claims = { paths: [], names: [`key:${idempotency.hashOf(idempotencyKey)}`] };
    const commit = await order.run(claims, once, signal);
    return { value, commit };
  }
}

function noResult(): void {}
