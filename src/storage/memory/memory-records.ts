import { SortedTexts } from "./sorted-texts.ts";

/** A record that is held in memory. Its bytes never change. */
export interface MemoryRecord {
  /** Its bytes. */
  readonly bytes: Uint8Array;
  /** Changes with every write. */
  readonly version: string;
}

/** Records in memory, by key. */
export class MemoryRecords {
  readonly #records = new Map<string, MemoryRecord>();
  readonly #keys = new SortedTexts();

  /** The record of a key. */
  get(key: string): MemoryRecord | undefined {
    return this.#records.get(key);
  }

  /** Writes one. */
  put(key: string, record: MemoryRecord): void {
    if (!this.#records.has(key)) this.#keys.add(key);
    this.#records.set(key, record);
  }

  /** Removes one. */
  remove(key: string): void {
    if (this.#records.delete(key)) this.#keys.remove(key);
  }

  /** Walks the keys that begin with a prefix and come after a key, in order. */
  *walk(prefix: string, after?: string): Generator<string, undefined, undefined> {
    for (const key of this.#keys.walk(prefix, after)) {
      if (!key.startsWith(prefix)) return;
      yield key;
    }
  }
}
