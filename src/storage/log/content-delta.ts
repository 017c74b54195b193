/** Where the bytes of a content lie in a packed segment. */
export interface StoredContent {
  /** Offset in the file. */
  readonly offset: number;
  /** How many bytes are there. */
  readonly length: number;
  /** Whether they are a delta. */
  readonly delta: boolean;
}

/** How a content differs from another: it begins and ends as that does, and has other bytes between. */
export interface ContentDelta {
  /** The other content, which lies before the delta in the same file. */
  readonly base: StoredContent;
  /** How many bytes at the beginning are those of the base. */
  readonly prefix: number;
  /** How many bytes at the end are those of the base. */
  readonly suffix: number;
  /** What lies between. */
  readonly middle: Uint8Array;
}

/** So many deltas lie at most between a content and one that is stored whole, a repeated one not counted. */
export const deltaDepthLimit = 64;

const headerBytes = 24;

/** What two contents have in common at their beginning and, apart from that, at their end. */
export function commonEnds(
  base: Uint8Array,
  target: Uint8Array,
): { readonly prefix: number; readonly suffix: number } {
  const shorter = Math.min(base.byteLength, target.byteLength);
  let prefix = 0;
  while (prefix < shorter && base[prefix] === target[prefix]) prefix++;
  let suffix = 0;
  const [baseEnd, targetEnd] = [base.byteLength - 1, target.byteLength - 1];
  while (suffix < shorter - prefix && base[baseEnd - suffix] === target[targetEnd - suffix]) suffix++;
  return { prefix, suffix };
}

/** Whether a delta saves enough to be worth the way over its base: half at least. */
export function isWorthDelta(length: number, common: number): boolean {
  return headerBytes + length - common <= length / 2;
}

/** Writes a delta: offset of the base (8, little endian), its length (4), whether it is a delta (4), prefix (4), suffix (4), the middle. */
export function encodeDelta({ base, prefix, suffix, middle }: ContentDelta): Uint8Array {
  const bytes = new Uint8Array(headerBytes + middle.byteLength);
  const view = new DataView(bytes.buffer);
  view.setBigUint64(0, BigInt(base.offset), true);
  view.setUint32(8, base.length, true);
  view.setUint32(12, base.delta ? 1 : 0, true);
  view.setUint32(16, prefix, true);
  view.setUint32(20, suffix, true);
  bytes.set(middle, headerBytes);
  return bytes;
}

/** Reads a delta back; `undefined` when the bytes are none. */
export function decodeDelta(bytes: Uint8Array): ContentDelta | undefined {
  if (bytes.byteLength < headerBytes) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, headerBytes);
  const delta = view.getUint32(12, true);
  if (delta > 1) return undefined;
  const base = {
    offset: Number(view.getBigUint64(0, true)),
    length: view.getUint32(8, true),
    delta: delta === 1,
  };
  return {
    base,
    prefix: view.getUint32(16, true),
    suffix: view.getUint32(20, true),
    middle: bytes.subarray(headerBytes),
  };
}

/** The content that a delta stands for; `undefined` when the base is too short for it. */
export function applyDelta(
  base: Uint8Array,
  { prefix, suffix, middle }: ContentDelta,
): Uint8Array | undefined {
  if (prefix + suffix > base.byteLength) return undefined;
  const bytes = new Uint8Array(prefix + middle.byteLength + suffix);
  bytes.set(base.subarray(0, prefix));
  bytes.set(middle, prefix);
  bytes.set(base.subarray(base.byteLength - suffix), prefix + middle.byteLength);
  return bytes;
}
