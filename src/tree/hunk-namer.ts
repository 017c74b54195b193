import { piecesOf } from "../base/byte-steps.ts";
import { utf8 } from "../base/bytes.ts";
import type { Hashing } from "../base/hashing.ts";
import type { Steps } from "../base/steps.ts";
import { CanonicalDigest } from "./canonical-digest.ts";

const digits = 16;

/** Names the hunks of one file by their lines; equal ones are told apart by their order. */
export class HunkNamer {
  readonly #hashing: Hashing;
  readonly #path: string;
  readonly #used = new Set<string>();
  /** How often each text has had a name. */
  readonly #named = new Map<string, number>();

  constructor(hashing: Hashing, path: string) {
    this.#hashing = hashing;
    this.#path = path;
  }

  /** Names a hunk; its text is given in pieces, cut in any way. */
  *name(pieces: readonly string[]): Steps<string> {
    const state = this.#hashing.sha256();
    for (const piece of pieces) {
      for (const part of piecesOf(piece)) {
        state.update(utf8(part));
        yield;
      }
    }
    const content = state.digest();
    for (let earlier = this.#named.get(content) ?? 0; ; earlier++) {
      const digest = new CanonicalDigest(this.#hashing, "holdfast.hunk.1");
      digest.add(this.#path, content, String(earlier));
      const name = digest.finish().slice(0, digits);
      if (this.#used.has(name)) continue;
      this.#used.add(name);
      this.#named.set(content, earlier + 1);
      return name;
    }
  }
}
