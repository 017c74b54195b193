import type { Steps } from "../base/steps.ts";
import { workCounter } from "../base/work-counter.ts";
import { diffNumbers, type LineChange } from "./diff-lines.ts";
import { internLines } from "./intern-lines.ts";
import { rereadStretches } from "./reread-stretches.ts";
import { lineStart, type TextDocument } from "./text-document.ts";

/** Lines from 0, half-open. */
export interface LineRange {
  readonly from: number;
  readonly to: number;
}

/** A stretch of a three-way merge: which side changed it. `both` is the same change on both sides. */
export interface MergeStretch {
  readonly kind: "same" | "current" | "incoming" | "both" | "conflict";
  readonly base: LineRange;
  readonly current: LineRange;
  readonly incoming: LineRange;
}

/** Stretches that cover all three texts, in order. */
export interface TextMerge {
  readonly stretches: readonly MergeStretch[];
  readonly conflicts: number;
}

/** The three texts of a merge. */
export interface MergeTexts {
  readonly base: TextDocument;
  readonly current: TextDocument;
  readonly incoming: TextDocument;
}

/** The numbers of the lines of three texts behind the first ones, which all have alike, and up to the last ones. */
export interface NumberedTexts extends Readonly<Record<keyof MergeTexts, Int32Array>> {
  /** How many lines have no numbers at the start. */
  readonly head: number;
}

/** Merges the changes that two sides made to one text. Changes that touch or adjoin each other conflict, unless they are the same. */
export function* mergeText(
  base: TextDocument,
  current: TextDocument,
  incoming: TextDocument,
): Steps<TextMerge> {
  const { head, lines, distinct } = yield* internLines([base, current, incoming]);
  const [baseLines, currentLines, incomingLines] = lines as [Int32Array, Int32Array, Int32Array];
  const ours = yield* diffNumbers(baseLines, currentLines, distinct, head);
  const theirs = yield* diffNumbers(baseLines, incomingLines, distinct, head);
  const numbered = { head, base: baseLines, current: currentLines, incoming: incomingLines };
  const joined = yield* joinChanges(ours, theirs, numbered, base.lineCount);
  const stretches = yield* rereadStretches(joined, numbered);
  let conflicts = 0;
  for (const { kind } of stretches) if (kind === "conflict") conflicts++;
  return { stretches, conflicts };
}

/** Puts together what touches: changes of one side and of the other with no kept line between them. */
function* joinChanges(
  ours: readonly LineChange[],
  theirs: readonly LineChange[],
  texts: NumberedTexts,
  baseCount: number,
): Steps<readonly MergeStretch[]> {
  const builder = new StretchBuilder(texts);
  const worked = workCounter();
  let our = 0;
  let their = 0;
  while (our < ours.length || their < theirs.length) {
    const ourFrom = our;
    const theirFrom = their;
    const start = Math.min(ours[our]?.oldStart ?? Infinity, theirs[their]?.oldStart ?? Infinity);
    let end = start;
    let grown = 0;
    let theirGrown = 0;
    for (;;) {
      const mine = ours[our];
      const other = theirs[their];
      if (mine !== undefined && mine.oldStart <= end) {
        end = Math.max(end, mine.oldEnd);
        grown += growth(mine);
        our++;
      } else if (other !== undefined && other.oldStart <= end) {
        end = Math.max(end, other.oldEnd);
        theirGrown += growth(other);
        their++;
      } else break;
    }
    const side = their === theirFrom ? "current" : our === ourFrom ? "incoming" : undefined;
    builder.add(start, end, grown, theirGrown, side);
    if (worked(1 + our - ourFrom + their - theirFrom)) yield;
  }
  return builder.finish(baseCount);
}

class StretchBuilder {
  readonly #texts: NumberedTexts;
  readonly #stretches: MergeStretch[] = [];
  #baseAt = 0;
  #currentAt = 0;
  #incomingAt = 0;

  constructor(texts: NumberedTexts) {
    this.#texts = texts;
  }

  /** Adds what lies in the place of lines of the base: how much longer it is on each side, and the side, when only one changed it. */
  add(
    start: number,
    end: number,
    grown: number,
    theirGrown: number,
    side: "current" | "incoming" | undefined,
  ): void {
    this.#same(start);
    const currentTo = this.#currentAt + end - start + grown;
    const incomingTo = this.#incomingAt + end - start + theirGrown;
    this.#push(side ?? this.#meeting(currentTo, incomingTo), end, currentTo, incomingTo);
  }

  finish(baseCount: number): readonly MergeStretch[] {
    this.#same(baseCount);
    return this.#stretches;
  }

  #meeting(currentTo: number, incomingTo: number): "both" | "conflict" {
    const { head, current, incoming } = this.#texts;
    const length = currentTo - this.#currentAt;
    if (length !== incomingTo - this.#incomingAt) return "conflict";
    const our = this.#currentAt - head;
    const their = this.#incomingAt - head;
    let same = 0;
    while (same < length && current[our + same] === incoming[their + same]) same++;
    return same === length ? "both" : "conflict";
  }

  #same(baseTo: number): void {
    const length = baseTo - this.#baseAt;
    if (length > 0) this.#push("same", baseTo, this.#currentAt + length, this.#incomingAt + length);
  }

  #push(kind: MergeStretch["kind"], baseTo: number, currentTo: number, incomingTo: number): void {
    this.#stretches.push({
      kind,
      base: { from: this.#baseAt, to: baseTo },
      current: { from: this.#currentAt, to: currentTo },
      incoming: { from: this.#incomingAt, to: incomingTo },
    });
    this.#baseAt = baseTo;
    this.#currentAt = currentTo;
    this.#incomingAt = incomingTo;
  }
}

function growth({ oldStart, oldEnd, newStart, newEnd }: LineChange): number {
  return newEnd - newStart - (oldEnd - oldStart);
}

/** Gives the merged text. Only for merges without conflicts. */
export function* mergedBytes(merge: TextMerge, { base, current, incoming }: MergeTexts): Steps<Uint8Array> {
  const worked = workCounter();
  let length = offsetOfLine(current, current.lineCount);
  for (const stretch of merge.stretches) {
    if (worked()) yield;
    if (stretch.kind === "incoming")
      length += lengthOfLines(incoming, stretch.incoming) - lengthOfLines(current, stretch.current);
  }
  if (length === 0) {
    // A byte order mark without any line belongs to no stretch.
    const { bytes, bomLength } = current.bomLength === base.bomLength ? incoming : current;
    return bytes.slice(0, bomLength);
  }
  const merged = new Uint8Array(length);
  let at = 0;
  const take = (document: TextDocument, range: LineRange) => {
    const from = at;
    at = copyLines(document, range, merged, at);
    return worked(1 + ((at - from) >> 10));
  };
  // Up to the next change of the incoming side, the lines of the current one lie behind each other.
  let taken = 0;
  for (const stretch of merge.stretches) {
    if (stretch.kind !== "incoming") continue;
    if (take(current, { from: taken, to: stretch.current.from })) yield;
    if (take(incoming, stretch.incoming)) yield;
    taken = stretch.current.to;
  }
  take(current, { from: taken, to: current.lineCount });
  return merged;
}

/** Bytes up to which copying them one by one is faster than making a view of them. */
const shortCopy = 96;

/** Copies the bytes of lines to an offset and gives the offset behind them. */
function copyLines(document: TextDocument, { from, to }: LineRange, into: Uint8Array, at: number): number {
  const { bytes } = document;
  const start = offsetOfLine(document, from);
  const end = offsetOfLine(document, to);
  if (end - start > shortCopy) into.set(bytes.subarray(start, end), at);
  else for (let next = start; next < end; next++) into[at + next - start] = bytes[next] as number;
  return at + end - start;
}

function lengthOfLines(document: TextDocument, { from, to }: LineRange): number {
  return offsetOfLine(document, to) - offsetOfLine(document, from);
}

/** Where a line starts, counted from 0; the first line has the byte order mark. */
function offsetOfLine(document: TextDocument, line: number): number {
  return line === 0 ? 0 : lineStart(document, line + 1);
}

/** The bytes of lines, counted from 0; the first line has the byte order mark. */
export function bytesOfLines(document: TextDocument, { from, to }: LineRange): Uint8Array {
  return document.bytes.subarray(offsetOfLine(document, from), offsetOfLine(document, to));
}
