import type { CancelOptions } from "../../base/clock.ts";
import type { ApplyOptions, EditOptions, UpdateOptions } from "../../schema/apply-options.ts";
import type { ApplyResult } from "../../schema/apply-result.ts";
import { parseInput } from "../../schema/check-input.ts";
import type { CommitResult } from "../../schema/commit-result.ts";
import { viewDiffOptionsSchema } from "../../schema/diff-options.ts";
import type { ListOptions, SearchOptions } from "../../schema/list-options.ts";
import type { ReadLinesOptions, ReadOptions, StatOptions } from "../../schema/read-options.ts";
import type {
  BinaryFile,
  FileStat,
  ListedEntry,
  SearchMatch,
  TextFile,
  TextPage,
} from "../../schema/read-results.ts";
import { type RevertTarget, revertTargetSchema } from "../../schema/revert-options.ts";
import type { RevertResult } from "../../schema/revert-result.ts";
import { cancelOptionsSchema } from "../../schema/signal.ts";
import { type SnapshotOptions, snapshotOptionsSchema } from "../../schema/snapshot.ts";
import {
  type DiscardTarget,
  discardTargetSchema,
  type RebaseOptions,
  rebaseOptionsSchema,
  savepointLabelSchema,
  stepCountSchema,
  type TransactionRevertOptions,
  transactionRevertOptionsSchema,
} from "../../schema/transaction-calls.ts";
import type { TransactionInfo } from "../../schema/transaction-info.ts";
import { type CommitOptions, commitOptionsSchema } from "../../schema/transaction-options.ts";
import type { Edit } from "../../text/edit.ts";
import type { Change } from "../../tree/change.ts";
import type { TreeDiff } from "../../tree/tree-diff.ts";
import type { EditableView, Updated } from "../editable-view.ts";
import { FileEditor } from "../file-editor.ts";
import { FileReader } from "../file-reader.ts";
import type { ViewDiffOptions } from "../file-view.ts";
import type { Lifecycle } from "../lifecycle.ts";
import type { TransactionControl } from "../transaction-control.ts";
import { diffTransaction } from "./diff-transaction.ts";
import { discardParts } from "./discard-parts.ts";
import { moveSteps, moveToSavepoint, setSavepoint } from "./move-cursor.ts";
import type { OpenTransaction } from "./open-transaction.ts";
import { rebaseTransaction } from "./rebase-transaction.ts";
import { rollBackTransaction } from "./roll-back.ts";
import { StageChanges } from "./stage-changes.ts";
import { stageRevert } from "./stage-revert.ts";

/** What a transaction handle works with. */
export interface TransactionHandleParts {
  readonly lifecycle: Lifecycle;
  readonly open: OpenTransaction;
  /** Commits it, once for each idempotency key. */
  readonly commit: (options: CommitOptions) => Promise<CommitResult>;
}

/**
 * Changes that are staged step by step, and committed together or not at all. What it has staged is read through it, over the files of now; the
 * workspace sees nothing of it before the commit. When others change what it relies on, it is in conflict until it is rebased or rolled back. It
 * outlives the handle and the process: `workspace.transactions` finds it again.
 */
export class Transaction implements EditableView, TransactionControl, AsyncDisposable {
  readonly #parts: TransactionHandleParts;
  readonly #reader: FileReader;
  readonly #editor: FileEditor;

  /** @internal */
  constructor(parts: TransactionHandleParts) {
    this.#parts = parts;
    const { lifecycle, open } = parts;
    this.#reader = new FileReader({
      lifecycle,
      context: async (options) => open.view(await open.enter("read", options), { noted: true }),
    });
    this.#editor = new FileEditor({
      enter: (options, work) => lifecycle.run(options, work),
      limits: open.parts.context.limits,
      target: new StageChanges(open),
    });
  }

  /** Its id. */
  get id(): string {
    return this.#parts.open.id;
  }

  /** Rolls back what was not committed, at the end of an `await using` block. */
  async [Symbol.asyncDispose](): Promise<void> {
    const { state } = await this.info();
    if (state === "active" || state === "conflicted") await this.rollback();
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

  /** {@inheritDoc TransactionControl.diff} */
  async diff(options: ViewDiffOptions = {}): Promise<TreeDiff> {
    return await this.#run(options, async () => {
      return await diffTransaction(this.#parts.open, parseInput(viewDiffOptionsSchema, options, "options"));
    });
  }

  /** {@inheritDoc TransactionControl.info} */
  async info(options: CancelOptions = {}): Promise<TransactionInfo> {
    return await this.#run(options, async () => {
      const { open } = this.#parts;
      return open.info(await open.enter("info", parseInput(cancelOptionsSchema, options, "options")));
    });
  }

  /** {@inheritDoc TransactionControl.undo} */
  async undo(steps = 1, options: SnapshotOptions = {}): Promise<TransactionInfo> {
    return await this.#move("undo", steps, options);
  }

  /** {@inheritDoc TransactionControl.redo} */
  async redo(steps = 1, options: SnapshotOptions = {}): Promise<TransactionInfo> {
    return await this.#move("redo", steps, options);
  }

  /** {@inheritDoc TransactionControl.savepoint} */
  async savepoint(label: string, options: SnapshotOptions = {}): Promise<TransactionInfo> {
    return await this.#run(options, async () => {
      const checked = parseInput(snapshotOptionsSchema, options, "options");
      return await setSavepoint(this.#parts.open, parseInput(savepointLabelSchema, label, "label"), checked);
    });
  }

  /** {@inheritDoc TransactionControl.undoTo} */
  async undoTo(label: string, options: SnapshotOptions = {}): Promise<TransactionInfo> {
    return await this.#run(options, async () => {
      const checked = parseInput(snapshotOptionsSchema, options, "options");
      const name = parseInput(savepointLabelSchema, label, "label");
      return await moveToSavepoint(this.#parts.open, name, checked);
    });
  }

  /** {@inheritDoc TransactionControl.discard} */
  async discard(what: DiscardTarget, options: SnapshotOptions = {}): Promise<TransactionInfo> {
    return await this.#run(options, async () => {
      const checked = parseInput(snapshotOptionsSchema, options, "options");
      return await discardParts(this.#parts.open, parseInput(discardTargetSchema, what, "what"), checked);
    });
  }

  /** {@inheritDoc TransactionControl.revert} */
  async revert(target: RevertTarget, options: TransactionRevertOptions = {}): Promise<RevertResult> {
    return await this.#run(options, async () => {
      const checked = parseInput(transactionRevertOptionsSchema, options, "options");
      return await stageRevert(this.#parts.open, parseInput(revertTargetSchema, target, "target"), checked);
    });
  }

  /** {@inheritDoc TransactionControl.rebase} */
  async rebase(options: RebaseOptions = {}): Promise<TransactionInfo> {
    return await this.#run(options, async () => {
      return await rebaseTransaction(this.#parts.open, parseInput(rebaseOptionsSchema, options, "options"));
    });
  }

  /** {@inheritDoc TransactionControl.commit} */
  async commit(options: CommitOptions = {}): Promise<CommitResult> {
    return await this.#run(options, async () => {
      return await this.#parts.commit(parseInput(commitOptionsSchema, options, "options"));
    });
  }

  /** {@inheritDoc TransactionControl.rollback} */
  async rollback(options: CancelOptions = {}): Promise<TransactionInfo> {
    return await this.#run(options, async () => {
      return await rollBackTransaction(this.#parts.open, parseInput(cancelOptionsSchema, options, "options"));
    });
  }

  async #move(call: "undo" | "redo", steps: number, options: SnapshotOptions): Promise<TransactionInfo> {
    return await this.#run(options, async () => {
      const checked = parseInput(snapshotOptionsSchema, options, "options");
      return await moveSteps(this.#parts.open, call, parseInput(stepCountSchema, steps, "steps"), checked);
    });
  }

  async #run<T>(options: CancelOptions, work: () => Promise<T>): Promise<T> {
    return await this.#parts.lifecycle.run(options, work);
  }
}
