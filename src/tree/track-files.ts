import { invariant } from "../base/holdfast-error.ts";
import type { Steps } from "../base/steps.ts";
import { workCounter } from "../base/work-counter.ts";
import type { Delta } from "./delta.ts";
import { equalStates, type FileState } from "./file-state.ts";
import { findMoves, type Moves } from "./find-moves.ts";
import { compareText } from "./path-parts.ts";
import { sortInSteps } from "./sort-in-steps.ts";

/** A file where a side has it. */
export interface Place {
  /** Its path. */
  readonly path: string;
  /** Its state. */
  readonly state: FileState;
}

/** One file through all three sides of a merge, wherever they have it; a side that does not have it is left out. */
export interface TrackedFile {
  /** Its path in the base; of a new file, its path. */
  readonly name: string;
  readonly base: Place | undefined;
  readonly current: Place | undefined;
  readonly incoming: Place | undefined;
}

/** Follows every file that one of two deltas from one base changes, also where it was moved to. Sorted by name, each name once. */
export function* trackFiles(current: Delta, incoming: Delta): Steps<readonly TrackedFile[]> {
  const due = workCounter();
  const sides = [
    { delta: current, moves: yield* findMoves(current) },
    { delta: incoming, moves: yield* findMoves(incoming) },
  ] as const;
  const files: TrackedFile[] = [];
  for (const { delta } of sides) {
    for (const [path, { before }] of delta.changes) {
      if (due(2)) yield;
      // Paths that both sides change are seen twice.
      if (delta === incoming && current.changes.has(path)) continue;
      const other = delta === current ? incoming.changes.get(path) : undefined;
      invariant(other === undefined || equalStates(before, other.before), "both deltas begin at one base");
      const base = before && { path, state: before };
      const file = {
        name: path,
        base,
        current: placeOn(sides[0], path, base),
        incoming: placeOn(sides[1], path, base),
      };
      if (base !== undefined || file.current !== undefined || file.incoming !== undefined) files.push(file);
    }
  }
  return yield* sortInSteps(files, (a, b) => compareText(a.name, b.name));
}

function placeOn(
  { delta, moves }: { readonly delta: Delta; readonly moves: Moves },
  name: string,
  base: Place | undefined,
): Place | undefined {
  // A path that a move leads to belongs to the file that was moved there.
  if (moves.from.has(name)) return undefined;
  const path = moves.to.get(name) ?? name;
  const change = delta.changes.get(path);
  if (change === undefined) return base;
  return change.after && { path, state: change.after };
}

/** Says whether two sides have a file alike: at one path and in one state, or not at all. */
function samePlace(a: Place | undefined, b: Place | undefined): boolean {
  return a?.path === b?.path && equalStates(a?.state, b?.state);
}

/** Says whether both sides changed a file, and not alike. */
export function isContested({ base, current, incoming }: TrackedFile): boolean {
  return !samePlace(current, incoming) && !samePlace(base, current) && !samePlace(base, incoming);
}

/** Where a file ends that is not contested. */
export function uncontestedPlace({ base, current, incoming }: TrackedFile): Place | undefined {
  return samePlace(base, current) ? incoming : current;
}
