import type { Steps } from "../base/steps.ts";
import { compareText } from "./path-parts.ts";
import { workCounter } from "./work-counter.ts";

const runLength = 2048;

/** Sorts entries by their first member, in UTF-16 code unit order, without holding up whoever drives it. Equal ones keep their order. */
export function* sortInSteps<T extends readonly [string, ...unknown[]]>(
  entries: readonly T[],
): Steps<readonly T[]> {
  let runs: T[][] = [];
  for (let from = 0; from < entries.length; from += runLength) {
    runs.push(entries.slice(from, from + runLength).sort(([a], [b]) => compareText(a, b)));
    yield;
  }
  while (runs.length > 1) {
    const merged: T[][] = [];
    for (let at = 0; at < runs.length; at += 2) merged.push(yield* merge(runs[at] ?? [], runs[at + 1] ?? []));
    runs = merged;
  }
  return runs[0] ?? [];
}

function* merge<T extends readonly [string, ...unknown[]]>(
  left: readonly T[],
  right: readonly T[],
): Steps<T[]> {
  const due = workCounter();
  const merged: T[] = [];
  let fromLeft = 0;
  let fromRight = 0;
  for (;;) {
    const a = left[fromLeft];
    const b = right[fromRight];
    if (due()) yield;
    if (a !== undefined && (b === undefined || compareText(a[0], b[0]) <= 0)) {
      merged.push(a);
      fromLeft++;
    } else if (b !== undefined) {
      merged.push(b);
      fromRight++;
    } else return merged;
  }
}
