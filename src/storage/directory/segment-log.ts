import { HoldfastError } from "../../base/holdfast-error.ts";
import type { Hashing } from "../../base/hashing.ts";
import { encodeFrame } from "../log/frame.ts";
import { type LocatedEntry, LogState, type LogPlace } from "../log/log-state.ts";
import { decodeEntry, encodeEntry, type PhysicalEntry, type SealedState, type SegmentHeader } from "../log/physical-entry.ts";
import { scanFrame } from "../log/frame.ts";
import { flushPath, type Pause, readFully, readWhole, replaceFile, writeFully } from "./file-bytes.ts";
import type { FileSystem } from "./file-system.ts";
import { scanSegment } from "./scan-segment.ts";
import { stateFile, type StateFolder } from "./state-folder.ts";

/** How far the log is written, known to be durable, and carried out. Kept in the lock, so that whoever holds it next knows. */
export interface LogPosition {
  /** Current segment; 0 before the first. */
  readonly segment: number;
  /** Offset behind its last entry. */
  readonly end: number;
  /** Offset up to which it is durable. */
  readonly flushed: number;
  /** Last entry whose files are all in place. */
  readonly applied: number;
}

/** The position before anything is written. */
export const startPosition: LogPosition = { segment: 0, end: 0, flushed: 0, applied: 0 };

/** Zeros that always follow the last entry, so that taking a commit back needs no space. */
const slackBytes = 4096;
const growthBytes = 64 * 1024;

/** What the log stands on. */
export interface SegmentLogHost {
  /** The files. */
  readonly fileSystem: FileSystem;
  /** Where they are. */
  readonly state: StateFolder;
  /** Checksums. */
  readonly hashing: Hashing;
  /** This run of the machine. */
  readonly boot: string;
  /** Prefix of temporary names. */
  readonly token: string;
  /** Whether entries are made durable. */
  readonly durable: boolean;
  /** Lets the event loop turn. */
  readonly pause: Pause;
}

/** The log as files: numbered segments that only grow, and for each sealed one the state at its end. */
export class SegmentLog {
  readonly #host: SegmentLogHost;
  #state = new LogState();
  #position = startPosition;
  #descriptor: number | undefined;
  #allocated = 0;
  #oldestLoaded = 1;
  #sealed = 0;

  constructor(host: SegmentLogHost) {
    this.#host = host;
  }

  /** What the entries that have been read say. */
  get state(): LogState {
    return this.#state;
  }

  /** How far this handle has read or written. */
  get position(): LogPosition {
    return this.#position;
  }

  /** Number of the last sealed segment; 0: none. */
  get sealed(): number {
    return this.#sealed;
  }

  /** Sets what is known to be durable and carried out. */
  mark(marks: { readonly flushed?: number; readonly applied?: number }): void {
    this.#position = { ...this.#position, ...marks };
  }

  /** Name of a segment's file on the host. */
  segmentPath(segment: number, kind: "log" | "state" = "log"): string {
    return stateFile(this.#host.state, "log", `${String(segment).padStart(8, "0")}.${kind}`);
  }

  /**
   * Reads everything from the last sealed state on.
   *
   * @param through - Where to stop; left out: at the last whole entry, whoever wrote it.
   * @returns The unsealed entries, and whether the log ends in something torn.
   */
  async load(through?: LogPosition): Promise<{ readonly entries: readonly LocatedEntry[]; readonly torn: boolean }> {
    this.close();
    const segments = this.#listSegments();
    const state = new LogState();
    this.#state = state;
    this.#sealed = await this.#loadSealed(segments.sealed);
    this.#oldestLoaded = this.#sealed + 1;
    this.#position = { ...startPosition, segment: this.#sealed, applied: state.ordinal };
    return this.#readOn(through, segments.last);
  }

  /** Reads what others have written since, up to a position. */
  async catchUp(through: LogPosition): Promise<void> {
    const own = this.#position;
    if (through.segment < own.segment || (through.segment === own.segment && through.end <= own.end)) return;
    if (own.segment === 0 || this.#host.fileSystem.lstat(this.segmentPath(own.segment)) === undefined) await this.load(through);
    else await this.#readOn(through, through.segment);
  }

  async #readOn(through: LogPosition | undefined, last: number): Promise<{ readonly entries: readonly LocatedEntry[]; readonly torn: boolean }> {
    let { segment, end } = this.#position;
    let ordinal = this.#state.ordinal;
    let entries: LocatedEntry[] = [];
    let torn = false;
    const first = Math.max(segment, this.#sealed + 1);
    for (let number = first; number <= (through?.segment ?? last); number++) {
      const from = number === segment ? end : 0;
      const limit = through?.segment === number ? through.end : undefined;
      const bytes = await this.#readSegment(number, from, limit);
      if (bytes === undefined) break;
      const scanned = scanSegment(this.#host.hashing, bytes, { segment: number, from, ordinal: from === 0 ? undefined : ordinal });
      const header = from === 0 ? headerOf(scanned.entries) : undefined;
      if (header !== undefined) entries = entries.filter(({ entry }) => entry.ordinal <= header.ordinal);
      entries.push(...scanned.entries.filter(({ entry }) => entry.kind !== "segment"));
      ordinal = entries.at(-1)?.entry.ordinal ?? header?.ordinal ?? ordinal;
      ({ torn, end } = scanned);
      segment = number;
    }
    if (segment !== this.#position.segment) this.close();
    this.#state.take(entries);
    this.#position = { segment, end, flushed: through?.flushed ?? 0, applied: through?.applied ?? this.#position.applied };
    return { entries, torn };
  }

  async #readSegment(segment: number, from: number, limit: number | undefined): Promise<Uint8Array | undefined> {
    const { fileSystem, pause } = this.#host;
    const path = this.segmentPath(segment);
    if (fileSystem.lstat(path) === undefined) return undefined;
    const descriptor = fileSystem.open(path, "read");
    try {
      const size = fileSystem.fstat(descriptor).size;
      return await readFully(fileSystem, descriptor, from, Math.max(0, Math.min(limit ?? size, size) - from), pause);
    } finally {
      fileSystem.close(descriptor);
    }
  }

  #listSegments(): { readonly last: number; readonly sealed: readonly number[] } {
    let last = 0;
    const sealed: number[] = [];
    for (const { name } of this.#host.fileSystem.readdir(stateFile(this.#host.state, "log"))) {
      const match = /^(\d{8})\.(log|state)$/.exec(name);
      if (match === null) continue;
      if (match[2] === "state") sealed.push(Number(match[1]));
      else last = Math.max(last, Number(match[1]));
    }
    return { last, sealed: sealed.sort((a, b) => b - a) };
  }

  async #loadSealed(numbers: readonly number[]): Promise<number> {
    for (const number of numbers) {
      const found = await readWhole(this.#host.fileSystem, this.segmentPath(number, "state"), this.#host.pause);
      if (found === undefined) continue;
      const frame = scanFrame(this.#host.hashing, found.bytes, 0);
      if (frame.state === "newer") throw new HoldfastError("NOT_SUPPORTED", { message: `The log was written by a newer version (format ${frame.format}).` });
      if (frame.state !== "whole") throw damaged(`the state behind segment ${number}`);
      const { entry, blobs } = decodeEntry(frame.payload);
      if (entry.kind !== "state") throw damaged(`the state behind segment ${number}`);
      restoreState(this.#state, entry, (index) => {
        const [at, length] = blobs[index] ?? [0, 0];
        return frame.payload.slice(at, at + length);
      });
      return number;
    }
    return 0;
  }

  /**
   * Adds entries behind the last one; nothing is durable yet.
   *
   * On failure what was written is made unreadable, in place or by a new segment.
   *
   * @returns Where the entries lie.
   */
  async append(entries: readonly { readonly entry: PhysicalEntry; readonly blobs?: readonly Uint8Array[] }[]): Promise<readonly LocatedEntry[]> {
    const { fileSystem, hashing, pause } = this.#host;
    if (this.#position.segment <= this.#sealed) await this.startSegment();
    const descriptor = this.#open();
    const { segment, end } = this.#position;
    const frames = entries.map(({ entry, blobs }) => encodeFrame(hashing, encodeEntry(entry, blobs)));
    const length = frames.reduce((sum, frame) => sum + frame.byteLength, 0);
    try {
      await this.#allocate(descriptor, end + length);
      let at = end;
      for (const frame of frames) {
        await writeFully(fileSystem, descriptor, frame, at, pause);
        at += frame.byteLength;
      }
    } catch (error) {
      await this.#forget(descriptor, end);
      throw error;
    }
    const located: LocatedEntry[] = [];
    for (const frame of frames) {
      const from: number = this.#position.end;
      located.push(...scanSegment(hashing, frame, { segment, from, ordinal: undefined }).entries);
      this.#position = { ...this.#position, end: from + frame.byteLength };
    }
    return located;
  }

  /** Makes everything appended so far durable; when that fails, what lies behind the durable part counts for nothing. */
  async flush(): Promise<void> {
    const { end } = this.#position;
    if (this.#host.durable) await this.#host.fileSystem.flush(this.#open(), "data");
    this.mark({ flushed: end });
  }

  /** Takes back appended entries that were never acknowledged: they are overwritten, or a new segment cuts them off. */
  async retract(to: LogPosition, how: "overwrite" | "leave"): Promise<void> {
    this.#position = { ...this.#position, segment: to.segment, end: to.end };
    if (how === "leave") await this.startSegment();
    else await this.#forget(this.#open(), to.end);
  }

  async #forget(descriptor: number, offset: number): Promise<void> {
    try {
      await writeFully(this.#host.fileSystem, descriptor, new Uint8Array(16), offset, this.#host.pause);
    } catch {
      await this.startSegment();
    }
  }

  /** Whether the current segment still has its name. */
  isLinked(): boolean {
    return this.#host.fileSystem.fstat(this.#open()).links > 0;
  }

  /** Begins a new segment; what earlier ones hold past the last entry taken in counts for nothing from now on. */
  async startSegment(): Promise<void> {
    const { fileSystem, hashing, boot, token, state, durable, pause } = this.#host;
    const number = Math.max(this.#listSegments().last, this.#position.segment, this.#sealed) + 1;
    const { ordinal, sequence, hash } = this.#state;
    const header = encodeFrame(hashing, encodeEntry({ kind: "segment", segment: number, boot, ordinal, sequence, hash }));
    const bytes = new Uint8Array(growthBytes);
    bytes.set(header);
    await replaceFile(fileSystem, stateFile(state, "temporary", `${token}-segment-${number}`), this.segmentPath(number), bytes, durable, pause);
    if (durable) await flushPath(fileSystem, stateFile(state, "log"), "folder");
    this.close();
    this.#position = { ...this.#position, segment: number, end: header.byteLength, flushed: header.byteLength };
  }

  /** Writes down what everything up to the end of a segment comes to; from then on it is history. */
  async seal(segment: number, sealed: { readonly entry: SealedState; readonly blobs: readonly Uint8Array[] }): Promise<void> {
    const { fileSystem, hashing, token, state, durable, pause } = this.#host;
    const bytes = encodeFrame(hashing, encodeEntry(sealed.entry, sealed.blobs));
    await replaceFile(fileSystem, stateFile(state, "temporary", `${token}-state-${segment}`), this.segmentPath(segment, "state"), bytes, durable, pause);
    if (durable) await flushPath(fileSystem, stateFile(state, "log"), "folder");
    this.#sealed = segment;
  }

  /** Loads the places of sealed entries, newest segment first, until a sequence is covered. */
  async loadPlaces(sequence: number): Promise<void> {
    while (this.#oldestLoaded > 1 && (this.#state.places[0]?.sequence ?? this.#state.sequence + 1) > sequence) {
      const number = this.#oldestLoaded - 1;
      this.#oldestLoaded = number;
      const bytes = await this.#readSegment(number, 0, undefined);
      if (bytes === undefined) continue;
      const next = this.#state.places[0];
      const older = new LogState();
      older.take(scanSegment(this.#host.hashing, bytes, { segment: number, from: 0, ordinal: undefined }).entries);
      this.#state.places.unshift(...older.places.filter((place) => next === undefined || place.sequence < next.sequence));
      for (const [sha256, place] of older.contents) if (!this.#state.contents.has(sha256)) this.#state.contents.set(sha256, place);
    }
  }

  /** Reads bytes of the log. */
  async readPlace(place: LogPlace): Promise<Uint8Array> {
    const bytes = await this.#readSegment(place.segment, place.offset, place.offset + place.length);
    if (bytes?.byteLength !== place.length) throw damaged(`segment ${place.segment}`);
    return bytes;
  }

  #open(): number {
    if (this.#descriptor === undefined) {
      this.#descriptor = this.#host.fileSystem.open(this.segmentPath(this.#position.segment), "update");
      this.#allocated = this.#host.fileSystem.fstat(this.#descriptor).size;
    }
    return this.#descriptor;
  }

  async #allocate(descriptor: number, end: number): Promise<void> {
    if (end + slackBytes <= this.#allocated) return;
    const size = Math.ceil((end + slackBytes) / growthBytes) * growthBytes;
    await writeFully(this.#host.fileSystem, descriptor, new Uint8Array(size - this.#allocated), this.#allocated, this.#host.pause);
    this.#allocated = size;
  }

  /** Lets go of the current segment's descriptor. */
  close(): void {
    if (this.#descriptor !== undefined) this.#host.fileSystem.close(this.#descriptor);
    this.#descriptor = undefined;
  }
}

function headerOf(entries: readonly LocatedEntry[]): SegmentHeader | undefined {
  const first = entries[0]?.entry;
  return first?.kind === "segment" ? first : undefined;
}

function restoreState(state: LogState, entry: SealedState, bytesOf: (index: number) => Uint8Array): void {
  state.ordinal = entry.ordinal;
  state.sequence = entry.sequence;
  state.hash = entry.hash;
  state.prunedBefore = entry.prunedBefore;
  entry.records.forEach(([key, version], index) => void state.putRecord(key, { bytes: bytesOf(index), version }));
}

/** The refusal of a log that cannot be read where it must be. */
export function damaged(what: string): HoldfastError {
  return new HoldfastError("STORAGE_FAILED", { message: `The log is damaged in ${what}. The files of the workspace are untouched; keep the state folder for inspection, or remove it to begin a new history.` });
}
