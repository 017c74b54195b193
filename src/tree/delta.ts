import { invariant } from "../base/holdfast-error.ts";
import { runSteps, type Steps } from "../base/steps.ts";
import { workCounter } from "../base/work-counter.ts";
import { equalStates, type FileState } from "./file-state.ts";
import { compareText } from "./path-parts.ts";
import { sortInSteps } from "./sort-in-steps.ts";

/** Where a file came from. */
export interface Origin {
  /** Whether the file at `path` went away with it. */
  readonly kind: "moved" | "copied";
  /** The path that it came from. */
  readonly path: string;
}

/** How one path changes. At least one of `before` and `after` is there; `undefined` is absence. */
export interface PathChange {
  /** The state that it replaces. */
  readonly before: FileState | undefined;
  /** The state that it leaves. */
  readonly after: FileState | undefined;
  /** Where `after` came from, when a move or copy brought it; a note, no part of equality or digest. */
  readonly origin?: Origin | undefined;
}

/** How a tree changes: for each path the states before and after. Immutable; paths whose states are equal are left out. */
export interface Delta {
  /** The changed paths, sorted by UTF-16 code units. */
  readonly changes: ReadonlyMap<string, PathChange>;
}

/** The delta that changes nothing. */
export const emptyDelta: Delta = { changes: new Map() };

/** Makes a delta from path changes, each path named once, in any order; those that change nothing are left out. */
export function makeDelta(entries: Iterable<readonly [string, PathChange]>): Delta {
  return runSteps(deltaInSteps([...entries]));
}

/** Makes a delta as {@link makeDelta} does, without holding up whoever drives it. */
export function* deltaInSteps(entries: readonly (readonly [string, PathChange])[]): Steps<Delta> {
  const due = workCounter();
  const changes = new Map<string, PathChange>();
  let previous: string | undefined;
  for (const [path, change] of yield* sortInSteps(entries, ([a], [b]) => compareText(a, b))) {
    if (due(4)) yield;
    invariant(path !== previous, "a delta names each path once");
    previous = path;
    if (!equalStates(change.before, change.after)) changes.set(path, change);
  }
  return changes.size === 0 ? emptyDelta : { changes };
}

/** Says whether a delta changes nothing. */
export function isEmptyDelta(delta: Delta): boolean {
  return delta.changes.size === 0;
}

/** Says whether two deltas change the same paths between the same states, wherever those came from. */
export function equalDeltas(a: Delta, b: Delta): boolean {
  if (a.changes.size !== b.changes.size) return false;
  for (const [path, change] of a.changes) {
    const other = b.changes.get(path);
    if (other === undefined) return false;
    if (!equalStates(change.before, other.before) || !equalStates(change.after, other.after)) return false;
  }
  return true;
}
