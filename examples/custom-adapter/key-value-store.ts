/** The store below: any that has a conditional put, such as an object store or a table with a version column. */
export interface KeyValueStore {
  /** Gives the value of a key and the tag of its present version. */
  get(key: string): Promise<{ readonly value: Uint8Array; readonly etag: string } | undefined>;
  /** Writes if the key is at this tag (`null`: absent), and says whether it was. */
  put(key: string, value: Uint8Array, expectedEtag: string | null): Promise<boolean>;
}

/** A store in memory, to try the adapter on. */
export class MemoryKeyValueStore implements KeyValueStore {
  readonly #values = new Map<string, { readonly value: Uint8Array; readonly etag: string }>();
  #puts = 0;

  async get(key: string) {
    const found = this.#values.get(key);
    return found === undefined ? undefined : { ...found, value: found.value.slice() };
  }

  async put(key: string, value: Uint8Array, expectedEtag: string | null) {
    if ((this.#values.get(key)?.etag ?? null) !== expectedEtag) return false;
    this.#puts += 1;
    this.#values.set(key, { value: value.slice(), etag: `etag-${this.#puts}` });
    return true;
  }
}
