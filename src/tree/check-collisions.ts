import type { Steps } from "../base/steps.ts";
import { type BatchLayout, isKnownAbsent, type LayoutPut, remainingBelow } from "./batch-layout.ts";
import { pathKey } from "./path-key.ts";
import { ancestorsOf } from "./path-parts.ts";
import { type PlanContext, refuse } from "./plan-context.ts";
import { quotePath } from "./quote-path.ts";
import { workCounter } from "./work-counter.ts";

/**
 * Refuses new files whose path, or a folder of it, some file system would take for another one: within the batch always, against the tree where
 * the storage folds names. Only a move may change the spelling of a file; a folder's spelling changes when all its files leave the old one.
 */
export function* checkCollisions(context: PlanContext, layout: BatchLayout): Steps<void> {
  const reported = new Set<number>();
  yield* checkWithinBatch(context, layout, reported);
  if (context.options.folds) yield* checkAgainstTree(context, layout, reported);
}

/** What the batch does at one path, or at a folder that holds one. */
interface Node {
  /** The put that brings it into being, when it does not exist and the batch makes it. */
  readonly put?: LayoutPut | undefined;
  /** Whether something is there now. */
  readonly exists: boolean;
  /** Whether the batch leaves something there. */
  readonly stays: boolean;
}

function* checkWithinBatch(context: PlanContext, layout: BatchLayout, reported: Set<number>): Steps<void> {
  const nodes = yield* collectNodes(context, layout);
  const due = workCounter();
  const spellings = new Map<string, string[]>();
  for (const path of nodes.keys()) {
    if (due()) yield;
    const key = pathKey(path);
    const others = spellings.get(key);
    if (others === undefined) spellings.set(key, [path]);
    else others.push(path);
  }
  for (const group of spellings.values()) {
    if (due()) yield;
    if (group.length < 2) continue;
    // The first spelling that is made, or was there, is the one that the others collide with.
    for (const [at, path] of group.entries()) {
      const put = nodes.get(path)?.put;
      if (put === undefined || existsNow(context, path, nodes.get(path), put)) continue;
      const other = group.find((candidate, index) => {
        if (index === at || (index > at && nodes.get(candidate)?.exists === false)) return false;
        return collides(context, layout, nodes, path, put, candidate);
      });
      if (other !== undefined) refuseCollision(context, reported, path, put, other);
    }
  }
}

function* collectNodes(context: PlanContext, layout: BatchLayout): Steps<Map<string, Node>> {
  const due = workCounter();
  const nodes = new Map<string, Node>();
  for (const path of layout.named.keys()) {
    if (due()) yield;
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
        stays: known?.stays === true || put !== undefined || !removed,
      });
    }
  }
  return nodes;
}

function existsNow(context: PlanContext, path: string, node: Node | undefined, put: LayoutPut): boolean {
  return node?.exists === true || (!isKnownAbsent(put, path) && context.view.below(path).length > 0);
}

function collides(
  context: PlanContext,
  layout: BatchLayout,
  nodes: ReadonlyMap<string, Node>,
  path: string,
  put: LayoutPut,
  other: string,
): boolean {
  if (nodes.get(other)?.stays === true) return true;
  return !makesWay(context, layout, path, put, other);
}

/** Says whether what is at another spelling goes away in a manner that lets this one take its place. */
function makesWay(
  context: PlanContext,
  layout: BatchLayout,
  path: string,
  put: LayoutPut,
  other: string,
): boolean {
  const isFolder = !layout.puts.has(path);
  if (!isFolder) return put.movedFrom === other;
  return !layout.named.has(other) && remainingBelow(context, layout, other).length === 0;
}

function* checkAgainstTree(context: PlanContext, layout: BatchLayout, reported: Set<number>): Steps<void> {
  const due = workCounter();
  for (const [path, put] of layout.puts) {
    if (due()) yield;
    if (!put.isNew) continue;
    for (const node of [...ancestorsOf(path), path]) {
      const other = isKnownAbsent(put, node) ? undefined : context.view.otherSpelling(node);
      if (other === undefined) continue;
      const wholeFolder = node !== path && context.view.below(other).length > 0;
      const free = node === path ? put.movedFrom === other : wholeFolder;
      if (free && makesWay(context, layout, node, put, other)) continue;
      refuseCollision(context, reported, node, put, other);
    }
  }
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
