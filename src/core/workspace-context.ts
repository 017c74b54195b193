import type { Clock, IdSource } from "../base/clock.ts";
import type { Hashing } from "../base/hashing.ts";
import type { Limits } from "../base/limits.ts";
import type { RevisionAlgorithm } from "../schema/revision-algorithm.ts";
import type { StorageAdapter } from "../storage/storage-adapter.ts";

/** What everything that works on an open workspace shares; it never changes while the workspace is open. */
export interface WorkspaceContext {
  /** The storage behind its checks. */
  readonly storage: StorageAdapter;
  /** The hashes. */
  readonly hashing: Hashing;
  /** The clock. */
  readonly clock: Clock;
  /** Where ids come from. */
  readonly ids: IdSource;
  /** The bounds of calls. */
  readonly limits: Limits;
  /** How revisions of files are made. */
  readonly revisionAlgorithm: RevisionAlgorithm;
  /** Which names new files may have. */
  readonly names: "portable" | "posix";
}
