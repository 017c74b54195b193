import { hashInSteps } from "../../base/byte-steps.ts";
import type { Hashing } from "../../base/hashing.ts";
import type { Steps } from "../../base/steps.ts";
import { workCounter } from "../../base/work-counter.ts";
import { chainHashInSteps, firstPreviousHash } from "../log/chain-hash.ts";
import type { LogEntry, ReadLogOptions } from "../storage-adapter.ts";

interface KeptEntry extends LogEntry {
  readonly contents: readonly Uint8Array[];
}

/** A log in memory with the contents that its entries name. Contents get their SHA-256 when somebody first asks for one. */
export class MemoryLog {
  readonly #entries: KeptEntry[] = [];
  readonly #contents = new Map<string, { readonly bytes: Uint8Array; namedBy: number }>();
  readonly #identified = new WeakMap<Uint8Array, string>();
  #unidentified: Uint8Array[] = [];
  #lastSequence = 0;
  #lastHash = firstPreviousHash;

  /** The number of the last entry; 0 before the first. */
  get lastSequence(): number {
    return this.#lastSequence;
  }

  /** The hash of the last entry. */
  get lastHash(): string {
    return this.#lastHash;
  }

  /** Adds an entry, and keeps the contents before and after it. */
  *append(hashing: Hashing, bytes: Uint8Array, contents: readonly Uint8Array[]): Steps<void> {
    const sequence = this.#lastSequence + 1;
    const hash = yield* chainHashInSteps(hashing, sequence, this.#lastHash, bytes);
    this.#entries.push({ sequence, hash, bytes, contents });
    for (const content of contents) this.#unidentified.push(content);
    this.#lastSequence = sequence;
    this.#lastHash = hash;
  }

  /** Walks the entries, as they are when each is asked for. */
  *walk({ from, limit = Number.POSITIVE_INFINITY, reverse = false }: ReadLogOptions): Generator<LogEntry> {
    let sequence = from ?? (reverse ? this.#lastSequence : 1);
    sequence = reverse ? Math.min(sequence, this.#lastSequence) : Math.max(sequence, this.#firstSequence());
    for (let given = 0; given < limit; given += 1) {
      const entry = this.#entries[sequence - this.#firstSequence()];
      if (entry === undefined) return;
      yield { sequence, hash: entry.hash, bytes: entry.bytes.slice() };
      sequence += reverse ? -1 : 1;
    }
  }

  /** The content with a SHA-256, when an entry names it or it was kept. */
  *content(hashing: Hashing, sha256: string): Steps<Uint8Array | undefined> {
    yield* this.#identify(hashing);
    return this.#contents.get(sha256)?.bytes;
  }

  /** Removes entries before a number and the contents that then no entry names and that are not to be kept; gives the bytes let go. */
  *prune(hashing: Hashing, before: number, keep: ReadonlySet<string>): Steps<number> {
    yield* this.#identify(hashing);
    const due = workCounter();
    const dropped = this.#entries.splice(0, Math.max(0, before - this.#firstSequence()));
    let freed = 0;
    for (const { bytes, contents } of dropped) {
      freed += bytes.byteLength;
      for (const content of contents) {
        const known = this.#contents.get(yield* this.#idOf(hashing, content));
        if (known !== undefined) known.namedBy -= 1;
        if (due()) yield;
      }
    }
    for (const [id, { bytes, namedBy }] of this.#contents) {
      if (due()) yield;
      if (namedBy > 0 || keep.has(id)) continue;
      this.#contents.delete(id);
      freed += bytes.byteLength;
    }
    return freed;
  }

  #firstSequence(): number {
    return this.#lastSequence - this.#entries.length + 1;
  }

  *#identify(hashing: Hashing): Steps<void> {
    const due = workCounter();
    for (const bytes of this.#unidentified) {
      const id = yield* this.#idOf(hashing, bytes);
      if (due(8 + (bytes.byteLength >> 5))) yield;
      const known = this.#contents.get(id);
      if (known === undefined) this.#contents.set(id, { bytes, namedBy: 1 });
      else known.namedBy += 1;
    }
    this.#unidentified = [];
  }

  *#idOf(hashing: Hashing, bytes: Uint8Array): Steps<string> {
    let id = this.#identified.get(bytes);
    if (id === undefined) {
      id = yield* hashInSteps(hashing, "sha256", bytes);
      this.#identified.set(bytes, id);
    }
    return id;
  }
}
