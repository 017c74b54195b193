import { throwIfAborted } from "../../base/abort.ts";
import { type CancelOptions, timeSlice } from "../../base/clock.ts";
import type { Hashing } from "../../base/hashing.ts";
import { HoldfastError } from "../../base/holdfast-error.ts";
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
import { letGo, lookAtLog, refresh, takeOver } from "./begin-session.ts";
import { breakLock } from "./break-lock.ts";
import { checkDirectoryOptions } from "./check-directory-options.ts";
import { commitList } from "./commit-list.ts";
import type { DirectoryHost } from "./directory-host.ts";
import type { DirectoryStorageOptions } from "./directory-options.ts";
import { type DirectorySession, openSession } from "./directory-session.ts";
import { DirectoryWatch } from "./directory-watch.ts";
import { abortOrError, fileSystemError } from "./file-system-error.ts";
import { listFiles } from "./list-files.ts";
import { loadNodeHashing } from "./node-hashing.ts";
import { makeStaged } from "./prepare-contents.ts";
import { usualDisk } from "./probe-disk.ts";
import { pruneHistory } from "./prune-history.ts";
import { ReadBurst } from "./read-burst.ts";
import { readEntries } from "./read-entries.ts";
import { readFile, readPieces, statFile } from "./read-files.ts";
import { RootFolder } from "./root-folder.ts";
import { SealSchedule } from "./seal-schedule.ts";
import { storageError } from "./state-folder-error.ts";

/** The storage contract over a folder of some host. */
export class DirectoryAdapter implements StorageAdapter {
  /** {@inheritDoc StorageAdapter.watch} */
  readonly watch?: NonNullable<StorageAdapter["watch"]>;
  readonly #host: DirectoryHost;
  readonly #options: DirectoryStorageOptions;
  #rootPath = "";
  #hashing: Hashing | undefined;
  #session: DirectorySession | undefined;
  #opens = 0;
  #turn: Promise<unknown> = Promise.resolve();
  #sealing: SealSchedule | undefined;
  readonly #watching: DirectoryWatch | undefined;
  readonly #readers = new ReadBurst(() => this.#openRoot());

  constructor(host: DirectoryHost, options: DirectoryStorageOptions) {
    checkDirectoryOptions(options);
    this.#host = host;
    this.#options = options;
    const { watching } = host.fileSystem;
    if (watching === undefined) return;
    const openRoot = () => this.#openRoot();
    this.#watching = new DirectoryWatch(() => ({ ...(this.#session ?? host), watching, openRoot }));
    this.watch = (listener, { signal }) => this.#watching?.add(listener, signal);
  }

  /** {@inheritDoc StorageAdapter.capabilities} */
  get capabilities(): StorageCapabilities {
    const { caseSensitive, symlinks, modes } = this.#session?.state ?? usualDisk;
    const watch = this.watch !== undefined;
    return { caseSensitive, symlinks, modes, watch, persistent: true, shared: true };
  }

  /** {@inheritDoc StorageAdapter.loadHashing} */
  readonly loadHashing = loadNodeHashing;

  /** {@inheritDoc StorageAdapter.open} */
  open(options: StorageOpenOptions): Promise<RecoveryReport> {
    return this.#inTurn(async () => {
      const report = await this.#open(options);
      this.#opens += 1;
      return report;
    });
  }

  /** Opening and closing take turns: several handles may share one session. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#turn.then(work);
    this.#turn = done.catch(() => undefined);
    return done;
  }

  async #open(options: StorageOpenOptions): Promise<RecoveryReport> {
    try {
      if (this.#session !== undefined && this.#session.readOnly === options.readOnly) {
        return options.readOnly ? await lookAtLog(this.#session) : await takeOver(this.#session, options);
      }
      if (this.#session !== undefined)
        throw new HoldfastError("NOT_SUPPORTED", {
          message: "The storage is open already, in another mode; use a second DirectoryStorage.",
        });
      const { rootPath, session } = await openSession(this.#host, this.#options, options);
      this.#rootPath = rootPath;
      this.#hashing = options.hashing;
      if (session === undefined) return { rolledForward: 0, rolledBack: 0, conflicts: [], pending: false };
      const report = await (options.readOnly ? lookAtLog(session) : takeOver(session, options)).catch(
        async (error: unknown) => {
          await letGo(session);
          throw error;
        },
      );
      this.#session = session;
      this.#sealing = new SealSchedule(session, this.#host.idleMs);
      return report;
    } catch (error) {
      throw fileSystemError(error, "open the storage");
    }
  }

  #opened(): DirectorySession {
    if (this.#session === undefined)
      throw new HoldfastError("READ_ONLY", {
        message: "The storage has no state folder and was opened for reading only.",
      });
    return this.#session;
  }

  /** Runs reading work. */
  #reading<T>(
    doing: string,
    path: string,
    work: (host: Parameters<typeof statFile>[0]) => Promise<T>,
  ): Promise<T> {
    return this.#readers.run(async (root) => {
      try {
        if (this.#hashing === undefined) throw new HoldfastError("WORKSPACE_CLOSED");
        return await work({
          fileSystem: (this.#session ?? this.#host).fileSystem,
          hashing: this.#hashing,
          pause: timeSlice(),
          root,
        });
      } catch (error) {
        throw fileSystemError(error, doing, path);
      }
    });
  }

  #openRoot(): RootFolder {
    // What the disk finds under a name is read, however it is spelled there.
    return new RootFolder((this.#session ?? this.#host).fileSystem, this.#rootPath, true);
  }

  /** {@inheritDoc StorageAdapter.stat} */
  stat(path: string, _options: CancelOptions): Promise<StoredStat | undefined> {
    return this.#reading("look at", path, (host) => statFile(host, path));
  }

  /** {@inheritDoc StorageAdapter.read} */
  read(path: string, options: StorageReadOptions): Promise<StoredFile | undefined> {
    return this.#reading("read", path, (host) => readFile(host, path, options.maxBytes, this.#session?.seen));
  }

  /** {@inheritDoc StorageAdapter.list} */
  async *list(options: StorageListOptions): AsyncIterable<ListedFile> {
    const root = this.#openRoot();
    try {
      const folds = !this.capabilities.caseSensitive;
      yield* listFiles(
        { fileSystem: (this.#session ?? this.#host).fileSystem, root, folds, pause: timeSlice() },
        options,
      );
    } catch (error) {
      throw abortOrError(options, error, "list", options.under);
    } finally {
      root.close();
    }
  }

  /** {@inheritDoc StorageAdapter.readChunks} */
  async *readChunks(
    source: ChunkSource,
    options: CancelOptions & { readonly offset?: number | undefined },
  ): AsyncIterable<Uint8Array> {
    const session = this.#opened();
    const root = this.#openRoot();
    try {
      if ("sha256" in source) await refresh(session);
      for await (const piece of readPieces({ ...session, root }, source, options.offset ?? 0)) {
        throwIfAborted(options);
        yield piece;
      }
    } catch (error) {
      throw abortOrError(options, error, "read", "path" in source ? source.path : undefined);
    } finally {
      root.close();
    }
  }

  /** {@inheritDoc StorageAdapter.stageContent} */
  async stageContent(_options: CancelOptions): Promise<string> {
    const session = this.#opened();
    const id = `st_${this.#host.processes.token()}`;
    try {
      await makeStaged(session, id);
      return id;
    } catch (error) {
      throw storageError(session, error, "make a staged content");
    }
  }

  /** {@inheritDoc StorageAdapter.readRecord} */
  async readRecord(
    key: string,
    _options: CancelOptions,
  ): Promise<{ readonly bytes: Uint8Array; readonly version: string } | undefined> {
    if (this.#session === undefined) return undefined;
    await refresh(this.#session);
    const record = this.#session.log.state.records.get(key);
    return record === undefined ? undefined : { bytes: record.bytes.slice(), version: record.version };
  }

  /** {@inheritDoc StorageAdapter.listRecords} */
  async *listRecords(
    prefix: string,
    options: CancelOptions & { readonly after?: string | undefined },
  ): AsyncIterable<string> {
    if (this.#session === undefined) return;
    await refresh(this.#session);
    yield* this.#session.log.state.keys(prefix, options.after);
  }

  /** {@inheritDoc StorageAdapter.readLog} */
  async *readLog(options: ReadLogOptions): AsyncIterable<LogEntry> {
    if (this.#session === undefined) return;
    await refresh(this.#session);
    yield* readEntries(this.#session, options);
  }

  /** {@inheritDoc StorageAdapter.commit} */
  async commit(
    batches: readonly StorageBatch[],
    options: CancelOptions & { readonly flush: boolean },
  ): Promise<readonly CommitOutcome[]> {
    const session = this.#opened();
    this.#sealing?.hold();
    const ended = this.#watching?.commitRuns();
    try {
      return await commitList(session, batches, options);
    } catch (error) {
      throw abortOrError(options, error, "commit");
    } finally {
      ended?.();
      void session.spares.refill();
      this.#sealing?.plan();
    }
  }

  /** {@inheritDoc StorageAdapter.prune} */
  async prune(
    options: CancelOptions & {
      readonly before: number;
      readonly keep: ReadonlySet<string>;
      readonly staged: readonly string[];
    },
  ): Promise<{ readonly bytesFreed: number }> {
    const session = this.#opened();
    try {
      await this.#sealing?.seal();
      return await pruneHistory(session, options);
    } catch (error) {
      throw fileSystemError(error, "prune the history");
    }
  }

  /** Takes the lock from a process that is gone, and finishes what it left; `NOT_FOUND` when it holds no lock with this token. */
  async breakLock(options: { readonly token: string }): Promise<void> {
    await breakLock(this.#opened(), options.token);
  }

  /** {@inheritDoc StorageAdapter.close} */
  close(): Promise<void> {
    return this.#inTurn(() => this.#close());
  }

  async #close(): Promise<void> {
    const session = this.#session;
    this.#opens = Math.max(0, this.#opens - 1);
    if (this.#opens === 0) this.#watching?.close();
    if (session === undefined || this.#opens > 0) return;
    try {
      await this.#sealing?.end();
    } finally {
      await letGo(session);
      this.#session = undefined;
    }
  }
}
