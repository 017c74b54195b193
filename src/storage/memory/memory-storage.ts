import { throwIfAborted } from "../../base/abort.ts";
import { copyInSteps } from "../../base/byte-steps.ts";
import { utf8 } from "../../base/bytes.ts";
import { type CancelOptions, type IdSource, randomIds, timeSlice } from "../../base/clock.ts";
import type { Hashing } from "../../base/hashing.ts";
import { invariant } from "../../base/holdfast-error.ts";
import { driveSteps } from "../../base/steps.ts";
import { ChangeListeners } from "../change-listeners.ts";
import { checkPath } from "../check-batch.ts";
import type {
  ChunkSource,
  CommitOutcome,
  ListedFile,
  LogEntry,
  ReadLogOptions,
  RecoveryReport,
  StorageAdapter,
  StorageBatch,
  StorageCapabilities,
  StorageListOptions,
  StorageOpenOptions,
  StorageReadOptions,
  StoredFile,
  StoredStat,
} from "../storage-adapter.ts";
import { contentNotFound, tooLongToRead } from "../storage-errors.ts";
import { commitToMemory, type MemoryState } from "./memory-commit.ts";
import { type MemoryFile, MemoryFiles } from "./memory-files.ts";
import { MemoryLog } from "./memory-log.ts";
import { MemoryRecords } from "./memory-records.ts";
import { MemoryStaged } from "./memory-staged.ts";
import { OneAtATime } from "./one-at-a-time.ts";
import { showBytes } from "./show-bytes.ts";

const chunkBytes = 256 * 1024;

/** How a {@link MemoryStorage} begins. */
export interface MemoryStorageOptions {
  /** The first files: path to text (stored as UTF-8) or bytes. Default: none. */
  readonly files?: Readonly<Record<string, string | Uint8Array>> | undefined;
  /** Whether names that differ only in case or Unicode form are one file, as on macOS and Windows. Default: false. */
  readonly caseFold?: boolean | undefined;
  /** Files that are not written, and folders below which nothing is. Default: none. */
  readonly readOnlyPaths?: readonly string[] | undefined;
}

/**
 * Keeps files, records and log in memory: for tests, previews and browsers. A commit is a single step for whoever looks.
 *
 * One instance may be opened any number of times; all who opened it see the same state, and closing one leaves the others open.
 */
export class MemoryStorage implements StorageAdapter {
  /** {@inheritDoc StorageAdapter.capabilities} */
  readonly capabilities: StorageCapabilities;
  readonly #state: MemoryState;
  readonly #work = new OneAtATime();
  readonly #listeners = new ChangeListeners();
  #hashing: Hashing | undefined;
  #ids: IdSource = randomIds;

  /**
   * Makes a storage that holds the given files.
   *
   * @throws {@link HoldfastError} `INVALID_PATH` or `PROTECTED_PATH` for a path, `IS_DIRECTORY` or `ALREADY_EXISTS` when one lies below another.
   */
  constructor(options: MemoryStorageOptions = {}) {
    const { files = {}, caseFold = false, readOnlyPaths = [] } = options;
    this.capabilities = {
      caseSensitive: !caseFold,
      symlinks: true,
      modes: true,
      watch: true,
      persistent: false,
      shared: false,
    };
    const memoryFiles = new MemoryFiles(caseFold);
    let versions = 0;
    this.#state = {
      files: memoryFiles,
      records: new MemoryRecords(),
      staged: new MemoryStaged(),
      log: new MemoryLog(),
      readOnlyKeys: new Set(readOnlyPaths.map((path) => memoryFiles.keyOf(path))),
      nextVersion: () => `v${++versions}`,
    };
    for (const [path, content] of Object.entries(files)) this.writeOutside(path, content);
  }

  /**
   * {@inheritDoc StorageAdapter.open}
   *
   * @privateRemarks Opening it again adds another user of the same state.
   */
  async open(options: StorageOpenOptions): Promise<RecoveryReport> {
    throwIfAborted(options);
    this.#hashing = options.hashing;
    this.#ids = options.ids;
    return { rolledForward: 0, rolledBack: 0, conflicts: [], pending: false };
  }

  /** {@inheritDoc StorageAdapter.stat} */
  async stat(path: string, options: CancelOptions): Promise<StoredStat | undefined> {
    throwIfAborted(options);
    await this.#work.whenIdle();
    const file = this.#state.files.get(path);
    return file === undefined ? undefined : statOf(file);
  }

  /** {@inheritDoc StorageAdapter.read} */
  async read(path: string, options: StorageReadOptions): Promise<StoredFile | undefined> {
    throwIfAborted(options);
    await this.#work.whenIdle();
    const file = this.#state.files.get(path);
    if (file === undefined) return undefined;
    const { maxBytes = Number.POSITIVE_INFINITY } = options;
    const { byteLength } = file.bytes;
    if (byteLength > maxBytes) throw tooLongToRead(path, byteLength, maxBytes);
    return { ...statOf(file), bytes: await driveSteps(copyInSteps(file.bytes), timeSlice(options)) };
  }

  /** {@inheritDoc StorageAdapter.list} */
  async *list(options: StorageListOptions): AsyncGenerator<ListedFile, undefined, undefined> {
    await this.#work.whenIdle();
    for (const { path, kind, bytes, version } of this.#state.files.walk(options.under, options.after)) {
      throwIfAborted(options);
      yield { path, kind, byteLength: bytes.byteLength, version };
      await this.#work.whenIdle();
    }
  }

  /** {@inheritDoc StorageAdapter.readChunks} */
  async *readChunks(
    source: ChunkSource,
    options: CancelOptions & { readonly offset?: number | undefined },
  ): AsyncGenerator<Uint8Array, undefined, undefined> {
    const bytes = await this.#contentOf(source);
    if (bytes === undefined) throw contentNotFound(source);
    for (let at = options.offset ?? 0; at < bytes.byteLength; at += chunkBytes) {
      throwIfAborted(options);
      yield bytes.slice(at, at + chunkBytes);
    }
  }

  /** {@inheritDoc StorageAdapter.stageContent} */
  async stageContent(options: CancelOptions): Promise<string> {
    throwIfAborted(options);
    await this.#work.whenIdle();
    const id = this.#ids("st");
    this.#state.staged.create(id);
    return id;
  }

  /** {@inheritDoc StorageAdapter.readRecord} */
  async readRecord(
    key: string,
    options: CancelOptions,
  ): Promise<{ readonly bytes: Uint8Array; readonly version: string } | undefined> {
    throwIfAborted(options);
    await this.#work.whenIdle();
    const record = this.#state.records.get(key);
    return record === undefined ? undefined : { bytes: record.bytes.slice(), version: record.version };
  }

  /** {@inheritDoc StorageAdapter.listRecords} */
  async *listRecords(
    prefix: string,
    options: CancelOptions & { readonly after?: string | undefined },
  ): AsyncGenerator<string, undefined, undefined> {
    await this.#work.whenIdle();
    for (const key of this.#state.records.walk(prefix, options.after)) {
      throwIfAborted(options);
      yield key;
      await this.#work.whenIdle();
    }
  }

  /** {@inheritDoc StorageAdapter.readLog} */
  async *readLog(options: ReadLogOptions): AsyncGenerator<LogEntry, undefined, undefined> {
    await this.#work.whenIdle();
    for (const entry of this.#state.log.walk(options)) {
      throwIfAborted(options);
      yield entry;
      await this.#work.whenIdle();
    }
  }

  /**
   * {@inheritDoc StorageAdapter.commit}
   *
   * @privateRemarks The bytes of the batches become the storage's own.
   */
  async commit(
    batches: readonly StorageBatch[],
    options: CancelOptions & { readonly flush: boolean },
  ): Promise<readonly CommitOutcome[]> {
    throwIfAborted(options);
    const outcomes: CommitOutcome[] = [];
    for (const batch of batches)
      outcomes.push(await this.#work.run(commitToMemory(this.#state, this.#hashes(), batch)));
    return outcomes;
  }

  /** {@inheritDoc StorageAdapter.prune} */
  async prune(
    options: CancelOptions & {
      readonly before: number;
      readonly keep: ReadonlySet<string>;
      readonly staged: readonly string[];
    },
  ): Promise<{ readonly bytesFreed: number }> {
    throwIfAborted(options);
    const { log } = this.#state;
    let bytesFreed = await this.#work.run(log.prune(this.#hashes(), options.before, options.keep));
    for (const id of options.staged) bytesFreed += this.#state.staged.remove(id);
    return { bytesFreed };
  }

  /**
   * {@inheritDoc StorageAdapter.watch}
   *
   * @privateRemarks Tells what {@link MemoryStorage.writeOutside} changes, when the event loop has turned; commits are told to nobody.
   */
  watch(
    listener: (paths: readonly string[] | "unknown") => void,
    options: { readonly signal: AbortSignal },
  ): void {
    this.#listeners.add(listener, options.signal);
  }

  /**
   * {@inheritDoc StorageAdapter.close}
   *
   * @privateRemarks There is nothing to let go of: whoever else has opened it goes on.
   */
  async close(): Promise<void> {}

  /**
   * Shows the files: path to text, sorted by path. Bytes that are not UTF-8 are shown as `base64:` and their Base64; a text that itself begins
   * with `base64:` is shown so too. Kind and mode are left out.
   */
  toJSON(): Record<string, string> {
    this.#work.finish();
    const shown: [string, string][] = [];
    for (const { path, bytes } of this.#state.files.walk()) shown.push([path, showBytes(bytes)]);
    return Object.fromEntries(shown);
  }

  /**
   * Changes a file as another program would: at once, without a log entry, also when it is read-only.
   *
   * @param content - Text (stored as UTF-8) or bytes; `null` removes the file. Mode and kind of a file that is there stay.
   * @throws {@link HoldfastError} `INVALID_PATH` or `PROTECTED_PATH` for the path, `IS_DIRECTORY` when it is a folder, `ALREADY_EXISTS` when
   * a folder of it is a file.
   */
  writeOutside(path: string, content: string | Uint8Array | null): void {
    checkPath(path);
    this.#work.finish();
    const { files, nextVersion } = this.#state;
    const known = files.get(path);
    if (content === null) {
      files.remove(path);
      if (known !== undefined) this.#listeners.tell([known.path]);
      return;
    }
    files.refuseFolder(path);
    files.refuseBelowFile(path);
    const bytes = typeof content === "string" ? utf8(content) : content.slice();
    const { kind = "file", executable = false } = known ?? {};
    files.put({ path, kind, executable, bytes, version: nextVersion() });
    this.#listeners.tell([files.get(path)?.path ?? path]);
  }

  #hashes(): Hashing {
    invariant(this.#hashing, "The storage in memory was used before it was opened.");
    return this.#hashing;
  }

  async #contentOf(source: ChunkSource): Promise<Uint8Array | undefined> {
    await this.#work.whenIdle();
    if ("path" in source) return this.#state.files.get(source.path)?.bytes;
    if ("staged" in source) return this.#state.staged.read(source.staged);
    return await this.#work.run(this.#state.log.content(this.#hashes(), source.sha256));
  }
}

function statOf({ kind, bytes, executable, version }: MemoryFile): StoredStat & { readonly version: string } {
  return { kind, byteLength: bytes.byteLength, executable, version };
}
