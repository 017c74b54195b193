import type { CancelOptions } from "../base/clock.ts";
import type { HistoryReport } from "../history/verify-history.ts";
import type { Outcome, RecordedAnswer } from "../schema/outcome.ts";
import type { Retention } from "../schema/retention.ts";
import type { RevertOptions, RevertTarget } from "../schema/revert-options.ts";
import type { RevertResult } from "../schema/revert-result.ts";
import type { EventOptions, HistoryOptions, RevisionInfo } from "../schema/revision-info.ts";
import type { WorkspaceEvent } from "../schema/workspace-event.ts";
import type { WorkspaceInfo } from "../schema/workspace-info.ts";
import type { FileView } from "./file-view.ts";
import type { PruneResult } from "./history-pruner.ts";

/** Where a workspace stands, what is known of how its files came to be as they are, and how to go back there. */
export interface FileHistory {
  /**
   * Lists commits, the newest first.
   *
   * @param options - Which, and from where on.
   * @throws {@link HoldfastError} `INVALID_ARGUMENT` when the iteration begins, also for a revision that this workspace never had.
   */
  history(options?: HistoryOptions): AsyncIterable<RevisionInfo>;
  /**
   * Gives the files as they were at a workspace revision. The view stays there while the workspace goes on. Files that no commit has touched since are
   * shown as they are now.
   *
   * @param revision - As results, history and events name it; `"r0"` is the state before the first commit.
   * @returns The view; it is looked for in the history when it is first read, and its calls are refused with `REVISION_NOT_FOUND` when the history
   * does not hold the revision, or does not hold it any longer, or bytes of it are not known any more.
   * @throws {@link HoldfastError} `INVALID_ARGUMENT` when the text has not the form of a workspace revision, `WORKSPACE_CLOSED`.
   */
  at(revision: string): FileView;
  /**
   * Takes revisions back in one commit, onto what is there now: each path gets what it had before, and where later changes touched it both are merged.
   * What does not go together comes back as `conflicts`, and then nothing is written. A revert is a revision like any other, and can be reverted too.
   *
   * @param target - One revision, several, or all that a filter of the history finds. Revisions that others came between are taken back one after the
   * other, the newest first.
   * @param options - `paths` limits it; of a move both ends go together. `resolutions` settle conflicts. As for `apply`: who and why, `dryRun`,
   * `idempotencyKey`, `includeDiff`, `signal`.
   * @returns What changed; `reverted: false` when there was nothing to take back, or there are conflicts.
   * @throws {@link HoldfastError} `REVISION_NOT_FOUND` when the history does not hold a revision, or holds it or bytes of it no longer;
   * `INVALID_ARGUMENT`, also for resolutions of what is not in conflict; or as `apply`.
   */
  revert(target: RevertTarget, options?: RevertOptions): Promise<RevertResult>;
  /**
   * Tells of commits as they happen, from this call on, those of other handles with the next one of this handle at the latest. Ends when the signal
   * fires or the workspace is closed. A reader that is too slow misses the oldest events and is told how many.
   *
   * @param options - From where on, and of which paths.
   * @throws {@link HoldfastError} `INVALID_ARGUMENT`, `WORKSPACE_CLOSED`.
   */
  events(options?: EventOptions): AsyncIterable<WorkspaceEvent>;
  /**
   * Removes old revisions with the contents that only they name. What open work has pinned stays, what a kept idempotency key needs, and the newest
   * revision. Files are not touched.
   *
   * @param retention - What to keep. Default: what the workspace was opened with.
   * @param options - `signal`.
   * @throws {@link HoldfastError} `MUTATION_DISABLED`, `INVALID_ARGUMENT`, `TARGET_BUSY` or `STORAGE_FAILED`; what was removed by then stays removed.
   */
  prune(retention?: Retention, options?: CancelOptions): Promise<PruneResult>;
  /**
   * Checks the history by itself: that it is one chain of hashes without gaps, back to the first revision or to the last one that was removed, that
   * each revision can be read, and that the contents which it names are there and are what they were. Looks at no files.
   *
   * @param options - `signal`.
   * @throws {@link HoldfastError} `STORAGE_FAILED` when the history cannot be read at all.
   */
  verifyHistory(options?: CancelOptions): Promise<HistoryReport>;
  /**
   * Tells what the workspace is and where it stands.
   *
   * @param options - `signal`.
   * @throws {@link HoldfastError} `STORAGE_FAILED`.
   */
  info(options?: CancelOptions): Promise<WorkspaceInfo>;
  /**
   * Looks at the storage anew: at every file that a commit ever touched, and records in one `external` revision what others changed past the library.
   * A handle that may only look records nothing.
   *
   * @param options - `signal`.
   * @returns What the workspace is and where it stands then.
   * @throws {@link HoldfastError} `TARGET_BUSY` when files change all the time, `STORAGE_FAILED`.
   */
  reload(options?: CancelOptions): Promise<WorkspaceInfo>;
  /**
   * Tells whether a call with an idempotency key took effect, and what it returned.
   *
   * @param idempotencyKey - The key.
   * @param options - `signal`.
   * @throws {@link HoldfastError} `INVALID_ARGUMENT` or `STORAGE_FAILED`.
   */
  outcome(idempotencyKey: string, options?: CancelOptions): Promise<Outcome>;
  /**
   * Returns what the call with this key returned when it took effect before, whatever its arguments were, and else makes the call.
   *
   * @param idempotencyKey - The key.
   * @param run - Makes the call; must hand on the options that it gets. Must not itself call `once` with the same key, for which it would wait for
   * ever.
   * @returns The call's result; with `idempotentReplay` when it was recorded before.
   * @throws {@link HoldfastError} As the call.
   */
  once<T extends RecordedAnswer>(
    idempotencyKey: string,
    run: (options: { readonly idempotencyKey: string }) => Promise<T>,
  ): Promise<T>;
}
