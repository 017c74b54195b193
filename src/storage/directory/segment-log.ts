import { encodeFrame, frameHeaderBytes } from "../log/frame.ts";
import { type LocatedEntry, LogState } from "../log/log-state.ts";
import { encodeEntry, type PhysicalEntry, type SealedState } from "../log/physical-entry.ts";
import { flushPath, replaceFile, writeFully } from "./file-bytes.ts";
import { locate, scanSegment } from "./scan-segment.ts";
import { damaged, listSegments, loadSealed, readSegment, type ScannedLog, scanLog, segmentPath, type SegmentFilesHost } from "./segment-files.ts";
import { stateFile } from "./state-folder.ts";

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
export interface SegmentLogHost extends SegmentFilesHost {
  /** This run of the machine. */
  readonly boot: string;
  /** Makes names that nobody else makes. */
  readonly nextName: () => string;
  /** Whether entries are made durable. */
  readonly durable: boolean;
}

/** The log as files: numbered segments that only grow, and for each sealed one the state at its end. All but reading happens under the lock. */
export class SegmentLog {
  readonly #host: SegmentLogHost;
  #state = new LogState();
  #position = startPosition;
  #descriptor: number | undefined;
  #oldestLoaded = 1;
  #sealed = 0;
  #sealedOrdinal = 0;
  #pending: LocatedEntry[] = [];
  /** How many of the pending entries are durable. */
  #durable = 0;
  /** Offset behind the last entry that is durable or settled, while there are others behind it. */
  #firmEnd = 0;
  #broken = false;

  constructor(host: SegmentLogHost) {
    this.#host = host;
  }

  /** What the entries that count say. */
  get state(): LogState {
    return this.#state;
  }

  /** How far this handle has read or written. */
  get position(): LogPosition {
    return this.#position;
  }

  /** The last entry, those included that have been appended and not settled. */
  get head(): { readonly ordinal: number; readonly sequence: number; readonly hash: string } {
    const { ordinal, sequence, hash } = this.#state;
    const numbered = this.#pending.findLast(({ entry }) => entry.kind === "commit" && entry.sequence !== undefined)?.entry;
    const commit = numbered?.kind === "commit" ? numbered : undefined;
    return { ordinal: this.#pending.at(-1)?.entry.ordinal ?? ordinal, sequence: commit?.sequence ?? sequence, hash: commit?.hash ?? hash };
  }

  /** Whether what lies behind the last settled entry is in doubt: this handle may append nothing more. */
  get isBroken(): boolean {
    return this.#broken;
  }

  /** Number of the last sealed segment; 0: none. */
  get sealed(): number {
    return this.#sealed;
  }

  /** Last ordinal that is sealed. */
  get sealedOrdinal(): number {
    return this.#sealedOrdinal;
  }

  /** How much would have to be read at the next opening. */
  get unsealedSize(): { readonly entries: number; readonly bytes: number } {
    return { entries: this.#state.ordinal - this.#sealedOrdinal, bytes: this.#position.segment > this.#sealed ? this.#position.end : 0 };
  }

  /** Sets what is known to be carried out. */
  markApplied(applied: number): void {
    this.#position = { ...this.#position, applied };
  }

  /**
   * Reads everything from the last sealed state on.
   *
   * @param through - Where to stop. Default: at the last whole entry, whoever wrote it; for the holder of the lock only.
   */
  async load(through?: LogPosition): Promise<ScannedLog> {
    this.close();
    const { segments, sealed } = listSegments(this.#host);
    const base = await loadSealed(this.#host, sealed);
    this.#sealed = base.segment;
    this.#oldestLoaded = base.segment + 1;
    this.#sealedOrdinal = base.state.ordinal;
    this.#state = base.state;
    this.#pending = [];
    this.#durable = 0;
    this.#broken = false;
    const last = Math.max(through?.segment ?? segments.at(-1) ?? 0, base.segment);
    for (let number = base.segment + 1; number <= last; number++) if (!segments.includes(number)) throw damaged(`segment ${number}, which is gone`);
    const end = through === undefined || through.segment < last ? Number.POSITIVE_INFINITY : through.end;
    const scanned = await scanLog(this.#host, { segment: base.segment + 1, offset: 0, ordinal: base.state.ordinal }, { segment: last, end });
    this.#state.take(scanned.entries);
    const found = scanned.segment <= last;
    this.#position = { segment: found ? scanned.segment : base.segment, end: found ? scanned.end : 0, flushed: 0, applied: base.state.ordinal };
    return scanned;
  }

  /** Reads what others have written since, up to the position that they told. */
  async catchUp(through: LogPosition): Promise<void> {
    const own = this.#position;
    if (through.segment < own.segment || (through.segment === own.segment && through.end <= own.end)) return;
    const { fileSystem, state } = this.#host;
    if (own.segment === 0 || fileSystem.lstat(segmentPath(state, own.segment)) === undefined) {
      await this.load(through);
    } else {
      const scanned = await scanLog(this.#host, { segment: own.segment, offset: own.end, ordinal: this.#state.ordinal }, through);
      if (scanned.segment !== own.segment) this.close();
      this.#state.take(scanned.entries);
      this.#position = { ...through, segment: scanned.segment, end: scanned.end };
    }
    if (this.#position.segment === through.segment && this.#position.end < through.end) throw damaged(`segment ${through.segment}`);
    this.#position = { ...this.#position, flushed: through.flushed, applied: through.applied };
  }

  /** The entries that nobody has sealed yet. */
  async unsealed(): Promise<readonly LocatedEntry[]> {
    this.#sealed = Math.max(this.#sealed, listSegments(this.#host).sealed.at(-1) ?? 0);
    const { segment, end } = this.#position;
    const from = { segment: this.#sealed + 1, offset: 0, ordinal: 0 };
    return (await scanLog(this.#host, from, { segment, end })).entries;
  }

  /**
   * Adds entries behind the last one; nothing is durable yet, and nothing counts before `settle`.
   *
   * On failure nothing of it can be read any more; where even that cannot be reached, `isBroken` says so.
   */
  async append(entries: readonly { readonly entry: PhysicalEntry; readonly blobs?: readonly Uint8Array[] }[]): Promise<void> {
    const { fileSystem, hashing, pause } = this.#host;
    if (this.#position.segment <= this.#sealed) await this.startSegment();
    const descriptor = this.#open();
    const { segment, end } = this.#position;
    if (this.#pending.length === this.#durable) this.#firmEnd = end;
    const located: LocatedEntry[] = [];
    const frames: Uint8Array[] = [];
    let length = 0;
    for (const { entry, blobs } of entries) {
      const { parts, places } = encodeEntry(entry, blobs);
      const frame = encodeFrame(hashing, parts);
      located.push(locate(entry, frame.subarray(frameHeaderBytes), places, { segment, payload: end + length + frameHeaderBytes }));
      frames.push(frame);
      length += frame.byteLength;
      await pause();
    }
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
    this.#pending.push(...located);
    this.#position = { ...this.#position, end: end + length };
  }

  /** Makes everything appended so far durable. When that fails, what was appended since the last flush is cut off by a new segment. */
  async flush(): Promise<void> {
    const { end } = this.#position;
    try {
      if (this.#host.durable) await this.#host.fileSystem.flush(this.#open(), "data");
    } catch (error) {
      this.#pending.length = this.#durable;
      await this.#leaveSegment();
      throw error;
    }
    this.#durable = this.#pending.length;
    this.#position = { ...this.#position, flushed: end };
  }

  /** Lets the appended entries count. */
  settle(): void {
    this.#state.take(this.#pending);
    this.#pending = [];
    this.#durable = 0;
  }

  /** Takes back what was appended since the last flush or settling, of which nobody has been told. */
  async retract(): Promise<void> {
    this.#pending.length = this.#durable;
    this.#position = { ...this.#position, end: this.#firmEnd };
    await this.#forget(this.#open(), this.#firmEnd);
  }

  async #forget(descriptor: number, offset: number): Promise<void> {
    try {
      await writeFully(this.#host.fileSystem, descriptor, new Uint8Array(frameHeaderBytes), offset, this.#host.pause);
    } catch {
      await this.#leaveSegment();
    }
  }

  async #leaveSegment(): Promise<void> {
    try {
      await this.startSegment();
    } catch {
      this.#broken = true;
    }
  }

  /** Whether the current segment still has its name. */
  isLinked(): boolean {
    return this.#host.fileSystem.fstat(this.#open()).links > 0;
  }

  /** Begins a new segment; what earlier ones hold past the last entry that counts is void from now on. */
  async startSegment(): Promise<void> {
    const { fileSystem, hashing, boot, nextName, state, durable, pause } = this.#host;
    const number = Math.max(listSegments(this.#host).segments.at(-1) ?? 0, this.#position.segment, this.#sealed) + 1;
    const { ordinal, sequence, hash } = this.head;
    const header = encodeFrame(hashing, encodeEntry({ kind: "segment", segment: number, boot, ordinal, sequence, hash }).parts);
    const bytes = new Uint8Array(growthBytes);
    bytes.set(header);
    await replaceFile(fileSystem, stateFile(state, "temporary", nextName()), segmentPath(state, number), bytes, durable, pause);
    if (durable) await flushPath(fileSystem, stateFile(state, "log"), "folder");
    this.close();
    this.#position = { ...this.#position, segment: number, end: header.byteLength, flushed: header.byteLength };
  }

  /** Writes down what everything up to the end of a segment comes to; from then on it is history. */
  async seal(segment: number, entry: SealedState, blobs: readonly Uint8Array[]): Promise<void> {
    const { fileSystem, hashing, nextName, state, durable, pause } = this.#host;
    const bytes = encodeFrame(hashing, encodeEntry(entry, blobs).parts);
    await replaceFile(fileSystem, stateFile(state, "temporary", nextName()), segmentPath(state, segment, "state"), bytes, durable, pause);
    if (durable) await flushPath(fileSystem, stateFile(state, "log"), "folder");
    this.#sealed = segment;
    this.#sealedOrdinal = entry.ordinal;
  }

  /** Loads the places of sealed entries, newest segment first, until a sequence is covered. */
  async loadPlaces(sequence: number): Promise<void> {
    while (this.#oldestLoaded > 1 && (this.#state.places[0]?.sequence ?? this.#state.sequence + 1) > sequence) {
      this.#oldestLoaded -= 1;
      const bytes = await readSegment(this.#host, this.#oldestLoaded, 0);
      if (bytes === undefined) continue;
      const older = new LogState();
      older.take(scanSegment(this.#host.hashing, bytes, { segment: this.#oldestLoaded, from: 0, ordinal: undefined }).entries);
      this.#state.takeOlder(older);
    }
  }

  #open(): number {
    if (this.#descriptor !== undefined) return this.#descriptor;
    this.#descriptor = this.#host.fileSystem.open(segmentPath(this.#host.state, this.#position.segment), "update");
    return this.#descriptor;
  }

  /** The size is asked for each time: another process may have made the file longer, and zeros must never meet its entries. */
  async #allocate(descriptor: number, end: number): Promise<void> {
    const { size } = this.#host.fileSystem.fstat(descriptor);
    if (end + slackBytes <= size) return;
    const wanted = Math.ceil((end + slackBytes) / growthBytes) * growthBytes;
    await writeFully(this.#host.fileSystem, descriptor, new Uint8Array(wanted - size), size, this.#host.pause);
  }

  /** Lets go of the current segment's descriptor. */
  close(): void {
    if (this.#descriptor !== undefined) this.#host.fileSystem.close(this.#descriptor);
    this.#descriptor = undefined;
  }
}
