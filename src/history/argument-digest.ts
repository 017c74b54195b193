import { hashInSteps } from "../base/byte-steps.ts";
import { utf8 } from "../base/bytes.ts";
import type { Hashing, HashState } from "../base/hashing.ts";
import type { Steps } from "../base/steps.ts";

/** Text is hashed in pieces of so many UTF-16 code units, so that no piece takes long. */
const pieceLength = 65_536;

/** Pieces of text that are collected before they are hashed. */
const bufferLength = 65_536;

/**
 * Gives the SHA-256 of an operation and its arguments in one canonical form: fields sorted by name, those that are `undefined` left out, bytes by
 * their own SHA-256. Two calls with the same meaning get the same digest, however their objects were built.
 */
export function* argumentDigest(hashing: Hashing, operation: string, args: unknown): Steps<string> {
  const writer = new CanonicalWriter(hashing);
  yield* writer.write([operation, args]);
  return writer.finish();
}

class CanonicalWriter {
  readonly #hashing: Hashing;
  readonly #state: HashState;
  #buffer = "";

  constructor(hashing: Hashing) {
    this.#hashing = hashing;
    this.#state = hashing.sha256();
  }

  *write(value: unknown): Steps<void> {
    if (typeof value === "string") return yield* this.#writeText(value);
    if (value instanceof Uint8Array) return yield* this.#writeBytes(value);
    if (Array.isArray(value)) return yield* this.#writeList(value);
    if (typeof value === "object" && value !== null) return yield* this.#writeFields(value);
    this.#put(JSON.stringify(value ?? null));
  }

  finish(): string {
    this.#flush();
    return this.#state.digest();
  }

  *#writeList(list: readonly unknown[]): Steps<void> {
    this.#put("[");
    for (const item of list) {
      yield* this.write(item);
      if (this.#put(",")) yield;
    }
    this.#put("]");
  }

  *#writeFields(fields: object): Steps<void> {
    this.#put("{");
    for (const [name, value] of Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1))) {
      if (value === undefined) continue;
      this.#put(`${JSON.stringify(name)}:`);
      yield* this.write(value);
      if (this.#put(",")) yield;
    }
    this.#put("}");
  }

  *#writeBytes(bytes: Uint8Array): Steps<void> {
    this.#put(`{"sha256":"${yield* hashInSteps(this.#hashing, "sha256", bytes)}"}`);
  }

  *#writeText(text: string): Steps<void> {
    if (text.length <= pieceLength) return void this.#put(JSON.stringify(text));
    for (let at = 0; at < text.length; at += pieceLength) {
      this.#put(JSON.stringify(text.slice(at, at + pieceLength)));
      yield;
    }
  }

  /** Adds text; says whether that made the buffer overflow into the hash. */
  #put(text: string): boolean {
    this.#buffer += text;
    if (this.#buffer.length < bufferLength) return false;
    this.#flush();
    return true;
  }

  #flush(): void {
    this.#state.update(utf8(this.#buffer));
    this.#buffer = "";
  }
}
