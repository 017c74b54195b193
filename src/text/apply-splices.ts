import type { Steps } from "../base/steps.ts";
import { type EditSplice, neighbourTerminator } from "./edit-splice.ts";
import { hasFinalNewline, type TextDocument } from "./text-document.ts";

/** A splice with the place of its bytes in the new file. */
export interface PlacedSplice {
  /** The splice. */
  readonly splice: EditSplice;
  /** Offset of its first byte in the new file. */
  readonly newStart: number;
  /** Offset after its last byte in the new file. */
  readonly newEnd: number;
}

/** The new file and where each splice went. */
export interface SplicedBytes {
  /** The new file. */
  readonly bytes: Uint8Array;
  /** The splices, in order. */
  readonly placed: readonly PlacedSplice[];
}

const lineFeed = 10;
const carriageReturn = 13;
const bytesPerStep = 512 * 1024;
const splicesPerStep = 4096;

/**
 * Puts splices into a file. Everything else is copied byte by byte, but for two terminators that whole lines need: a last line without one gets it when lines follow it, and when whole lines
 * came or went at the end of a file without a final newline, the new last line has none either, unless it is empty and would be lost.
 *
 * @param splices - Sorted, without overlaps.
 * @param finalNewline - Whether the new file ends in a line end. Default: as the old one.
 */
export function* applySplices(
  document: TextDocument,
  splices: readonly EditSplice[],
  finalNewline?: boolean | undefined,
): Steps<SplicedBytes> {
  const last = splices.at(-1);
  const atEnd = last?.wholeLines === true && last.end === document.bytes.byteLength;
  const lead =
    atEnd && needsLead(document, splices)
      ? neighbourTerminator(document, document.lineCount, document.lineCount)
      : "";
  let length = document.bytes.byteLength + lead.length;
  for (const [index, splice] of splices.entries()) {
    length += splice.bytes.byteLength - (splice.end - splice.start);
    if (index % splicesPerStep === splicesPerStep - 1) yield;
  }
  const output = new Uint8Array(length);
  const placed: PlacedSplice[] = [];
  let from = 0;
  let at = 0;
  for (const splice of splices) {
    at = yield* copy(document.bytes.subarray(from, splice.start), output, at);
    const newStart = at;
    if (splice === last) for (const character of lead) output[at++] = character.charCodeAt(0);
    at = yield* copy(splice.bytes, output, at);
    placed.push({ splice, newStart, newEnd: at });
    from = splice.end;
    if (placed.length % splicesPerStep === 0) yield;
  }
  yield* copy(document.bytes.subarray(from), output, at);
  const strips = atEnd && !(finalNewline ?? hasFinalNewline(document));
  return { bytes: strips ? withoutFinalTerminator(output, document.bomLength) : output, placed };
}

/** Says whether the last splice puts lines after one that has no terminator: the old last one, or one that a text edit took it from. */
function needsLead(document: TextDocument, splices: readonly EditSplice[]): boolean {
  let index = splices.length - 1;
  const last = splices[index];
  if (last === undefined || last.start < last.end) return false;
  let at = last.start;
  for (let before = splices[--index]; before?.end === at; before = splices[--index]) {
    if (before.bytes.byteLength > 0) return before.bytes.at(-1) !== lineFeed;
    at = before.start;
  }
  return at > document.bomLength && document.bytes[at - 1] !== lineFeed;
}

function* copy(bytes: Uint8Array, output: Uint8Array, at: number): Steps<number> {
  for (let from = 0; from < bytes.byteLength; from += bytesPerStep) {
    output.set(bytes.subarray(from, from + bytesPerStep), at + from);
    if (from + bytesPerStep < bytes.byteLength) yield;
  }
  return at + bytes.byteLength;
}

function withoutFinalTerminator(bytes: Uint8Array, bomLength: number): Uint8Array {
  if (bytes.at(-1) !== lineFeed) return bytes;
  const end = bytes.byteLength - (bytes.at(-2) === carriageReturn ? 2 : 1);
  const lastIsEmpty = end <= bomLength || bytes[end - 1] === lineFeed;
  return lastIsEmpty ? bytes : bytes.subarray(0, end);
}
