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
 * @param place - Segment, offset of the first byte, and the ordinal before the first entry (`undefined`: any).
 * @throws `NOT_SUPPORTED` when an entry was written by a newer version.
 */
export function scanSegment(
  hashing: Hashing,
  bytes: Uint8Array,
  place: { readonly segment: number; readonly from: number; readonly ordinal: number | undefined },
): ScannedSegment {
  const entries: LocatedEntry[] = [];
  let ordinal = place.ordinal;
  let offset = 0;
  for (;;) {
    const frame = scanFrame(hashing, bytes, offset);
    if (frame.state === "newer") {
      throw new HoldfastError("NOT_SUPPORTED", {
        message: `The log was written by a newer version (format ${frame.format}, this one reads up to ${logFormat}).`,
      });
    }
    if (frame.state !== "whole") return { entries, end: place.from + offset, torn: frame.state === "torn" };
    const { entry, blobs } = decodeEntry(frame.payload);
    const follows = entry.kind === "segment" || ordinal === undefined || entry.ordinal === ordinal + 1;
    if (!follows) return { entries, end: place.from + offset, torn: true };
    const payload = place.from + offset + frameHeaderBytes;
    const bytesOf = (blob: number) => {
      const [at, length] = blobs[blob] ?? [0, 0];
      return frame.payload.slice(at, at + length);
    };
    entries.push(locate(entry, blobs, { segment: place.segment, payload }, bytesOf));
    ordinal = entry.ordinal;
    offset = frame.end;
  }
}

/**
 * An entry with the places of its blobs in the log.
 *
 * @param at - Segment, and offset of the payload in it.
 * @param bytesOf - Gives a copy of a blob.
 */
export function locate(
  entry: PhysicalEntry,
  places: BlobPlaces,
  at: { readonly segment: number; readonly payload: number },
  bytesOf: (blob: number) => Uint8Array,
): LocatedEntry {
  return {
    entry,
    segment: at.segment,
    offset: at.payload,
    blobs: places.map(([offset, length]) => ({ segment: at.segment, offset: at.payload + offset, length })),
    bytesOf,
  };
}
