import type { Steps } from "../base/steps.ts";
import { type ByteSpan, type FoundText, findText } from "./find-text.ts";
import { type GramIndex, indexGrams, type RareGram, rarestGram } from "./gram-index.ts";

/** What looking for texts in one file has found out so far, so that it is found out once. */
export interface TextSearch {
  /** The file. */
  readonly bytes: Uint8Array;
  /** Offset to begin at. */
  readonly from: number;
  /** How many texts the whole file was read for before; after a few an index is worth its price. */
  reads: number;
  /** The indexes of ever longer grams, once they are needed. */
  readonly indexes: GramIndex[];
}

/** A place where a text was compared. */
interface Comparison {
  /** The bytes, when the text stands there. */
  readonly span: ByteSpan | undefined;
  /** How many bytes were compared. */
  readonly compared: number;
}

const lineFeed = 10;
const carriageReturn = 13;
const readsBeforeIndex = 2;
const gramLengths = [3, 8];
const mostIndexedBytes = 64 * 1024 * 1024;
const bytesPerPlace = 16;
const comparedPerStep = 128 * 1024;
const priceOfPlace = 8;
const mostFirstStarts = 8;

/** Begins looking for texts in bytes, from an offset on. */
export function openTextSearch(bytes: Uint8Array, from: number): TextSearch {
  return { bytes, from, reads: 0, indexes: [] };
}

/**
 * Finds a text as `findText` does, from the third text on with an index of the file, and when that is often of no help also with one of longer grams. Once the indexes are there, the work for one text is never more than about three times what reading the whole file takes.
 *
 * @param sought - What to look for, with LF in place of each CRLF; not empty.
 */
export function* searchText(search: TextSearch, sought: Uint8Array): Steps<FoundText> {
  const { bytes, from } = search;
  for (const [level, gramLength] of gramLengths.entries()) {
    const isWorthIt = search.reads >= (level + 1) * readsBeforeIndex;
    if (!isWorthIt || bytes.byteLength > mostIndexedBytes || sought.byteLength < gramLength) break;
    const index = search.indexes[level] ?? (yield* indexGrams(bytes, from, gramLength));
    search.indexes[level] = index;
    const found = yield* findByIndex(search, index, sought);
    if (found !== undefined) return found;
  }
  search.reads++;
  return yield* findText(bytes, from, sought);
}

/** Compares the text at each place that has its rarest bytes; gives up when reading the whole file is less work. */
function* findByIndex(
  search: TextSearch,
  index: GramIndex,
  sought: Uint8Array,
): Steps<FoundText | undefined> {
  const { bytes, from } = search;
  const gram: RareGram = rarestGram(index, sought);
  if ((gram.last - gram.first) * bytesPerPlace > bytes.byteLength) return undefined;
  const spans: ByteSpan[] = [];
  const firstStarts: number[] = [];
  let overlapping = 0;
  let takenEnd = from;
  let work = 0;
  let nextYield = comparedPerStep;
  for (let place = gram.first; place < gram.last; place++) {
    const { span, compared } = compareAt(bytes, from, sought, gram.offset, index.ends[place] as number);
    work += compared + priceOfPlace;
    if (work >= nextYield) {
      if (work > bytes.byteLength) return undefined;
      nextYield = work + comparedPerStep;
      yield;
    }
    if (span === undefined) continue;
    if (overlapping++ < mostFirstStarts) firstStarts.push(span.start);
    if (span.start < takenEnd) continue;
    spans.push(span);
    takenEnd = span.end;
  }
  return { spans, overlapping, firstStarts };
}

/** Compares a text with the place where its byte before `offset` is the one before `end`: first backwards from there, then onwards. */
function compareAt(
  bytes: Uint8Array,
  from: number,
  sought: Uint8Array,
  offset: number,
  end: number,
): Comparison {
  let start = end;
  for (let index = offset - 1; index >= 0; index--) {
    start--;
    if (start < from || bytes[start] !== sought[index]) return { span: undefined, compared: offset - index };
    if (bytes[start] === lineFeed && start > from && bytes[start - 1] === carriageReturn) start--;
  }
  let at = end;
  for (let index = offset; index < sought.byteLength; index++, at++) {
    if (bytes[at] === carriageReturn && bytes[at + 1] === lineFeed) at++;
    if (at >= bytes.byteLength || bytes[at] !== sought[index])
      return { span: undefined, compared: index + 1 };
  }
  return { span: { start, end: at }, compared: sought.byteLength };
}
