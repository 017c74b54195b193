import type { Steps } from "../../base/steps.ts";
import { workCounter } from "../../base/work-counter.ts";
import type { Unplaced } from "./context-problems.ts";
import { type HunkSearch, linesOf } from "./hunk-search.ts";
import { trimBoth } from "./line-grades.ts";
import type { PatchHunk } from "./patch-section.ts";

/** For each anchor, without white space at its ends, the lines of the file that are it, from 0. */
export type AnchorLines = ReadonlyMap<string, readonly number[]>;

/** Finds the lines that the anchors of all hunks name; each is a whole line, but for white space at both ends. */
export function* findAnchorLines(search: HunkSearch, hunks: readonly PatchHunk[]): Steps<AnchorLines> {
  const found = new Map<string, number[]>();
  for (const { anchors } of hunks) for (const anchor of anchors) found.set(anchor, []);
  if (found.size === 0) return found;
  const due = workCounter();
  for (const [at, line] of (yield* linesOf(search)).entries()) {
    found.get(trimBoth(line))?.push(at);
    if (due()) yield;
  }
  return found;
}

/**
 * Finds the line of a hunk's last anchor. The first anchor must be one line only, from the beginning of the hunk before on; each further one is the first after it.
 *
 * @returns The line, from 0; `undefined` when the hunk has no anchor.
 */
export function resolveAnchors(
  known: AnchorLines,
  { anchors }: PatchHunk,
  from: number,
): { readonly line: number } | Unplaced | undefined {
  let line: number | undefined;
  for (const anchor of anchors) {
    const all = known.get(anchor) ?? [];
    const at = firstFrom(all, line === undefined ? from : line + 1);
    const next = all[at];
    if (next === undefined) return { why: "anchor", anchor, lines: [] };
    if (line === undefined && at < all.length - 1)
      return { why: "anchor", anchor, lines: all.slice(at, at + 8).map((found) => found + 1) };
    line = next;
  }
  return line === undefined ? undefined : { line };
}

/** The index of the first of some sorted numbers that is not below a bound. */
function firstFrom(sorted: readonly number[], bound: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] as number) < bound) low = middle + 1;
    else high = middle;
  }
  return low;
}
