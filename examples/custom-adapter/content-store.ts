import type { Hashing } from "holdfast";
import type { KeyValueStore } from "./key-value-store.ts";

/** A content, and how many of its bytes count. */
export type Part = readonly [id: string, length: number];

/** Bytes under the SHA-256 of what they are: written once, never changed, so that any number of writers may do it at the same time. */
export class ContentStore {
  readonly hashing: Hashing;
  readonly #store: KeyValueStore;

  constructor(store: KeyValueStore, hashing: Hashing) {
    this.#store = store;
    this.hashing = hashing;
  }

  async put(bytes: Uint8Array): Promise<string> {
    const state = this.hashing.sha256();
    state.update(bytes);
    const id = state.digest();
    await this.#store.put(`content/${id}`, bytes, null);
    return id;
  }

  async get(id: string): Promise<Uint8Array> {
    const found = await this.#store.get(`content/${id}`);
    if (found === undefined) throw new Error(`The content ${id} is missing from the store.`);
    return found.value;
  }

  async join(parts: readonly Part[]): Promise<Uint8Array> {
    const joined = new Uint8Array(parts.reduce((sum, [, length]) => sum + length, 0));
    let at = 0;
    for (const [id, length] of parts) {
      joined.set((await this.get(id)).subarray(0, length), at);
      at += length;
    }
    return joined;
  }
}
