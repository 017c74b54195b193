import { ancestorsOf } from "../tree/path-parts.ts";
import type { StorageBatch } from "./storage-adapter.ts";

/** Every path that a batch writes or removes, puts first; a path that it does both to would be there twice. */
export function writtenPaths(batch: StorageBatch): readonly string[] {
  return [...batch.putFiles.map((put) => put.path), ...batch.deleteFiles];
}

/** How many of the given paths lie below each folder, at any depth. */
export function countBelow(paths: Iterable<string>): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const path of paths)
    for (const folder of ancestorsOf(path)) counts.set(folder, (counts.get(folder) ?? 0) + 1);
  return counts;
}
