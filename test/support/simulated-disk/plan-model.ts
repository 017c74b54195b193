import { modeLike } from "../../../src/storage/directory/prepare-contents.ts";
import type { Wanted } from "../tree-batch.ts";
import type { SimulatedDisk } from "./simulated-disk.ts";

/** The user's files: text and mode by path; a folder without files ends in a slash. */
export type ModelTree = ReadonlyMap<string, { readonly text: string; readonly mode: number }>;

/** What a commit makes of a tree, told without the code under test. */
export function applyWanted(tree: ModelTree, wanted: Wanted): ModelTree {
  const next = new Map(tree);
  for (const [path, want] of Object.entries(wanted)) if (want === null) next.delete(path);
  for (const [path, want] of Object.entries(wanted)) {
    if (want === null) continue;
    const {
      text,
      from,
      executable = false,
    } = typeof want === "string" ? { text: want, from: undefined } : want;
    const bytes = from === undefined ? (text ?? "") : (tree.get(from)?.text ?? "");
    const old = tree.get(path);
    next.set(path, { text: bytes, mode: modeLike(old?.mode ?? (executable ? 0o755 : 0o644), executable) });
  }
  return next;
}

/** The user's files as they are on a disk. */
export function readDiskTree(disk: SimulatedDisk, root = "/w"): ModelTree {
  const tree = new Map<string, { readonly text: string; readonly mode: number }>();
  const visit = (ino: number, path: string): void => {
    const inode = disk.inode(ino);
    if (inode.kind !== "directory") {
      tree.set(path, { text: new TextDecoder().decode(inode.bytes), mode: inode.mode });
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

function sumOf(text: string): number {
  let sum = 0;
  for (let at = 0; at < text.length; at++) sum = (Math.imul(sum, 31) + text.charCodeAt(at)) | 0;
  return sum;
}
