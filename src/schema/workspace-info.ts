import type { Limits } from "../base/limits.ts";
import type { WorkspaceMode } from "./open-options.ts";
import type { RevisionAlgorithm } from "./revision-algorithm.ts";
import type { Snapshot } from "./snapshot.ts";

/** What opening a storage found and mended. */
export interface RecoveryInfo {
  /** Interrupted commits that were finished. */
  readonly rolledForward: number;
  /** Interrupted commits that were taken back. */
  readonly rolledBack: number;
  /** Paths where bytes of another program were met and left alone. */
  readonly conflicts: readonly string[];
  /** Whether an interrupted commit still waits, because the storage was opened for reading only. */
  readonly pending: boolean;
}

/** What a workspace is and where it stands. */
export interface WorkspaceInfo {
  /** The id that the storage keeps; empty when it was never opened for writing. */
  readonly workspaceId: string;
  /** The name that this handle was given. */
  readonly alias?: string;
  /** What the handle may do. */
  readonly mode: WorkspaceMode;
  /** Whether transactions can be begun; `"outOfDate"` until `reload`, where `onConflictedRollback` asks for that. */
  readonly state: "ready" | "outOfDate";
  /** Names the state that it is in. */
  readonly snapshot: Snapshot;
  /** The newest commit; `r0` before the first. */
  readonly workspaceRevision: string;
  /** How revisions of files are made. */
  readonly revisionAlgorithm: RevisionAlgorithm;
  /** The bounds of calls. */
  readonly limits: Limits;
  /** What opening found and mended. */
  readonly recovery: RecoveryInfo;
}
