import { firstPreviousHash } from "./chain-hash.ts";
import type { CommitEntry, PhysicalEntry } from "./physical-entry.ts";

/** A named record. */
export interface StoredRecord {
  /** Its bytes. */
  readonly bytes: Uint8Array;
  /** Changes with every put. */
  readonly version: string;
}

/** Where bytes lie in the log. */
export interface LogPlace {
  /** Name of the segment's file. Such a file never comes to hold anything else: it is there, or it is gone. */
  readonly file: string;
  /** Offset in it. */
  readonly offset: number;
  /** Length in bytes. */
  readonly length: number;
}

/** Where the bytes of a content lie. */
export interface ContentPlace extends LogPlace {
  /** Whether they are given by how they differ from others of the same file. */
  readonly delta: boolean;
}

/** Where the entry of a sequence lies. */
export interface SequencePlace extends LogPlace {
  /** Its number. */
  readonly sequence: number;
  /** Its hash. */
  readonly hash: string;
  /** Whether it was taken back. */
  readonly undone: boolean;
}

/** What the newest entry that leaves a content has as its number; 0 for entries without one. */
interface Named {
  readonly sequence: number;
}

/** A physical entry, read from a segment. */
export interface LocatedEntry {
  /** The entry. */
  readonly entry: PhysicalEntry;
  /** Name of the file that it lies in. */
  readonly file: string;
  /** Offset of its payload there. */
  readonly offset: number;
  /** Places of its blobs. */
  readonly blobs: readonly LogPlace[];
  /** Bytes of a blob. */
  readonly bytesOf: (blob: number) => Uint8Array;
}

/** What the entries up to a point say, kept in memory: the records, the head of the chain, and where things lie. */
export class LogState {
  /** Records by key. */
  readonly records = new Map<string, StoredRecord>();
  /** Places of the revision entries that have been read, in order. */
  readonly places: SequencePlace[] = [];
  /** Places of after-images, by SHA-256. */
  readonly contents = new Map<string, ContentPlace & Named>();
  /** Contents that the log names but does not hold, by SHA-256. */
  readonly elsewhere = new Map<string, { readonly path: string; readonly file: string } & Named>();
  /** Last physical entry. */
  ordinal = 0;
  /** Last revision entry. */
  sequence = 0;
  /** Its hash. */
  hash = firstPreviousHash;
  /** Revision entries before this one are dropped. */
  prunedBefore = 1;
  #sortedKeys: string[] | undefined;

  /** Takes in entries in order. An entry and what takes it back must come in one call. */
  take(entries: readonly LocatedEntry[]): void {
    const dead = deadOrdinals(entries);
    for (const located of entries) {
      const { entry } = located;
      this.ordinal = entry.ordinal;
      if (entry.kind === "pruned") this.#prune(entry.before);
      if (entry.kind === "commit") this.#takeCommit(entry, located, dead.has(entry.ordinal));
    }
  }

  #takeCommit(entry: CommitEntry, located: LocatedEntry, undone: boolean): void {
    const place = placeOf(entry, located, undone);
    if (place !== undefined) this.places.push(place);
    this.sequence = entry.sequence ?? this.sequence;
    this.hash = entry.hash ?? this.hash;
    if (undone) return;
    this.#takeContents(entry, located);
    for (const [key, blob] of entry.putRecords)
      this.putRecord(key, { bytes: located.bytesOf(blob), version: String(entry.ordinal) });
    for (const key of entry.deleteRecords) if (this.records.delete(key)) this.#sortedKeys = undefined;
  }

  #takeContents(entry: CommitEntry, located: Pick<LocatedEntry, "blobs">): void {
    const sequence = entry.sequence ?? 0;
    for (const { path, after } of entry.paths) {
      if (after === null) continue;
      const place = after.blob === undefined ? undefined : located.blobs[after.blob];
      if (place !== undefined)
        setNewest(this.contents, after.sha256, { ...place, delta: after.delta === true, sequence });
      else setNewest(this.elsewhere, after.sha256, { path, file: after.staged ?? after.file, sequence });
    }
  }

  /**
   * Takes in where older revisions lie; what they say of records is in the sealed state already.
   *
   * @param isUndone - Which of them were taken back.
   */
  takeOlder(
    entries: readonly Pick<LocatedEntry, "entry" | "blobs">[],
    isUndone: (entry: CommitEntry) => boolean,
  ): void {
    const first = this.places[0]?.sequence ?? this.sequence + 1;
    const places: SequencePlace[] = [];
    for (const located of entries) {
      const { entry } = located;
      if (entry.kind !== "commit") continue;
      const place = placeOf(entry, located, isUndone(entry));
      if (place !== undefined && place.sequence < first) places.push(place);
      if (!isUndone(entry)) this.#takeContents(entry, located);
    }
    this.places.unshift(...places);
    this.#prune(this.prunedBefore);
  }

  /** Forgets where the revisions up to one lie, for they have been moved. */
  forgetPlaces(through: number): void {
    const kept = this.places.findIndex(({ sequence }) => sequence > through);
    this.places.splice(0, kept < 0 ? this.places.length : kept);
    for (const map of [this.contents, this.elsewhere])
      for (const [sha256, { sequence }] of map) if (sequence <= through) map.delete(sha256);
  }

  /** Contents of dropped entries that others still need have been copied to files of their own. */
  #prune(before: number): void {
    this.prunedBefore = Math.max(this.prunedBefore, before);
    const kept = this.places.findIndex(({ sequence }) => sequence >= this.prunedBefore);
    this.places.splice(0, kept < 0 ? this.places.length : kept);
    for (const map of [this.contents, this.elsewhere])
      for (const [sha256, { sequence }] of map) if (sequence < this.prunedBefore) map.delete(sha256);
  }

  /** Where the entry of a sequence lies, if its segment has been read. */
  place(sequence: number): SequencePlace | undefined {
    let low = 0;
    let high = this.places.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.places[middle]?.sequence ?? 0) < sequence) low = middle + 1;
      else high = middle;
    }
    const found = this.places[low];
    return found?.sequence === sequence ? found : undefined;
  }

  /** Sets a record. */
  putRecord(key: string, record: StoredRecord): void {
    if (!this.records.has(key)) this.#sortedKeys = undefined;
    this.records.set(key, record);
  }

  /** Keys that begin with a prefix and come after a key, sorted. */
  keys(prefix: string, after: string | undefined): readonly string[] {
    this.#sortedKeys ??= [...this.records.keys()].sort();
    return this.#sortedKeys.filter((key) => key.startsWith(prefix) && (after === undefined || key > after));
  }
}

function placeOf(
  entry: CommitEntry,
  { blobs }: Pick<LocatedEntry, "blobs">,
  undone: boolean,
): SequencePlace | undefined {
  const place = entry.opaque === undefined ? undefined : blobs[entry.opaque];
  if (place === undefined || entry.sequence === undefined || entry.hash === undefined) return undefined;
  return { sequence: entry.sequence, hash: entry.hash, undone, ...place };
}

/** An entry without a number, which pruning does not keep, never takes the place of one with a number. */
function setNewest<T extends Named>(contents: Map<string, T>, sha256: string, named: T): void {
  const known = contents.get(sha256);
  if (known === undefined || known.sequence <= named.sequence) contents.set(sha256, named);
}

/** Ordinals that later entries of the same run take back. */
export function deadOrdinals(entries: readonly { readonly entry: PhysicalEntry }[]): ReadonlySet<number> {
  const dead = new Set<number>();
  for (const { entry } of entries) {
    if (entry.kind === "undo") dead.add(entry.of);
  }
  return dead;
}
