import type { Steps } from "../base/steps.ts";
import type { PlacedSplice, SplicedBytes } from "./apply-splices.ts";
import type { ChangedRange, LineShift } from "./edit-result.ts";
import { hasFinalNewline, lineStart, type TextDocument } from "./text-document.ts";

/** What splices changed, in lines. */
export interface DescribedSplices {
  /** Where lines changed, in order. */
  readonly changedRanges: readonly ChangedRange[];
  /** How line numbers moved. */
  readonly lineShifts: readonly LineShift[];
  /** Lines added. */
  readonly additions: number;
  /** Lines removed. */
  readonly removals: number;
}

/** Splices that touch, with the whole lines around them, before (`start` to `end`) and after (`newStart` to `newEnd`). */
interface Region {
  fromLine: number;
  toLine: number;
  start: number;
  end: number;
  newStart: number;
  newEnd: number;
}

const lineFeed = 10;
const bytesPerStep = 256 * 1024;
const splicesPerStep = 1024;

/** Says which lines splices changed and how the others moved, by comparing the bytes around each. */
export function* describeSplices(document: TextDocument, spliced: SplicedBytes): Steps<DescribedSplices> {
  const changedRanges: ChangedRange[] = [];
  const lineShifts: LineShift[] = [];
  let additions = 0;
  let removals = 0;
  const regions = yield* regionsOf(document, spliced);
  for (const [index, region] of regions.entries()) {
    const changed = yield* compareRegion(document.bytes, spliced.bytes, region);
    if (index % splicesPerStep === splicesPerStep - 1) yield;
    if (changed === undefined) continue;
    const { skipped, added, removed } = changed;
    const startLine = region.fromLine + skipped + 1 + additions - removals;
    changedRanges.push({ startLine, endLine: startLine + added - 1, added, removed });
    additions += added;
    removals += removed;
    const fromLine = region.fromLine + skipped + removed + 1;
    if (added !== removed && fromLine <= document.lineCount)
      lineShifts.push({ fromLine, by: additions - removals });
  }
  return { changedRanges, lineShifts, additions, removals };
}

function* regionsOf(document: TextDocument, spliced: SplicedBytes): Steps<Region[]> {
  const regions: Region[] = [];
  for (const [index, placed] of spliced.placed.entries()) {
    addRegion(regions, regionOf(document, placed, spliced.bytes.byteLength));
    if (index % splicesPerStep === splicesPerStep - 1) yield;
  }
  const lastSplice = spliced.placed.at(-1)?.splice;
  const last = regions.at(-1);
  if (last !== undefined && last.fromLine > 0 && lastSplice?.wholeLines === true) {
    const isAtEnd = last.end === document.bytes.byteLength;
    if (isAtEnd && !hasFinalNewline(document))
      addRegion(regions, lineEarlier(document, regions.pop() as Region));
  }
  return regions;
}

function addRegion(regions: Region[], next: Region): void {
  const last = regions.at(-1);
  if (last === undefined || next.fromLine > last.toLine) regions.push(next);
  else Object.assign(last, { toLine: next.toLine, end: next.end, newEnd: next.newEnd });
}

/** Takes in the line before, whose terminator may have come or gone with the lines at the end of the file. */
function lineEarlier(document: TextDocument, region: Region): Region {
  const fromLine = region.fromLine - 1;
  const start = lineStart(document, fromLine + 1);
  return { ...region, fromLine, start, newStart: region.newStart - (region.start - start) };
}

function regionOf(document: TextDocument, placed: PlacedSplice, newLength: number): Region {
  const { splice } = placed;
  const { fromLine, toLine } = splice;
  const start = lineStart(document, fromLine + 1);
  const end = lineStart(document, toLine + 1);
  const newStart = placed.newStart - (splice.start - start);
  const isAtEnd = splice.end === document.bytes.byteLength;
  return {
    fromLine,
    toLine,
    start,
    end,
    newStart,
    newEnd: isAtEnd ? newLength : placed.newEnd + (end - splice.end),
  };
}

/** A stretch of bytes, from `start` up to `end`. */
interface Stretch {
  readonly bytes: Uint8Array;
  readonly start: number;
  readonly end: number;
}

/** Leaves out the equal lines at both ends of a region and counts the others. */
function* compareRegion(
  before: Uint8Array,
  after: Uint8Array,
  region: Region,
): Steps<{ readonly skipped: number; readonly added: number; readonly removed: number } | undefined> {
  const old = { bytes: before, start: region.start, end: region.end };
  const now = { bytes: after, start: region.newStart, end: region.newEnd };
  const same = yield* equalHead(old, now);
  if (same === old.end - old.start && same === now.end - now.start) return undefined;
  const head =
    same === 0 ? 0 : Math.max(0, before.lastIndexOf(lineFeed, old.start + same - 1) + 1 - old.start);
  const tail = yield* equalTail(old, now, head);
  return {
    skipped: yield* countLines(before, old.start, old.start + head),
    added: yield* countLines(after, now.start + head, now.end - tail),
    removed: yield* countLines(before, old.start + head, old.end - tail),
  };
}

/** Measures the equal bytes at the beginning. */
function* equalHead(old: Stretch, now: Stretch): Steps<number> {
  const most = Math.min(old.end - old.start, now.end - now.start);
  let same = 0;
  for (; same < most && old.bytes[old.start + same] === now.bytes[now.start + same]; same++)
    if (same % bytesPerStep === bytesPerStep - 1) yield;
  return same;
}

/** Measures the equal whole lines at the end, not reaching into the first `head` bytes. */
function* equalTail(old: Stretch, now: Stretch, head: number): Steps<number> {
  const most = Math.min(old.end - old.start, now.end - now.start) - head;
  let tail = 0;
  while (tail < most && old.bytes[old.end - 1 - tail] === now.bytes[now.end - 1 - tail])
    if (++tail % bytesPerStep === 0) yield;
  if (tail === 0) return 0;
  const beginsLine = ({ bytes, start, end }: Stretch) =>
    end - tail === start + head || bytes[end - tail - 1] === lineFeed;
  if (beginsLine(old) && beginsLine(now)) return tail;
  const firstEnd = old.bytes.indexOf(lineFeed, old.end - tail);
  return firstEnd < 0 || firstEnd >= old.end ? 0 : old.end - firstEnd - 1;
}

/** Counts the lines of bytes that begin where a line does. */
function* countLines(bytes: Uint8Array, start: number, end: number): Steps<number> {
  let count = end > start && bytes[end - 1] !== lineFeed ? 1 : 0;
  for (let at = start; at < end; at++) {
    if (bytes[at] === lineFeed) count++;
    if ((at - start) % bytesPerStep === bytesPerStep - 1) yield;
  }
  return count;
}
