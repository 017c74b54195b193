import { updateInSteps } from "../../base/byte-steps.ts";
import { utf8 } from "../../base/bytes.ts";
import type { Hashing } from "../../base/hashing.ts";
import { runSteps, type Steps } from "../../base/steps.ts";

/** The hash before the first entry. */
export const firstPreviousHash = "0".repeat(64);

/** The hash of a log entry: SHA-256 over its number in decimal, a line feed, the previous hash, a line feed, and its bytes. */
export function chainHash(
  hashing: Hashing,
  sequence: number,
  previousHash: string,
  bytes: Uint8Array,
): string {
  return runSteps(chainHashInSteps(hashing, sequence, previousHash, bytes));
}

/** Gives the hash of a log entry as {@link chainHash} does, without holding up whoever drives it. */
export function* chainHashInSteps(
  hashing: Hashing,
  sequence: number,
  previousHash: string,
  bytes: Uint8Array,
): Steps<string> {
  const state = hashing.sha256();
  state.update(utf8(`${sequence}\n${previousHash}\n`));
  yield* updateInSteps([state], bytes);
  return state.digest();
}
