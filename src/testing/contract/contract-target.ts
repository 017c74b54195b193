import type { StorageAdapter } from "../../storage/storage-adapter.ts";

/** One fresh, empty, unopened storage of the kind that is to be checked. */
export interface ContractTarget {
  /** The storage; not opened yet. */
  readonly storage: StorageAdapter;
  /** Gives the same state again, unopened, as another process would find it. The first storage has been closed when it is called. */
  reopen(): Promise<StorageAdapter>;
  /** Writes a file past the storage, as another program would; `null` removes it. Left out where nothing else can reach the files. */
  writeOutside?(path: string, bytes: Uint8Array | null): Promise<void>;
  /** Removes whatever the storage has left behind. */
  dispose?(): Promise<void>;
}
