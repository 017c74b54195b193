import { utf8 } from "../base/bytes.ts";
import type { Steps } from "../base/steps.ts";
import { workCounter } from "../base/work-counter.ts";
import {
  bytesOfLines,
  type LineRange,
  type MergeStretch,
  type MergeTexts,
  type TextMerge,
} from "./merge-text.ts";
import { hasFinalNewline, type TextDocument } from "./text-document.ts";

/** How conflicts are shown. `merge`: the two sides without the lines that they share at the ends; `diff3`: all of both sides, and the base; `zdiff3`: as `merge`, and the base. */
export type ConflictStyle = "merge" | "diff3" | "zdiff3";

/** What the markers of a rendered merge look like. */
export interface RenderMergeOptions {
  /** How conflicts are shown; `merge` when left out. */
  readonly style?: ConflictStyle | undefined;
  /** What stands behind the markers of each side; the names of the sides when left out. */
  readonly labels?: Partial<Record<keyof MergeTexts, string | undefined>> | undefined;
}

const shortestMarker = 7;
const markerBytes: readonly number[] = [..."<|=>"].map((mark) => mark.charCodeAt(0));

/**
 * Gives the merged text with markers around its conflicts. Markers end as most lines of the current side do, and are
 * longer than usual where a line of the texts looks like one.
 */
export function* renderMerge(
  merge: TextMerge,
  texts: MergeTexts,
  { style = "merge", labels = {} }: RenderMergeOptions = {},
): Steps<Uint8Array> {
  const length = yield* markerLength(texts);
  const { current, incoming } = texts;
  const end = current.mainTerminator ?? incoming.mainTerminator ?? texts.base.mainTerminator ?? "\n";
  const marker = (mark: string, label = "") => {
    const shown = label.replace(/\p{Cc}+/gu, " ").trim();
    return utf8(mark.repeat(length) + (shown === "" ? "" : ` ${shown}`) + end);
  };
  const markers = {
    current: marker("<", labels.current ?? "current"),
    base: style === "merge" ? undefined : marker("|", labels.base ?? "base"),
    middle: marker("="),
    incoming: marker(">", labels.incoming ?? "incoming"),
  };
  // A byte order mark on both sides comes before the first marker.
  const pieces = new Pieces(current.bomLength === incoming.bomLength ? current.bomLength : 0, utf8(end));
  if (pieces.skipped > 0) pieces.add(current.bytes.subarray(0, pieces.skipped));
  const worked = workCounter();
  for (const stretch of merge.stretches) {
    if (stretch.kind === "conflict") yield* addConflict(pieces, stretch, texts, markers, style);
    else if (stretch.kind === "incoming") pieces.addLines(incoming, stretch.incoming);
    else pieces.addLines(current, stretch.current);
    if (worked()) yield;
  }
  return yield* pieces.join();
}

interface Markers {
  readonly current: Uint8Array;
  readonly base: Uint8Array | undefined;
  readonly middle: Uint8Array;
  readonly incoming: Uint8Array;
}

function* addConflict(
  pieces: Pieces,
  stretch: MergeStretch,
  { base, current, incoming }: MergeTexts,
  markers: Markers,
  style: ConflictStyle,
): Steps<void> {
  const shared = style === "diff3" ? { head: 0, tail: 0 } : yield* sharedEnds(stretch, current, incoming);
  const { from, to } = stretch.current;
  pieces.addLines(current, { from, to: from + shared.head });
  pieces.add(markers.current);
  pieces.addWholeLines(current, { from: from + shared.head, to: to - shared.tail });
  if (markers.base !== undefined) {
    pieces.add(markers.base);
    pieces.addWholeLines(base, stretch.base);
  }
  pieces.add(markers.middle);
  pieces.addWholeLines(incoming, {
    from: stretch.incoming.from + shared.head,
    to: stretch.incoming.to - shared.tail,
  });
  pieces.add(markers.incoming);
  pieces.addLines(current, { from: to - shared.tail, to });
}

/** How many lines at the start and at the end of a conflict are the same on both sides. */
function* sharedEnds(
  stretch: MergeStretch,
  current: TextDocument,
  incoming: TextDocument,
): Steps<{ readonly head: number; readonly tail: number }> {
  const most = Math.min(lengthOf(stretch.current), lengthOf(stretch.incoming));
  const worked = workCounter();
  const same = (our: number, their: number) =>
    sameBytes(
      bytesOfLines(current, { from: our, to: our + 1 }),
      bytesOfLines(incoming, { from: their, to: their + 1 }),
    );
  let head = 0;
  while (head < most && same(stretch.current.from + head, stretch.incoming.from + head)) {
    head++;
    if (worked()) yield;
  }
  let tail = 0;
  while (head + tail < most && same(stretch.current.to - 1 - tail, stretch.incoming.to - 1 - tail)) {
    tail++;
    if (worked()) yield;
  }
  return { head, tail };
}

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  return at === a.length;
}

function lengthOf({ from, to }: LineRange): number {
  return to - from;
}

class Pieces {
  /** Length of the byte order mark that is not repeated in the lines. */
  readonly skipped: number;
  readonly #end: Uint8Array;
  readonly #pieces: Uint8Array[] = [];
  #length = 0;

  constructor(skipped: number, end: Uint8Array) {
    this.skipped = skipped;
    this.#end = end;
  }

  add(piece: Uint8Array): void {
    this.#pieces.push(piece);
    this.#length += piece.byteLength;
  }

  addLines(document: TextDocument, range: LineRange): void {
    const bytes = bytesOfLines(document, range);
    const atStart = range.from === 0 && range.to > 0 && document.bomLength > 0;
    this.add(atStart ? bytes.subarray(this.skipped) : bytes);
  }

  /** Adds lines before a marker: the last one gets a terminator when it has none. */
  addWholeLines(document: TextDocument, range: LineRange): void {
    this.addLines(document, range);
    if (lengthOf(range) > 0 && range.to === document.lineCount && !hasFinalNewline(document))
      this.add(this.#end);
  }

  *join(): Steps<Uint8Array> {
    const joined = new Uint8Array(this.#length);
    const worked = workCounter();
    let at = 0;
    for (const piece of this.#pieces) {
      joined.set(piece, at);
      at += piece.byteLength;
      if (worked(1 + (piece.byteLength >> 10))) yield;
    }
    return joined;
  }
}

/** The shortest length, from the usual one on, that no line of the texts could be mistaken for. */
function* markerLength(texts: MergeTexts): Steps<number> {
  const taken = new Set<number>();
  const worked = workCounter();
  for (const { bytes, bomLength, lineStarts, lineCount } of [texts.base, texts.current, texts.incoming])
    for (let line = 0; line < lineCount; line++) {
      const run = markerRun(bytes, line === 0 ? bomLength : (lineStarts[line] as number));
      if (run >= shortestMarker) taken.add(run);
      if (worked(1 + (run >> 10))) yield;
    }
  let length = shortestMarker;
  while (taken.has(length)) length++;
  return length;
}

/** The length of the marker that a line starts with: one of the marks, repeated, and then a blank or the end of the line. */
function markerRun(bytes: Uint8Array, start: number): number {
  const mark = bytes[start] as number;
  if (!markerBytes.includes(mark)) return 0;
  let at = start;
  while (bytes[at] === mark) at++;
  const behind = bytes[at] ?? 0x0a;
  return behind === 0x20 || behind === 0x0a || behind === 0x0d ? at - start : 0;
}
