import type { Steps } from "../base/steps.ts";
import { workCounter } from "../base/work-counter.ts";
import { internLines } from "./intern-lines.ts";
import { type MarkedLines, markShortEdit } from "./shortest-edit.ts";
import { slideChanges } from "./slide-changes.ts";
import type { TextDocument } from "./text-document.ts";

/** Lines of one text that stand in the place of lines of the other: from 0, half-open. */
export interface LineChange {
  readonly oldStart: number;
  readonly oldEnd: number;
  readonly newStart: number;
  readonly newEnd: number;
}

/** Lines that are gone through between two looks at the work done. */
const stride = 1024;

/** Finds what changes one text into another, in order; between two changes lies at least one line that stays. Lines include their terminator, the first one the byte order mark. */
export function* diffLines(before: TextDocument, after: TextDocument): Steps<readonly LineChange[]> {
  const { head, lines, distinct } = yield* internLines([before, after]);
  return yield* diffNumbers(lines[0] as Int32Array, lines[1] as Int32Array, distinct, head);
}

/** Finds what changes one sequence of line numbers, which are below `distinct`, into another; `head` lines stand before both. */
export function* diffNumbers(
  before: Int32Array,
  after: Int32Array,
  distinct: number,
  head: number,
): Steps<readonly LineChange[]> {
  const marked = markedLines(before, after, distinct);
  const places = yield* markLonely(marked);
  const paired = markedLines(
    yield* select(before, places.before),
    yield* select(after, places.after),
    distinct,
  );
  yield* markShortEdit(paired);
  yield* copyMarks(paired.removed, places.before, marked.removed);
  yield* copyMarks(paired.added, places.after, marked.added);
  yield* slideChanges(marked);
  return yield* collectChanges(marked, head);
}

function markedLines(before: Int32Array, after: Int32Array, distinct: number): MarkedLines {
  return {
    before,
    after,
    removed: new Uint8Array(before.length),
    added: new Uint8Array(after.length),
    distinct,
  };
}

/** Marks lines that the other text does not have at all, and gives the places of the others. */
function* markLonely({
  before,
  after,
  removed,
  added,
  distinct,
}: MarkedLines): Steps<{ readonly before: Int32Array; readonly after: Int32Array }> {
  const holders = new Uint8Array(distinct);
  yield* noteHolder(holders, before, 1);
  yield* noteHolder(holders, after, 2);
  return {
    before: yield* placesOfShared(holders, before, removed),
    after: yield* placesOfShared(holders, after, added),
  };
}

function* noteHolder(holders: Uint8Array, lines: Int32Array, bit: number): Steps<void> {
  const worked = workCounter();
  for (let from = 0; from < lines.length; from += stride) {
    const to = Math.min(lines.length, from + stride);
    for (let at = from; at < to; at++) (holders[lines[at] as number] as number) |= bit;
    if (worked(stride >> 3)) yield;
  }
}

function* placesOfShared(holders: Uint8Array, lines: Int32Array, marks: Uint8Array): Steps<Int32Array> {
  const places = new Int32Array(lines.length);
  const worked = workCounter();
  let count = 0;
  for (let from = 0; from < lines.length; from += stride) {
    const to = Math.min(lines.length, from + stride);
    for (let at = from; at < to; at++) {
      if (holders[lines[at] as number] === 3) places[count++] = at;
      else marks[at] = 1;
    }
    if (worked(stride >> 3)) yield;
  }
  return places.subarray(0, count);
}

function* select(lines: Int32Array, places: Int32Array): Steps<Int32Array> {
  if (lines.length === places.length) return lines;
  const selected = new Int32Array(places.length);
  const worked = workCounter();
  for (let from = 0; from < places.length; from += stride) {
    const to = Math.min(places.length, from + stride);
    for (let at = from; at < to; at++) selected[at] = lines[places[at] as number] as number;
    if (worked(stride >> 3)) yield;
  }
  return selected;
}

function* copyMarks(from: Uint8Array, places: Int32Array, into: Uint8Array): Steps<void> {
  const worked = workCounter();
  for (let start = 0; start < from.length; start += stride) {
    const to = Math.min(from.length, start + stride);
    for (let at = start; at < to; at++) if (from[at] === 1) into[places[at] as number] = 1;
    if (worked(stride >> 3)) yield;
  }
}

function* collectChanges({ removed, added }: MarkedLines, head: number): Steps<readonly LineChange[]> {
  const changes: LineChange[] = [];
  const worked = workCounter();
  let oldAt = 0;
  let newAt = 0;
  while (oldAt < removed.length || newAt < added.length) {
    const oldStart = oldAt;
    const newStart = newAt;
    while (removed[oldAt] === 1) oldAt++;
    while (added[newAt] === 1) newAt++;
    if (oldAt > oldStart || newAt > newStart)
      changes.push({
        oldStart: head + oldStart,
        oldEnd: head + oldAt,
        newStart: head + newStart,
        newEnd: head + newAt,
      });
    if (worked(1 + ((oldAt - oldStart + newAt - newStart) >> 3))) yield;
    if (oldAt < removed.length) oldAt++;
    if (newAt < added.length) newAt++;
  }
  return changes;
}
