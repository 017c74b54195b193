import type { Problem } from "../base/holdfast-error.ts";
import type { Steps } from "../base/steps.ts";
import { workCounter } from "../base/work-counter.ts";
import { analyseMerge, type ConflictGroup, sidesAt } from "./analyse-merge.ts";
import { assembleMerge, type PlacedFile } from "./assemble-merge.ts";
import { CollisionFinder } from "./find-collisions.ts";
import type { MergeInput, MergeOptions, ResolvedMerge } from "./merge.ts";
import type { MergeContext } from "./merge-content.ts";
import { placesOfSettled } from "./merge-deltas.ts";
import { quotePath } from "./quote-path.ts";
import type { Resolution, Resolutions } from "./resolution.ts";
import { resolveFile } from "./resolve-file.ts";

/** A resolved conflict, or what is wrong with its resolution. */
type ResolvedGroup =
  | { readonly placed: readonly PlacedFile[]; readonly problems?: undefined }
  | { readonly placed?: undefined; readonly problems: readonly Problem[] };

/**
 * Merges as `mergeDeltas` does and resolves every conflict as it is told. A resolution decides what is in conflict, and what merged stays merged: a
 * side of a `content` conflict gives the bytes, at the path and with the mode that the sides go together on.
 *
 * @returns The merge, without conflicts, or all problems at once: `MERGE_CONFLICT` for what is not resolved, `INVALID_ARGUMENT` for resolutions
 * that name no conflict or no region, that do not fit, or that leave two files in each other's way.
 */
export function* resolveConflicts(
  input: MergeInput,
  resolutions: Resolutions,
  options: MergeOptions,
): Steps<ResolvedMerge> {
  const context = { input, options };
  const analysis = yield* analyseMerge(context);
  const problems: Problem[] = [];
  const placed = [...placesOfSettled(analysis)];
  for (const group of analysis.groups) {
    const resolution = Object.hasOwn(resolutions, group.name) ? resolutions[group.name] : undefined;
    const resolved = yield* resolveGroup(context, group, resolution);
    for (const problem of resolved.problems ?? []) problems.push({ ...problem, path: group.name });
    for (const file of resolved.placed ?? []) placed.push(file);
    yield;
  }
  const names = new Set(analysis.groups.map(({ name }) => name));
  for (const path of Object.keys(resolutions))
    if (!names.has(path))
      problems.push({ code: "INVALID_ARGUMENT", message: `${quotePath(path)} is not in conflict.`, path });
  if (problems.length === 0) for (const problem of yield* collisionsOf(placed)) problems.push(problem);
  if (problems.length > 0) return { problems };
  return { merge: { ...(yield* assembleMerge(input, placed)), conflicts: [] } };
}

function* resolveGroup(
  context: MergeContext,
  { name, kind, members }: ConflictGroup,
  resolution: Resolution | undefined,
): Steps<ResolvedGroup> {
  const [first, second] = members;
  if (resolution === undefined) {
    const message = `The ${kind} conflict of ${quotePath(name)} is not resolved.`;
    return { problems: [{ code: "MERGE_CONFLICT", message }] };
  }
  if (first !== undefined && second === undefined && first.merge.kind !== undefined) {
    const resolved = yield* resolveFile(context, first.file, first.merge, resolution);
    return resolved.problems === undefined ? { placed: [resolved] } : resolved;
  }
  if ("take" in resolution)
    return { placed: members.map(({ file }) => ({ file, place: file[resolution.take] })) };
  const message = `The ${kind} conflict of ${quotePath(name)} is about several files; take a side.`;
  return { problems: [{ code: "INVALID_ARGUMENT", message }] };
}

/** Finds resolved files that cannot stand where others do. */
function* collisionsOf(placed: readonly PlacedFile[]): Steps<readonly Problem[]> {
  const due = workCounter();
  const finder = new CollisionFinder(() => []);
  for (const [index, { file, place }] of placed.entries()) {
    if (due()) yield;
    if (place !== undefined)
      yield* finder.add(index, [{ path: place.path, sides: sidesAt(file, place.path) }]);
  }
  const first = new Map<number, string>();
  const problems: Problem[] = [];
  for (const [index, { place }] of placed.entries()) {
    const root = finder.groupOf(index)?.root;
    if (root === undefined || place === undefined) continue;
    const other = first.get(root);
    if (other === undefined) {
      first.set(root, place.path);
      continue;
    }
    const message = `The resolutions leave ${quotePath(other)} and ${quotePath(place.path)} in each other's way.`;
    problems.push({ code: "INVALID_ARGUMENT", message, path: place.path });
  }
  return problems;
}
