import { utf8 } from "../base/bytes.ts";
import type { Hashing, HashState } from "../base/hashing.ts";

/** Hashes a list of texts so that no two lists give the same bytes: each text goes in behind its length. */
export class CanonicalDigest {
  readonly #state: HashState;

  /** Begins a digest; the purpose keeps digests of different things apart. */
  constructor(hashing: Hashing, purpose: string) {
    this.#state = hashing.sha256();
    this.add(purpose);
  }

  /** Adds texts in order. */
  add(...texts: readonly string[]): void {
    for (const text of texts) {
      const bytes = utf8(text);
      const length = new Uint8Array(4);
      new DataView(length.buffer).setUint32(0, bytes.byteLength);
      this.#state.update(length);
      this.#state.update(bytes);
    }
  }

  /** Ends the digest. @returns SHA-256, 64 hexadecimal digits. */
  finish(): string {
    return this.#state.digest();
  }
}
