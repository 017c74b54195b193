import type { Steps } from "../base/steps.ts";
import { workCounter } from "../base/work-counter.ts";
import type { InternedLines } from "./intern-lines.ts";
import type { LineBytes } from "./line-bytes.ts";

/**
 * Gives each different line a number by sorting all lines: slower than by a hash, but no lines can be
 * made that slow it down. The numbers are the same: by the order in which the lines first appear.
 */
export function* internByOrder(
  files: readonly LineBytes[],
  head: number,
  lines: readonly Int32Array[],
): Steps<InternedLines> {
  const total = lines.reduce((sum, { length }) => sum + length, 0);
  const owners = new Uint8Array(total);
  const places = new Int32Array(total);
  let at = 0;
  for (const [owner, { length }] of lines.entries())
    for (let place = 0; place < length; place++) {
      owners[at] = owner;
      places[at++] = place;
    }
  const compare = (a: number, b: number) =>
    (files[owners[a] as number] as LineBytes).compare(
      head + (places[a] as number),
      files[owners[b] as number] as LineBytes,
      head + (places[b] as number),
    );
  const lengthOf = (a: number) =>
    (files[owners[a] as number] as LineBytes).lengthOf(head + (places[a] as number));
  const order = yield* sortSteadily(total, compare, lengthOf);
  const firsts = yield* firstOfEquals(order, compare, lengthOf);
  const numbers = new Int32Array(total);
  let distinct = 0;
  const worked = workCounter();
  for (let line = 0; line < total; line++) {
    const first = firsts[line] as number;
    const number = first === line ? distinct++ : (numbers[first] as number);
    numbers[line] = number;
    (lines[owners[line] as number] as Int32Array)[places[line] as number] = number;
    if (worked()) yield;
  }
  return { head, lines, distinct };
}

/** Sorts by merging from the bottom up; what is equal stays in its order. */
function* sortSteadily(
  total: number,
  compare: (a: number, b: number) => number,
  lengthOf: (a: number) => number,
): Steps<Int32Array> {
  const worked = workCounter();
  let from = new Int32Array(total);
  for (let index = 0; index < total; index++) from[index] = index;
  let into = new Int32Array(total);
  for (let width = 1; width < total; width *= 2) {
    for (let start = 0; start < total; start += 2 * width) {
      const middle = Math.min(total, start + width);
      const end = Math.min(total, middle + width);
      let left = start;
      let right = middle;
      for (let at = start; at < end; at++) {
        const takesLeft =
          left < middle && (right >= end || compare(from[left] as number, from[right] as number) <= 0);
        into[at] = takesLeft ? (from[left++] as number) : (from[right++] as number);
        if (worked(2 + (lengthOf(into[at] as number) >> 9))) yield;
      }
    }
    [from, into] = [into, from];
  }
  return from;
}

/** For each line the first one that is equal to it, itself included. */
function* firstOfEquals(
  order: Int32Array,
  compare: (a: number, b: number) => number,
  lengthOf: (a: number) => number,
): Steps<Int32Array> {
  const worked = workCounter();
  const firsts = new Int32Array(order.length);
  let first = -1;
  for (const line of order) {
    if (first < 0 || compare(first, line) !== 0) first = line;
    firsts[line] = first;
    if (worked(2 + (lengthOf(line) >> 9))) yield;
  }
  return firsts;
}
