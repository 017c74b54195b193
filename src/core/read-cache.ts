import type { StoredFile } from "../storage/storage-adapter.ts";

/** A file as it was at one revision. */
export type CachedFile = Pick<StoredFile, "kind" | "executable" | "bytes">;

/** So many bytes are kept. */
const defaultBytes = 64 * 1024 * 1024;

/** What an entry takes besides its bytes, so that empty files are not kept without end. */
const bytesPerEntry = 512;

/**
 * Files as this handle has read or written them lately, by path and revision: what a change that is based on them can be merged from when the
 * files have moved on. Holds the bytes that it is given, without a copy of its own, and lets go of those that were used longest ago.
 */
export class ReadCache {
  readonly #files = new Map<string, CachedFile>();
  readonly #mostBytes: number;
  #bytes = 0;

  constructor(mostBytes: number = defaultBytes) {
    this.#mostBytes = mostBytes;
  }

  /** Keeps a file; its bytes must not be changed any more. One that would take more than a quarter of the room is passed over. */
  remember(path: string, revision: string, { kind, executable, bytes }: CachedFile): void {
    if (!this.takes(bytes)) return;
    const key = keyOf(path, revision);
    const known = this.#files.get(key);
    // Bytes that are known already are the same ones.
    const file = { kind, executable, bytes: known?.bytes ?? bytes };
    if (known !== undefined) this.#files.delete(key);
    else this.#bytes += sizeOf(bytes);
    this.#files.set(key, file);
    if (this.#bytes > this.#mostBytes) this.#makeRoom();
  }

  /** Whether bytes are few enough to be kept. */
  takes(bytes: Uint8Array): boolean {
    return sizeOf(bytes) <= this.#mostBytes / 4;
  }

  /** A file at a revision, if it is still kept. */
  find(path: string, revision: string): CachedFile | undefined {
    const key = keyOf(path, revision);
    const file = this.#files.get(key);
    if (file === undefined) return undefined;
    this.#files.delete(key);
    this.#files.set(key, file);
    return file;
  }

  #makeRoom(): void {
    for (const [key, { bytes }] of this.#files) {
      if (this.#bytes <= this.#mostBytes) return;
      this.#files.delete(key);
      this.#bytes -= sizeOf(bytes);
    }
  }
}

/** A revision is never empty and holds no blank. */
function keyOf(path: string, revision: string): string {
  return `${revision} ${path}`;
}

/** What it costs to keep bytes: all of the memory that they are a part of. */
function sizeOf({ buffer }: Uint8Array): number {
  return buffer.byteLength + bytesPerEntry;
}
