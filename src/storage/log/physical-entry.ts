import { utf8 } from "../../base/bytes.ts";

/** How the bytes of a path can be told apart from any other's: what they are, and which file on the disk holds them. */
export interface PathIdentity {
  /** File or symbolic link. */
  readonly kind: "file" | "symlink";
  /** Permission bits. */
  readonly mode: number;
  /** Bytes. */
  readonly length: number;
  /** xxh64 of the bytes. */
  readonly xxh64: string;
  /** Inode, decimal. */
  readonly ino: string;
  /** Time of the last change of the bytes in nanoseconds since 1970, decimal. */
  readonly mtimeNs: string;
}

/** A state that a commit leaves, and where its bytes are kept. */
export interface AfterIdentity extends PathIdentity {
  /** SHA-256 of the bytes. */
  readonly sha256: string;
  /** The file that becomes the target, relative to the state folder. */
  readonly file: string;
  /** Which of the entry's blobs holds the bytes; left out for large contents, which `staged` holds. */
  readonly blob?: number;
  /** Whether that blob is not the bytes but how they differ from others of the same file; only in packed segments. */
  readonly delta?: true;
  /** The staged file that holds the bytes, relative to the state folder; it is `file` itself when that is renamed onto the target. */
  readonly staged?: string;
}

/** How a commit changes one path. */
export interface PathRecord {
  /** Which path. */
  readonly path: string;
  /** What it replaces; `null`: nothing was there. */
  readonly before: PathIdentity | null;
  /** What it leaves; `null`: nothing. */
  readonly after: AfterIdentity | null;
  /** Name of the second link of what it replaces, in the folder of pre-images. */
  readonly pre?: string;
}

/** The commit of one batch. */
export interface CommitEntry {
  /** What it is. */
  readonly kind: "commit";
  /** Position among all physical entries, from 1, without gaps. */
  readonly ordinal: number;
  /** The run of the machine that wrote it. */
  readonly boot: string;
  /** The batch's id. */
  readonly batch: string;
  /** Number in the log of revisions, and its hash; left out for batches that take none. */
  readonly sequence?: number;
  /** See `sequence`. */
  readonly hash?: string;
  /** Which blob is the batch's own entry. */
  readonly opaque?: number;
  /** Changed files, in the order of the batch. */
  readonly paths: readonly PathRecord[];
  /** Folders that it makes, outermost first. */
  readonly folders: readonly string[];
  /** Written records: key and blob. */
  readonly putRecords: readonly (readonly [key: string, blob: number])[];
  /** Removed records. */
  readonly deleteRecords: readonly string[];
  /** Staged contents that grew; they are made durable before this entry is. */
  readonly appended: readonly string[];
  /** Whether it was taken back: a packed segment says so in place of notes. */
  readonly undone?: true;
}

/** A remark on earlier entries: the decision to take one back, that it has been taken back, or that old ones are dropped. */
export type NoteEntry =
  | { readonly kind: "undo" | "undone"; readonly ordinal: number; readonly of: number }
  | { readonly kind: "pruned"; readonly ordinal: number; readonly before: number };

/**
 * First frame of each segment. What earlier segments hold past its `ordinal` was never acknowledged (its flush failed, or a power cut tore it)
 * and counts for nothing; the numbers are given again.
 */
export interface SegmentHeader {
  /** What it is. */
  readonly kind: "segment";
  /** Number of the segment, from 1. */
  readonly segment: number;
  /** The run of the machine that made it. */
  readonly boot: string;
  /** Last ordinal before it. */
  readonly ordinal: number;
  /** Last sequence before it. */
  readonly sequence: number;
  /** Hash of that entry. */
  readonly hash: string;
  /** Whether it is a packed one: it has the revisions of several segments, and ordinals are left out. */
  readonly packed?: true;
}

/** What everything up to the end of a segment comes to: a file of its own, written when the segment is sealed. */
export interface SealedState {
  /** What it is. */
  readonly kind: "state";
  /** The segment that it stands behind. */
  readonly segment: number;
  /** Last ordinal. */
  readonly ordinal: number;
  /** Last sequence. */
  readonly sequence: number;
  /** Hash of that entry. */
  readonly hash: string;
  /** Revision entries before this one are dropped. */
  readonly prunedBefore: number;
  /** Keys and versions of all records, in the order of the blobs that hold them. */
  readonly records: readonly (readonly [key: string, version: string])[];
}

/** What one frame of a segment, or of the file beside it, holds. */
export type PhysicalEntry = CommitEntry | NoteEntry | SegmentHeader | SealedState;

const decoder = new TextDecoder("utf-8", { fatal: true });

/** Where each blob lies in a payload: offset and length. */
export type BlobPlaces = readonly (readonly [offset: number, length: number])[];

/**
 * Writes an entry and its blobs: length of the head (4, little endian), the head as JSON with the blobs' lengths, the blobs.
 *
 * @returns the parts of the payload, to be joined in order, and where the blobs will lie.
 */
export function encodeEntry(
  entry: PhysicalEntry,
  blobs: readonly Uint8Array[] = [],
): { readonly parts: readonly Uint8Array[]; readonly places: BlobPlaces } {
  const lengths = blobs.map((blob) => blob.byteLength);
  const head = utf8(JSON.stringify({ ...entry, blobs: lengths }));
  const length = new Uint8Array(4);
  new DataView(length.buffer).setUint32(0, head.byteLength, true);
  return { parts: [length, head, ...blobs], places: placesFrom(4 + head.byteLength, lengths) };
}

function placesFrom(start: number, lengths: readonly number[]): BlobPlaces {
  let offset = start;
  return lengths.map((length) => {
    const place = [offset, length] as const;
    offset += length;
    return place;
  });
}

/** An entry read back. */
export interface DecodedEntry {
  /** The entry. */
  readonly entry: PhysicalEntry;
  /** Where its blobs lie in the payload. */
  readonly blobs: BlobPlaces;
}

/** Reads an entry back; the payload's checksum has been checked. */
export function decodeEntry(payload: Uint8Array): DecodedEntry {
  const headLength = new DataView(payload.buffer, payload.byteOffset, 4).getUint32(0, true);
  const { blobs, ...entry } = JSON.parse(
    decoder.decode(payload.subarray(4, 4 + headLength)),
  ) as PhysicalEntry & { blobs: number[] };
  return { entry: entry as PhysicalEntry, blobs: placesFrom(4 + headLength, blobs) };
}
