import type { CancelOptions } from "../../base/clock.ts";
import { HoldfastError } from "../../base/holdfast-error.ts";
import type { Json } from "../../base/json.ts";
import type { RevisionLog } from "../../history/revision-log.ts";
import type { WorkspaceMode } from "../../schema/open-options.ts";
import type { ExpectedSnapshot, Snapshot } from "../../schema/snapshot.ts";
import type { TransactionInfo } from "../../schema/transaction-info.ts";
import type { Expectation } from "../../storage/storage-adapter.ts";
import type { Conflict } from "../../tree/conflict.ts";
import type { FileState } from "../../tree/file-state.ts";
import { isBelow } from "../../tree/path-parts.ts";
import { quotePath } from "../../tree/quote-path.ts";
import type { CallOrder } from "../call-order.ts";
import { knownContent } from "../known-content.ts";
import { overlayFiles } from "../overlay-files.ts";
import { makeSnapshot, refuseOtherSnapshot } from "../snapshot.ts";
import { answerTo, nextState, type TransactionCall } from "../transaction-states.ts";
import type { WorkspaceContext } from "../workspace-context.ts";
import { OutsideChanges } from "./notice-changes.ts";
import { ReadScope } from "./read-scope.ts";
import { refusalOf } from "./refusal-of.ts";
import { StagedContents } from "./staged-contents.ts";
import { readsKey, type TransactionRecord } from "./transaction-record.ts";
import type { StoredTransaction, TransactionChange, TransactionStore } from "./transaction-store.ts";

/** What open transactions of one workspace share. */
export interface TransactionParts {
  readonly context: WorkspaceContext;
  readonly log: RevisionLog;
  readonly order: CallOrder;
  readonly store: TransactionStore;
  /** One that is for inspection only notices what changed outside, and writes nothing. */
  readonly mode: WorkspaceMode;
  /** Told when a transaction has ended. */
  readonly ended: (id: string) => void;
  /** Told when a transaction in conflict has been rolled back. */
  readonly conflictRolledBack: () => void;
  /** How a rebase merges what both sides changed. */
  readonly mergePolicy: "content" | "path";
  /** Names the workspace and counts its reloads. */
  readonly workspace: { readonly id: string; readonly epoch: number };
  /** Told when a transaction is found in conflict, or changes. */
  readonly tell: (type: "conflicted" | "transactionUpdated", id: string, paths: readonly string[]) => void;
}

/** How often a change of a transaction is made again when another handle changed it meanwhile. */
const mostAttempts = 8;

/** What a change comes to: what is written, if anything, and what the call returns once it is. */
export interface Changed<T> {
  readonly change?: TransactionChange | undefined;
  readonly result: (stored: StoredTransaction) => T | Promise<T>;
}

/**
 * A transaction as one handle of the workspace holds it: its state, read anew when another handle or process has changed it, and the one way to
 * change that. Notices at each call what changed outside.
 */
export class OpenTransaction {
  readonly id: string;
  readonly parts: TransactionParts;
  readonly contents: StagedContents;
  readonly outside: OutsideChanges;
  readonly #reads: ReadScope;
  #stored: StoredTransaction | undefined;
  /** What the last rebase found, and of which state. */
  #conflicts: { readonly version: string; readonly conflicts: readonly Conflict[] } | undefined;

  constructor(id: string, parts: TransactionParts) {
    this.id = id;
    this.parts = parts;
    this.contents = new StagedContents(parts.context.storage);
    this.outside = new OutsideChanges(parts.context);
    this.#reads = new ReadScope(parts.context.hashing);
  }

  /** Takes the transaction in as it was just written. */
  adopt(stored: StoredTransaction): void {
    this.#stored = stored;
  }

  /**
   * Brings the state up to date, looks for changes outside, and refuses what the state does not allow.
   *
   * @throws {@link HoldfastError} `NO_ACTIVE_TRANSACTION`, `TRANSACTION_CONFLICTED`, `TRANSACTION_NOT_FOUND`.
   */
  async enter(call: TransactionCall, options: CancelOptions): Promise<StoredTransaction> {
    const stored = await this.#notice(await this.#refresh(options), options);
    const answer = answerTo(stored.record.state, call);
    if (answer === "allowed" || answer === "lastKnown" || answer === "sameOutcome") return stored;
    throw refusalOf(answer, stored.record);
  }

  /** Says whether changes at some paths, or below them, may concern it. */
  isAbout(paths: readonly string[]): boolean {
    if (this.#stored === undefined || this.#stored.record.state !== "active") return false;
    const { record, steps } = this.#stored;
    if (record.conflictScope !== "touched") return true;
    const isRelied = (path: string) => steps.pins.has(path);
    return paths.some((path) => isRelied(path) || [...steps.pins.keys()].some((pin) => isBelow(pin, path)));
  }

  /** The state as it was last written, whatever has changed outside. */
  async peek(options: CancelOptions): Promise<StoredTransaction> {
    return await this.#refresh(options);
  }

  /** The files as the transaction has them. Readings count for its conflicts when its scope says so and `noted` is set. */
  view(stored: StoredTransaction, options: { readonly noted: boolean }): WorkspaceContext {
    const { context } = this.parts;
    const isNoted = options.noted && stored.record.conflictScope === "read";
    const below = isNoted ? this.#reads.watch(context.storage) : context.storage;
    const bytesOf = async (_path: string, { contentId }: FileState, { signal }: CancelOptions) => {
      const bytes = await this.bytesOf(stored, contentId, { signal });
      if (bytes !== undefined) return bytes;
      throw new HoldfastError("STORAGE_FAILED", { message: "The storage lost bytes of a transaction." });
    };
    return { ...context, files: overlayFiles(below, { states: stored.steps.states, bytesOf }) };
  }

  /** Bytes that the transaction brings or began from; `undefined` when they are nowhere any more. */
  async bytesOf(
    { record, steps }: StoredTransaction,
    contentId: string,
    options: CancelOptions,
  ): Promise<Uint8Array | undefined> {
    const own = await this.contents.bytesOf(record.staged?.id, contentId, options);
    if (own !== undefined) return own;
    // What was moved or copied as a whole lies in the history, or where it was as long as nobody changes it.
    const held = [...steps.pins].filter(([, { state }]) => state?.contentId === contentId);
    const state = held[0]?.[1].state;
    const paths = held.map(([path]) => path);
    return state && (await knownContent(this.parts.context, state, paths, options));
  }

  /** Changes the transaction: in the order of its calls, and again when another handle was quicker. */
  async change<T>(
    call: TransactionCall,
    options: CancelOptions & { readonly expectedSnapshot?: ExpectedSnapshot | undefined },
    work: (stored: StoredTransaction) => Promise<Changed<T>>,
  ): Promise<T> {
    const { signal } = options;
    const claims = { paths: [], names: [`transaction:${this.id}`] };
    const inOrder = async () => {
      for (let attempt = 0; attempt < mostAttempts; attempt++) {
        const stored = await this.enter(call, { signal });
        refuseOtherSnapshot(options.expectedSnapshot, this.snapshot(stored));
        const { change, result } = await work(stored);
        if (change === undefined) return await result(stored);
        if (this.parts.mode === "inspectionOnly") throw new HoldfastError("MUTATION_DISABLED");
        signal?.throwIfAborted();
        const saved = await this.save(stored, change);
        if (saved !== undefined) return await result(saved);
      }
      throw new HoldfastError("TARGET_BUSY", {
        message: `Others changed transaction ${quotePath(this.id)} ${mostAttempts} times while the call tried to.`,
      });
    };
    return await this.parts.order.run(claims, inOrder, signal);
  }

  /** Writes a change; `undefined` when another handle was quicker. */
  async save(stored: StoredTransaction, change: TransactionChange): Promise<StoredTransaction | undefined> {
    const { notes } = this.#reads;
    const reads =
      stored.record.conflictScope === "read" && this.#reads.isNew ? this.#reads.toJson() : undefined;
    const version = await this.parts.store.save(stored.version, { reads, ...change }, {});
    if (version === undefined) return undefined;
    if (change.forgetsReads === true) this.#reads.forget();
    else if (reads !== undefined) this.#reads.saved(notes);
    const { record, steps = stored.steps } = change;
    const calls = new Map(stored.calls);
    for (const { step, contents, calls: made } of change.put ?? []) {
      for (const range of contents) this.contents.add(range, change.contents?.get(range.contentId));
      calls.set(step.number, made);
    }
    for (const number of change.drop ?? []) calls.delete(number);
    const saved = { record, version, steps, calls };
    this.#stored = saved;
    this.parts.tell("transactionUpdated", this.id, steps.changedPaths);
    return saved;
  }

  /** What a commit expects of files that were only read, when conflicts are about those too. */
  expectedReads({ record, steps }: StoredTransaction): readonly Expectation[] {
    if (record.conflictScope !== "read") return [];
    return this.#reads.expectations().filter(({ key }) => !steps.pins.has(key));
  }

  /** Keeps what a rebase found, to be told until the state changes. */
  keepConflicts({ version }: StoredTransaction, conflicts: readonly Conflict[]): void {
    this.#conflicts = { version, conflicts };
  }

  /** Names the state. */
  snapshot({ record, steps }: StoredTransaction): Snapshot {
    const { workspace } = this.parts;
    const step = steps.cursor === 0 ? steps.base : steps.steps[steps.cursor - 1];
    return makeSnapshot({
      workspaceId: workspace.id,
      workspaceEpoch: workspace.epoch,
      transactionId: this.id,
      transactionRevision: record.squashed + steps.cursor,
      snapshotId: step?.snapshotId ?? record.baseSnapshotId,
    });
  }

  /** Tells where the transaction stands. */
  info(stored: StoredTransaction): TransactionInfo {
    const { record, steps, version } = stored;
    const { state, label, squashed, undoDepth, onCapacity, source } = record;
    const mayChange = this.parts.mode !== "inspectionOnly";
    const isActive = mayChange && state === "active";
    const conflicts = this.#conflicts?.version === version ? this.#conflicts.conflicts : undefined;
    const hasRoom = onCapacity === "squash" || steps.cursor < undoDepth;
    return {
      transactionId: this.id,
      state,
      ...(label !== undefined && { label }),
      ...(source !== undefined && { source }),
      createdAt: record.createdAt,
      revision: squashed + steps.cursor,
      revisionCount: squashed + steps.steps.length,
      remainingRevisions: Math.max(0, undoDepth - steps.cursor),
      canMutate: isActive && hasRoom,
      canUndo: isActive && steps.cursor > 0,
      canRedo: isActive && steps.cursor < steps.steps.length,
      canCommit: isActive && steps.changedPaths.length > 0,
      canRollback: isActive || (mayChange && state === "conflicted"),
      snapshot: this.snapshot(stored),
      changedPaths: steps.changedPaths,
      ...(state === "conflicted" && { conflictPaths: record.conflictPaths }),
      ...(state === "conflicted" && conflicts !== undefined && { conflicts }),
    };
  }

  async #refresh(options: CancelOptions): Promise<StoredTransaction> {
    const { store } = this.parts;
    const known = this.#stored;
    if (known !== undefined && (await store.versionOf(this.id, options)) === known.version) return known;
    const { ranges, ...stored } = await store.read(this.id, options);
    for (const range of ranges) this.contents.add(range);
    if (known !== undefined && known.record.rebases !== stored.record.rebases) this.#reads.forget();
    if (stored.record.conflictScope === "read") await this.#readReads(options);
    this.#stored = stored;
    return stored;
  }

  async #readReads(options: CancelOptions): Promise<void> {
    const stored = await this.parts.context.storage.readRecord(readsKey(this.id), options);
    if (stored !== undefined) this.#reads.addJson(JSON.parse(new TextDecoder().decode(stored.bytes)) as Json);
  }

  /** Looks at what the transaction relies on; what changed outside puts it in conflict, and stays so until it is rebased. */
  async #notice(stored: StoredTransaction, options: CancelOptions): Promise<StoredTransaction> {
    let current = stored;
    while (current.record.state === "active") {
      const conflictPaths = await this.#findChanges(current, options);
      if (conflictPaths === undefined) return current;
      const state = nextState(current.record.state, "changedOutside");
      const record: TransactionRecord = { ...current.record, state, conflictPaths };
      if (this.parts.mode === "inspectionOnly") return { ...current, record };
      const version = await this.parts.store.save(current.version, { record }, {});
      if (version === undefined) {
        current = await this.#refresh(options);
        continue;
      }
      current = { ...current, record, version };
      this.#stored = current;
      this.parts.tell("conflicted", this.id, conflictPaths);
    }
    return current;
  }

  async #findChanges(
    { record, steps }: StoredTransaction,
    options: CancelOptions,
  ): Promise<readonly string[] | undefined> {
    const changed = new Set(await this.outside.find(steps, options));
    if (record.conflictScope === "read")
      for (const path of await this.#reads.findChanged(this.parts.context.storage, options))
        changed.add(path);
    let isElsewhere = false;
    if (record.conflictScope === "workspace")
      for await (const { entry } of this.parts.log.read({ ...options, from: record.baseSequence + 1 })) {
        isElsewhere = true;
        for (const path of entry.delta.changes.keys()) changed.add(path);
      }
    return changed.size === 0 && !isElsewhere ? undefined : [...changed].sort();
  }
}
