import type { CancelOptions } from "../../base/clock.ts";
import type { StorageAdapter } from "../../storage/storage-adapter.ts";
import { KeptContents } from "../kept-contents.ts";
import type { StoredRange } from "./transaction-record.ts";

/** Bytes of one transaction that are kept in memory; what is beyond is read again from the storage. */
const mostBytes = 64 * 1024 * 1024;

/** The bytes that a transaction brings, and those that it began from: in the storage, and in memory as far as there is room. */
export class StagedContents {
  readonly #storage: StorageAdapter;
  readonly #kept = new KeptContents(mostBytes);
  readonly #ranges = new Map<string, StoredRange>();

  constructor(storage: StorageAdapter) {
    this.#storage = storage;
  }

  /** Where the bytes of a content lie; `undefined` when the transaction does not keep them. */
  rangeOf(contentId: string): StoredRange | undefined {
    return this.#ranges.get(contentId);
  }

  /** Notes where bytes lie, and the bytes when they are at hand. */
  add(range: StoredRange, bytes?: Uint8Array): void {
    this.#ranges.set(range.contentId, range);
    if (bytes !== undefined) this.#kept.offer(range.contentId, bytes);
  }

  /** The bytes of a content; `undefined` when they are not among those of the transaction. */
  async bytesOf(
    staged: string | undefined,
    contentId: string,
    { signal }: CancelOptions,
  ): Promise<Uint8Array | undefined> {
    const kept = this.#kept.get(contentId);
    const range = this.#ranges.get(contentId);
    if (kept !== undefined || range === undefined) return kept;
    if (range.byteLength === 0) return new Uint8Array(0);
    if (staged === undefined) return undefined;
    const bytes = await this.#readRange(staged, range, { signal });
    this.#kept.offer(contentId, bytes);
    return bytes;
  }

  async #readRange(
    staged: string,
    { offset, byteLength }: StoredRange,
    options: CancelOptions,
  ): Promise<Uint8Array> {
    const bytes = new Uint8Array(byteLength);
    let filled = 0;
    for await (const chunk of this.#storage.readChunks({ staged }, { ...options, offset })) {
      const part = chunk.subarray(0, byteLength - filled);
      bytes.set(part, filled);
      filled += part.byteLength;
      if (filled === byteLength) break;
    }
    return bytes;
  }
}
