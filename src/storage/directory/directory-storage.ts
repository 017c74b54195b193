import { DirectoryAdapter, type DirectoryStorageOptions } from "./directory-adapter.ts";
import { nodeHost } from "./directory-host.ts";

/**
 * Keeps a workspace in a real directory. Its own state lies in a state folder beside the files, hidden from listings and from git. A commit is
 * one durable log entry followed by links and renames, so that after a kill or a power cut every file is as before it or as after it.
 */
export class DirectoryStorage extends DirectoryAdapter {
  /**
   * Sets the storage up; nothing is read or written before it is opened.
   *
   * @param options - The root, and where the state goes.
   */
  constructor(options: DirectoryStorageOptions) {
    super(nodeHost(), options);
  }
}
