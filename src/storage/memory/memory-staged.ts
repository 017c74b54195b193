import { invariant } from "../../base/holdfast-error.ts";
import type { ContentAppend } from "../storage-adapter.ts";
import { contentNotFound } from "../storage-errors.ts";

interface StagedContent {
  room: Uint8Array;
  length: number;
}

/** Staged contents in memory: bytes that grow at the end. */
export class MemoryStaged {
  readonly #contents = new Map<string, StagedContent>();

  /** Makes an empty one. */
  create(id: string): void {
    this.#contents.set(id, { room: new Uint8Array(0), length: 0 });
  }

  /** Whether there is one. */
  has(id: string): boolean {
    return this.#contents.has(id);
  }

  /** A copy of its bytes. */
  read(id: string): Uint8Array | undefined {
    const content = this.#contents.get(id);
    return content?.room.slice(0, content.length);
  }

  /** Refuses bytes for contents that are not there, or at an offset past their end. */
  check(appends: readonly ContentAppend[]): void {
    const lengths = new Map<string, number>();
    for (const { staged, at, bytes } of appends) {
      const content = this.#contents.get(staged);
      if (content === undefined) throw contentNotFound({ staged });
      const length = lengths.get(staged) ?? content.length;
      invariant(at <= length, `Bytes are appended at ${at} to a staged content of ${length} bytes.`);
      lengths.set(staged, at + bytes.byteLength);
    }
  }

  /** Adds bytes that have been checked, cutting what lies past their offset. */
  append({ staged, at, bytes }: ContentAppend): void {
    const content = this.#contents.get(staged);
    if (content === undefined) return;
    const length = at + bytes.byteLength;
    if (length > content.room.byteLength) {
      const room = new Uint8Array(Math.max(length, 2 * content.room.byteLength));
      room.set(content.room.subarray(0, at));
      content.room = room;
    }
    content.room.set(bytes, at);
    content.length = length;
  }

  /** Removes one; gives the bytes let go. */
  remove(id: string): number {
    const length = this.#contents.get(id)?.length ?? 0;
    this.#contents.delete(id);
    return length;
  }
}
