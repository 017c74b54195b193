import { modeLike } from "../../../src/storage/directory/prepare-contents.ts";
import type { Wanted } from "../tree-batch.ts";
import type { SimulatedDisk } from "./simulated-disk.ts";

const decoder = new TextDecoder();
/** Contents are never changed in place, so each is decoded once. */
const textsOf = new WeakMap<Uint8Array, string>();

function textOf(bytes: Uint8Array): string {
  let text = textsOf.get(bytes);
  if (text === undefined) {
    text = decoder.decode(bytes);
    textsOf.set(bytes, text);
  }
  return text;
}

/** The user's files: text and mode by path; a folder without files ends in a slash. */
export type ModelTree = ReadonlyMap<string, { readonly text: string; readonly mode: number }>;

/** What a commit of a plan does to files: as other batches, or with a staged content, by its name in the plan. */
export type PlanWanted = Readonly<Record<string, Wanted[string] | { readonly staged: string }>>;

/** What a commit makes of a tree, told without the code under test. */
export function applyWanted(
  tree: ModelTree,
  wanted: PlanWanted,
  staged: ReadonlyMap<string, string> = new Map(),
): ModelTree {
  const next = new Map(tree);
  for (const [path, want] of Object.entries(wanted)) if (want === null) next.delete(path);
  for (const [path, want] of Object.entries(wanted)) {
    if (want === null) continue;
    const { text, executable } = contentOf(tree, want, staged);
    const old = tree.get(path);
    next.set(path, { text, mode: modeLike(old?.mode ?? (executable ? 0o755 : 0o644), executable) });
  }
  return next;
}

function contentOf(
  tree: ModelTree,
  want: NonNullable<PlanWanted[string]>,
  staged: ReadonlyMap<string, string>,
): { readonly text: string; readonly executable: boolean } {
  if (typeof want === "string") return { text: want, executable: false };
  if ("staged" in want) return { text: staged.get(want.staged) ?? "", executable: false };
  const { text = "", from, executable = false } = want;
  return { text: from === undefined ? text : (tree.get(from)?.text ?? ""), executable };
}

/** The user's files as they are on a disk. */
export function readDiskTree(disk: SimulatedDisk, root = "/w"): ModelTree {
  const tree = new Map<string, { readonly text: string; readonly mode: number }>();
  const visit = (ino: number, path: string): void => {
    const inode = disk.inode(ino);
    if (inode.kind !== "directory") {
      tree.set(path, { text: textOf(inode.bytes), mode: inode.mode });
      return;
    }
    if (inode.entries.size === 0 && path !== "") tree.set(`${path}/`, { text: "", mode: 0 });
    for (const [name, child] of inode.entries)
      if (name !== ".holdfast") visit(child, path === "" ? name : `${path}/${name}`);
  };
  visit(disk.find(root)?.ino ?? 2, "");
  return tree;
}

/** A tree as one text: equal for equal trees. */
export function showTree(tree: ModelTree, except: (path: string) => boolean = () => false): string {
  const shown = [...tree]
    .filter(([path]) => !except(path))
    .map(
      ([path, { text, mode }]) =>
        `${path} ${mode.toString(8)} ${text.length > 60 ? `${text.slice(0, 40)}… ${text.length} ${sumOf(text)}` : JSON.stringify(text)}`,
    );
  return shown.sort().join("\n");
}

/** Sums of the few long texts there are. */
const sums = new Map<string, number>();

function sumOf(text: string): number {
  let sum = sums.get(text);
  if (sum === undefined) {
    sum = 0;
    for (let at = 0; at < text.length; at++) sum = (Math.imul(sum, 31) + text.charCodeAt(at)) | 0;
    if (sums.size > 500) sums.clear();
    sums.set(text, sum);
  }
  return sum;
}
