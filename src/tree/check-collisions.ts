import type { Steps } from "../base/steps.ts";
import { workCounter } from "../base/work-counter.ts";
import { type BatchLayout, isKnownAbsent, type LayoutPut, remainingBelow } from "./batch-layout.ts";
import { pathKey } from "./path-key.ts";
import { ancestorsOf } from "./path-parts.ts";
import { type PlanContext, refuse } from "./plan-context.ts";
import { quotePath } from "./quote-path.ts";

/**
 * Refuses new files whose path, or a new folder of it, some file system would take for another one: against what the batch itself names or makes
 * always, against the tree where the storage folds names. Only a move may change the spelling of a file; where names fold, a folder's spelling
 * changes when all its files leave the old one.
 */
export function* checkCollisions(context: PlanContext, layout: BatchLayout): Steps<void> {
  if (![...layout.puts.values()].some(({ isNew }) => isNew)) return;
  const reported = new Set<number>();
  yield* checkWithinBatch(context, layout, reported);
  if (context.options.folds) yield* checkAgainstTree(context, layout, reported);
}

/** What the batch does at one path, or at a folder that holds one. */
interface Node {
  /** The first put of a new file there or below. */
  readonly put?: LayoutPut | undefined;
  /** Whether a file that the batch names is there or below now. */
  readonly exists: boolean;
  /** Whether the batch leaves a file there that it names, or puts one there or below. */
  readonly stays: boolean;
}

function* checkWithinBatch(context: PlanContext, layout: BatchLayout, reported: Set<number>): Steps<void> {
  const nodes = yield* collectNodes(context, layout);
  const due = workCounter();
  const spellings = new Map<string, string[]>();
  for (const path of nodes.keys()) {
    if (due(16)) yield;
    const key = pathKey(path);
    const others = spellings.get(key);
    if (others === undefined) spellings.set(key, [path]);
    else others.push(path);
  }
  for (const group of spellings.values()) {
    if (due(16)) yield;
    if (group.length < 2) continue;
    for (const [at, path] of group.entries()) {
      const put = nodes.get(path)?.put;
      if (put === undefined) continue;
      const other = group.find((candidate, index) => {
        const node = nodes.get(candidate);
        const collides =
          node?.stays === true || (layout.removed.has(candidate) && put.movedFrom !== candidate);
        // Of two spellings that are both new, the later one is told to use the other.
        return index !== at && collides && (index < at || existsNow(context, node, candidate));
      });
      if (other !== undefined && !existsNow(context, nodes.get(path), path))
        refuseCollision(context, reported, path, put, other);
    }
  }
}

function* collectNodes(context: PlanContext, layout: BatchLayout): Steps<Map<string, Node>> {
  const due = workCounter();
  const nodes = new Map<string, Node>();
  for (const path of layout.named.keys()) {
    if (due(16)) yield;
    const put = layout.puts.get(path);
    const isThere = put === undefined ? context.view.file(path) !== undefined : !put.isNew;
    const removed = layout.removed.has(path);
    // A path that is neither there nor put, such as the source of a move that is refused, counts for nothing.
    if (!isThere && put === undefined) continue;
    for (const node of [...ancestorsOf(path), path]) {
      const known = nodes.get(node);
      nodes.set(node, {
        put: known?.put ?? (put?.isNew === true ? put : undefined),
        exists: known?.exists === true || isThere,
        stays: known?.stays === true || put !== undefined || (node === path && !removed),
      });
    }
  }
  return nodes;
}

function existsNow(context: PlanContext, node: Node | undefined, path: string): boolean {
  if (node === undefined || node.exists) return node !== undefined;
  return node.put !== undefined && !isKnownAbsent(node.put, path) && context.view.below(path).length > 0;
}

function* checkAgainstTree(context: PlanContext, layout: BatchLayout, reported: Set<number>): Steps<void> {
  const due = workCounter();
  for (const [path, put] of layout.puts) {
    if (due(16)) yield;
    if (!put.isNew) continue;
    for (const node of [...ancestorsOf(path), path]) {
      const other = isKnownAbsent(put, node) ? undefined : context.view.otherSpelling(node);
      if (other === undefined) continue;
      const free = node === path ? put.movedFrom === other : isFolderGivenUp(context, layout, other);
      if (!free) refuseCollision(context, reported, node, put, other);
    }
  }
}

/** Says whether there is a folder now and nothing in it after the batch. */
function isFolderGivenUp(context: PlanContext, layout: BatchLayout, folder: string): boolean {
  return context.view.below(folder).length > 0 && remainingBelow(context, layout, folder).length === 0;
}

function refuseCollision(
  context: PlanContext,
  reported: Set<number>,
  path: string,
  put: LayoutPut,
  other: string,
): void {
  if (reported.has(put.index)) return;
  reported.add(put.index);
  const message = `${quotePath(path)} and ${quotePath(other)} differ only in case or Unicode form and can be one file; use the spelling ${quotePath(other)}, or a clearly different name.`;
  refuse(context, put, "PATH_COLLISION", path, message);
}
