import { invariant } from "../base/holdfast-error.ts";
import { type Delta, makeDelta, type Origin, type PathChange } from "./delta.ts";
import { equalStates } from "./file-state.ts";

/**
 * Gives the delta that does what `first` and then `second` do. Origins go through: what was moved from a to b and then from b to c came from a.
 *
 * @throws {@link HoldfastError} `INTERNAL` when `second` does not begin where `first` ends.
 */
export function composeDeltas(first: Delta, second: Delta): Delta {
  const joined = new Map<string, PathChange>();
  for (const [path, change] of first.changes) {
    const next = second.changes.get(path);
    if (next === undefined) joined.set(path, change);
    else joined.set(path, joinChanges(first, change, next));
  }
  for (const [path, next] of second.changes)
    if (!first.changes.has(path)) joined.set(path, { ...next, origin: throughFirst(first, next.origin) });
  const composed = makeDelta(joined);
  return makeDelta(
    [...composed.changes].map(([path, change]) => [path, settleOrigin(path, change, composed)]),
  );
}

function joinChanges(first: Delta, change: PathChange, next: PathChange): PathChange {
  invariant(equalStates(change.after, next.before), "a delta composes with one that begins where it ends");
  const { before } = change;
  const { after } = next;
  if (next.origin !== undefined) return { before, after, origin: throughFirst(first, next.origin) };
  // A file that goes on at its path keeps its origin; one that was deleted and made anew has none.
  return {
    before,
    after,
    origin: after === undefined || change.after === undefined ? undefined : change.origin,
  };
}

/** Says where a file of the state between the two deltas was before the first. */
export function throughFirst(first: Delta, origin: Origin | undefined): Origin | undefined {
  if (origin === undefined) return undefined;
  const earlier = first.changes.get(origin.path);
  if (earlier === undefined) return origin;
  if (earlier.origin !== undefined) {
    const moved = origin.kind === "moved" && earlier.origin.kind === "moved";
    return { kind: moved ? "moved" : "copied", path: earlier.origin.path };
  }
  return earlier.before === undefined ? undefined : origin;
}

/** Keeps an origin only where it holds between the delta's own two ends. */
export function settleOrigin(path: string, change: PathChange, delta: Delta): PathChange {
  const { before, after, origin } = change;
  if (origin === undefined || origin.path === path || after === undefined) return { before, after };
  const source = delta.changes.get(origin.path);
  if (source === undefined) return { before, after, origin: { kind: "copied", path: origin.path } };
  return source.before === undefined ? { before, after } : { before, after, origin };
}
