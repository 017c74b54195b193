import type { CheckpointHost } from "./checkpoint.ts";
import { flushPath, removeIfThere } from "./file-bytes.ts";
import { listSegments, segmentPath } from "./segment-files.ts";
import { stateFile } from "./state-folder.ts";

/**
 * Drops old revision entries: they are no longer listed at once; sealed segments that hold nothing else are removed, and so are before-images
 * that no remaining entry needs.
 */
export async function pruneHistory(host: CheckpointHost, options: { readonly before: number; readonly keep: ReadonlySet<string>; readonly staged: readonly string[] }): Promise<{ readonly bytesFreed: number }> {
  const { log, fileSystem, state } = host;
  await log.loadPlaces(1);
  const before = Math.min(options.before, log.state.sequence + 1);
  if (before > log.state.prunedBefore) {
    await log.append([{ entry: { kind: "pruned", ordinal: log.head.ordinal + 1, before } }]);
    await log.flush();
    log.settle();
    log.markApplied(log.state.ordinal);
  }
  let bytesFreed = 0;
  const remove = (path: string) => {
    bytesFreed += fileSystem.lstat(path)?.size ?? 0;
    removeIfThere(fileSystem, path);
  };
  for (const id of options.staged) remove(stateFile(state, "staged", id));
  const kept = new Set(log.state.places.filter(({ sequence }) => sequence >= before).map(({ segment }) => segment));
  for (const segment of listSegments(host).segments) {
    const holdsKept = [...log.state.contents].some(([sha256, place]) => place.segment === segment && options.keep.has(sha256));
    if (segment > log.sealed || kept.has(segment) || holdsKept) continue;
    remove(segmentPath(state, segment));
    if (segment < log.sealed) remove(segmentPath(state, segment, "state"));
    log.state.dropSegment(segment);
  }
  if (kept.size === 0) for (const { name } of fileSystem.readdir(stateFile(state, "images"))) if (!options.keep.has(name)) remove(stateFile(state, "images", name));
  if (host.durable) await flushPath(fileSystem, stateFile(state, "log"), "folder");
  return { bytesFreed };
}
