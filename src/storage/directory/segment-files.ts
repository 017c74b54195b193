import type { Pause } from "../../base/clock.ts";
import type { Hashing } from "../../base/hashing.ts";
import { HoldfastError } from "../../base/holdfast-error.ts";
import { scanFrame } from "../log/frame.ts";
import { type LocatedEntry, type LogPlace, LogState } from "../log/log-state.ts";
import { decodeEntry, type SealedState } from "../log/physical-entry.ts";
import { openIfThere, readFully, readWhole, refuseOther } from "./file-bytes.ts";
import type { FileSystem } from "./file-system.ts";
import { patiently } from "./patiently.ts";
import { newerLog, scanSegment } from "./scan-segment.ts";
import { type StateFolder, stateFile } from "./state-folder.ts";
import { orDamage } from "./state-folder-error.ts";

/** What reading the log needs. */
export interface SegmentFilesHost {
  readonly fileSystem: FileSystem;
  readonly state: StateFolder;
  readonly hashing: Hashing;
  readonly pause: Pause;
}

/** What names the file of a segment. */
export interface SegmentName {
  /** Number of the segment. */
  readonly segment: number;
  /** Of a packed one, which holds the revisions of earlier segments too: the first ordinal that it stands for. */
  readonly from?: number;
}

/** Name of a segment's file in its folder. */
export function segmentName({ segment, from }: SegmentName, kind: "log" | "state" = "log"): string {
  return `${String(segment).padStart(8, "0")}${from === undefined ? "" : `-${from}`}.${kind}`;
}

/** Host path of a segment, or of the state at its end. */
export function segmentPath(state: StateFolder, segment: number, kind: "log" | "state" = "log"): string {
  return stateFile(state, "log", segmentName({ segment }, kind));
}

/** Numbers of the segments that there are as they were written, and of those that are sealed, both rising; and the packed ones. */
export async function listSegments(host: SegmentFilesHost): Promise<{
  readonly segments: readonly number[];
  readonly sealed: readonly number[];
  readonly packed: readonly Required<SegmentName>[];
}> {
  const numbers = { log: [] as number[], state: [] as number[] };
  const packed: Required<SegmentName>[] = [];
  const folder = stateFile(host.state, "log");
  for (const { name } of await patiently(host.fileSystem, () => host.fileSystem.readdir(folder))) {
    const match = /^(\d{8})(?:-(\d+))?\.(log|state)$/.exec(name);
    if (match === null) continue;
    const segment = Number(match[1]);
    if (match[2] === undefined) numbers[match[3] as "log" | "state"].push(segment);
    else packed.push({ segment, from: Number(match[2]) });
  }
  return { segments: numbers.log.sort((a, b) => a - b), sealed: numbers.state.sort((a, b) => a - b), packed };
}

/** Bytes of a segment's file from an offset to another or to its end; `undefined` when there is no such file. */
async function readSegment(
  host: SegmentFilesHost,
  file: string,
  from: number,
  to = Number.POSITIVE_INFINITY,
): Promise<Uint8Array | undefined> {
  const { fileSystem, pause, state } = host;
  const path = stateFile(state, "log", file);
  try {
    const descriptor = await openIfThere(fileSystem, path);
    if (descriptor === undefined) return undefined;
    try {
      const status = fileSystem.fstat(descriptor);
      refuseOther(status, path);
      const length = Math.max(0, Math.min(to, status.size) - from);
      return await readFully(fileSystem, descriptor, from, length, pause);
    } finally {
      fileSystem.close(descriptor);
    }
  } catch (error) {
    throw orDamage(host, error);
  }
}

/** A stretch of the log, over several segments. */
export interface ScannedLog {
  /** Its entries, without segment headers and without those that a later segment cuts off. */
  readonly entries: readonly LocatedEntry[];
  /** Last segment that was read; the one of `from` when none was there. */
  readonly segment: number;
  /** Offset behind its last whole entry. */
  readonly end: number;
  /** Whether something other than zeros follows there. */
  readonly torn: boolean;
  /** Whether one of the segments was not there. */
  readonly hasGap: boolean;
  /** Whether every segment goes on where the one before it ended, and none cuts off what came before `from`. */
  readonly follows: boolean;
}

/** Reads entries from a place on, to a place or to the last whole entry. */
export async function scanLog(
  host: SegmentFilesHost,
  from: { readonly segment: number; readonly offset: number; readonly ordinal: number },
  to: { readonly segment: number; readonly end: number },
): Promise<ScannedLog> {
  let entries: LocatedEntry[] = [];
  let { segment, offset: end, ordinal } = from;
  let torn = false;
  let hasGap = false;
  let follows = true;
  for (let number = from.segment; number <= to.segment; number++) {
    const start = number === from.segment ? from.offset : 0;
    const bytes = await readSegment(
      host,
      segmentName({ segment: number }),
      start,
      number === to.segment ? to.end : undefined,
    );
    if (bytes === undefined) {
      hasGap = true;
      continue;
    }
    const scanned = scanSegment(host.hashing, bytes, {
      file: segmentName({ segment: number }),
      from: start,
      ordinal: start === 0 ? undefined : ordinal,
    });
    const header = scanned.entries[0]?.entry;
    if (header?.kind === "segment") {
      follows &&= header.ordinal >= from.ordinal && header.ordinal <= ordinal;
      entries = entries.filter(({ entry }) => entry.ordinal <= header.ordinal);
      ordinal = header.ordinal;
    }
    entries.push(...scanned.entries.filter(({ entry }) => entry.kind !== "segment"));
    ordinal = entries.at(-1)?.entry.ordinal ?? ordinal;
    ({ torn, end } = scanned);
    segment = number;
  }
  return { entries, segment, end, torn, hasGap, follows };
}

/** How often a reader without the lock looks again when others seal and pack what it is reading. */
export const mostLooks = 8;

/** The state that the newest sealed segment ends with. */
export async function loadSealed(
  host: SegmentFilesHost,
): Promise<{ readonly segment: number; readonly state: LogState }> {
  for (let look = 1; ; look++) {
    const segment = (await listSegments(host)).sealed.at(-1) ?? 0;
    if (segment === 0) return { segment, state: new LogState() };
    const path = segmentPath(host.state, segment, "state");
    const found = await readWhole(host.fileSystem, path, host.pause);
    if (found !== undefined) return { segment, state: decodeSealed(host, segment, found.bytes) };
    // Only a newer one makes it go.
    if (look === mostLooks) throw damaged(`the state behind segment ${segment}`);
  }
}

function decodeSealed(host: SegmentFilesHost, segment: number, bytes: Uint8Array): LogState {
  const state = new LogState();
  const what = `the state behind segment ${segment}`;
  const frame = scanFrame(host.hashing, bytes, 0);
  if (frame.state === "newer") throw newerLog(frame.format);
  if (frame.state !== "whole") throw damaged(what);
  const { entry, blobs } = decodeEntry(frame.payload);
  if (entry.kind !== "state") throw damaged(what);
  restore(state, entry, (index) => {
    const [at, length] = blobs[index] ?? [0, 0];
    return frame.payload.slice(at, at + length);
  });
  return state;
}

function restore(state: LogState, entry: SealedState, bytesOf: (index: number) => Uint8Array): void {
  state.ordinal = entry.ordinal;
  state.sequence = entry.sequence;
  state.hash = entry.hash;
  state.prunedBefore = entry.prunedBefore;
  entry.records.forEach(
    ([key, version], index) => void state.putRecord(key, { bytes: bytesOf(index), version }),
  );
}

/** Reads bytes of the log; `undefined` when their file is gone. */
export async function readPlace(host: SegmentFilesHost, place: LogPlace): Promise<Uint8Array | undefined> {
  const bytes = await readSegment(host, place.file, place.offset, place.offset + place.length);
  if (bytes !== undefined && bytes.byteLength !== place.length) throw damaged(place.file);
  return bytes;
}

/** The refusal of a log that cannot be read where it must be. */
export function damaged(what: string): HoldfastError {
  return new HoldfastError("STORAGE_FAILED", {
    message: `The log is damaged in ${what}. The files of the workspace are untouched; keep the state folder for inspection, or remove it to begin a new history.`,
  });
}
