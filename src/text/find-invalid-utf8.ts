import { wordsOf } from "../base/bytes.ts";

/**
 * Finds the first byte that is not part of well-formed UTF-8 (overlong forms, surrogates and values above U+10FFFF are not).
 *
 * @param bytes - Where to look.
 * @param from - Offset of the first byte; must be the start of a code point.
 * @param to - Offset after the last byte to begin a code point at; one that begins before it may end after it.
 * @returns `invalid`: the offset, or -1; `next`: where the next code point begins.
 */
export function findInvalidUtf8(
  bytes: Uint8Array,
  from: number,
  to: number,
): { readonly invalid: number; readonly next: number } {
  let at = from;
  while (at < to) {
    at = asciiEnd(bytes, at, to);
    if (at >= to) break;
    const length = sequenceLength(bytes, at);
    if (length === 0) return { invalid: at, next: at };
    at += length;
  }
  return { invalid: -1, next: at };
}

const wordsAtLeast = 64;

/** Finds the first byte at or after an offset that is not ASCII. */
function asciiEnd(bytes: Uint8Array, from: number, to: number): number {
  let at = from;
  const near = Math.min(to, from + wordsAtLeast);
  while (at < near && (bytes[at] as number) < 0x80) at++;
  if (at < near || at === to) return at;
  if ((bytes.byteOffset & 3) === 0) {
    const words = wordsOf(bytes);
    const last = to >> 2;
    let word = (at + 3) >> 2;
    while (at < word << 2 && at < to && (bytes[at] as number) < 0x80) at++;
    if (at < word << 2) return at;
    while (word < last && ((words[word] as number) & 0x80808080) === 0) word++;
    at = Math.max(at, word << 2);
  }
  while (at < to && (bytes[at] as number) < 0x80) at++;
  return at;
}

/**
 * Measures the code point that begins at an offset.
 *
 * @returns Its bytes, 1 to 4; 0 when the bytes there are not well-formed UTF-8.
 */
export function sequenceLength(bytes: Uint8Array, at: number): 0 | 1 | 2 | 3 | 4 {
  const lead = bytes[at] as number;
  if (lead < 0x80) return 1;
  if (lead < 0xc2 || lead > 0xf4) return 0;
  const second = bytes[at + 1] ?? 0;
  if (lead < 0xe0) return isContinuation(second) ? 2 : 0;
  const third = bytes[at + 2] ?? 0;
  if (lead < 0xf0) {
    const least = lead === 0xe0 ? 0xa0 : 0x80;
    const most = lead === 0xed ? 0x9f : 0xbf;
    return second >= least && second <= most && isContinuation(third) ? 3 : 0;
  }
  const least = lead === 0xf0 ? 0x90 : 0x80;
  const most = lead === 0xf4 ? 0x8f : 0xbf;
  const fourth = bytes[at + 3] ?? 0;
  return second >= least && second <= most && isContinuation(third) && isContinuation(fourth) ? 4 : 0;
}

/** Says whether a byte can only stand inside a code point. */
export function isContinuation(byte: number): boolean {
  return (byte & 0xc0) === 0x80;
}
