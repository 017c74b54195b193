import { type LocatedEntry, LogState } from "../log/log-state.ts";
import type { SealedState } from "../log/physical-entry.ts";
import { headOf, type LogHead, unflushedOf } from "./log-head.ts";
import { type LogPosition, startPosition } from "./log-position.ts";
import { OlderPlaces } from "./older-places.ts";
import { patiently } from "./patiently.ts";
import { createSealedState, createSegment, type NewEntry, SegmentFile } from "./segment-file.ts";
import { damaged, listSegments, loadSealed, mostLooks, type ScannedLog, scanLog } from "./segment-files.ts";
import type { SegmentLogHost } from "./segment-log-host.ts";

/** The log as files: numbered segments that only grow, and for each sealed one the state at its end. All but reading happens under the lock. */
export class SegmentLog {
  readonly #host: SegmentLogHost;
  /** Where sealed entries lie, which is looked up when it is asked for. */
  readonly older: OlderPlaces;
  #state = new LogState();
  #position = startPosition;
  #file: SegmentFile | undefined;
  #sealed = 0;
  #sealedOrdinal = 0;
  #pending: LocatedEntry[] = [];
  /** Entries of the current segment that count and are not known to be durable. */
  #unflushed: readonly LocatedEntry[] = [];
  /** How many of the pending entries are durable. */
  #durable = 0;
  /** Offset behind the last entry that is durable or settled, while there are others behind it. */
  #firmEnd = 0;
  #broken = false;
  #isPassed = false;

  constructor(host: SegmentLogHost) {
    this.#host = host;
    this.older = new OlderPlaces(host, () => this.#state);
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
  get head(): LogHead {
    return headOf(this.#state, this.#pending);
  }

  /** Whether what lies behind the last settled entry is in doubt: this handle may append nothing more. */
  get isBroken(): boolean {
    return this.#broken;
  }

  /** Whether making a segment failed, so that it may be there: what is written to the one before it would be void. */
  get isPassed(): boolean {
    return this.#isPassed;
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
    return {
      entries: this.#state.ordinal - this.#sealedOrdinal,
      bytes: this.#position.segment > this.#sealed ? this.#position.end : 0,
    };
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
    for (let look = 1; ; look++) {
      const loaded = await this.#load(through);
      if (typeof loaded !== "number") return loaded;
      // Without the lock, others may have sealed and packed what was to be read.
      if (look === mostLooks) throw damaged(`segment ${loaded}, which is gone`);
    }
  }

  /** @returns the number of a segment that is gone. */
  async #load(through: LogPosition | undefined): Promise<ScannedLog | number> {
    this.close();
    const base = await loadSealed(this.#host);
    const { segments } = await listSegments(this.#host);
    const last = Math.max(through?.segment ?? segments.at(-1) ?? 0, base.segment);
    for (let number = base.segment + 1; number <= last; number++)
      if (!segments.includes(number)) return number;
    const end = through === undefined || through.segment < last ? Number.POSITIVE_INFINITY : through.end;
    const scanned = await scanLog(
      this.#host,
      { segment: base.segment + 1, offset: 0, ordinal: base.state.ordinal },
      { segment: last, end },
    );
    if (scanned.hasGap) return last;
    // From here on in one go: readers do not wait for their turn, and must never see a part of the log.
    this.#sealed = base.segment;
    this.#sealedOrdinal = base.state.ordinal;
    this.#state = base.state;
    this.older.reset(base.segment, base.state);
    this.#pending = [];
    this.#durable = 0;
    this.#broken = false;
    this.#isPassed = false;
    this.#state.take(scanned.entries);
    this.#unflushed = unflushedOf(scanned.entries, through);
    const found = scanned.segment <= last;
    this.#position = {
      segment: found ? scanned.segment : base.segment,
      end: found ? scanned.end : 0,
      flushed: 0,
      applied: base.state.ordinal,
    };
    return scanned;
  }

  /** Reads what others have written since, up to the position that they told. */
  async catchUp(through: LogPosition): Promise<void> {
    const own = this.#position;
    if (through.segment < own.segment || (through.segment === own.segment && through.end <= own.end)) return;
    if (own.segment <= this.#sealed || !(await this.#readOn(own, through))) await this.load(through);
    const { segment, end } = this.#position;
    // What has been sealed meanwhile was whole.
    if (segment > this.#sealed && segment === through.segment && end < through.end)
      throw damaged(`segment ${through.segment}`);
    this.#position = { ...this.#position, flushed: through.flushed, applied: through.applied };
  }

  /** @returns whether what was read goes on where this handle had come to: segments may be gone, and others void what nobody has settled. */
  async #readOn({ segment, end }: LogPosition, through: LogPosition): Promise<boolean> {
    const from = { segment, offset: end, ordinal: this.#state.ordinal };
    const scanned = await scanLog(this.#host, from, through);
    if (scanned.hasGap || !scanned.follows) return false;
    if (scanned.segment !== segment) this.close();
    this.#state.take(scanned.entries);
    this.#unflushed = unflushedOf([...this.#unflushed, ...scanned.entries], through);
    this.#position = { ...through, segment: scanned.segment, end: scanned.end };
    return true;
  }

  /** The entries that nobody has sealed yet. */
  async unsealed(): Promise<readonly LocatedEntry[]> {
    this.#sealed = Math.max(this.#sealed, (await listSegments(this.#host)).sealed.at(-1) ?? 0);
    const { segment, end } = this.#position;
    const from = { segment: this.#sealed + 1, offset: 0, ordinal: 0 };
    return (await scanLog(this.#host, from, { segment, end })).entries;
  }

  /**
   * Adds entries behind the last one; nothing is durable yet, and nothing counts before `settle`.
   *
   * On failure nothing of it can be read any more; where even that cannot be reached, `isBroken` says so.
   */
  async append(entries: readonly NewEntry[]): Promise<void> {
    this.#host.assertHeld();
    if (this.#isPassed || this.#position.segment <= this.#sealed) await this.startSegment();
    const { end } = this.#position;
    if (this.#pending.length === this.#durable) this.#firmEnd = end;
    await this.hold(); // A segment that cannot be opened holds nothing of it.
    try {
      const written = await this.#current().write(entries, end);
      this.#pending.push(...written.located);
      this.#position = { ...this.#position, end: written.end };
    } catch (error) {
      await this.#forget(end);
      throw error;
    }
  }

  /** Makes everything appended so far durable. When that fails, what was appended since the last flush is cut off by a new segment. */
  async flush(): Promise<void> {
    const { end } = this.#position;
    try {
      await this.#current().flush();
    } catch (error) {
      this.#pending.length = this.#durable;
      await this.#leaveSegment();
      throw error;
    }
    try {
      this.#host.assertHeld();
    } catch (error) {
      // Whoever has broken the lock has found the entries, or will; those of a log that is gone, nobody will.
      this.#broken = this.isLinked();
      if (this.#broken) throw error;
    }
    this.#durable = this.#pending.length;
    this.#unflushed = [];
    this.#position = { ...this.#position, flushed: end };
  }

  /** Lets the appended entries count. */
  settle(): void {
    this.#state.take(this.#pending);
    if (this.#host.durable) this.#unflushed = [...this.#unflushed, ...this.#pending.slice(this.#durable)];
    this.#pending = [];
    this.#durable = 0;
  }

  /** Takes back what was appended since the last flush or settling, of which nobody has been told. */
  async retract(): Promise<void> {
    this.#pending.length = this.#durable;
    this.#position = { ...this.#position, end: this.#firmEnd };
    await this.#forget(this.#firmEnd);
  }

  async #forget(offset: number): Promise<void> {
    try {
      if (!this.isLinked()) return; // Nobody will read it.
      this.#host.assertHeld();
      await this.#current().blank(offset);
    } catch {
      await this.#leaveSegment();
    }
  }

  async #leaveSegment(): Promise<void> {
    try {
      await this.startSegment(this.#unflushed);
    } catch {
      this.#broken = true;
    }
  }

  /** Keeps the current segment open, so that another file in its place is noticed. */
  async hold(): Promise<void> {
    if (this.#position.segment <= this.#sealed) return;
    await patiently(this.#host.fileSystem, () => this.#current().open());
  }

  /** Whether the current segment still has its name. */
  isLinked(): boolean {
    return this.#current().isLinked();
  }

  /**
   * Begins a new segment; what earlier ones hold past the last entry that counts is void from now on.
   *
   * @param moved - The last entries that count, when they are not durable where they are.
   */
  async startSegment(moved: readonly LocatedEntry[] = []): Promise<void> {
    this.#host.assertHeld();
    const newest = (await listSegments(this.#host)).segments.at(-1) ?? 0;
    const segment = Math.max(newest, this.#position.segment, this.#sealed) + 1;
    const ordinal = (moved[0]?.entry.ordinal ?? this.head.ordinal + 1) - 1;
    const header = { kind: "segment", segment, boot: this.#host.boot, ...this.head, ordinal } as const;
    this.#isPassed = true;
    const end = await createSegment(this.#host, header, moved);
    this.#isPassed = false;
    this.#unflushed = [];
    this.close();
    this.#position = { ...this.#position, segment, end, flushed: end };
  }

  /** Writes down what everything up to the end of a segment comes to; from then on it is history. */
  async seal(entry: SealedState, blobs: readonly Uint8Array[]): Promise<void> {
    await createSealedState(this.#host, entry, blobs);
    this.#sealed = entry.segment;
    this.#sealedOrdinal = entry.ordinal;
  }

  #current(): SegmentFile {
    this.#file ??= new SegmentFile(this.#host, this.#position.segment);
    return this.#file;
  }

  /** Lets go of the current segment. */
  close(): void {
    this.#file?.close();
    this.#file = undefined;
  }
}
