import type { Steps } from "../base/steps.ts";
import { workCounter } from "../base/work-counter.ts";
import { destinationOf, isRemoval, namedPaths } from "./named-paths.ts";
import { type FileStep, type PlanContext, refuse } from "./plan-context.ts";
import { quotePath } from "./quote-path.ts";

/** What to do about two moves that meet: one change cannot hold both. */
const swapHint =
  " To swap files, write each with the other's content, or move them to new names in one call and on from there in a second.";

/** Refuses batches that name a path twice, destinations counted; of two changes that share many paths, once. */
export function* checkDuplicates(context: PlanContext, steps: readonly FileStep[]): Steps<void> {
  const due = workCounter();
  const first = new Map<string, number>();
  const moved = new Set<number>();
  const reported = new Set<string>();
  for (const step of steps) {
    if (due(16)) yield;
    const { change, index } = step;
    if (destinationOf(change) !== undefined && isRemoval(change)) moved.add(index);
    const ontoItself = change.action === "move" && change.path === change.destination;
    const paths = ontoItself ? [change.path] : namedPaths(change);
    for (const path of paths) {
      const earlier = first.get(path);
      if (earlier === undefined) {
        first.set(path, index);
        continue;
      }
      const pair = `${earlier} ${index}`;
      if (reported.has(pair)) continue;
      reported.add(pair);
      const message =
        earlier === index
          ? `The change names ${quotePath(path)} twice.`
          : `${quotePath(path)} is named by change ${earlier} too; one path may appear once in a call.${moved.has(earlier) && moved.has(index) ? swapHint : ""}`;
      refuse(context, step, "DUPLICATE_PATH", path, message);
    }
  }
}
