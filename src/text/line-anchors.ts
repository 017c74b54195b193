import type { Steps } from "../base/steps.ts";
import { workCounter } from "../base/work-counter.ts";
import type { Box, MarkedLines } from "./shortest-edit.ts";

/** Slots that are looked at for one window; what finds no place in them is no anchor. */
const mostLooks = 16;
const several = -1;
const base = 0x2f0b4c47;

/**
 * Pairs runs of `width` lines that stand once in each half of a stretch, as many as stand in one order, and gives the stretches
 * between them. None when there is no such pair.
 */
export function* betweenAnchors(lines: MarkedLines, box: Box, width: number): Steps<readonly Box[]> {
  const { before, after } = lines;
  const windows = new UniqueWindows(box, width);
  yield* windows.enter(before, box.oldFrom, box.oldTo, 0);
  yield* windows.enter(after, box.newFrom, box.newTo, 1);
  const partners = yield* windows.partners(before, after, box);
  const chosen = yield* longestRising(partners);
  const boxes: Box[] = [];
  const worked = workCounter();
  let oldFrom = box.oldFrom;
  let newFrom = box.newFrom;
  for (const index of chosen) {
    if (worked()) yield;
    const old = box.oldFrom + index;
    const fresh = partners[index] as number;
    const overlaps = old < oldFrom || fresh < newFrom;
    if (overlaps && old - oldFrom !== fresh - newFrom) continue;
    if (old > oldFrom || fresh > newFrom) boxes.push({ oldFrom, oldTo: old, newFrom, newTo: fresh });
    oldFrom = old + width;
    newFrom = fresh + width;
  }
  if (chosen.length > 0) boxes.push({ oldFrom, oldTo: box.oldTo, newFrom, newTo: box.newTo });
  return boxes;
}

/** Runs of lines by their hash, and where each stands in the two texts. */
class UniqueWindows {
  readonly #width: number;
  readonly #mask: number;
  /** Three entries for each slot: hash, place in the first and in the second text plus one. */
  readonly #slots: Int32Array;
  readonly #power: number;

  constructor({ oldFrom, oldTo, newFrom, newTo }: Box, width: number) {
    let size = 16;
    while (size < 2 * (oldTo - oldFrom + newTo - newFrom)) size *= 2;
    this.#width = width;
    this.#mask = size - 1;
    this.#slots = new Int32Array(3 * size);
    let power = 1;
    for (let times = 1; times < width; times++) power = Math.imul(power, base);
    this.#power = power;
  }

  *enter(lines: Int32Array, from: number, to: number, side: 0 | 1): Steps<void> {
    const worked = workCounter();
    const width = this.#width;
    let rolling = 0;
    for (let at = from; at < to; at++) {
      if (at - from >= width)
        rolling = (rolling - Math.imul(mixed(lines[at - width] as number), this.#power)) | 0;
      rolling = (Math.imul(rolling, base) + mixed(lines[at] as number)) | 0;
      if (at - from >= width - 1) this.#enterOne(rolling, at - width + 1, side);
      if (worked()) yield;
    }
  }

  #enterOne(hash: number, place: number, side: 0 | 1): void {
    const slots = this.#slots;
    let slot = mixed(hash) & this.#mask;
    for (let looks = 0; looks < mostLooks; looks++, slot = (slot + 1) & this.#mask) {
      const at = 3 * slot;
      const isFree = slots[at + 1] === 0 && slots[at + 2] === 0;
      if (!isFree && slots[at] !== hash) continue;
      slots[at] = hash;
      slots[at + 1 + side] = slots[at + 1 + side] === 0 ? place + 1 : several;
      return;
    }
  }

  /** For each place in the first text where the second has the same run, and each has it once: its place there; else -1. */
  *partners(before: Int32Array, after: Int32Array, { oldFrom, oldTo }: Box): Steps<Int32Array> {
    const slots = this.#slots;
    const worked = workCounter();
    const partners = new Int32Array(oldTo - oldFrom).fill(-1);
    for (let at = 0; at < slots.length; at += 3) {
      if ((at & 7) === 0 && worked()) yield;
      const old = (slots[at + 1] as number) - 1;
      const fresh = (slots[at + 2] as number) - 1;
      if (old < 0 || fresh < 0) continue;
      let same = 0;
      while (same < this.#width && before[old + same] === after[fresh + same]) same++;
      if (same === this.#width) partners[old - oldFrom] = fresh;
    }
    return partners;
  }
}

function mixed(value: number): number {
  const once = Math.imul(value ^ (value >>> 16), 0x45d9f3b);
  return Math.imul(once ^ (once >>> 15), 0x2c1b3c6d) ^ (once >>> 13);
}

/** Which numbers make a longest rising sequence (patience sorting); those below zero are passed over. */
function* longestRising(numbers: Int32Array): Steps<Int32Array> {
  const worked = workCounter();
  /** For each length the number that ends such a sequence lowest, as its index. */
  const ends = new Int32Array(numbers.length);
  const previous = new Int32Array(numbers.length);
  let length = 0;
  for (let index = 0; index < numbers.length; index++) {
    if (worked()) yield;
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
