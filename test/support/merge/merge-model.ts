import type { TripleFile, TripleTree } from "./tree-triples.ts";

/** What a merge of whole trees comes to: the tree, and the paths that are in conflict. */
export interface ModelMerge {
  readonly tree: TripleTree;
  readonly conflicts: ReadonlySet<string>;
}

/** Lines of a file that stand each for one change: the model merges them one by one. */
function linesOf(file: TripleFile): readonly string[] {
  return file.content.split("\n");
}

/**
 * Merges whole trees in which nothing was moved, path by path as the words of the rules say it. Texts of equally many lines are merged line by
 * line, each line apart from its neighbours; others and all else conflict when both sides changed them.
 */
export function modelMerge(base: TripleTree, current: TripleTree, incoming: TripleTree): ModelMerge {
  const tree = new Map<string, TripleFile>();
  const conflicts = new Set<string>();
  for (const path of new Set([...base.keys(), ...current.keys(), ...incoming.keys()])) {
    const [b, c, i] = [base.get(path), current.get(path), incoming.get(path)];
    const merged = mergeOne(b, c, i);
    if (merged === "conflict") conflicts.add(path);
    else if (merged !== undefined) tree.set(path, merged);
  }
  markCollisions(tree, conflicts, current, incoming);
  for (const path of conflicts) {
    tree.delete(path);
    const left = current.get(path);
    if (left !== undefined) tree.set(path, left);
  }
  return { tree, conflicts };
}

function mergeOne(
  base: TripleFile | undefined,
  current: TripleFile | undefined,
  incoming: TripleFile | undefined,
): TripleFile | undefined | "conflict" {
  if (same(current, incoming) || same(base, incoming)) return current;
  if (same(base, current)) return incoming;
  if (base === undefined || current === undefined || incoming === undefined) return "conflict";
  if (new Set([base.kind, current.kind, incoming.kind]).size > 1) return "conflict";
  const executable = base.executable === current.executable ? incoming.executable : current.executable;
  if (current.content === incoming.content || base.content === incoming.content)
    return { ...current, executable };
  if (base.content === current.content) return { ...incoming, executable };
  if (base.kind === "symlink") return "conflict";
  const content = mergeLines(linesOf(base), linesOf(current), linesOf(incoming));
  return content === undefined ? "conflict" : { ...current, content, executable };
}

function mergeLines(
  base: readonly string[],
  current: readonly string[],
  incoming: readonly string[],
): string | undefined {
  const merged: string[] = [];
  for (const [at, line] of base.entries()) {
    const [mine, theirs] = [current[at] ?? "", incoming[at] ?? ""];
    if (mine !== line && theirs !== line && mine !== theirs) return undefined;
    merged.push(mine === line ? theirs : mine);
  }
  return merged.join("\n");
}

/** Marks every file that a result needs a folder for, or that stands where one is needed, or whose name another folds to, until nothing is left. */
function markCollisions(
  tree: ReadonlyMap<string, TripleFile>,
  conflicts: Set<string>,
  current: TripleTree,
  incoming: TripleTree,
): void {
  for (let found = true; found; ) {
    found = false;
    const there = new Set(
      [...tree.keys(), ...conflicts].filter((path) => current.has(path) || incoming.has(path)),
    );
    for (const one of there)
      for (const other of there) {
        const inOneTree =
          (current.has(one) && current.has(other)) || (incoming.has(one) && incoming.has(other));
        if (one === other || inOneTree || !collide(one, other)) continue;
        for (const path of [one, other]) {
          if (!conflicts.has(path)) found = true;
          conflicts.add(path);
        }
      }
  }
}

function collide(one: string, other: string): boolean {
  const [a, b] = [one.split("/"), other.split("/")];
  for (const [at, name] of a.entries()) {
    const second = b[at];
    if (second === undefined) return true;
    if (name === second) continue;
    return name.toLowerCase() === second.toLowerCase();
  }
  return b.length > a.length;
}

function same(a: TripleFile | undefined, b: TripleFile | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return a.kind === b.kind && a.content === b.content && a.executable === b.executable;
}
