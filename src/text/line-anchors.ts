import type { Steps } from "../base/steps.ts";
import { workCounter } from "../base/work-counter.ts";
import type { Box, MarkedLines } from "./shortest-edit.ts";
import { trimBox } from "./trim-box.ts";
import { UniqueRuns } from "./unique-runs.ts";

/** Lines that are gone through between two looks at the work done. */
const stride = 1024;
/** How often a line stands in the halves of a stretch; for lines that are not once in the old one, the new one does not matter. */
const onceInOld = 1;
const oftenInOld = 2;
const onceInBoth = 3;
const oftenInNew = 4;

/** Finds lines, and runs of lines, that stand once in each half of a stretch of two texts. */
export class AnchorFinder {
  readonly #lines: MarkedLines;
  /** For each number, how often its line stands in the two halves. All zero between two calls. */
  readonly #counts: Uint8Array;
  readonly #places: Int32Array;

  constructor(lines: MarkedLines) {
    this.#lines = lines;
    this.#counts = new Uint8Array(lines.distinct);
    this.#places = new Int32Array(lines.distinct);
  }

  /** Pairs runs of `width` lines, as many as stand in one order, and gives the stretches between them; none when no run was paired. */
  *between(box: Box, width: number): Steps<readonly Box[]> {
    const partners = yield* width === 1 ? this.#uniqueLines(box) : this.#uniqueRuns(box, width);
    const chosen = yield* longestRising(partners);
    const boxes: Box[] = [];
    const worked = workCounter();
    let { oldFrom, newFrom } = box;
    for (const index of chosen) {
      if (worked()) yield;
      const old = box.oldFrom + index;
      const fresh = partners[index] as number;
      const overlaps = old < oldFrom || fresh < newFrom;
      if (overlaps && old - oldFrom !== fresh - newFrom) continue;
      if (old > oldFrom || fresh > newFrom) {
        const between = trimBox(this.#lines, { oldFrom, oldTo: old, newFrom, newTo: fresh });
        if (between.oldFrom < between.oldTo || between.newFrom < between.newTo) boxes.push(between);
      }
      oldFrom = old + width;
      newFrom = fresh + width;
    }
    if (chosen.length > 0) boxes.push({ oldFrom, oldTo: box.oldTo, newFrom, newTo: box.newTo });
    return boxes;
  }

  /** For each place in the first text where both have the same line, and each has it once: its place in the second; else -1. */
  *#uniqueLines({ oldFrom, oldTo, newFrom, newTo }: Box): Steps<Int32Array> {
    const { before, after } = this.#lines;
    const counts = this.#counts;
    const places = this.#places;
    const partners = new Int32Array(oldTo - oldFrom);
    const worked = workCounter();
    for (let at = oldFrom; at < oldTo; ) {
      for (const stop = Math.min(oldTo, at + stride); at < stop; at++) {
        const line = before[at] as number;
        counts[line] = counts[line] === 0 ? onceInOld : oftenInOld;
      }
      if (worked(stride >> 2)) yield;
    }
    for (let at = newFrom; at < newTo; ) {
      for (const stop = Math.min(newTo, at + stride); at < stop; at++) {
        const line = after[at] as number;
        const count = counts[line];
        if (count !== onceInOld && count !== onceInBoth) continue;
        counts[line] = count === onceInOld ? onceInBoth : oftenInNew;
        places[line] = at;
      }
      if (worked(stride >> 2)) yield;
    }
    for (let at = oldFrom; at < oldTo; ) {
      for (const stop = Math.min(oldTo, at + stride); at < stop; at++) {
        const line = before[at] as number;
        partners[at - oldFrom] = counts[line] === onceInBoth ? (places[line] as number) : -1;
        counts[line] = 0;
      }
      if (worked(stride >> 2)) yield;
    }
    return partners;
  }

  *#uniqueRuns(box: Box, width: number): Steps<Int32Array> {
    const runs = new UniqueRuns(box, width);
    yield* runs.enter(this.#lines.before, box.oldFrom, box.oldTo, 0);
    yield* runs.enter(this.#lines.after, box.newFrom, box.newTo, 1);
    return yield* runs.partners(this.#lines, box);
  }
}

/** Which numbers make a longest rising sequence (patience sorting); those below zero are passed over. */
function* longestRising(numbers: Int32Array): Steps<Int32Array> {
  const worked = workCounter();
  /** For each length the number that ends such a sequence lowest, as its index. */
  const ends = new Int32Array(numbers.length);
  const previous = new Int32Array(numbers.length);
  let length = 0;
  for (let index = 0; index < numbers.length; index++) {
    if ((index & 15) === 0 && worked(16)) yield;
    const number = numbers[index] as number;
    if (number < 0) continue;
    let low = 0;
    let high = length;
    if (length > 0 && (numbers[ends[length - 1] as number] as number) < number) low = length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((numbers[ends[middle] as number] as number) < number) low = middle + 1;
      else high = middle;
    }
    previous[index] = low > 0 ? (ends[low - 1] as number) : -1;
    ends[low] = index;
    if (low === length) length++;
  }
  const chosen = new Int32Array(length);
  let index = length > 0 ? (ends[length - 1] as number) : -1;
  for (let at = length - 1; at >= 0; at--) {
    chosen[at] = index;
    index = previous[index] as number;
  }
  return chosen;
}
