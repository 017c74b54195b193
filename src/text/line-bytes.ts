import type { Steps } from "../base/steps.ts";
import type { TextDocument } from "./text-document.ts";

const bytesPerStep = 256 * 1024;

/** A number for the bytes between two offsets; the same for the same bytes. */
export function hashOfBytes(view: DataView, start: number, end: number): number {
  let at = start;
  let hash = end - at;
  for (; at + 4 <= end; at += 4) {
    hash = Math.imul(hash ^ view.getInt32(at, true), 0x9e3779b1);
    hash ^= hash >>> 15;
  }
  for (; at < end; at++) hash = Math.imul(hash ^ view.getUint8(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x2c1b3c6d);
  return hash ^ (hash >>> 13);
}

/** The bytes of a document's lines, counted from 0, each with its terminator; the first includes the byte order mark. */
export class LineBytes {
  readonly #bytes: Uint8Array;
  /** Reads four bytes at once, wherever they start. */
  readonly #view: DataView;
  readonly #starts: Uint32Array;
  readonly lineCount: number;

  constructor({ bytes, lineStarts, lineCount }: TextDocument) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#starts = lineStarts;
    this.lineCount = lineCount;
  }

  #startOf(line: number): number {
    return line === 0 ? 0 : (this.#starts[line] as number);
  }

  lengthOf(line: number): number {
    return (this.#starts[line + 1] as number) - this.#startOf(line);
  }

  /** The bytes of lines together, from 0, half-open. */
  lengthOfLines(from: number, to: number): number {
    return this.#startOf(to) - this.#startOf(from);
  }

  hashOf(line: number): number {
    return hashOfBytes(this.#view, this.#startOf(line), this.#starts[line + 1] as number);
  }

  isSame(line: number, other: LineBytes, otherLine: number): boolean {
    return (
      this.lengthOf(line) === other.lengthOf(otherLine) && this.#compareBytes(line, other, otherLine) === 0
    );
  }

  /** Orders lines: the shorter first, lines of one length by their bytes in some order that stays the same. */
  compare(line: number, other: LineBytes, otherLine: number): number {
    return this.lengthOf(line) - other.lengthOf(otherLine) || this.#compareBytes(line, other, otherLine);
  }

  #compareBytes(line: number, other: LineBytes, otherLine: number): number {
    const end = this.#starts[line + 1] as number;
    let at = this.#startOf(line);
    let their = other.#startOf(otherLine);
    for (; at + 4 <= end; at += 4, their += 4) {
      const word = this.#view.getInt32(at, true);
      const otherWord = other.#view.getInt32(their, true);
      if (word !== otherWord) return word < otherWord ? -1 : 1;
    }
    for (; at < end; at++, their++) {
      const difference = (this.#bytes[at] as number) - (other.#bytes[their] as number);
      if (difference !== 0) return difference;
    }
    return 0;
  }

  /** How many lines from one on are, up to `most`, the lines of another document from one of its own on. */
  sameLines(line: number, other: LineBytes, otherLine: number, most: number): number {
    const from = this.#startOf(line);
    const theirs = other.#startOf(otherLine);
    const limit = Math.min((this.#starts[line + most] as number) - from, other.#bytes.length - theirs);
    const end = from + limit;
    let at = from;
    let their = theirs;
    while (at + 4 <= end && this.#view.getInt32(at, true) === other.#view.getInt32(their, true)) {
      at += 4;
      their += 4;
    }
    while (at < end && this.#bytes[at] === other.#bytes[their]) {
      at++;
      their++;
    }
    // Lines end behind each other in both as long as the bytes are the same; only the last one may go on in the other text.
    let count = 0;
    while (count < most && (this.#starts[line + count + 1] as number) <= at) count++;
    while (
      count > 0 &&
      (this.#starts[line + count] as number) - from !== (other.#starts[otherLine + count] as number) - theirs
    )
      count--;
    return count;
  }

  /** How many whole lines are alike at the start of both. */
  *commonHead(other: LineBytes): Steps<number> {
    const most = Math.min(this.#bytes.length, other.#bytes.length);
    let same = 0;
    for (let stop = 0; same === stop && stop < most; ) {
      stop = Math.min(most, stop + bytesPerStep);
      while (same + 4 <= stop && this.#view.getInt32(same, true) === other.#view.getInt32(same, true))
        same += 4;
      while (same < stop && this.#bytes[same] === other.#bytes[same]) same++;
      if (same === stop) yield;
    }
    if (same === this.#bytes.length && same === other.#bytes.length) return this.lineCount;
    // A line counts when its terminator is among the same bytes, and so the same line ends there in both.
    let low = 0;
    let high = Math.min(this.lineCount, other.lineCount);
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      const end = this.#starts[middle] as number;
      if (end <= same && other.#starts[middle] === end) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** How many whole lines are alike at the end of both. */
  *commonTail(other: LineBytes): Steps<number> {
    const end = this.#bytes.length;
    const otherEnd = other.#bytes.length;
    const most = Math.min(end, otherEnd);
    let same = 0;
    for (let stop = 0; same === stop && stop < most; ) {
      stop = Math.min(most, stop + bytesPerStep);
      while (
        same + 4 <= stop &&
        this.#view.getInt32(end - same - 4) === other.#view.getInt32(otherEnd - same - 4)
      )
        same += 4;
      while (same < stop && this.#bytes[end - same - 1] === other.#bytes[otherEnd - same - 1]) same++;
      if (same === stop) yield;
    }
    let low = 0;
    let high = Math.min(this.lineCount, other.lineCount);
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      const length = end - this.#startOf(this.lineCount - middle);
      if (length <= same && otherEnd - other.#startOf(other.lineCount - middle) === length) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}
