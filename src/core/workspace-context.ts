import type { Clock, IdSource } from "../base/clock.ts";
import type { Hashing } from "../base/hashing.ts";
import type { Limits } from "../base/limits.ts";
import type { RevisionAlgorithm } from "../schema/revision-algorithm.ts";
import type { StorageAdapter } from "../storage/storage-adapter.ts";
import type { StoredFiles } from "../storage/stored-files.ts";
import type { ReadCache } from "./read-cache.ts";

/** What reading and planning need: files, and how they are named and bounded. */
export interface ViewContext {
  /** The files, as this view has them. */
  readonly files: StoredFiles;
  /** The hashes. */
  readonly hashing: Hashing;
  /** The bounds of calls. */
  readonly limits: Limits;
  /** How revisions of files are made. */
  readonly revisionAlgorithm: RevisionAlgorithm;
  /** Which names new files may have. */
  readonly names: "portable" | "posix";
  /** Keeps what is read and written, for changes that turn out to be based on it; left out where nothing is kept. */
  readonly reads?: ReadCache | undefined;
}

/** What everything that works on an open workspace shares; it never changes while the workspace is open. */
export interface WorkspaceContext extends ViewContext {
  /** The storage behind its checks; the files of the workspace are its files. */
  readonly storage: StorageAdapter;
  /** The clock. */
  readonly clock: Clock;
  /** Where ids come from. */
  readonly ids: IdSource;
}
