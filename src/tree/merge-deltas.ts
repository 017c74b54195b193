import type { Steps } from "../base/steps.ts";
import { workCounter } from "../base/work-counter.ts";
import { type AnalysedFile, analyseMerge, type MergeAnalysis, possiblyInConflict } from "./analyse-merge.ts";
import { assembleMerge, type PlacedFile } from "./assemble-merge.ts";
import type { Conflict } from "./conflict.ts";
import { describeConflict } from "./describe-conflict.ts";
import type { MergeInput, MergeOptions, TreeMerge } from "./merge.ts";
import type { TrackedFile } from "./track-files.ts";

/**
 * Names the contents that a merge looks at and that its conflicts show: of files that both sides changed, and not alike, and of those that are in
 * each other's way.
 */
export function* contentsOfMerge(
  { current, incoming }: Pick<MergeInput, "current" | "incoming">,
  { textBytes }: Pick<MergeOptions, "textBytes">,
): Steps<ReadonlySet<string>> {
  const due = workCounter();
  const needed = new Set<string>();
  for (const file of yield* possiblyInConflict(current, incoming)) {
    if (due()) yield;
    for (const state of statesOf(file)) if (state.byteLength <= textBytes) needed.add(state.contentId);
  }
  return needed;
}

function statesOf({ base, current, incoming }: TrackedFile) {
  return [base, current, incoming].flatMap((place) => place?.state ?? []);
}

/**
 * Merges two changes of one tree: what to do to the current tree so that it has both, and what does not go together. Looks at nothing but the
 * paths of both deltas.
 */
export function* mergeDeltas(input: MergeInput, options: MergeOptions): Steps<TreeMerge> {
  const context = { input, options };
  const analysis = yield* analyseMerge(context);
  const due = workCounter();
  const conflicts: Conflict[] = [];
  for (const group of analysis.groups) {
    conflicts.push(yield* describeConflict(context, group));
    if (due(16)) yield;
  }
  const open = analysis.groups.flatMap(({ members }) =>
    members.map(({ file }) => ({ file, place: file.current, open: true })),
  );
  return { ...(yield* assembleMerge(input, [...placesOfSettled(analysis), ...open])), conflicts };
}

/** Where the files end that the sides go together on. */
export function placesOfSettled({ settled }: MergeAnalysis): readonly PlacedFile[] {
  return settled.map(placeOf);
}

function placeOf({ file, merge }: AnalysedFile): PlacedFile {
  if (merge.kind !== undefined) return { file, place: file.current };
  return { file, place: merge.place, byContent: merge.byLines, bytes: merge.bytes };
}
