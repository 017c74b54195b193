import { runSteps } from "../../../src/base/steps.ts";
import type { Conflict } from "../../../src/tree/conflict.ts";
import type { Origin } from "../../../src/tree/delta.ts";
import type { MergeOptions, ResolvedMerge, TreeMerge } from "../../../src/tree/merge.ts";
import { mergeDeltas } from "../../../src/tree/merge-deltas.ts";
import type { Resolutions } from "../../../src/tree/resolution.ts";
import { resolveConflicts } from "../../../src/tree/resolve-conflicts.ts";
import { applyDelta } from "../apply-delta.ts";
import { inputOf, mergeOptions } from "./merge-triple.ts";
import {
  bytesOf,
  contentsOf,
  stateOf,
  type TreeTriple,
  type TripleFile,
  type TripleTree,
} from "./tree-triples.ts";

/** A tree as tests write it: texts by path; `x ` before one makes it executable, `-> ` a link, and `name < ` says where it was moved from. */
export type WrittenTree = Readonly<Record<string, string>>;

/** Twelve lines, of which some are others: `lines({ 3: "three" })`. */
export function lines(changed: Readonly<Record<number, string>> = {}, name = "line"): string {
  return Array.from({ length: 12 }, (_, at) => changed[at + 1] ?? `${name} ${at + 1}`)
    .filter((line) => line !== "-")
    .map((line) => `${line}\n`)
    .join("");
}

/** Reads a base and two sides. */
export function tripleOf(base: WrittenTree, current: WrittenTree, incoming: WrittenTree): TreeTriple {
  return { base: sideOf(base).files, current: sideOf(current), incoming: sideOf(incoming) };
}

function sideOf(tree: WrittenTree): TreeTriple["current"] {
  const files = new Map<string, TripleFile>();
  const origins = new Map<string, Origin>();
  for (const [path, written] of Object.entries(tree)) {
    const [, source, mark, content = ""] = /^(?:(\S+) < )?(x |-> )?(.*)$/s.exec(written) ?? [];
    if (source !== undefined) origins.set(path, { kind: "moved", path: source });
    files.set(path, {
      content,
      executable: mark === "x ",
      kind: mark === "-> " ? "symlink" : "file",
    });
  }
  return { files, origins, done: [] };
}

/** What a merge gives, as tests look at it. */
export interface SeenMerge {
  readonly merge: TreeMerge;
  /** The tree that it makes of the current one. */
  readonly tree: WrittenTree;
}

/** Merges what tests wrote, and does it to the current tree. */
export function mergeWritten(
  base: WrittenTree,
  current: WrittenTree,
  incoming: WrittenTree,
  changed: Partial<MergeOptions> = {},
): SeenMerge {
  const triple = tripleOf(base, current, incoming);
  const options = mergeOptions(changed);
  return see(triple, runSteps(mergeDeltas(inputOf(triple, options), options)));
}

/** The conflict of a merge that has one. */
export function conflictOf(...trees: readonly [WrittenTree, WrittenTree, WrittenTree]): Conflict {
  const { conflicts } = mergeWritten(...trees).merge;
  const [first, ...rest] = conflicts;
  if (first === undefined || rest.length > 0)
    throw new Error(`${conflicts.length} conflicts: ${JSON.stringify(conflicts)}`);
  return first;
}

/** Merges and resolves. */
export function resolveWritten(
  trees: readonly [WrittenTree, WrittenTree, WrittenTree],
  resolutions: Resolutions,
  changed: Partial<MergeOptions> = {},
): (SeenMerge & { readonly problems?: undefined }) | Extract<ResolvedMerge, { merge?: undefined }> {
  const triple = tripleOf(...trees);
  const options = mergeOptions(changed);
  const resolved = runSteps(resolveConflicts(inputOf(triple, options), resolutions, options));
  return resolved.merge === undefined ? resolved : see(triple, resolved.merge);
}

function see(triple: TreeTriple, merge: TreeMerge): SeenMerge {
  return { merge, tree: writtenOf(treeAfter(triple, merge)) };
}

/** The tree that a merge makes of the current one; throws when the merge is not a change of it, or leaves a content unnamed. */
export function treeAfter(triple: TreeTriple, { delta, contents }: TreeMerge): TripleTree {
  const states = new Map([...triple.current.files].map(([path, file]) => [path, stateOf(file)]));
  const known = contentsOf(triple);
  const files = new Map<string, TripleFile>();
  for (const [path, { kind, executable, contentId }] of applyDelta(states, delta)) {
    const bytes = contents.get(contentId) ?? known.get(contentId);
    if (bytes === undefined) throw new Error(`nobody knows the bytes of ${path}`);
    const content = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
    const file = { content, executable, kind };
    if (stateOf(file).contentId !== contentId) throw new Error(`${path} is named by another hash`);
    files.set(path, file);
  }
  return files;
}

function writtenOf(tree: TripleTree): WrittenTree {
  return Object.fromEntries(
    [...tree].map(([path, file]) => {
      const mark = file.kind === "symlink" ? "-> " : file.executable ? "x " : "";
      return [path, `${mark}${new TextDecoder("latin1").decode(bytesOf(file))}`];
    }),
  );
}
