import { hashInSteps } from "../base/byte-steps.ts";
import { type CancelOptions, timeSlice } from "../base/clock.ts";
import type { Problem } from "../base/holdfast-error.ts";
import { driveSteps, type Steps } from "../base/steps.ts";
import { workCounter } from "../base/work-counter.ts";
import { type Delta, deltaInSteps, type PathChange } from "../tree/delta.ts";
import { equalStates, type FileState } from "../tree/file-state.ts";
import type { MergeInput, MergeOptions, TreeMerge } from "../tree/merge.ts";
import { contentsOfMerge, mergeDeltas } from "../tree/merge-deltas.ts";
import type { Resolutions } from "../tree/resolution.ts";
import { resolveConflicts } from "../tree/resolve-conflicts.ts";
import { eachBounded } from "./each-bounded.ts";
import type { ViewContext } from "./workspace-context.ts";

/** A change that was made on an older state, and the state of now. */
export interface OntoInput {
  /** From the base to what is wanted; its `before`s are the base. */
  readonly incoming: Delta;
  /** What is at a path now. Asked for the paths of `incoming`, once each. */
  readonly current: (path: string) => FileState | undefined;
  /** How now differs from the base at paths that `incoming` does not name and that matter for it: files that stand in its way, or were moved on. */
  readonly besides?: readonly (readonly [path: string, change: PathChange])[] | undefined;
  /** The bytes of a content, as far as they are known. Asked only for what the merge looks at, once each. */
  readonly contentOf: (contentId: string) => Promise<Uint8Array | undefined>;
  /** As for every merge. */
  readonly mergePolicy: MergeOptions["mergePolicy"];
  /** Answers to conflicts. None at all leaves the conflicts in the merge; else every conflict must have its own. */
  readonly resolutions?: Resolutions | undefined;
}

/** A change merged onto the state of now, or everything that is wrong with the resolutions. */
export type OntoResult =
  | {
      /** What to do to the state of now. Paths in conflict stay as they are. */
      readonly merge: TreeMerge;
      /** Bytes by content id: those that were looked at, and those that the merge or a resolution made. */
      readonly contents: ReadonlyMap<string, Uint8Array>;
      readonly problems?: undefined;
    }
  | { readonly merge?: undefined; readonly contents?: undefined; readonly problems: readonly Problem[] };

/**
 * Merges a change onto the state of now. Writes nothing, and looks at nothing but the paths of the change, whatever the size of the tree.
 *
 * So it finds whatever is in conflict at those paths: contents, modes, deletions, moves between two of them, and what they have against each
 * other. What it cannot see is what stands at other paths: a file of now in the place of a folder that the change needs, a folder in the place of
 * a file, another spelling of a new name, or a file of the change that was moved to a path it does not name, which is a deletion here. All
 * but the last are found when the merged delta is planned against the files of now; `besides` tells it of any of them.
 */
export async function mergeOnto(
  context: ViewContext,
  input: OntoInput,
  options: CancelOptions,
): Promise<OntoResult> {
  const { incoming, contentOf, mergePolicy, resolutions } = input;
  const pause = timeSlice(options);
  const merging = mergeOptions(context, mergePolicy);
  const current = await driveSteps(changedMeanwhile(input), pause);
  const needed = await driveSteps(contentsOfMerge({ current, incoming }, merging), pause);
  const contents = new Map<string, Uint8Array>();
  await eachBounded(needed, async (contentId) => {
    options.signal?.throwIfAborted();
    const bytes = await contentOf(contentId);
    if (bytes !== undefined) contents.set(contentId, bytes);
  });
  const merged = await driveSteps(
    mergeOrResolve({ current, incoming, contents }, resolutions, merging),
    pause,
  );
  if (merged.problems !== undefined) return merged;
  for (const [contentId, bytes] of merged.merge.contents) contents.set(contentId, bytes);
  return { merge: merged.merge, contents };
}

function mergeOptions(
  { hashing, limits, revisionAlgorithm }: ViewContext,
  mergePolicy: MergeOptions["mergePolicy"],
): MergeOptions {
  return {
    mergePolicy,
    textBytes: limits.textBytes,
    contentId: (bytes) => hashInSteps(hashing, "sha256", bytes),
    *revision(contentId, bytes) {
      if (revisionAlgorithm === "sha256") return contentId;
      return bytes && (yield* hashInSteps(hashing, revisionAlgorithm, bytes));
    },
  };
}

/** From the base of a change to what is at its paths now. */
function* changedMeanwhile({ incoming, current, besides = [] }: OntoInput): Steps<Delta> {
  const due = workCounter();
  const entries = [...besides];
  for (const [path, { before, after, origin }] of incoming.changes) {
    if (due(2)) yield;
    const now = current(path);
    // What is there as it is wanted came from where the wanted file comes from, so that both sides say the same of it.
    entries.push([path, { before, after: now, origin: equalStates(now, after) ? origin : undefined }]);
  }
  return yield* deltaInSteps(entries);
}

function* mergeOrResolve(input: MergeInput, resolutions: Resolutions | undefined, options: MergeOptions) {
  if (resolutions !== undefined && Object.keys(resolutions).length > 0)
    return yield* resolveConflicts(input, resolutions, options);
  return { merge: yield* mergeDeltas(input, options), problems: undefined };
}
