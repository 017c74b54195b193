import { frameHeaderBytes, scanFrame } from "../log/frame.ts";
import type { LocatedEntry } from "../log/log-state.ts";
import { decodeEntry, type SegmentHeader } from "../log/physical-entry.ts";
import { pieceBytes, readFully, refuseOther } from "./file-bytes.ts";
import { patiently } from "./patiently.ts";
import { locate, newerLog } from "./scan-segment.ts";
import { damaged, type SegmentFilesHost } from "./segment-files.ts";
import { stateFile } from "./state-folder.ts";

/**
 * Reads the entries of a segment, packed or not, one after the other, header first, until one that is not whole or does not follow. What that
 * leaves out shows by what the next segment says of the entries before it.
 *
 * @param file - Its name.
 * @throws `NOT_SUPPORTED` when a newer version wrote it, and the platform's `ENOENT` when it is gone.
 */
export async function* readHistoryFile(host: SegmentFilesHost, file: string): AsyncGenerator<LocatedEntry> {
  const { fileSystem, hashing, pause } = host;
  const path = stateFile(host.state, "log", file);
  const descriptor = await patiently(fileSystem, () => fileSystem.open(path, "read"));
  try {
    const status = fileSystem.fstat(descriptor);
    refuseOther(status, path);
    const { size } = status;
    let window: Uint8Array = new Uint8Array(0);
    let start = 0;
    let offset = 0;
    const want = async (length: number) => {
      const end = start + window.byteLength;
      if (offset + length <= end || end >= size) return;
      const most = Math.min(size - offset, Math.max(length, pieceBytes));
      window = await readFully(fileSystem, descriptor, offset, most, pause);
      start = offset;
    };
    for (let header: SegmentHeader | undefined, ordinal = 0; ; await pause()) {
      await want(frameHeaderBytes);
      await want(frameHeaderBytes + payloadLength(window, offset - start));
      const frame = scanFrame(hashing, window, offset - start);
      if (frame.state === "newer") throw newerLog(frame.format);
      if (frame.state !== "whole") return;
      const { entry, blobs } = decodeEntry(frame.payload);
      if (header === undefined) {
        if (entry.kind !== "segment") return;
        header = entry;
      } else if (header.packed === true ? entry.ordinal <= ordinal : entry.ordinal !== ordinal + 1) return;
      ordinal = entry.ordinal;
      const bytesOf = (blob: number) => {
        const [at, length] = blobs[blob] ?? [0, 0];
        return frame.payload.slice(at, at + length);
      };
      yield locate(entry, blobs, { file, payload: offset + frameHeaderBytes }, bytesOf);
      offset += frameHeaderBytes + frame.payload.byteLength;
    }
  } finally {
    fileSystem.close(descriptor);
  }
}

function payloadLength(bytes: Uint8Array, offset: number): number {
  if (offset + frameHeaderBytes > bytes.byteLength) return 0;
  return new DataView(bytes.buffer, bytes.byteOffset + offset, 4).getUint32(0, true);
}

/** What a segment says of the entries before it. */
export async function readHeader(host: SegmentFilesHost, file: string): Promise<SegmentHeader> {
  for await (const { entry } of readHistoryFile(host, file)) if (entry.kind === "segment") return entry;
  throw damaged(file);
}
