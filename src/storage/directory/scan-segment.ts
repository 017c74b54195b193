import type { Hashing } from "../../base/hashing.ts";
import { HoldfastError } from "../../base/holdfast-error.ts";
import { frameHeaderBytes, logFormat, scanFrame } from "../log/frame.ts";
import type { LocatedEntry } from "../log/log-state.ts";
import { type BlobPlaces, decodeEntry, type PhysicalEntry } from "../log/physical-entry.ts";

/** What a stretch of a segment holds. */
export interface ScannedSegment {
  /** Its entries, in order. */
  readonly entries: readonly LocatedEntry[];
  /** Offset behind the last whole one. */
  readonly end: number;
  /** Whether something other than zeros follows. */
  readonly torn: boolean;
}

/**
 * Reads entries from bytes of a segment until the first that is not whole or does not follow the one before.
 *
 * @param bytes - What the file holds from `from` on.
 * @param place - Name of the file, offset of the first byte, and the ordinal before the first entry (`undefined`: any).
 * @throws `NOT_SUPPORTED` when an entry was written by a newer version.
 */
export function scanSegment(
  hashing: Hashing,
  bytes: Uint8Array,
  place: { readonly file: string; readonly from: number; readonly ordinal: number | undefined },
): ScannedSegment {
  const entries: LocatedEntry[] = [];
  let ordinal = place.ordinal;
  let offset = 0;
  for (;;) {
    const frame = scanFrame(hashing, bytes, offset);
    if (frame.state === "newer") throw newerLog(frame.format);
    if (frame.state !== "whole") return { entries, end: place.from + offset, torn: frame.state === "torn" };
    const { entry, blobs } = decodeEntry(frame.payload);
    const follows = entry.kind === "segment" || ordinal === undefined || entry.ordinal === ordinal + 1;
    if (!follows) return { entries, end: place.from + offset, torn: true };
    const payload = place.from + offset + frameHeaderBytes;
    const bytesOf = (blob: number) => {
      const [at, length] = blobs[blob] ?? [0, 0];
      return frame.payload.slice(at, at + length);
    };
    entries.push(locate(entry, blobs, { file: place.file, payload }, bytesOf));
    ordinal = entry.ordinal;
    offset = frame.end;
  }
}

/** The refusal of a log that a later version has written. */
export function newerLog(format: number): HoldfastError {
  return new HoldfastError("NOT_SUPPORTED", {
    message: `The log was written by a newer version of the library (format ${format}, this one reads up to ${logFormat}); use that version.`,
  });
}

/**
 * An entry with the places of its blobs in the log.
 *
 * @param at - Name of the file, and offset of the payload in it.
 * @param bytesOf - Gives a copy of a blob.
 */
export function locate(
  entry: PhysicalEntry,
  places: BlobPlaces,
  at: { readonly file: string; readonly payload: number },
  bytesOf: (blob: number) => Uint8Array,
): LocatedEntry {
  return {
    entry,
    file: at.file,
    offset: at.payload,
    blobs: places.map(([offset, length]) => ({ file: at.file, offset: at.payload + offset, length })),
    bytesOf,
  };
}
