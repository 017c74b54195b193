import type { Pause } from "../../base/clock.ts";
import type { Hashing } from "../../base/hashing.ts";
import { HoldfastError } from "../../base/holdfast-error.ts";
import { scanFrame } from "../log/frame.ts";
import { type LocatedEntry, type LogPlace, LogState } from "../log/log-state.ts";
import { decodeEntry, type SealedState } from "../log/physical-entry.ts";
import { readFully, readWhole } from "./file-bytes.ts";
import type { FileSystem } from "./file-system.ts";
import { scanSegment } from "./scan-segment.ts";
import { type StateFolder, stateFile } from "./state-folder.ts";

/** What reading the log needs. */
export interface SegmentFilesHost {
  readonly fileSystem: FileSystem;
  readonly state: StateFolder;
  readonly hashing: Hashing;
  readonly pause: Pause;
}

/** Host path of a segment, or of the state at its end. */
export function segmentPath(state: StateFolder, segment: number, kind: "log" | "state" = "log"): string {
  return stateFile(state, "log", `${String(segment).padStart(8, "0")}.${kind}`);
}

/** Numbers of the segments that there are, and of those that are sealed; both rising. */
export function listSegments(host: SegmentFilesHost): {
  readonly segments: readonly number[];
  readonly sealed: readonly number[];
} {
  const numbers = { log: [] as number[], state: [] as number[] };
  for (const { name } of host.fileSystem.readdir(stateFile(host.state, "log"))) {
    const match = /^(\d{8})\.(log|state)$/.exec(name);
    if (match !== null) numbers[match[2] as "log" | "state"].push(Number(match[1]));
  }
  return { segments: numbers.log.sort((a, b) => a - b), sealed: numbers.state.sort((a, b) => a - b) };
}

/** Bytes of a segment from an offset to another or to its end; `undefined` when there is no such segment. */
export async function readSegment(
  host: SegmentFilesHost,
  segment: number,
  from: number,
  to = Number.POSITIVE_INFINITY,
): Promise<Uint8Array | undefined> {
  const { fileSystem, pause, state } = host;
  const path = segmentPath(state, segment);
  if (fileSystem.lstat(path) === undefined) return undefined;
  const descriptor = fileSystem.open(path, "read");
  try {
    const { size } = fileSystem.fstat(descriptor);
    return await readFully(fileSystem, descriptor, from, Math.max(0, Math.min(to, size) - from), pause);
  } finally {
    fileSystem.close(descriptor);
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
  for (let number = from.segment; number <= to.segment; number++) {
    const start = number === from.segment ? from.offset : 0;
    const bytes = await readSegment(host, number, start, number === to.segment ? to.end : undefined);
    if (bytes === undefined) continue;
    const scanned = scanSegment(host.hashing, bytes, {
      segment: number,
      from: start,
      ordinal: start === 0 ? undefined : ordinal,
    });
    const header = scanned.entries[0]?.entry;
    if (header?.kind === "segment") {
      entries = entries.filter(({ entry }) => entry.ordinal <= header.ordinal);
      ordinal = header.ordinal;
    }
    entries.push(...scanned.entries.filter(({ entry }) => entry.kind !== "segment"));
    ordinal = entries.at(-1)?.entry.ordinal ?? ordinal;
    ({ torn, end } = scanned);
    segment = number;
  }
  return { entries, segment, end, torn };
}

/** The state that the newest sealed segment ends with. */
export async function loadSealed(
  host: SegmentFilesHost,
  sealed: readonly number[],
): Promise<{ readonly segment: number; readonly state: LogState }> {
  const segment = sealed.at(-1) ?? 0;
  const state = new LogState();
  const found =
    segment === 0
      ? undefined
      : await readWhole(host.fileSystem, segmentPath(host.state, segment, "state"), host.pause);
  if (found === undefined) return { segment: 0, state };
  const what = `the state behind segment ${segment}`;
  const frame = scanFrame(host.hashing, found.bytes, 0);
  if (frame.state === "newer")
    throw new HoldfastError("NOT_SUPPORTED", {
      message: `The log was written by a newer version (format ${frame.format}).`,
    });
  if (frame.state !== "whole") throw damaged(what);
  const { entry, blobs } = decodeEntry(frame.payload);
  if (entry.kind !== "state") throw damaged(what);
  restore(state, entry, (index) => {
    const [at, length] = blobs[index] ?? [0, 0];
    return frame.payload.slice(at, at + length);
  });
  return { segment, state };
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

/** Reads bytes of the log. */
export async function readPlace(host: SegmentFilesHost, place: LogPlace): Promise<Uint8Array> {
  const bytes = await readSegment(host, place.segment, place.offset, place.offset + place.length);
  if (bytes?.byteLength !== place.length) throw damaged(`segment ${place.segment}`);
  return bytes;
}

/** The refusal of a log that cannot be read where it must be. */
export function damaged(what: string): HoldfastError {
  return new HoldfastError("STORAGE_FAILED", {
    message: `The log is damaged in ${what}. The files of the workspace are untouched; keep the state folder for inspection, or remove it to begin a new history.`,
  });
}
