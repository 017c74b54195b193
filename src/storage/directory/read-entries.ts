import { throwIfAborted } from "../../base/abort.ts";
import type { LogState, SequencePlace } from "../log/log-state.ts";
import type { LogEntry, ReadLogOptions } from "../storage-adapter.ts";
import { damaged, readPlace, type SegmentFilesHost } from "./segment-files.ts";
import type { SegmentLog } from "./segment-log.ts";
import { orDamage } from "./state-folder-error.ts";

/** Where an entry lies, all places from it on being known. `undefined`: it has been pruned. */
function placeOf(state: LogState, sequence: number): SequencePlace | undefined {
  const place = state.place(sequence);
  if (place === undefined && sequence >= state.prunedBefore && sequence <= state.sequence)
    throw damaged(`revision ${sequence}`);
  return place;
}

/** Reads revision entries in order, each from its segment when its turn comes. */
export async function* readEntries(
  host: SegmentFilesHost & { readonly log: SegmentLog },
  options: ReadLogOptions,
): AsyncGenerator<LogEntry> {
  const { log } = host;
  const oldest = log.state.prunedBefore;
  const newest = log.state.sequence;
  const reverse = options.reverse === true;
  const step = reverse ? -1 : 1;
  let sequence = reverse
    ? Math.min(options.from ?? newest, newest)
    : Math.max(options.from ?? oldest, oldest);
  for (
    let left = options.limit ?? Number.POSITIVE_INFINITY;
    left > 0 && sequence >= oldest && sequence <= newest;
    sequence += step, left--
  ) {
    throwIfAborted(options);
    const current = sequence;
    const entry = await log.older
      .read(
        current,
        () => placeOf(log.state, current),
        async (place) => {
          const bytes = await readPlace(host, place);
          const undone = place.undone ? { undone: true as const } : {};
          return bytes === undefined ? undefined : { sequence: current, hash: place.hash, bytes, ...undone };
        },
      )
      .catch((error: unknown) => {
        throw orDamage(host, error);
      });
    if (entry !== undefined) yield entry;
  }
}
