import type { Delta } from "../../src/tree/delta.ts";
import { equalStates, type FileState } from "../../src/tree/file-state.ts";

/** A whole tree by path: what deltas are tried on. */
export type ModelTree = ReadonlyMap<string, FileState>;

/** Does what a delta says to a model, which must be at the states that it begins from. */
export function applyDelta(tree: ModelTree, delta: Delta): ModelTree {
  const result = new Map(tree);
  for (const [path, { before, after }] of delta.changes) {
    if (!equalStates(tree.get(path), before))
      throw new Error(`the model is not where the delta begins: ${path}`);
    if (after === undefined) result.delete(path);
    else result.set(path, after);
  }
  return result;
}
