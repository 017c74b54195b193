/** So many bytes are kept for one call. */
const bytesOfOneCall = 32 * 1024 * 1024;

/** Contents that will be wanted again, kept when they pass by, so that they are read once. */
export class KeptContents {
  readonly #contents = new Map<string, Uint8Array>();
  #room: number;

  /** Keeps so many bytes at most; more are not taken in. */
  constructor(mostBytes: number = bytesOfOneCall) {
    this.#room = mostBytes;
  }

  /** Keeps bytes if there is room. */
  offer(contentId: string, bytes: Uint8Array): void {
    if (bytes.byteLength > this.#room || this.#contents.has(contentId)) return;
    this.#contents.set(contentId, bytes);
    this.#room -= bytes.byteLength;
  }

  /** The bytes of a content id, if they were kept. */
  get(contentId: string): Uint8Array | undefined {
    return this.#contents.get(contentId);
  }
}
