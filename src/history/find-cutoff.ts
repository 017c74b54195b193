import type { CancelOptions } from "../base/clock.ts";
import type { Retention } from "../schema/retention.ts";
import type { LogEntry, StorageAdapter } from "../storage/storage-adapter.ts";
import type { FileState } from "../tree/file-state.ts";
import { decodeRevisionEntry } from "./revision-entry.ts";

/** Where the kept past begins, and what it is chained to. */
export interface Cutoff {
  /** The oldest entry that stays. */
  readonly before: number;
  /** The newest one that goes. */
  readonly last: { readonly sequence: number; readonly hash: string };
  /** How many go that are revisions. */
  readonly revisions: number;
  /** The oldest entry of the log. */
  readonly oldest: number;
}

/**
 * Finds the entries that a retention lets go. The newest revision always stays, and all from the pinned one on.
 *
 * @returns `undefined` when all stay.
 */
export async function findCutoff(
  storage: StorageAdapter,
  retention: Retention,
  { pinned, now, signal }: CancelOptions & { readonly pinned: number; readonly now: number },
): Promise<Cutoff | undefined> {
  const newest = await newestRevision(storage, { signal });
  if (newest === undefined) return undefined;
  const { maxRevisions, maxAgeMs, maxBytes } = retention;
  const bounds: number[] = [];
  if (maxRevisions !== undefined) bounds.push(newest - maxRevisions + 1);
  if (maxBytes !== undefined) bounds.push(await firstWithin(storage, maxBytes, newest, { signal }));
  const counted = Math.max(0, ...bounds);
  const cutoff = maxAgeMs === undefined ? undefined : now - maxAgeMs;
  const most = Math.min(newest, pinned);
  let last: LogEntry | undefined;
  let [revisions, oldest] = [0, 0];
  for await (const logged of storage.readLog({ signal })) {
    if (oldest === 0) oldest = logged.sequence;
    const { sequence, undone } = logged;
    if (sequence >= most) break;
    const isOld = cutoff !== undefined && undone !== true && timeOf(logged) < cutoff;
    if (sequence >= counted && !isOld) break;
    last = logged;
    if (undone !== true) revisions += 1;
  }
  if (last === undefined) return undefined;
  const { sequence, hash } = last;
  return { before: sequence + 1, last: { sequence, hash }, revisions, oldest };
}

async function newestRevision(storage: StorageAdapter, options: CancelOptions): Promise<number | undefined> {
  for await (const { sequence, undone } of storage.readLog({ ...options, reverse: true }))
    if (undone !== true) return sequence;
  return undefined;
}

function timeOf({ bytes }: LogEntry): number {
  return Date.parse(decodeRevisionEntry(bytes).time);
}

/** The oldest entry of the newest ones that together, with the contents that they name, are within a number of bytes. */
async function firstWithin(
  storage: StorageAdapter,
  maxBytes: number,
  newest: number,
  options: CancelOptions,
): Promise<number> {
  const counted = new Set<string>();
  let room = maxBytes;
  let first = newest;
  for await (const { sequence, bytes, undone } of storage.readLog({
    ...options,
    from: newest,
    reverse: true,
  })) {
    room -= bytes.byteLength;
    const count = (state: FileState | undefined) => {
      if (state === undefined || counted.has(state.contentId)) return;
      counted.add(state.contentId);
      room -= state.byteLength;
    };
    if (undone !== true)
      for (const { before, after } of decodeRevisionEntry(bytes).delta.changes.values()) {
        count(after);
        count(before);
      }
    if (room < 0) break;
    first = sequence;
  }
  return first;
}
