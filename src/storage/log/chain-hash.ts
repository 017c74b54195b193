import { utf8 } from "../../base/bytes.ts";
import type { Hashing } from "../../base/hashing.ts";

/** The hash before the first entry. */
export const firstPreviousHash = "0".repeat(64);

/** The hash of a log entry: SHA-256 over its number in decimal, a line feed, the previous hash, a line feed, and its bytes. */
export function chainHash(
  hashing: Hashing,
  sequence: number,
  previousHash: string,
  bytes: Uint8Array,
): string {
  const state = hashing.sha256();
  state.update(utf8(`${sequence}\n${previousHash}\n`));
  state.update(bytes);
  return state.digest();
}
