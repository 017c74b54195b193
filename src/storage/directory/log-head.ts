import type { LocatedEntry, LogState } from "../log/log-state.ts";
import type { LogPosition } from "./log-position.ts";
import { segmentName } from "./segment-files.ts";

/** The last entry of a log. */
export interface LogHead {
  readonly ordinal: number;
  readonly sequence: number;
  readonly hash: string;
}

/** The last entry, those included that have been appended and do not count yet. */
export function headOf(state: LogState, pending: readonly LocatedEntry[]): LogHead {
  const numbered = pending.findLast(
    ({ entry }) => entry.kind === "commit" && entry.sequence !== undefined,
  )?.entry;
  const commit = numbered?.kind === "commit" ? numbered : undefined;
  return {
    ordinal: pending.at(-1)?.entry.ordinal ?? state.ordinal,
    sequence: commit?.sequence ?? state.sequence,
    hash: commit?.hash ?? state.hash,
  };
}

/** What others have appended since the last flush, which must not be lost with a segment that is left. */
export function unflushedOf(
  entries: readonly LocatedEntry[],
  through: LogPosition | undefined,
): readonly LocatedEntry[] {
  const current = through === undefined ? undefined : segmentName({ segment: through.segment });
  return entries.filter(({ file, offset }) => file === current && offset >= (through?.flushed ?? 0));
}
