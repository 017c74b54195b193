import { runSteps } from "../../../src/base/steps.ts";
import type { Delta } from "../../../src/tree/delta.ts";
import type { MergeInput, MergeOptions, TreeMerge } from "../../../src/tree/merge.ts";
import { contentsOfMerge, mergeDeltas } from "../../../src/tree/merge-deltas.ts";
import { contentIdOf, revisionOf } from "../planning-view.ts";
import { contentsOf, deltaOf, type TreeTriple } from "./tree-triples.ts";

/** Options of a merge, as a program has them. */
export function mergeOptions(changed: Partial<MergeOptions> = {}): MergeOptions {
  return {
    mergePolicy: "content",
    textBytes: 1024 * 1024,
    // biome-ignore lint/correctness/useYield: the hash of this platform is quick.
    *contentId(bytes) {
      return contentIdOf(bytes);
    },
    // biome-ignore lint/correctness/useYield: as above.
    *revision(_contentId, bytes) {
      return bytes && revisionOf(bytes);
    },
    ...changed,
  };
}

/** What is merged, with no more contents than the merge says that it needs. */
export function mergeInput(
  current: Delta,
  incoming: Delta,
  contents: ReadonlyMap<string, Uint8Array>,
  options: MergeOptions = mergeOptions(),
): MergeInput {
  const needed = runSteps(contentsOfMerge({ current, incoming }, options));
  return { current, incoming, contents: new Map([...contents].filter(([id]) => needed.has(id))) };
}

/** The input of a triple. */
export function inputOf(triple: TreeTriple, options: MergeOptions = mergeOptions()): MergeInput {
  const { base, current, incoming } = triple;
  return mergeInput(deltaOf(base, current), deltaOf(base, incoming), contentsOf(triple), options);
}

/** Merges a triple. */
export function mergeTriple(triple: TreeTriple, options: MergeOptions = mergeOptions()): TreeMerge {
  return runSteps(mergeDeltas(inputOf(triple, options), options));
}
