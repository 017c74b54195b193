import type { CancelOptions } from "../base/clock.ts";
import type { StorageAdapter } from "../storage/storage-adapter.ts";

/** One kept key: when its call took effect, and the SHA-256 of the key. */
export interface KeyTime {
  /** Milliseconds since 1970. */
  readonly time: number;
  /** SHA-256 of the key. */
  readonly keyHash: string;
}

const prefix = "keys-by-time/";
const timeDigits = 15;

/** Most keys that one commit removes, so that no commit grows with what has piled up. */
const mostPerCommit = 100;

/** Commits after which the list is read anew, to see keys of other handles. */
const commitsPerReading = 1000;

/** The name of the record that puts a key in the order of time. */
export function keyTimeRecord({ time, keyHash }: KeyTime): string {
  return `${prefix}${String(Math.max(0, time)).padStart(timeDigits, "0")}-${keyHash}`;
}

/** Lists the keys since a time, oldest first. */
export async function* listKeys(
  storage: StorageAdapter,
  since: number,
  options: CancelOptions,
): AsyncGenerator<string, void, undefined> {
  const after = `${prefix}${String(Math.max(0, since - 1)).padStart(timeDigits, "0")}~`;
  for await (const name of storage.listRecords(prefix, { ...options, after }))
    yield name.slice(prefix.length + timeDigits + 1);
}

/**
 * Knows which keys are kept, oldest first, so that each keyed commit can remove those that are too old or too many without reading their
 * records. What other handles keep is seen now and then: the bound on the number of keys is kept roughly, the one on their age exactly.
 */
export class KeyTimes {
  readonly #storage: StorageAdapter;
  #known: KeyTime[] = [];
  #commitsLeft = 0;
  #reading: Promise<void> | undefined;

  constructor(storage: StorageAdapter) {
    this.#storage = storage;
  }

  /** Reads the list when it has never been read, or long ago. */
  async refresh(options: CancelOptions): Promise<void> {
    if (this.#commitsLeft > 0) return;
    this.#reading ??= this.#read(options).finally(() => {
      this.#reading = undefined;
    });
    await this.#reading;
  }

  /** Notes a key that has been recorded. */
  add(key: KeyTime): void {
    this.#commitsLeft -= 1;
    const last = this.#known.at(-1);
    this.#known.push(key);
    if (last !== undefined && last.time > key.time) this.#known.sort((a, b) => a.time - b.time);
  }

  /** Takes the keys off the list that a commit is to remove: those from before `cutoff`, and the oldest beyond `maxKeys`. */
  takeStale(cutoff: number, maxKeys: number): readonly KeyTime[] {
    const tooMany = this.#known.length - maxKeys;
    let stale = this.#known.findIndex(({ time }) => time >= cutoff);
    if (stale === -1) stale = this.#known.length;
    return this.#known.splice(0, Math.min(mostPerCommit, Math.max(stale, tooMany)));
  }

  /** Puts keys back whose removal was not committed. */
  putBack(keys: readonly KeyTime[]): void {
    this.#known.unshift(...keys);
  }

  /** The time since when keys are kept, as far as their number bounds it. */
  oldestWhenFull(maxKeys: number): number | undefined {
    return this.#known.length >= maxKeys ? this.#known[0]?.time : undefined;
  }

  async #read(options: CancelOptions): Promise<void> {
    const found: KeyTime[] = [];
    for await (const name of this.#storage.listRecords(prefix, options)) {
      const time = Number(name.slice(prefix.length, prefix.length + timeDigits));
      const keyHash = name.slice(prefix.length + timeDigits + 1);
      if (Number.isSafeInteger(time)) found.push({ time, keyHash });
    }
    this.#known = found;
    this.#commitsLeft = commitsPerReading;
  }
}
