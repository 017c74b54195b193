import type { FileSystem } from "./file-system.ts";
import { nodeFileSystem } from "./node-file-system.ts";
import { nodeProcessTable, type ProcessTable } from "./process-table.ts";

/** What the directory storage needs of the machine. */
export interface DirectoryHost {
  /** Its files. */
  readonly fileSystem: FileSystem;
  /** Its processes. */
  readonly processes: ProcessTable;
  /** Seals the log after so many milliseconds without a commit; `undefined`: only when it has grown, and at closing. */
  readonly idleMs: number | undefined;
  /** Files that are made in advance at most. */
  readonly spareFiles: number;
}

/** This machine. */
export function nodeHost(): DirectoryHost {
  return { fileSystem: nodeFileSystem, processes: nodeProcessTable(), idleMs: 1000, spareFiles: 256 };
}
