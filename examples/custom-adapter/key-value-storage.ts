import type { CommitOutcome, StorageAdapter, StorageBatch, StorageOpenOptions } from "holdfast";
import { HoldfastError, isHoldfastError } from "holdfast";
import { ContentStore } from "./content-store.ts";
import type { KeyValueStore } from "./key-value-store.ts";
import {
  commitBatch,
  decodeState,
  emptyState,
  encodeState,
  fileVersion,
  type PruneOptions,
  partsOf,
  pruneState,
  type StorageState,
  sortedAfter,
} from "./storage-state.ts";

type Options<Method extends "list" | "readChunks" | "listRecords" | "readLog"> = Parameters<
  StorageAdapter[Method]
>;

/** Keeps a workspace in a key-value store: bytes and states under their hash, and one head key that a conditional put swaps. */
export class KeyValueStorage implements StorageAdapter {
  readonly capabilities = {
    caseSensitive: true,
    symlinks: true,
    modes: true,
    watch: false,
    persistent: true,
    shared: true,
  };
  readonly #store: KeyValueStore;
  #contents!: ContentStore;
  #ids!: StorageOpenOptions["ids"];
  #queue: Promise<unknown> = Promise.resolve();

  constructor(store: KeyValueStore) {
    this.#store = store;
  }

  async open({ hashing, ids }: StorageOpenOptions) {
    this.#contents = new ContentStore(this.#store, hashing);
    this.#ids = ids;
    return { rolledForward: 0, rolledBack: 0, conflicts: [], pending: false };
  }

  async close() {}

  async stat(path: string) {
    const { state } = await this.#load();
    const file = state.files.get(path);
    return file && { ...file, version: fileVersion(state, path) ?? "" };
  }

  async read(path: string) {
    const file = await this.stat(path);
    return file && { ...file, bytes: await this.#contents.get(file.content) };
  }

  async *list({ under, after }: Options<"list">[0]) {
    const { state } = await this.#load();
    for (const path of sortedAfter(state.files.keys(), after)) {
      const file = state.files.get(path);
      if (file && (under === undefined || path.startsWith(`${under}/`))) yield { path, ...file };
    }
  }

  async *readChunks(source: Options<"readChunks">[0], { offset = 0 }: Options<"readChunks">[1]) {
    const parts = partsOf((await this.#load()).state, source);
    if (parts === undefined) throw new HoldfastError("NOT_FOUND");
    let start = 0;
    for (const [id, length] of parts) {
      if (start + length > offset)
        yield (await this.#contents.get(id)).slice(Math.max(0, offset - start), length);
      start += length;
    }
  }

  async stageContent() {
    const id = this.#ids("st");
    return await this.#change(async (state) => [{ ...state, staged: new Map(state.staged).set(id, []) }, id]);
  }

  async readRecord(key: string) {
    const version = (await this.#load()).state.records.get(key);
    return version === undefined ? undefined : { version, bytes: await this.#contents.get(version) };
  }

  async *listRecords(prefix: string, { after }: Options<"listRecords">[1]) {
    for (const key of sortedAfter((await this.#load()).state.records.keys(), after))
      if (key.startsWith(prefix)) yield key;
  }

  async *readLog({ from, limit, reverse = false }: Options<"readLog">[0]) {
    const { log } = (await this.#load()).state;
    const entries = log.filter(({ sequence }) => !from || (reverse ? sequence <= from : sequence >= from));
    if (reverse) entries.reverse();
    for (const { sequence, hash, entry } of entries.slice(0, limit))
      yield { sequence, hash, bytes: await this.#contents.get(entry) };
  }

  async commit(batches: readonly StorageBatch[]): Promise<readonly CommitOutcome[]> {
    const change = this.#change(async (before) => {
      let [state, outcome] = [before, undefined as CommitOutcome | undefined];
      const outcomes: CommitOutcome[] = [];
      for (const batch of batches) {
        [state, outcome] = await commitBatch(state, batch, this.#contents);
        outcomes.push(outcome);
      }
      return [state, outcomes];
    });
    return await change.catch((error: unknown) => {
      if (!isHoldfastError(error) || error.written !== "unknown") throw error;
      return batches.map(() => ({ committed: false, error, written: "unknown" }) as const);
    });
  }

  async prune(options: PruneOptions) {
    return await this.#change(async (state) => [pruneState(state, options), { bytesFreed: 0 }]);
  }

  async #load(): Promise<{ state: StorageState; etag: string | null }> {
    const head = await this.#store.get("head");
    if (head === undefined) return { state: emptyState, etag: null };
    const id = new TextDecoder().decode(head.value);
    return { state: decodeState(await this.#contents.get(id)), etag: head.etag };
  }

  /** Makes a new state and puts it in the place of the one that it was made from; begins again when another writer was faster. */
  async #change<T>(step: (state: StorageState) => Promise<[StorageState, T]>): Promise<T> {
    const attempt = async (): Promise<T> => {
      const { state, etag } = await this.#load();
      const [after, answer] = await step(state);
      return after === state || (await this.#swapHead(after, etag)) ? answer : await attempt();
    };
    const turn = this.#queue.then(attempt);
    this.#queue = turn.catch(() => {});
    return await turn;
  }

  async #swapHead(state: StorageState, etag: string | null): Promise<boolean> {
    const id = await this.#contents.put(encodeState(state));
    try {
      return await this.#store.put("head", new TextEncoder().encode(id), etag);
    } catch (cause) {
      // The put may have arrived although its answer did not.
      throw new HoldfastError("STORAGE_FAILED", { cause, written: "unknown" });
    }
  }
}
