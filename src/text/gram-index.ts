import type { Steps } from "../base/steps.ts";

/** Where a few bytes in a row occur in a file in which each CRLF counts as one LF. */
export interface GramIndex {
  /** How many bytes in a row; shorter texts cannot be looked up. */
  readonly gramLength: number;
  /** How many bits of a hash name a bucket. */
  readonly bits: number;
  /** For each bucket where its entries begin; one entry more for the end of the last. */
  readonly starts: Uint32Array;
  /** Offsets after the last byte of what the buckets hold, ascending in each. */
  readonly ends: Uint32Array;
}

/** A place in a text whose few bytes are rare in a file. */
export interface RareGram {
  /** Offset in the text after the last of them. */
  readonly offset: number;
  /** Where in `ends` the places of the file begin that may hold them. */
  readonly first: number;
  /** Where those end. */
  readonly last: number;
}

const hashBits = 32;
const spread = 0x9e3779b1;
const mostBits = 18;
const leastBits = 8;
const bytesPerStep = 64 * 1024;
const mostGrams = 4096;
const lineFeed = 10;
const carriageReturn = 13;

/**
 * Indexes a file, so that each of many texts is found without reading the whole file again. It takes four bytes of memory for each byte of the file.
 *
 * @param bytes - The file.
 * @param from - Offset to begin at.
 * @param gramLength - How many bytes in a row it tells apart.
 */
export function* indexGrams(bytes: Uint8Array, from: number, gramLength: number): Steps<GramIndex> {
  const length = Math.max(1, bytes.byteLength - from);
  const bits = Math.min(mostBits, Math.max(leastBits, hashBits - Math.clz32(length)));
  const starts = new Uint32Array(2 ** bits + 2);
  yield* eachGram(bytes, from, { gramLength, bits }, (bucket) => {
    starts[bucket + 2] = (starts[bucket + 2] as number) + 1;
  });
  for (let at = 1; at < starts.length; at++) starts[at] = (starts[at] as number) + (starts[at - 1] as number);
  yield;
  const ends = new Uint32Array(starts.at(-1) as number);
  yield* eachGram(bytes, from, { gramLength, bits }, (bucket, end) => {
    const place = starts[bucket + 1] as number;
    ends[place] = end;
    starts[bucket + 1] = place + 1;
  });
  return { gramLength, bits, starts, ends };
}

function* eachGram(
  bytes: Uint8Array,
  from: number,
  { gramLength, bits }: Pick<GramIndex, "gramLength" | "bits">,
  visit: (bucket: number, end: number) => void,
): Steps<void> {
  const shift = Math.ceil(hashBits / gramLength);
  let gram = 0;
  let known = 0;
  for (let stepStart = from; stepStart < bytes.byteLength; stepStart += bytesPerStep) {
    const stepEnd = Math.min(stepStart + bytesPerStep, bytes.byteLength);
    for (let at = stepStart; at < stepEnd; at++) {
      const byte = bytes[at] as number;
      if (byte === carriageReturn && bytes[at + 1] === lineFeed) continue;
      gram = (gram << shift) + Math.imul(byte, spread);
      if (++known >= gramLength) visit(bucketOf(gram, bits), at + 1);
    }
    yield;
  }
}

/** Shifting has pushed out of the hash whatever stood before the gram. */
function bucketOf(gram: number, bits: number): number {
  return Math.imul(gram, spread) >>> (hashBits - bits);
}

/** Chooses the few bytes of a text that a file has in the fewest places; only the first 4096 are compared. */
export function rarestGram(index: GramIndex, sought: Uint8Array): RareGram {
  let best: RareGram = { offset: 0, first: 0, last: Number.POSITIVE_INFINITY };
  const shift = Math.ceil(hashBits / index.gramLength);
  let gram = 0;
  const until = Math.min(sought.byteLength, mostGrams);
  for (let at = 0; at < until; at++) {
    gram = (gram << shift) + Math.imul(sought[at] as number, spread);
    if (at + 1 < index.gramLength) continue;
    const bucket = bucketOf(gram, index.bits);
    const first = index.starts[bucket] as number;
    const last = index.starts[bucket + 1] as number;
    if (last - first < best.last - best.first) best = { offset: at + 1, first, last };
    if (first === last) break;
  }
  return best;
}
