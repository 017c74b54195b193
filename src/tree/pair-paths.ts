import type { Steps } from "../base/steps.ts";
import { workCounter } from "../base/work-counter.ts";
import type { Delta, Origin, PathChange } from "./delta.ts";
import type { FileState } from "./file-state.ts";
import type { FileDiff } from "./tree-diff.ts";

/** One side of a file's diff. */
export interface DiffSide {
  readonly path: string;
  readonly state: FileState;
}

/** A file that changed, and what it is compared with; `undefined` where there is none. At least one is there. */
export interface PathPair {
  /** The path that it is listed under: that of `after`, where there is one. */
  readonly path: string;
  readonly status: FileDiff["status"];
  readonly before: DiffSide | undefined;
  readonly after: DiffSide | undefined;
}

/**
 * Tells what each changed path is compared with. A file that came from elsewhere to where none was is compared with where it came from: renamed
 * when that went away with it, else copied. One that took the place of another is compared with that, so that no lines go unseen.
 *
 * @param delta - What changed.
 * @param stateOf - What is at a path that the delta does not change.
 * @returns The files by path. Both ends of a rename are one; a file that became a link, or a link a file, is two, deleted and added.
 */
export function* pairPaths(
  delta: Delta,
  stateOf: (path: string) => FileState | undefined,
): Steps<readonly PathPair[]> {
  const due = workCounter();
  const renamed = new Set<string>();
  const arrived = new Map<string, PathPair>();
  for (const [path, { before, after, origin }] of delta.changes) {
    if (due()) yield;
    if (before !== undefined || after === undefined || origin === undefined) continue;
    const state = sourceState(delta, origin, stateOf);
    if (state?.kind !== after.kind) continue;
    const isRename = origin.kind === "moved" && !renamed.has(origin.path) && isGone(delta, origin.path);
    if (isRename) renamed.add(origin.path);
    const sides = { before: { path: origin.path, state }, after: { path, state: after } };
    arrived.set(path, { path, status: isRename ? "renamed" : "copied", ...sides });
  }
  const pairs: PathPair[] = [];
  for (const [path, change] of delta.changes) {
    if (due()) yield;
    if (renamed.has(path)) continue;
    const arrival = arrived.get(path);
    if (arrival === undefined) pairs.push(...pairsInPlace(path, change));
    else pairs.push(arrival);
  }
  return pairs;
}

function sourceState(
  delta: Delta,
  origin: Origin,
  stateOf: (path: string) => FileState | undefined,
): FileState | undefined {
  const change = delta.changes.get(origin.path);
  return change === undefined ? stateOf(origin.path) : change.before;
}

function isGone(delta: Delta, path: string): boolean {
  const change = delta.changes.get(path);
  return change !== undefined && change.after === undefined;
}

function pairsInPlace(path: string, change: PathChange): readonly PathPair[] {
  const before = change.before && { path, state: change.before };
  const after = change.after && { path, state: change.after };
  if (before === undefined) return [{ path, status: "added", before, after }];
  if (after === undefined) return [{ path, status: "deleted", before, after }];
  if (before.state.kind !== after.state.kind)
    return [
      { path, status: "deleted", before, after: undefined },
      { path, status: "added", before: undefined, after },
    ];
  const isSame = before.state.contentId === after.state.contentId;
  return [{ path, status: isSame ? "mode" : "modified", before, after }];
}
