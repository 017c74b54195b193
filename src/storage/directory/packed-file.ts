import { hashBytes } from "../../base/hashing.ts";
import {
  commonEnds,
  decodeDelta,
  deltaDepthLimit,
  encodeDelta,
  isWorthDelta,
  type StoredContent,
} from "../log/content-delta.ts";
import { frameHeader } from "../log/frame.ts";
import type { ContentPlace, LocatedEntry } from "../log/log-state.ts";
import {
  type AfterIdentity,
  type CommitEntry,
  encodeEntry,
  type PathRecord,
  type PhysicalEntry,
  type SegmentHeader,
} from "../log/physical-entry.ts";
import { removeQuietly, writeParts } from "./file-bytes.ts";
import { KeptBytes } from "./kept-bytes.ts";
import { readContentPlace } from "./read-content-place.ts";
import type { SegmentWriteHost } from "./segment-file.ts";
import { damaged } from "./segment-files.ts";
import { stateFile } from "./state-folder.ts";

/** A content that the packed file holds. */
interface PackedContent extends StoredContent {
  /** So many deltas lie between it and a whole one. */
  readonly depth: number;
  /** Where its bytes were read from. */
  readonly source: ContentPlace;
}

/** A content on its way into an entry. */
interface NewContent {
  readonly after: AfterIdentity;
  readonly source: ContentPlace;
  readonly blob: number;
  readonly delta: boolean;
  /** `undefined`: a content that the file holds already. */
  readonly depth: number | undefined;
}

/** A packed segment while it is written, under a temporary name. */
export class PackedFile {
  readonly #host: SegmentWriteHost;
  readonly #path: string;
  readonly #descriptor: number;
  #end = 0;
  readonly #contents = new Map<string, PackedContent>();
  /** The last content of each path, by SHA-256. */
  readonly #latest = new Map<string, string>();
  /** Contents by their place in the packed file that they came from. */
  readonly #moved = new Map<string, PackedContent>();
  readonly #kept: KeptBytes;

  private constructor(host: SegmentWriteHost, path: string, descriptor: number) {
    this.#host = host;
    this.#path = path;
    this.#descriptor = descriptor;
    this.#kept = new KeptBytes((place) => readContentPlace(host, place));
  }

  /** Makes the file. */
  static async create(host: SegmentWriteHost): Promise<PackedFile> {
    const path = stateFile(host.state, "temporary", host.nextName());
    return new PackedFile(host, path, await host.fileSystem.create(path, 0o600));
  }

  /** Where it is. */
  get path(): string {
    return this.#path;
  }

  /** How long it is. */
  get byteLength(): number {
    return this.#end;
  }

  /** SHA-256 of the contents in it. */
  get contents(): Iterable<string> {
    return this.#contents.keys();
  }

  /** Writes the header. */
  async begin(header: SegmentHeader): Promise<void> {
    await this.#write(header, []);
  }

  /** Adds a revision: its own entry as it is, its contents by how they differ from others. What it says of records is in the sealed state. */
  async add(entry: CommitEntry, located: LocatedEntry, isUndone: boolean): Promise<void> {
    const { undone: _undone, opaque = 0, ...rest } = entry;
    const blobs = [located.bytesOf(opaque)];
    const fresh = new Map<string, NewContent>();
    const paths: PathRecord[] = [];
    for (const record of entry.paths) {
      const { after } = record;
      if (after?.blob === undefined) {
        paths.push(record);
        continue;
      }
      const { blob: _blob, delta: _delta, ...identity } = after;
      if (isUndone) {
        paths.push({ ...record, after: identity });
        continue;
      }
      const content = fresh.get(after.sha256) ?? (await this.#store(record.path, after, located, blobs));
      fresh.set(after.sha256, content);
      const stored = { blob: content.blob, ...(content.delta ? { delta: true as const } : {}) };
      paths.push({ ...record, after: { ...identity, ...stored } });
      await this.#host.pause();
    }
    const undone = isUndone ? { undone: true as const } : {};
    const packed = { ...rest, opaque: 0, paths, putRecords: [], deleteRecords: [], appended: [], ...undone };
    const places = await this.#write(packed, blobs);
    for (const content of fresh.values()) this.#note(content, places[content.blob]);
    if (!isUndone)
      for (const { path, after } of entry.paths) if (after !== null) this.#latest.set(path, after.sha256);
  }

  /** Puts a content among the blobs of an entry: as what others have not, or whole. */
  async #store(
    path: string,
    after: AfterIdentity,
    located: LocatedEntry,
    blobs: Uint8Array[],
  ): Promise<NewContent> {
    const source = { ...placeOf(located, after.blob), delta: after.delta === true };
    const put = (bytes: Uint8Array, base: PackedContent | undefined): NewContent => {
      const depth = base === undefined ? 0 : base.depth + 1;
      return { after, source, blob: blobs.push(bytes) - 1, delta: base !== undefined, depth };
    };
    const same = this.#contents.get(after.sha256);
    if (same !== undefined && isWorthDelta(after.length, after.length)) {
      const delta = { base: same, prefix: after.length, suffix: 0, middle: new Uint8Array() };
      return { ...put(encodeDelta(delta), same), depth: undefined };
    }
    const moved =
      after.delta === true ? this.#move(located.bytesOf(after.blob ?? 0), source.file) : undefined;
    if (moved !== undefined) return put(moved.bytes, moved.base);
    const bytes = await this.#bytesOf(after, source, located);
    const base = this.#contents.get(this.#latest.get(path) ?? "");
    if (base === undefined || base.depth >= deltaDepthLimit) return put(bytes, undefined);
    const old = await this.#kept.get(base.source);
    const { prefix, suffix } = commonEnds(old, bytes);
    if (!isWorthDelta(bytes.byteLength, prefix + suffix)) return put(bytes, undefined);
    const middle = bytes.subarray(prefix, bytes.byteLength - suffix);
    return put(encodeDelta({ base, prefix, suffix, middle }), base);
  }

  /** A delta stays as it is when its base comes along. */
  #move(
    bytes: Uint8Array,
    file: string,
  ): { readonly bytes: Uint8Array; readonly base: PackedContent } | undefined {
    const delta = decodeDelta(bytes);
    const base = delta === undefined ? undefined : this.#moved.get(`${file} ${delta.base.offset}`);
    return delta === undefined || base === undefined || base.depth >= deltaDepthLimit
      ? undefined
      : { bytes: encodeDelta({ ...delta, base }), base };
  }

  async #bytesOf(after: AfterIdentity, source: ContentPlace, located: LocatedEntry): Promise<Uint8Array> {
    const bytes = source.delta ? await this.#kept.get(source) : located.bytesOf(after.blob ?? 0);
    if (source.delta && hashBytes(this.#host.hashing, "sha256", bytes) !== after.sha256)
      throw damaged(source.file);
    if (!source.delta) this.#kept.keep(source, bytes);
    return bytes;
  }

  #note({ after, source, delta, depth }: NewContent, place: StoredContent | undefined): void {
    if (place === undefined || depth === undefined) return;
    const content = { offset: place.offset, length: place.length, delta, depth, source };
    this.#contents.set(after.sha256, content);
    this.#moved.set(`${source.file} ${source.offset}`, content);
  }

  /** @returns where the blobs lie in the file. */
  async #write(entry: PhysicalEntry, blobs: readonly Uint8Array[]): Promise<readonly StoredContent[]> {
    const { fileSystem, hashing, pause } = this.#host;
    const { parts, places } = encodeEntry(entry, blobs);
    const header = frameHeader(hashing, parts);
    const payload = this.#end + header.byteLength;
    await writeParts(fileSystem, this.#descriptor, [header, ...parts], this.#end, pause);
    this.#end = parts.reduce((end, { byteLength }) => end + byteLength, payload);
    return places.map(([offset, length]) => ({ offset: payload + offset, length, delta: false }));
  }

  /** Makes it durable; it can be given its name then. */
  async flush(): Promise<void> {
    if (this.#host.durable) await this.#host.fileSystem.flush(this.#descriptor, "all");
  }

  /** Lets go of the file. */
  close(): void {
    this.#host.fileSystem.close(this.#descriptor);
  }

  /** Removes the file, unless it has its name. */
  discard(): void {
    removeQuietly(this.#host.fileSystem, this.#path);
  }
}

function placeOf({ blobs }: LocatedEntry, blob = 0): Omit<ContentPlace, "delta"> {
  const place = blobs[blob];
  if (place === undefined) throw damaged("an entry without its content");
  return place;
}
