import type { CancelOptions } from "../base/clock.ts";
import type { CommitResult } from "../schema/commit-result.ts";
import type { RevertTarget } from "../schema/revert-options.ts";
import type { RevertResult } from "../schema/revert-result.ts";
import type { SnapshotOptions } from "../schema/snapshot.ts";
import type { DiscardTarget, RebaseOptions, TransactionRevertOptions } from "../schema/transaction-calls.ts";
import type { TransactionInfo } from "../schema/transaction-info.ts";
import type { CommitOptions } from "../schema/transaction-options.ts";
import type { TreeDiff } from "../tree/tree-diff.ts";
import type { ViewDiffOptions } from "./file-view.ts";

/** What a transaction can be asked and told, besides being read and changed as every view. */
export interface TransactionControl {
  /**
   * Shows what a commit would change: what is staged, against what it began from. In conflict too, and after the end what was last known.
   *
   * @param options - `paths`, `contextLines`, `maxBytes`, `signal`.
   */
  diff(options?: ViewDiffOptions): Promise<TreeDiff>;
  /** Tells where it stands and what can be done with it. Looks for changes of others first. */
  info(options?: CancelOptions): Promise<TransactionInfo>;
  /**
   * Takes the last steps back; they can be redone until something else is staged.
   *
   * @param steps - How many. Default: 1.
   * @param options - `expectedSnapshot`, `signal`.
   * @throws {@link HoldfastError} `TRANSACTION_HISTORY_UNAVAILABLE` when there are not so many: none is taken back then. `SNAPSHOT_MISMATCH`,
   * `TRANSACTION_CONFLICTED`, `NO_ACTIVE_TRANSACTION`.
   */
  undo(steps?: number, options?: SnapshotOptions): Promise<TransactionInfo>;
  /**
   * Does steps again that were undone.
   *
   * @param steps - How many. Default: 1.
   * @param options - `expectedSnapshot`, `signal`.
   * @throws {@link HoldfastError} As `undo`.
   */
  redo(steps?: number, options?: SnapshotOptions): Promise<TransactionInfo>;
  /**
   * Gives the state of now a name that `undoTo` comes back to.
   *
   * @param label - The name. The same name again means the later state.
   * @param options - `expectedSnapshot`, `signal`.
   */
  savepoint(label: string, options?: SnapshotOptions): Promise<TransactionInfo>;
  /**
   * Undoes, or redoes, up to a savepoint.
   *
   * @param label - The name that `savepoint` gave.
   * @param options - `expectedSnapshot`, `signal`.
   * @throws {@link HoldfastError} `TRANSACTION_HISTORY_UNAVAILABLE` when no step has that name.
   */
  undoTo(label: string, options?: SnapshotOptions): Promise<TransactionInfo>;
  /**
   * Takes parts of what is staged back out, as one step that can be undone.
   *
   * @param what - `paths`: files, folders or globs, both ends of a move together; `hunks`: ids of hunks that `diff` gave.
   * @param options - `expectedSnapshot`, `signal`.
   * @throws {@link HoldfastError} `INVALID_ARGUMENT` for a hunk that is not staged; `ALREADY_EXISTS` when a file would come back to the place of one
   * that stays staged, or of its folder.
   */
  discard(what: DiscardTarget, options?: SnapshotOptions): Promise<TransactionInfo>;
  /**
   * Stages what takes past revisions back, so that it can be looked at, undone and committed with other changes.
   *
   * @param target - One revision, several, or all that a filter of the history finds.
   * @param options - `paths`, `resolutions`, `includeDiff`, `expectedSnapshot`, `signal`.
   * @returns What the step changes; `conflicts` when it does not go together with what came later, and then nothing is staged.
   * @throws {@link HoldfastError} As `Workspace.revert`.
   */
  revert(target: RevertTarget, options?: TransactionRevertOptions): Promise<RevertResult>;
  /**
   * Puts what is staged onto what is there now, when it is in conflict: then it is active again, with one step on a new baseline. Where the two
   * do not go together it stays in conflict and `conflicts` says why.
   *
   * @param options - `resolutions`: by the path of the conflict; `signal`.
   * @throws {@link HoldfastError} `INVALID_ARGUMENT` for resolutions that fit no conflict.
   */
  rebase(options?: RebaseOptions): Promise<TransactionInfo>;
  /**
   * Commits all that is staged, or nothing. With nothing staged it stays active.
   *
   * @param options - Who and why, `idempotencyKey`, `expectedSnapshot`, `includeDiff`, `signal`.
   * @throws {@link HoldfastError} `TRANSACTION_CONFLICTED` when others changed what it relies on: nothing is written, and it can be rebased.
   * `NO_ACTIVE_TRANSACTION`, `SNAPSHOT_MISMATCH`, `IDEMPOTENCY_KEY_REUSED`, `STORAGE_FAILED`.
   */
  commit(options?: CommitOptions): Promise<CommitResult>;
  /**
   * Gives up what is staged; the workspace is as it was. What was staged stays readable with `diff` until retention removes it. Again: the same.
   *
   * @throws {@link HoldfastError} `NO_ACTIVE_TRANSACTION` when it was committed.
   */
  rollback(options?: CancelOptions): Promise<TransactionInfo>;
}
