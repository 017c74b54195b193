import type { ContentPlace } from "../log/log-state.ts";

/** So many bytes of contents are kept at hand. */
const mostBytes = 16 * 1024 * 1024;

/** Contents by where they lie: the ones that were asked for last are at hand, others are read again. */
export class KeptBytes {
  readonly #read: (place: ContentPlace) => Promise<Uint8Array | undefined>;
  readonly #kept = new Map<string, Uint8Array>();
  #bytes = 0;

  constructor(read: (place: ContentPlace) => Promise<Uint8Array | undefined>) {
    this.#read = read;
  }

  /** The bytes at a place. @throws an error with the code `ENOENT` when their file is gone. */
  async get(place: ContentPlace): Promise<Uint8Array> {
    const bytes = this.#kept.get(keyOf(place)) ?? (await this.#read(place));
    if (bytes === undefined) throw Object.assign(new Error("a segment is gone"), { code: "ENOENT" });
    this.keep(place, bytes);
    return bytes;
  }

  /** Keeps bytes for as long as there is room. */
  keep(place: ContentPlace, bytes: Uint8Array): void {
    const key = keyOf(place);
    if (!this.#kept.delete(key)) this.#bytes += bytes.byteLength;
    this.#kept.set(key, bytes);
    for (const [oldest, { byteLength }] of this.#kept) {
      if (this.#bytes <= mostBytes) return;
      this.#kept.delete(oldest);
      this.#bytes -= byteLength;
    }
  }
}

function keyOf({ file, offset }: ContentPlace): string {
  return `${file} ${offset}`;
}
