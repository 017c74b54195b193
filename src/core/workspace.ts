import type { CancelOptions } from "../base/clock.ts";
import { HoldfastError } from "../base/holdfast-error.ts";
import type { HistoryReport } from "../history/verify-history.ts";
import type { ApplyOptions, EditOptions, UpdateOptions } from "../schema/apply-options.ts";
import type { ApplyResult } from "../schema/apply-result.ts";
import { parseInput } from "../schema/check-input.ts";
import type { ListOptions, SearchOptions } from "../schema/list-options.ts";
import { type OpenOptions, openOptionsSchema, type WorkspaceMode } from "../schema/open-options.ts";
import type { Outcome, RecordedAnswer } from "../schema/outcome.ts";
import type { ReadLinesOptions, ReadOptions, StatOptions } from "../schema/read-options.ts";
import type {
  BinaryFile,
  FileStat,
  ListedEntry,
  SearchMatch,
  TextFile,
  TextPage,
} from "../schema/read-results.ts";
import type { Retention } from "../schema/retention.ts";
import type { RevertOptions, RevertTarget } from "../schema/revert-options.ts";
import type { RevertResult } from "../schema/revert-result.ts";
import type { EventOptions, HistoryOptions, RevisionInfo } from "../schema/revision-info.ts";
import type { RunTransactionOptions, TransactionOptions } from "../schema/transaction-options.ts";
import type { WorkspaceEvent } from "../schema/workspace-event.ts";
import type { WorkspaceInfo } from "../schema/workspace-info.ts";
import type { StorageAdapter } from "../storage/storage-adapter.ts";
import type { Edit } from "../text/edit.ts";
import type { Change } from "../tree/change.ts";
import type { TreeDiff } from "../tree/tree-diff.ts";
import type { EditableView, Updated } from "./editable-view.ts";
import { FileEditor } from "./file-editor.ts";
import type { FileHistory } from "./file-history.ts";
import { FileReader } from "./file-reader.ts";
import type { FileView, ViewDiffOptions } from "./file-view.ts";
import type { PruneResult } from "./history-pruner.ts";
import type { Lifecycle } from "./lifecycle.ts";
import { openWorkspace, type WorkspaceParts } from "./open-workspace.ts";
import { diffView, type PastViewParts } from "./past-view.ts";
import type { Transaction } from "./transaction/transaction.ts";
import type { TransactionCollection, TransactionRun, TransactionSource } from "./transaction-source.ts";
import { ViewPoints } from "./view-points.ts";
import { WorkspaceHistory } from "./workspace-history.ts";
import { WorkspaceTransactions } from "./workspace-transactions.ts";

/**
 * Files that many writers can change at the same time without losing anybody's work. Calls that share a path, a folder or an idempotency key run
 * in the order in which they were made; others run side by side. Several workspaces may be open on one storage.
 */
export class Workspace implements EditableView, FileHistory, TransactionSource, AsyncDisposable {
  readonly #parts: WorkspaceParts;
  readonly #lifecycle: Lifecycle;
  readonly #reader: FileReader;
  readonly #editor: FileEditor;
  readonly #views: PastViewParts;
  readonly #history: WorkspaceHistory;
  readonly #transactions: WorkspaceTransactions;

  private constructor(parts: WorkspaceParts) {
    this.#parts = parts;
    const { context, changeFiles, lifecycle } = parts;
    this.#lifecycle = lifecycle;
    this.#reader = new FileReader({ lifecycle: this.#lifecycle, context: () => context });
    this.#views = { context, lifecycle: this.#lifecycle, points: new ViewPoints() };
    this.#views.points.add(this, {});
    this.#history = new WorkspaceHistory({
      parts,
      views: this.#views,
      enter: (options, work) => this.#enter(options, work),
    });
    this.#editor = new FileEditor({
      enter: (options, work) => this.#enter(options, work),
      limits: context.limits,
      target: changeFiles,
    });
    this.#transactions = new WorkspaceTransactions(parts, this.#lifecycle);
  }

  /**
   * Opens a storage, and finishes or takes back what an interrupted commit left there.
   *
   * @param storage - Where the files are.
   * @param options - Each with its default; nothing is needed.
   * @throws {@link HoldfastError} `INVALID_ARGUMENT`, `LOCKED`, `RECOVERY_PENDING`, `RECOVERY_CONFLICT` or `STORAGE_FAILED`; the storage is closed
   * then.
   */
  static async open(storage: StorageAdapter, options: OpenOptions = {}): Promise<Workspace> {
    const checked = parseInput(openOptionsSchema, options, "options");
    checked.signal?.throwIfAborted();
    return new Workspace(await openWorkspace(storage, checked));
  }

  /** The id that the storage keeps; empty when it was never opened for writing. */
  get id(): string {
    return this.#parts.id;
  }

  /** The name that this handle was given. */
  get alias(): string | undefined {
    return this.#parts.alias;
  }

  /** What the handle may do. */
  get mode(): WorkspaceMode {
    return this.#parts.mode;
  }

  /** Waits for the calls that run, ends all events and lets go of the storage. Calls made from now on are refused; closing again does nothing. */
  close(): Promise<void> {
    const { events, pruner, context } = this.#parts;
    return this.#lifecycle.close(async () => {
      await this.#transactions.close();
      await events.close();
      await pruner.close();
      await context.storage.close();
    });
  }

  /** Closes the workspace at the end of an `await using` block. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /** {@inheritDoc FileView.read} */
  async read(path: string, options?: ReadOptions): Promise<TextFile> {
    return await this.#reader.read(path, options);
  }

  /** {@inheritDoc FileView.readLines} */
  async readLines(path: string, options?: ReadLinesOptions): Promise<TextPage> {
    return await this.#reader.readLines(path, options);
  }

  /** {@inheritDoc FileView.readBytes} */
  async readBytes(path: string, options?: ReadOptions): Promise<BinaryFile> {
    return await this.#reader.readBytes(path, options);
  }

  /** {@inheritDoc FileView.stat} */
  async stat(path: string, options?: StatOptions): Promise<FileStat | undefined> {
    return await this.#reader.stat(path, options);
  }

  /** {@inheritDoc FileView.list} */
  list(options?: ListOptions): AsyncIterable<ListedEntry> {
    return this.#reader.list(options);
  }

  /** {@inheritDoc FileView.search} */
  search(text: string, options?: SearchOptions): AsyncIterable<SearchMatch> {
    return this.#reader.search(text, options);
  }

  /** {@inheritDoc FileView.diff} */
  async diff(options: ViewDiffOptions = {}): Promise<TreeDiff> {
    return await diffView(this, this.#views, options);
  }

  /** {@inheritDoc FileHistory.at} */
  at(revision: string): FileView {
    return this.#history.at(revision);
  }

  /** {@inheritDoc EditableView.apply} */
  async apply(changes: Change | readonly Change[], options?: ApplyOptions): Promise<ApplyResult> {
    return await this.#editor.apply(changes, options);
  }

  /** {@inheritDoc EditableView.applyPatch} */
  async applyPatch(patch: string, options?: ApplyOptions): Promise<ApplyResult> {
    return await this.#editor.applyPatch(patch, options);
  }

  /** {@inheritDoc EditableView.edit} */
  async edit(path: string, edits: Edit | readonly Edit[], options?: EditOptions): Promise<ApplyResult> {
    return await this.#editor.edit(path, edits, options);
  }

  /** {@inheritDoc EditableView.write} */
  async write(path: string, content: string | Uint8Array, options?: EditOptions): Promise<ApplyResult> {
    return await this.#editor.write(path, content, options);
  }

  /** {@inheritDoc EditableView.update} */
  async update(
    path: string,
    change: (current: TextFile | undefined) => Updated | Promise<Updated>,
    options?: UpdateOptions,
  ): Promise<ApplyResult> {
    return await this.#editor.update(path, change, options);
  }

  /** {@inheritDoc TransactionSource.beginTransaction} */
  async beginTransaction(options?: TransactionOptions): Promise<Transaction> {
    return await this.#transactions.beginTransaction(options);
  }

  /** {@inheritDoc TransactionSource.transaction} */
  async transaction<T>(
    run: (transaction: Transaction) => Promise<T>,
    options?: RunTransactionOptions,
  ): Promise<TransactionRun<T>> {
    return await this.#transactions.transaction(run, options);
  }

  /** {@inheritDoc TransactionSource.transactions} */
  get transactions(): TransactionCollection {
    return this.#transactions.transactions;
  }

  /** {@inheritDoc FileHistory.info} */
  async info(options?: CancelOptions): Promise<WorkspaceInfo> {
    return await this.#history.info(options);
  }

  /** {@inheritDoc FileHistory.history} */
  history(options?: HistoryOptions): AsyncIterable<RevisionInfo> {
    return this.#history.history(options);
  }

  /** {@inheritDoc FileHistory.prune} */
  async prune(retention?: Retention, options?: CancelOptions): Promise<PruneResult> {
    return await this.#history.prune(retention, options);
  }

  /** {@inheritDoc FileHistory.verifyHistory} */
  async verifyHistory(options?: CancelOptions): Promise<HistoryReport> {
    return await this.#history.verifyHistory(options);
  }

  /** {@inheritDoc FileHistory.reload} */
  async reload(options?: CancelOptions): Promise<WorkspaceInfo> {
    return await this.#history.reload(options);
  }

  /** {@inheritDoc FileHistory.revert} */
  async revert(target: RevertTarget, options?: RevertOptions): Promise<RevertResult> {
    return await this.#history.revert(target, options);
  }

  /** {@inheritDoc FileHistory.outcome} */
  async outcome(idempotencyKey: string, options?: CancelOptions): Promise<Outcome> {
    return await this.#history.outcome(idempotencyKey, options);
  }

  /** {@inheritDoc FileHistory.once} */
  async once<T extends RecordedAnswer>(
    idempotencyKey: string,
    run: (options: { readonly idempotencyKey: string }) => Promise<T>,
  ): Promise<T> {
    return await this.#history.once(idempotencyKey, run);
  }

  /** {@inheritDoc FileHistory.events} */
  events(options?: EventOptions): AsyncIterable<WorkspaceEvent> {
    return this.#history.events(options);
  }

  async #enter<T>(options: ApplyOptions, work: () => Promise<T>): Promise<T> {
    return await this.#lifecycle.run(options, async () => {
      if (this.#parts.mode === "inspectionOnly" && options?.dryRun !== true)
        throw new HoldfastError("MUTATION_DISABLED");
      return await work();
    });
  }
}
