import type { Steps } from "../base/steps.ts";
import { workCounter } from "../base/work-counter.ts";

const runLength = 1024;

/** Tells which of two items comes first, as for `Array.prototype.sort`. */
export type Compare<T> = (a: T, b: T) => number;

/** Sorts items without holding up whoever drives it. Equal ones keep their order. */
export function* sortInSteps<T>(items: readonly T[], compare: Compare<T>): Steps<readonly T[]> {
  let runs: (readonly T[])[] = [];
  for (let from = 0; from < items.length; from += runLength) {
    runs.push(items.slice(from, from + runLength).sort(compare));
    yield;
  }
  while (runs.length > 1) {
    const merged: (readonly T[])[] = [];
    for (let at = 0; at < runs.length; at += 2)
      merged.push(yield* mergeInSteps(runs[at] ?? [], runs[at + 1] ?? [], compare));
    runs = merged;
  }
  return runs[0] ?? [];
}

/** Merges two sorted lists; of equal items those of the first come first. */
export function* mergeInSteps<T>(
  first: readonly T[],
  second: readonly T[],
  compare: Compare<T>,
): Steps<readonly T[]> {
  if (second.length === 0) return first;
  if (first.length === 0) return second;
  const due = workCounter();
  const merged: T[] = [];
  let other = 0;
  for (const item of first) {
    for (; other < second.length && compare(second[other] as T, item) < 0; other++) {
      merged.push(second[other] as T);
      if (due()) yield;
    }
    merged.push(item);
    if (due()) yield;
  }
  for (; other < second.length; other++) {
    merged.push(second[other] as T);
    if (due()) yield;
  }
  return merged;
}
