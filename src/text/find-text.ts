import type { Steps } from "../base/steps.ts";

/** A byte range of a file: `start` is its first byte, `end` the offset after its last. */
export interface ByteSpan {
  /** Offset of the first byte. */
  readonly start: number;
  /** Offset after the last byte. */
  readonly end: number;
}

/** Where a text occurs. */
export interface FoundText {
  /** The occurrences that do not overlap, taken from left to right. */
  readonly spans: readonly ByteSpan[];
  /** How many there are when each may overlap the one before. */
  readonly overlapping: number;
  /** Where the first eight of those begin. */
  readonly firstStarts: readonly number[];
}

const lineFeed = 10;
const carriageReturn = 13;
const bytesPerStep = 64 * 1024;

/**
 * Finds a text in bytes, taking CRLF and LF for equal; a CRLF of the file is never cut. The work is linear in the bytes, whatever the text.
 *
 * @param bytes - Where to look.
 * @param from - Offset to begin at.
 * @param sought - What to look for, with LF in place of each CRLF; not empty.
 */
export function* findText(bytes: Uint8Array, from: number, sought: Uint8Array): Steps<FoundText> {
  const fallback = fallbackTable(sought);
  const first = sought[0] as number;
  const spans: ByteSpan[] = [];
  const firstStarts: number[] = [];
  let overlapping = 0;
  let matched = 0;
  let sinceTaken = sought.byteLength;
  let nextYield = from + bytesPerStep;
  const { length } = bytes;
  for (let at = from; at < length; at++) {
    if (at >= nextYield) {
      nextYield = at + bytesPerStep;
      yield;
    }
    if (matched === 0) {
      const until = Math.min(nextYield, bytes.byteLength);
      while (at < until && bytes[at] !== first) at++;
      if (at >= until) {
        at--;
        continue;
      }
    }
    const byte = bytes[at] as number;
    if (byte === carriageReturn && bytes[at + 1] === lineFeed) continue;
    while (matched > 0 && sought[matched] !== byte) matched = fallback[matched - 1] as number;
    if (sought[matched] === byte) matched++;
    sinceTaken++;
    if (matched < sought.byteLength) continue;
    if (overlapping++ < 8) firstStarts.push(startOfMatch(bytes, at + 1, sought.byteLength));
    matched = fallback[matched - 1] as number;
    if (sinceTaken < sought.byteLength) continue;
    spans.push({ start: startOfMatch(bytes, at + 1, sought.byteLength), end: at + 1 });
    sinceTaken = 0;
  }
  return { spans, overlapping, firstStarts };
}

/** Walks back over a match, in which each CRLF of the file counts as one byte. */
function startOfMatch(bytes: Uint8Array, end: number, length: number): number {
  let at = end;
  for (let left = length; left > 0; left--) {
    at--;
    if (bytes[at] === lineFeed && at > 0 && bytes[at - 1] === carriageReturn) at--;
  }
  return at;
}

/** For each beginning of a text, the length of its longest proper beginning that is also its end (Knuth, Morris and Pratt). */
function fallbackTable(sought: Uint8Array): Uint32Array {
  const table = new Uint32Array(sought.byteLength);
  let matched = 0;
  const { length } = sought;
  for (let at = 1; at < length; at++) {
    while (matched > 0 && sought[matched] !== sought[at]) matched = table[matched - 1] as number;
    if (sought[matched] === sought[at]) matched++;
    table[at] = matched;
  }
  return table;
}

/** Cuts a text into the pieces between its line ends, LF or CRLF: one more than it has of them. */
export function splitAtLineEnds(text: string): string[] {
  return text.split(/\r?\n/);
}
