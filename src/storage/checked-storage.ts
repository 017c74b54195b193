import { throwIfAborted } from "../base/abort.ts";
import { type CancelOptions, timeSlice } from "../base/clock.ts";
import type { Hashing } from "../base/hashing.ts";
import { HoldfastError, invariant } from "../base/holdfast-error.ts";
import { driveSteps } from "../base/steps.ts";
import { checkBatch, checkPath, checkRecordKey, checkRecordPrefix } from "./check-batch.ts";
import { checkedIteration } from "./checked-iteration.ts";
import { commitInRounds } from "./commit-in-rounds.ts";
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
} from "./storage-adapter.ts";
import { asStorageError } from "./storage-errors.ts";

/**
 * Makes one handle on an adapter: it holds the caller to the contract, so that the adapter may trust state and arguments, and turns what the
 * adapter throws into the library's errors. It does no input or output of its own.
 */
export function checkedStorage(adapter: StorageAdapter): StorageAdapter {
  return new CheckedStorage(adapter);
}

/** Calls that never wait for a disk must let the event loop turn as well, however many of them follow each other. */
const pause = timeSlice();

class CheckedStorage implements StorageAdapter {
  readonly loadHashing?: () => Promise<Hashing>;
  readonly watch?: NonNullable<StorageAdapter["watch"]>;
  readonly #adapter: StorageAdapter;
  #state: "new" | "opening" | "open" | "closing" | "closed" = "new";
  #readOnly = false;
  #running = 0;
  #whenIdle: (() => void) | undefined;
  #closing: Promise<void> | undefined;
  readonly #iterations = new Set<() => Promise<void>>();
  readonly #watches = new Set<() => void>();

  constructor(adapter: StorageAdapter) {
    this.#adapter = adapter;
    const loadHashing = adapter.loadHashing?.bind(adapter);
    if (loadHashing !== undefined)
      this.loadHashing = () =>
        loadHashing().catch((error: unknown) => {
          throw asStorageError(error, {});
        });
    if (adapter.watch !== undefined)
      this.watch = (listener, options) => {
        this.#refuseUnlessOpen();
        throwIfAborted(options);
        // Closing one handle of a storage that others go on to use ends the watches of this one.
        const signal = this.#untilClosed(options.signal);
        try {
          adapter.watch?.(listener, { signal });
        } catch (error) {
          throw asStorageError(error, options);
        }
      };
  }

  get capabilities(): StorageCapabilities {
    return this.#adapter.capabilities;
  }

  async open(options: StorageOpenOptions): Promise<RecoveryReport> {
    const used = this.#state === "closing" || this.#state === "closed";
    if (used) throw new HoldfastError("WORKSPACE_CLOSED");
    invariant(this.#state === "new", "The storage handle is opened a second time.");
    throwIfAborted(options);
    this.#state = "opening";
    this.#readOnly = options.readOnly;
    try {
      const report = await this.#counted(() => this.#adapter.open(options));
      // A close that came meanwhile waits for this call and then closes what was opened.
      if (this.#state === "opening") this.#state = "open";
      return report;
    } catch (error) {
      if (this.#state === "opening") this.#state = "new";
      throw asStorageError(error, options);
    }
  }

  async stat(path: string, options: CancelOptions): Promise<StoredStat | undefined> {
    checkPath(path);
    return await this.#call(options, () => this.#adapter.stat(path, options));
  }

  async read(path: string, options: StorageReadOptions): Promise<StoredFile | undefined> {
    checkPath(path);
    const { maxBytes = 0 } = options;
    invariant(Number.isSafeInteger(maxBytes) && maxBytes >= 0, `${maxBytes} is no number of bytes.`);
    return await this.#call(options, () => this.#adapter.read(path, options));
  }

  list(options: StorageListOptions): AsyncIterable<ListedFile> {
    return this.#iterate(options, () => {
      if (options.under !== undefined && options.under !== "") checkPath(options.under);
      return this.#adapter.list(options);
    });
  }

  readChunks(
    source: ChunkSource,
    options: CancelOptions & { readonly offset?: number | undefined },
  ): AsyncIterable<Uint8Array> {
    return this.#iterate(options, () => {
      const { offset = 0 } = options;
      invariant(Number.isSafeInteger(offset) && offset >= 0, `${offset} is no offset.`);
      if ("path" in source) checkPath(source.path);
      if ("sha256" in source)
        invariant(/^[0-9a-f]{64}$/.test(source.sha256), `${source.sha256} is no SHA-256.`);
      return this.#adapter.readChunks(source, options);
    });
  }

  async stageContent(options: CancelOptions): Promise<string> {
    return await this.#call(options, () => this.#writing().stageContent(options));
  }

  async readRecord(
    key: string,
    options: CancelOptions,
  ): Promise<{ readonly bytes: Uint8Array; readonly version: string } | undefined> {
    checkRecordKey(key);
    return await this.#call(options, () => this.#adapter.readRecord(key, options));
  }

  listRecords(
    prefix: string,
    options: CancelOptions & { readonly after?: string | undefined },
  ): AsyncIterable<string> {
    return this.#iterate(options, () => {
      checkRecordPrefix(prefix);
      return this.#adapter.listRecords(prefix, options);
    });
  }

  readLog(options: ReadLogOptions): AsyncIterable<LogEntry> {
    return this.#iterate(options, () => this.#adapter.readLog(options));
  }

  async commit(
    batches: readonly StorageBatch[],
    options: CancelOptions & { readonly flush: boolean },
  ): Promise<readonly CommitOutcome[]> {
    return await this.#call(options, async () => {
      const adapter = this.#writing();
      const { caseSensitive } = adapter.capabilities;
      for (const batch of batches)
        await driveSteps(checkBatch(batch, { flush: options.flush, caseSensitive }), pause);
      return await commitInRounds(adapter, batches, options);
    });
  }

  async prune(
    options: CancelOptions & {
      readonly before: number;
      readonly keep: ReadonlySet<string>;
      readonly staged: readonly string[];
    },
  ): Promise<{ readonly bytesFreed: number }> {
    invariant(Number.isSafeInteger(options.before), `${options.before} is no log number.`);
    return await this.#call(options, () => this.#writing().prune(options));
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    const wasUsed = this.#state !== "new";
    this.#state = "closing";
    for (const end of [...this.#watches]) end();
    if (this.#running > 0) await new Promise<void>((resolve) => (this.#whenIdle = resolve));
    try {
      for (const end of [...this.#iterations]) await end();
      if (wasUsed) await this.#adapter.close();
    } catch (error) {
      throw asStorageError(error, {});
    } finally {
      this.#state = "closed";
    }
  }

  #untilClosed(signal: AbortSignal): AbortSignal {
    const watch = new AbortController();
    const end = () => {
      signal.removeEventListener("abort", end);
      this.#watches.delete(end);
      watch.abort();
    };
    signal.addEventListener("abort", end);
    this.#watches.add(end);
    return watch.signal;
  }

  #refuseUnlessOpen(): void {
    if (this.#state !== "open")
      throw new HoldfastError("WORKSPACE_CLOSED", { message: `The storage is not open (${this.#state}).` });
  }

  #writing(): StorageAdapter {
    if (this.#readOnly)
      throw new HoldfastError("READ_ONLY", { message: "The storage was opened for reading only." });
    return this.#adapter;
  }

  async #call<T>(options: CancelOptions, work: () => Promise<T>): Promise<T> {
    this.#refuseUnlessOpen();
    throwIfAborted(options);
    try {
      return await this.#counted(work);
    } catch (error) {
      throw asStorageError(error, options);
    } finally {
      const waiting = pause();
      if (waiting !== undefined) await waiting;
    }
  }

  async #counted<T>(work: () => Promise<T>): Promise<T> {
    this.#running += 1;
    try {
      return await work();
    } finally {
      this.#running -= 1;
      if (this.#running === 0) this.#whenIdle?.();
    }
  }

  #iterate<T>(options: CancelOptions, begin: () => AsyncIterable<T>): AsyncIterable<T> {
    return checkedIteration(begin, {
      step: (work) => this.#call(options, work),
      began: (end) => void this.#iterations.add(end),
      ended: (end) => void this.#iterations.delete(end),
    });
  }
}
