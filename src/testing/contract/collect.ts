import { concatBytes } from "../../base/bytes.ts";

/** Reads an iteration to its end. */
export async function collect<T>(iteration: AsyncIterable<T>): Promise<readonly T[]> {
  const items: T[] = [];
  for await (const item of iteration) items.push(item);
  return items;
}

/** Joins the bytes of an iteration. */
export async function joinChunks(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  return concatBytes(await collect(chunks));
}

/** Bytes that look random and are the same each time. */
export function patternBytes(length: number, seed = 1): Uint8Array {
  const bytes = new Uint8Array(length);
  let state = seed;
  for (let index = 0; index < length; index += 1) {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    bytes[index] = state >>> 16;
  }
  return bytes;
}
