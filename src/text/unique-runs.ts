import type { Steps } from "../base/steps.ts";
import { workCounter } from "../base/work-counter.ts";
import type { Box, MarkedLines } from "./shortest-edit.ts";

/** Slots that are looked at for one run; what finds no place in them is not found again. */
const mostLooks = 16;
const several = -1;
/** Lines that are gone through between two looks at the work done. */
const stride = 64;
const base = 0x2f0b4c47;

/** A quarter of the runs of lines, chosen by their hash and so alike in both texts, and where each stands in the two. */
export class UniqueRuns {
  readonly #width: number;
  readonly #mask: number;
  /** Three entries for each slot: hash, place in the first and in the second text plus one. */
  readonly #slots: Int32Array;
  readonly #power: number;

  constructor({ oldFrom, oldTo, newFrom, newTo }: Box, width: number) {
    let size = 16;
    while (2 * size < oldTo - oldFrom + newTo - newFrom) size *= 2;
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
    const power = this.#power;
    let rolling = 0;
    for (let at = from; at < to; ) {
      for (const stop = Math.min(to, at + stride); at < stop; at++) {
        if (at - from >= width)
          rolling = (rolling - Math.imul(mixed(lines[at - width] as number), power)) | 0;
        rolling = (Math.imul(rolling, base) + mixed(lines[at] as number)) | 0;
        const hash = mixed(rolling);
        if ((hash & 3) === 0 && at - from >= width - 1) this.#enterOne(hash, at - width + 1, side);
      }
      if (worked(stride)) yield;
    }
  }

  #enterOne(hash: number, place: number, side: 0 | 1): void {
    const slots = this.#slots;
    let slot = (hash >>> 2) & this.#mask;
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
  *partners({ before, after }: MarkedLines, { oldFrom, oldTo }: Box): Steps<Int32Array> {
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
