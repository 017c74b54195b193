/** What happened to a name: it came or went, or what it stands for was written. Of folders, platforms may say either. */
export type NameEvent = "rename" | "change";

/** What a watch of a folder tells; never before the call that starts it has returned. */
export interface FolderWatchListener {
  /** Something happened to a name in the folder, given relative to it; `null`: to some name. The folder itself is `.`. */
  changed(event: NameEvent, name: string | null): void;
  /** The watch has ended. */
  failed(): void;
}

/** How a platform tells of changes in folders. */
export interface FolderWatching {
  /** Whether the watch of a folder covers all that is below it; else its own names and no more. */
  readonly wholeTrees: boolean;
  /**
   * Begins to watch a folder. It keeps no process alive.
   *
   * @returns what ends it.
   */
  start(path: string, listener: FolderWatchListener): () => void;
}
