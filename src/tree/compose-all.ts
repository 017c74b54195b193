import type { Steps } from "../base/steps.ts";
import { workCounter } from "../base/work-counter.ts";
import { settleOrigin, throughFirst } from "./compose-deltas.ts";
import { type Delta, deltaInSteps, type PathChange } from "./delta.ts";
import { equalStates } from "./file-state.ts";

/**
 * Gives the delta that does what all of them do one after the other, at a cost that follows their paths together. Where one does not begin as the
 * one before it ended, somebody else changed the path in between: then the first state and the last count.
 */
export function* composeAll(deltas: Iterable<Delta>): Steps<Delta> {
  const due = workCounter();
  const joined = new Map<string, PathChange>();
  const earlier = { changes: joined };
  for (const { changes } of deltas) {
    const next: [string, PathChange][] = [];
    for (const [path, change] of changes) {
      if (due(4)) yield;
      next.push([path, joinChange(earlier, joined.get(path), change)]);
    }
    for (const [path, change] of next) joined.set(path, change);
  }
  const composed = yield* deltaInSteps([...joined]);
  const settled: [string, PathChange][] = [];
  for (const [path, change] of composed.changes) {
    if (due(2)) yield;
    settled.push([path, settleOrigin(path, change, composed)]);
  }
  return yield* deltaInSteps(settled);
}

function joinChange(earlier: Delta, known: PathChange | undefined, next: PathChange): PathChange {
  const before = known === undefined ? next.before : known.before;
  const { after } = next;
  // A file that is back where and as it was came from nowhere.
  if (equalStates(before, after)) return { before, after };
  if (next.origin !== undefined) return { before, after, origin: throughFirst(earlier, next.origin) };
  const goesOn = after !== undefined && next.before !== undefined;
  return { before, after, origin: goesOn ? known?.origin : undefined };
}
