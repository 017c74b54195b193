import type { CancelOptions, Clock, IdSource } from "../base/clock.ts";
import type { Hashing } from "../base/hashing.ts";

/** What a storage can do; read by the core and by the contract suite. */
export interface StorageCapabilities {
  /** Whether names that differ only in case or Unicode form are different files. */
  readonly caseSensitive: boolean;
  /** Whether it can hold symbolic links. */
  readonly symlinks: boolean;
  /** Whether it keeps the executable bit. */
  readonly modes: boolean;
  /** Whether it has `watch`, and the platform can tell of changes. */
  readonly watch: boolean;
  /** Whether its contents outlive the process. */
  readonly persistent: boolean;
  /** Whether other processes may change it at the same time. */
  readonly shared: boolean;
}

/** What is at a path, told without reading it. */
export interface StoredStat {
  /** File or symbolic link. */
  readonly kind: "file" | "symlink";
  /** Length of the bytes (of a link: of its target's text). */
  readonly byteLength: number;
  /** Whether it may be run. */
  readonly executable: boolean;
  /** Its version, where telling it costs nothing. */
  readonly version?: string;
  /**
   * Where only reading tells the version: a token that changes with nearly every change, such as inode and time of change. Equal ones are a hint
   * that nothing has changed, and no proof.
   */
  readonly stamp?: string;
}

/** What is at a path. */
export interface StoredFile extends StoredStat {
  /** The adapter's own opaque token (hash, ETag, row version): it changes whenever bytes, kind or mode change. */
  readonly version: string;
  /** The bytes; the receiver's own copy. */
  readonly bytes: Uint8Array;
}

/** One line of a listing. */
export interface ListedFile {
  /** Its path. */
  readonly path: string;
  /** File or symbolic link. */
  readonly kind: "file" | "symlink";
  /** Length of the bytes. */
  readonly byteLength: number;
  /** Its version, where listing it costs nothing. */
  readonly version?: string;
}

/** What must still hold when a batch commits. */
export interface Expectation {
  /** Files or records. */
  readonly space: "files" | "records";
  /** The path, or the record's key. */
  readonly key: string;
  /** The version it must have; `null`: it must be absent. */
  readonly version: string | null;
}

/** Where the bytes of a put come from: given, staged before, or another path of the same storage that the batch expects at a version. */
export type Content =
  | { readonly bytes: Uint8Array }
  | { readonly staged: string }
  | { readonly from: string };

/** Writes one file. */
export interface FilePut {
  /** Where. */
  readonly path: string;
  /** File or symbolic link. */
  readonly kind: "file" | "symlink";
  /** Whether it may be run. */
  readonly executable: boolean;
  /** Its bytes. */
  readonly content: Content;
}

/** Writes one record. */
export interface RecordPut {
  /** Its key. */
  readonly key: string;
  /** Its bytes. */
  readonly bytes: Uint8Array;
}

/** Adds bytes to a staged content; bytes past `at` are cut first. */
export interface ContentAppend {
  /** Which staged content. */
  readonly staged: string;
  /** Offset in bytes, from 0, at most its length. */
  readonly at: number;
  /** The bytes. */
  readonly bytes: Uint8Array;
}

/** One all-or-nothing unit. */
export interface StorageBatch {
  /** Names the batch in error reports and file names; unique. */
  readonly id: string;
  /** What must hold; if one does not, nothing is written. */
  readonly expect: readonly Expectation[];
  /** Files to write. Every path of a put or delete that is to replace something is also expected at a version. */
  readonly putFiles: readonly FilePut[];
  /** Files to remove. */
  readonly deleteFiles: readonly string[];
  /** Bytes to add to staged contents, after the expectations hold. */
  readonly appendContent: readonly ContentAppend[];
  /** Records to write. */
  readonly putRecords: readonly RecordPut[];
  /** Records to remove. */
  readonly deleteRecords: readonly string[];
  /**
   * Makes the log entry; called by the adapter inside its critical section, with the number that the log gives it and the hash of the entry
   * before it (64 zeros for the first). Pure and quick. A batch without it takes no number and writes no files.
   */
  entry?(sequence: number, previousHash: string): Uint8Array;
}

/** What became of one batch. */
export type CommitOutcome =
  | {
      /** It took effect. */
      readonly committed: true;
      /** The number of its log entry; of a batch without one, the number of the last entry before it. */
      readonly sequence: number;
      /** The hash of that entry. */
      readonly hash: string;
      /** New versions of the files that it wrote. */
      readonly fileVersions: ReadonlyMap<string, string>;
      /** New versions of the records that it wrote. */
      readonly recordVersions: ReadonlyMap<string, string>;
      /** Paths with a warning: the file had other hard links, which keep the old bytes. */
      readonly hardLinksBroken?: readonly string[];
    }
  | {
      /** It did not take effect: what was expected does not hold. */
      readonly committed: false;
      /** All expectations that do not hold. */
      readonly failed: readonly Expectation[];
    }
  | {
      /** It did not take effect, or nobody knows. */
      readonly committed: false;
      /** Why. */
      readonly error: unknown;
      /** Whether it may have taken effect all the same. */
      readonly written: "no" | "unknown";
    };

/** One entry of the log. */
export interface LogEntry {
  /** Its number, from 1, without gaps. */
  readonly sequence: number;
  /** SHA-256 of the number, the previous hash and the bytes; see `chainHash`. */
  readonly hash: string;
  /** What the batch's `entry` returned. */
  readonly bytes: Uint8Array;
  /** Whether the commit was taken back after a failure; such an entry keeps its place in the chain and counts for nothing. */
  readonly undone?: true;
}

/** What to read in chunks: a path, a content that the log knows by its SHA-256, or a staged content. */
export type ChunkSource =
  | { readonly path: string }
  | { readonly sha256: string }
  | { readonly staged: string };

/** What opening found and mended. */
export interface RecoveryReport {
  /** Interrupted commits that were finished. */
  readonly rolledForward: number;
  /** Interrupted commits that were taken back. */
  readonly rolledBack: number;
  /** Paths where somebody else's bytes were met and left alone. */
  readonly conflicts: readonly string[];
  /** Whether an interrupted commit still waits, because the storage was opened read-only. */
  readonly pending: boolean;
}

/** How a storage is opened. */
export interface StorageOpenOptions extends CancelOptions {
  /** The hashes to use. */
  readonly hashing: Hashing;
  /** The clock to use. */
  readonly clock: Clock;
  /** Where new ids come from. */
  readonly ids: IdSource;
  /** Opens for reading only: nothing is created, recovered or written. */
  readonly readOnly: boolean;
  /** How long to wait for another process, in milliseconds, before `LOCKED`. */
  readonly lockTimeoutMs: number;
}

/** How much a reading may give. */
export interface StorageReadOptions extends CancelOptions {
  /** Most bytes to read. Default: any number. */
  readonly maxBytes?: number | undefined;
}

/** How a listing is cut. */
export interface StorageListOptions extends CancelOptions {
  /** Only files below this folder. */
  readonly under?: string | undefined;
  /** Only paths after this one in order. */
  readonly after?: string | undefined;
}

/** Which part of the log to read. */
export interface ReadLogOptions extends CancelOptions {
  /** First entry to give: forward the smallest number, in reverse the largest. Default: the end where the reading begins. */
  readonly from?: number | undefined;
  /** Most entries to give. Default: all. */
  readonly limit?: number | undefined;
  /** Newest first. Default: false. */
  readonly reverse?: boolean | undefined;
}

/**
 * Where files, the library's own named records and its log live. A path means what stands at it, and no link is ever followed: behind a link
 * in the place of a folder there is nothing. Adapters do no input or output before `open`; the core reaches them only
 * through a wrapper that checks arguments and state, so an adapter may trust both. Refusals are `HoldfastError`s; anything else that is thrown
 * becomes `STORAGE_FAILED`.
 */
export interface StorageAdapter {
  /** What it can do; fixed once `open` has returned. */
  readonly capabilities: StorageCapabilities;
  /** Loads the fastest hashes of its platform; the core brings portable ones where this is absent. May be called before `open`. */
  loadHashing?(): Promise<Hashing>;
  /** Makes it ready, creating it where needed, and finishes interrupted commits. Nothing is usable when it throws. */
  open(options: StorageOpenOptions): Promise<RecoveryReport>;
  /** Tells what is at a path, for the price of a look; `undefined` where no file or link is. */
  stat(path: string, options: CancelOptions): Promise<StoredStat | undefined>;
  /**
   * Reads a file, or the target of a link as bytes, in one committed state; `undefined` where no file or link is. What is longer than `maxBytes`
   * is refused before any of it is read, with `LIMIT_EXCEEDED`, whose details name the length as `actual` and the bound as `maximum`; see
   * `tooLongToRead`.
   */
  read(path: string, options: StorageReadOptions): Promise<StoredFile | undefined>;
  /** Lists files and links, sorted by path in UTF-16 code unit order. */
  list(options: StorageListOptions): AsyncIterable<ListedFile>;
  /** Reads bytes piece by piece; throws `NOT_FOUND` when there are none. `offset` in bytes, from 0. */
  readChunks(
    source: ChunkSource,
    options: CancelOptions & { readonly offset?: number | undefined },
  ): AsyncIterable<Uint8Array>;
  /** Makes an empty staged content and returns its id. */
  stageContent(options: CancelOptions): Promise<string>;
  /** Reads a record; `undefined` where there is none. */
  readRecord(
    key: string,
    options: CancelOptions,
  ): Promise<{ readonly bytes: Uint8Array; readonly version: string } | undefined>;
  /** Lists record keys that begin with the prefix, sorted in UTF-16 code unit order, after the key `after`. */
  listRecords(
    prefix: string,
    options: CancelOptions & { readonly after?: string | undefined },
  ): AsyncIterable<string>;
  /** Reads log entries in order. */
  readLog(options: ReadLogOptions): AsyncIterable<LogEntry>;
  /**
   * Commits independent batches: no two of them share a path, an ancestor or a record. Each takes effect whole or not at all; there is one
   * outcome for each, in order. Rejects only when no member has taken effect. After its commit point the signal is not looked at. The bytes of the
   * batches are the adapter's own from then on.
   *
   * `flush: false` is for batches without `entry` only: kept in order and safe against a kill; after a power cut at an earlier whole state.
   */
  commit(
    batches: readonly StorageBatch[],
    options: CancelOptions & { readonly flush: boolean },
  ): Promise<readonly CommitOutcome[]>;
  /** Removes log entries before a number, contents not in `keep` that only they name, and the given staged contents. */
  prune(
    options: CancelOptions & {
      readonly before: number;
      readonly keep: ReadonlySet<string>;
      readonly staged: readonly string[];
    },
  ): Promise<{ readonly bytesFreed: number }>;
  /**
   * Calls back when files may have changed from outside, until the signal or until it is closed; never within the call that makes the change or
   * begins the watch. It is a hint and no more: whoever is told compares versions, for the storage's own commits may be told too, and changes
   * that come together may be told at once. When what another program wrote can be read, a call for it is made or still to come.
   *
   * @param listener - Gets paths that calls take; one of a folder stands for all that is or was below it. `"unknown"`: anything may have
   * changed, or some of it may have been missed. What it throws harms nobody.
   */
  watch?(
    listener: (paths: readonly string[] | "unknown") => void,
    options: { readonly signal: AbortSignal },
  ): void;
  /** Lets go of everything; committed state stays. Calling it again does nothing. */
  close(): Promise<void>;
}
