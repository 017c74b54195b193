import type { StorageAdapter } from "../storage-adapter.ts";
import { DirectoryAdapter } from "./directory-adapter.ts";
import { nodeHost } from "./directory-host.ts";
import type { DirectoryStorageOptions } from "./directory-options.ts";

/**
 * Keeps a workspace in a real directory. Its own state lies in a state folder beside the files, hidden from listings and from git. A commit is
 * one durable log entry followed by links and renames, so that after a kill or a power cut every file is as before it or as after it.
 */
export class DirectoryStorage extends DirectoryAdapter implements StorageAdapter {
  /**
   * Sets the storage up; nothing is read or written before it is opened.
   *
   * @param options - The root, and where the state goes.
   */
  constructor(options: DirectoryStorageOptions) {
    super(nodeHost(), options);
  }

  /**
   * Takes the lock from a process that is known to be gone though this one cannot see that, such as one on another machine, and finishes what
   * it left.
   *
   * @param options - `token`: from the details of `LOCKED`.
   * @throws {@link HoldfastError} `NOT_FOUND` when no lock with this token is held; nothing is changed then.
   */
  override async breakLock(options: { readonly token: string }): Promise<void> {
    await super.breakLock(options);
  }
}
