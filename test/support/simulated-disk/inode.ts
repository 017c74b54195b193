import type { FileStatus } from "../../../src/storage/directory/file-system.ts";

/** What of a file would be there after a power cut for certain. */
export interface DurableContent {
  readonly bytes: Uint8Array;
  readonly mode: number;
  readonly mtimeNs: bigint;
}

/** A stretch of a file whose flush failed: what it held before is what the platter has, though memory reads otherwise. */
export interface LostStretch {
  readonly from: number;
  readonly to: number;
  readonly before: Uint8Array;
}

/** A file, link or folder of a simulated disk, as memory has it and as the platter has it. */
export interface Inode {
  readonly ino: number;
  readonly kind: "file" | "directory" | "symlink";
  /** Never changed in place, so that clones share them. Of a link: its text. */
  bytes: Uint8Array;
  mode: number;
  uid: number;
  gid: number;
  mtimeNs: bigint;
  links: number;
  readonly bornMode: number;
  readonly bornNs: bigint;
  /** Names in a folder, as memory has them. */
  readonly entries: Map<string, number>;
  /** Names in a folder that are on the platter for certain, but for the disk's pending changes. */
  readonly settled: Map<string, number>;
  /** `undefined`: never flushed. */
  durable: DurableContent | undefined;
  lost: readonly LostStretch[];
}

const none = new Uint8Array();

export function makeInode(
  ino: number,
  kind: Inode["kind"],
  mode: number,
  now: bigint,
  bytes: Uint8Array = none,
): Inode {
  return {
    ino,
    kind,
    bytes,
    mode,
    uid: 1000,
    gid: 1000,
    mtimeNs: now,
    links: 0,
    bornMode: mode,
    bornNs: now,
    entries: new Map(),
    settled: new Map(),
    durable: undefined,
    lost: [],
  };
}

export function cloneInode(inode: Inode): Inode {
  return inode.kind === "directory"
    ? { ...inode, entries: new Map(inode.entries), settled: new Map(inode.settled) }
    : { ...inode };
}

export function statusOf(inode: Inode): FileStatus {
  return {
    kind: inode.kind,
    dev: 1n,
    ino: BigInt(inode.ino),
    size: inode.bytes.byteLength,
    mode: inode.mode,
    mtimeNs: inode.mtimeNs,
    links: inode.kind === "directory" ? 2 : inode.links,
    uid: inode.uid,
    gid: inode.gid,
  };
}

/** Writes into a copy of a file's bytes, filling a gap before them with zeros. */
export function writeBytes(inode: Inode, bytes: Uint8Array, position: number): void {
  const end = position + bytes.byteLength;
  const next = new Uint8Array(Math.max(inode.bytes.byteLength, end));
  next.set(inode.bytes);
  next.set(bytes, position);
  inode.bytes = next;
  inode.lost = inode.lost
    .flatMap(({ from, to, before }) => [
      { from, to: Math.min(to, position), before },
      { from: Math.max(from, end), to, before },
    ])
    .filter(({ from, to }) => from < to);
}

/** Makes the bytes, size, mode and time of a file durable, but for what an earlier flush has lost. */
export function settleContent(inode: Inode, then: DurableContent): void {
  let { bytes } = then;
  for (const { from, to, before } of inode.lost) {
    const mended = bytes.slice();
    for (let at = from; at < Math.min(to, mended.byteLength); at++) mended[at] = before[at] ?? 0;
    bytes = mended;
  }
  inode.durable = { ...then, bytes };
}

/** A flush failed: memory forgets that what had changed is not on the platter. */
export function loseContent(inode: Inode): void {
  const before = inode.durable?.bytes ?? none;
  const { from, to } = changedStretch(before, inode.bytes);
  if (from < to) inode.lost = [...inode.lost, { from, to, before }];
}

/** The shortest stretch that holds every difference. */
export function changedStretch(
  before: Uint8Array,
  after: Uint8Array,
): { readonly from: number; readonly to: number } {
  let from = 0;
  while (from < after.byteLength && from < before.byteLength && before[from] === after[from]) from++;
  let to = after.byteLength;
  if (before.byteLength === after.byteLength) while (to > from && before[to - 1] === after[to - 1]) to--;
  return { from, to };
}
