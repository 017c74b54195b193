import type { Steps } from "../base/steps.ts";
import { workCounter } from "../base/work-counter.ts";
import { composeAll } from "../tree/compose-all.ts";
import { type Delta, deltaInSteps, type PathChange } from "../tree/delta.ts";
import { equalStates, type FileState } from "../tree/file-state.ts";
import { invertDelta } from "../tree/invert-delta.ts";

/** Changes that take commits back together, and one after the other. */
export interface RevertLayers {
  /** What takes the commits back, in this order; one, unless others changed the same paths between them. */
  readonly layers: readonly Delta[];
  /** From what the newest commits left to what was before the oldest ones, whatever others did in between. */
  readonly whole: Delta;
}

/**
 * Puts the inverses of commits together, the newest first: those that begin where the one before ended come to one change, so that a path is merged
 * once however many of the commits changed it. Where others changed a path between two of them, the older one follows in a layer of its own.
 *
 * @param newestFirst - What the commits did.
 * @param wants - Which paths are taken back; of a move both, when one of its two is.
 */
export function* revertLayers(
  newestFirst: Iterable<Delta>,
  wants: (path: string) => boolean,
): Steps<RevertLayers> {
  const due = workCounter();
  const placed = new Map<string, { readonly level: number; readonly state: FileState | undefined }>();
  const levels: Delta[][] = [];
  const all: Delta[] = [];
  for (const delta of newestFirst) {
    const inverse = invertDelta(yield* wantedPart(delta, wants));
    let level = 0;
    for (const [path, { before }] of inverse.changes) {
      if (due(2)) yield;
      const last = placed.get(path);
      if (last !== undefined)
        level = Math.max(level, equalStates(last.state, before) ? last.level : last.level + 1);
    }
    for (const [path, { after }] of inverse.changes) placed.set(path, { level, state: after });
    all.push(inverse);
    const there = levels[level];
    if (there === undefined) levels[level] = [inverse];
    else there.push(inverse);
  }
  const layers: Delta[] = [];
  for (const deltas of levels) layers.push(yield* composeAll(deltas));
  return { layers, whole: layers.length === 1 ? (layers[0] as Delta) : yield* composeAll(all) };
}

function* wantedPart(delta: Delta, wants: (path: string) => boolean): Steps<Delta> {
  const due = workCounter();
  const wanted = new Set<string>();
  for (const [path, { origin }] of delta.changes) {
    if (due()) yield;
    if (wants(path)) wanted.add(path);
    if (origin?.kind !== "moved") continue;
    if (wanted.has(path) || wants(origin.path)) wanted.add(path).add(origin.path);
  }
  if (wanted.size === delta.changes.size) return delta;
  const entries: [string, PathChange][] = [];
  for (const [path, change] of delta.changes) if (wanted.has(path)) entries.push([path, change]);
  return yield* deltaInSteps(entries);
}
