import { type Delta, makeDelta, type PathChange } from "./delta.ts";

/**
 * Gives the delta that takes another back. The inverse of a move is the move back; what takes a copy back is a plain deletion.
 */
export function invertDelta(delta: Delta): Delta {
  const movedTo = new Map<string, string>();
  for (const [path, { origin }] of delta.changes)
    if (origin?.kind === "moved" && !movedTo.has(origin.path)) movedTo.set(origin.path, path);
  const inverse = new Map<string, PathChange>();
  for (const [path, { before, after }] of delta.changes) {
    const from = before === undefined ? undefined : movedTo.get(path);
    inverse.set(path, {
      before: after,
      after: before,
      ...(from !== undefined && { origin: { kind: "moved", path: from } }),
    });
  }
  return makeDelta(inverse);
}
