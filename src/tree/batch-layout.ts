import type { Steps } from "../base/steps.ts";
import { workCounter } from "../base/work-counter.ts";
import { destinationOf, isPut, isRemoval } from "./named-paths.ts";
import { isBelow } from "./path-parts.ts";
import { destinationFile, type FileStep, type PlanContext } from "./plan-context.ts";

/** A file that the batch puts somewhere. */
export interface LayoutPut {
  /** Index of the change that puts it. */
  readonly index: number;
  /** Whether nothing is at the path now. */
  readonly isNew: boolean;
  /** A folder that is known to be absent, with everything below it. */
  readonly absentFolder?: string;
  /** The path that a move brings it from. */
  readonly movedFrom?: string;
}

/** Which files the batch is meant to put and to remove, whether or not each change can be carried out. */
export interface BatchLayout {
  /** Paths that files are put at. */
  readonly puts: ReadonlyMap<string, LayoutPut>;
  /** Paths that files go away from. */
  readonly removed: ReadonlySet<string>;
  /** Every path that the batch deals with, with the index of the first change that names it; claims of absence apart. */
  readonly named: ReadonlyMap<string, number>;
}

/** Lays out a batch. Built from intentions, so that one refused change does not bring up refusals of others. */
export function* layOut(context: PlanContext, steps: readonly FileStep[]): Steps<BatchLayout> {
  const due = workCounter();
  const puts = new Map<string, LayoutPut>();
  const removed = new Set<string>();
  const named = new Map<string, number>();
  const name = (path: string, index: number) => {
    if (!named.has(path)) named.set(path, index);
  };
  for (const step of steps) {
    if (due(16)) yield;
    const { index, change, absentFolder } = step;
    if (change.action === "assert" && change.revision === null) continue;
    name(change.path, index);
    const { path } = change;
    const destination = destinationOf(change);
    if (isPut(change)) puts.set(path, { index, isNew: context.view.file(path) === undefined });
    if (destination === undefined && isRemoval(change)) removed.add(path);
    if (destination === undefined || path === destination) continue;
    name(destination, index);
    const isNew = destinationFile(context, step, destination) === undefined;
    const isMove = isRemoval(change);
    puts.set(destination, {
      index,
      isNew,
      ...(absentFolder !== undefined && { absentFolder }),
      ...(isMove && { movedFrom: path }),
    });
    if (isMove) removed.add(path);
  }
  return { puts, removed, named };
}

/** Lists the files below a folder that are there now and not removed by the batch. */
export function remainingBelow(context: PlanContext, layout: BatchLayout, folder: string): readonly string[] {
  return context.view.below(folder).filter((path) => !layout.removed.has(path));
}

/** Says whether nothing can be at a path because the folder that holds it is absent; the view need not know such paths. */
export function isKnownAbsent(put: LayoutPut, path: string): boolean {
  return put.absentFolder !== undefined && isBelow(path, put.absentFolder);
}
