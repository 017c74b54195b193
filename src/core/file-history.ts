import type { RevertOptions, RevertTarget } from "../schema/revert-options.ts";
import type { RevertResult } from "../schema/revert-result.ts";
import type { EventOptions, HistoryOptions, RevisionInfo } from "../schema/revision-info.ts";
import type { WorkspaceEvent } from "../schema/workspace-event.ts";
import type { FileView } from "./file-view.ts";

/** What is known of how files came to be as they are, and how to go back there. */
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
}
