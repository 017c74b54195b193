import { encodeFrame, frameHeader } from "../log/frame.ts";
import type { LocatedEntry } from "../log/log-state.ts";
import {
  encodeEntry,
  type PhysicalEntry,
  type SealedState,
  type SegmentHeader,
} from "../log/physical-entry.ts";
import { flushPath, pieceBytes, replaceFile, writeFully, writeParts } from "./file-bytes.ts";
import { errorNumber } from "./file-system.ts";
import { patiently } from "./patiently.ts";
import { assertRealFolders } from "./real-folders.ts";
import { locate } from "./scan-segment.ts";
import { type SegmentFilesHost, segmentName, segmentPath } from "./segment-files.ts";
import { stateFile, stateFolders } from "./state-folder.ts";

/** What writing the log needs. */
export interface SegmentWriteHost extends SegmentFilesHost {
  /** Makes names that nobody else makes. */
  readonly nextName: () => string;
  /** Whether entries are made durable. */
  readonly durable: boolean;
}

/** Zeros that always follow the last entry, so that taking a commit back needs no space. */
const slackBytes = 4096;
const growthBytes = 64 * 1024;

/** An entry to be written, with its blobs. */
export interface NewEntry {
  readonly entry: PhysicalEntry;
  readonly blobs?: readonly Uint8Array[];
}

/** One segment that is written to: a file that only grows, and ends in zeros. */
export class SegmentFile {
  readonly #host: SegmentWriteHost;
  readonly #segment: number;
  #descriptor: number | undefined;
  #ino: bigint | undefined;

  constructor(host: SegmentWriteHost, segment: number) {
    this.#host = host;
    this.#segment = segment;
  }

  /** Writes entries at an offset. @returns where they lie, and the offset behind them. */
  async write(
    entries: readonly NewEntry[],
    offset: number,
  ): Promise<{ readonly located: readonly LocatedEntry[]; readonly end: number }> {
    const { fileSystem, hashing, pause } = this.#host;
    const file = segmentName({ segment: this.#segment });
    const located: LocatedEntry[] = [];
    const written: Uint8Array[] = [];
    let end = offset;
    for (const { entry, blobs = [] } of entries) {
      const { parts, places } = encodeEntry(entry, blobs);
      const header = frameHeader(hashing, parts);
      const at = { file, payload: end + header.byteLength };
      located.push(locate(entry, places, at, (blob) => (blobs[blob] ?? new Uint8Array()).slice()));
      for (const part of [header, ...parts]) {
        written.push(part);
        end += part.byteLength;
      }
      await pause();
    }
    await writeParts(
      fileSystem,
      await patiently(this.#host.fileSystem, () => this.open()),
      written,
      offset,
      pause,
    );
    await this.#keepSlack(end);
    return { located, end };
  }

  /**
   * Writes zeros over everything behind an offset, all of it: of two entries that are given up, the second would come back once the first is
   * replaced by one of the same length.
   */
  async blank(offset: number): Promise<void> {
    const { fileSystem, pause } = this.#host;
    const descriptor = await patiently(this.#host.fileSystem, () => this.open());
    const end = fileSystem.fstat(descriptor).size;
    const zeros = new Uint8Array(Math.min(pieceBytes, Math.max(0, end - offset)));
    for (let at = offset; at < end; at += zeros.byteLength)
      await writeFully(fileSystem, descriptor, zeros.subarray(0, end - at), at, pause);
  }

  /** Makes everything that was written durable. */
  async flush(): Promise<void> {
    if (this.#host.durable)
      await this.#host.fileSystem.flush(await patiently(this.#host.fileSystem, () => this.open()), "data");
  }

  /** Whether the file that was written to still has its name. */
  isLinked(): boolean {
    const { fileSystem, state } = this.#host;
    this.open();
    try {
      return fileSystem.lstat(segmentPath(state, this.#segment))?.ino === this.#ino;
    } catch (error) {
      // What the disk refuses to tell is not taken to be gone.
      return errorNumber(error) !== "ENOTDIR";
    }
  }

  /** Keeps zeros behind the last entry. The size is asked for each time: another process may have made the file longer. */
  async #keepSlack(end: number): Promise<void> {
    const { fileSystem, pause } = this.#host;
    const descriptor = await patiently(this.#host.fileSystem, () => this.open());
    const { size } = fileSystem.fstat(descriptor);
    if (end + slackBytes <= size) return;
    const wanted = Math.ceil((end + slackBytes) / growthBytes) * growthBytes;
    await writeFully(fileSystem, descriptor, new Uint8Array(wanted - size), size, pause);
  }

  /** Opens the file, if it is not open. */
  open(): number {
    if (this.#descriptor === undefined) {
      const { fileSystem, state } = this.#host;
      const descriptor = fileSystem.open(segmentPath(state, this.#segment), "update");
      try {
        this.#ino = fileSystem.fstat(descriptor).ino;
      } catch (error) {
        fileSystem.close(descriptor);
        throw error;
      }
      this.#descriptor = descriptor;
    }
    return this.#descriptor;
  }

  /** Lets go of the file. */
  close(): void {
    if (this.#descriptor !== undefined) this.#host.fileSystem.close(this.#descriptor);
    this.#descriptor = undefined;
  }
}

/** Makes a segment whole before it has its name. @param moved - Entries that it begins with. @returns the offset behind them. */
export async function createSegment(
  host: SegmentWriteHost,
  header: SegmentHeader,
  moved: readonly LocatedEntry[],
): Promise<number> {
  const frames = [encodeFrame(host.hashing, encodeEntry(header).parts)];
  for (const { entry, blobs, bytesOf } of moved) {
    const contents = blobs.map((_place, blob) => bytesOf(blob));
    frames.push(encodeFrame(host.hashing, encodeEntry(entry, contents).parts));
  }
  const end = frames.reduce((sum, { byteLength }) => sum + byteLength, 0);
  const bytes = new Uint8Array(Math.ceil((end + slackBytes) / growthBytes) * growthBytes);
  let at = 0;
  for (const frame of frames) {
    bytes.set(frame, at);
    at += frame.byteLength;
  }
  await placeInLog(host, segmentPath(host.state, header.segment), bytes);
  return end;
}

/** Writes what everything up to the end of a segment comes to. */
export async function createSealedState(
  host: SegmentWriteHost,
  entry: SealedState,
  blobs: readonly Uint8Array[],
): Promise<void> {
  const bytes = encodeFrame(host.hashing, encodeEntry(entry, blobs).parts);
  await placeInLog(host, segmentPath(host.state, entry.segment, "state"), bytes);
}

async function placeInLog(host: SegmentWriteHost, path: string, bytes: Uint8Array): Promise<void> {
  const { fileSystem, nextName, state, durable, pause } = host;
  assertRealFolders(host, [stateFolders.temporary, stateFolders.log]);
  await replaceFile(fileSystem, stateFile(state, "temporary", nextName()), path, bytes, durable, pause);
  if (durable) await flushPath(fileSystem, stateFile(state, "log"), "folder");
}
