import { concatBytes } from "../../base/bytes.ts";
import type { Hashing } from "../../base/hashing.ts";

/** Bytes before each frame's payload: its length (4, little endian), the format version (4), the xxh64 of version and payload (8). */
export const frameHeaderBytes = 16;

/** The version of frames, entries and segments that this code writes, and the newest that it reads. */
export const logFormat = 1;

/** Joins a header and the parts of a payload. */
export function encodeFrame(hashing: Hashing, parts: readonly Uint8Array[], format = logFormat): Uint8Array {
  return concatBytes([frameHeader(hashing, parts, format), ...parts]);
}

/** Makes the header that belongs before the parts of a payload. */
export function frameHeader(hashing: Hashing, parts: readonly Uint8Array[], format = logFormat): Uint8Array {
  const header = new Uint8Array(frameHeaderBytes);
  const view = new DataView(header.buffer);
  const length = parts.reduce((sum, { byteLength }) => sum + byteLength, 0);
  view.setUint32(0, length, true);
  view.setUint32(4, format, true);
  view.setBigUint64(8, checksum(hashing, [header.subarray(4, 8), ...parts]), true);
  return header;
}

/** The xxh64 of the version and the payload of a frame. */
function checksum(hashing: Hashing, parts: readonly Uint8Array[]): bigint {
  const state = hashing.xxh64();
  for (const part of parts) state.update(part);
  return BigInt(`0x${state.digest()}`);
}

/** One whole frame, or what stands in its place. */
export type ScannedFrame =
  | { readonly state: "whole"; readonly payload: Uint8Array; readonly end: number }
  /** Zeros: nothing has been written here. */
  | { readonly state: "empty" }
  /** Cut short or overwritten. */
  | { readonly state: "torn" }
  | { readonly state: "newer"; readonly format: number };

/** Reads the frame that begins at an offset. The payload is a window on `bytes`. */
export function scanFrame(hashing: Hashing, bytes: Uint8Array, offset: number): ScannedFrame {
  if (offset + frameHeaderBytes > bytes.byteLength)
    return isZero(bytes, offset, bytes.byteLength) ? { state: "empty" } : { state: "torn" };
  const view = new DataView(bytes.buffer, bytes.byteOffset + offset, frameHeaderBytes);
  const length = view.getUint32(0, true);
  const format = view.getUint32(4, true);
  const end = offset + frameHeaderBytes + length;
  if (length === 0)
    return isZero(bytes, offset, offset + frameHeaderBytes) ? { state: "empty" } : { state: "torn" };
  if (end > bytes.byteLength) return { state: "torn" };
  const checked = [bytes.subarray(offset + 4, offset + 8), bytes.subarray(offset + frameHeaderBytes, end)];
  if (checksum(hashing, checked) !== view.getBigUint64(8, true)) return { state: "torn" };
  if (format > logFormat) return { state: "newer", format };
  return { state: "whole", payload: bytes.subarray(offset + frameHeaderBytes, end), end };
}

function isZero(bytes: Uint8Array, from: number, to: number): boolean {
  for (let index = from; index < to; index++) if (bytes[index] !== 0) return false;
  return true;
}
