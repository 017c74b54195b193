import { runSteps } from "../../../src/base/steps.ts";
import { makeDelta, type Origin, type PathChange } from "../../../src/tree/delta.ts";
import { type DiffDeltaOptions, diffDelta } from "../../../src/tree/diff-delta.ts";
import type { LoadedFile } from "../../../src/tree/plan.ts";
import type { FileDiff, TreeDiff } from "../../../src/tree/tree-diff.ts";
import { loadFile, type ModelFile, testHashing } from "../planning-view.ts";

/** A tree by path. */
export type Tree = Readonly<Record<string, ModelFile>>;

/** What a test says about a diff besides the two trees. */
export interface DiffTreesOptions extends Partial<Omit<DiffDeltaOptions, "hashing" | "stateOf">> {
  /** Where files of the new tree came from. */
  readonly origins?: Readonly<Record<string, Origin>>;
}

/** The diff from one tree to another. */
export function diffTrees(before: Tree, after: Tree, options: DiffTreesOptions = {}): TreeDiff {
  const { origins = {}, ...bounds } = options;
  const [old, now] = [loadAll(before), loadAll(after)];
  const paths = new Set([...old.keys(), ...now.keys()]);
  const entries = [...paths].map((path): [string, PathChange] => [
    path,
    { before: old.get(path), after: now.get(path), origin: origins[path] },
  ]);
  const contents = new Map(
    [...old.values(), ...now.values()].map(({ contentId, bytes }) => [contentId, bytes]),
  );
  return runSteps(
    diffDelta(makeDelta(entries), {
      hashing: testHashing,
      contentOf: (contentId) => contents.get(contentId),
      stateOf: (path) => old.get(path),
      wants: () => true,
      contextLines: 3,
      maxBytes: Number.POSITIVE_INFINITY,
      textBytes: 64 * 1024 * 1024,
      ...bounds,
    }),
  );
}

function loadAll(tree: Tree): ReadonlyMap<string, LoadedFile> {
  return new Map(Object.entries(tree).map(([path, file]) => [path, loadFile(file)]));
}

/** The diff of one file that changed its bytes. */
export function diffBytes(
  before: string | Uint8Array | undefined,
  after: string | Uint8Array | undefined,
  options?: DiffTreesOptions & { readonly path?: string },
): FileDiff {
  const { path = "f.txt", ...bounds } = options ?? {};
  const side = (content: string | Uint8Array | undefined) =>
    content === undefined ? {} : { [path]: content };
  const { files } = diffTrees(side(before), side(after), bounds);
  if (files.length !== 1) throw new Error(`one file was to differ, and ${files.length} do`);
  return files[0] as FileDiff;
}
