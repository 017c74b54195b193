import { equalBytes, utf8 } from "./bytes.ts";
import { type Hashing, type HashState, hashState } from "./hashing.ts";
import type { Steps } from "./steps.ts";

/** Bytes that are copied before it is time to yield: well under a millisecond, also where the memory is new. */
const copiedPerStep = 512 * 1024;

/** Bytes that are hashed or compared before it is time to yield: a millisecond or two where the hash is written in JavaScript. */
const readPerStep = 128 * 1024;

/** Copies bytes. */
export function* copyInSteps(bytes: Uint8Array): Steps<Uint8Array> {
  return yield* concatInSteps([bytes]);
}

/** Joins byte strings into a new one. */
export function* concatInSteps(parts: readonly Uint8Array[]): Steps<Uint8Array> {
  let length = 0;
  for (const part of parts) length += part.byteLength;
  const joined = new Uint8Array(length);
  let at = 0;
  let sinceYield = 0;
  for (const part of parts) {
    for (let from = 0; from < part.byteLength; from += copiedPerStep) {
      const piece = part.subarray(from, from + copiedPerStep);
      joined.set(piece, at);
      at += piece.byteLength;
      sinceYield += piece.byteLength;
      if (sinceYield < copiedPerStep) continue;
      sinceYield = 0;
      yield;
    }
  }
  return joined;
}

/** Says whether two byte strings are equal. */
export function* equalInSteps(a: Uint8Array, b: Uint8Array): Steps<boolean> {
  if (a === b) return true;
  if (a.byteLength !== b.byteLength) return false;
  for (let from = 0; from < a.byteLength; from += readPerStep) {
    if (!equalBytes(a.subarray(from, from + readPerStep), b.subarray(from, from + readPerStep))) return false;
    if (from + readPerStep < a.byteLength) yield;
  }
  return true;
}

/** Adds bytes to running hashes. */
export function* updateInSteps(states: readonly HashState[], bytes: Uint8Array): Steps<void> {
  for (let from = 0; from < bytes.byteLength; from += readPerStep) {
    const piece = bytes.subarray(from, from + readPerStep);
    for (const state of states) state.update(piece);
    if (from + readPerStep < bytes.byteLength) yield;
  }
}

/** Hashes bytes with the named algorithm. */
export function* hashInSteps(
  hashing: Hashing,
  algorithm: "sha256" | "xxh64",
  bytes: Uint8Array,
): Steps<string> {
  const state = hashState(hashing, algorithm);
  yield* updateInSteps([state], bytes);
  return state.digest();
}

/** Characters that are encoded before it is time to yield. */
const charactersPerStep = 128 * 1024;

/** Cuts text into pieces that can be encoded one by one: no surrogate pair is cut. */
export function* piecesOf(text: string): Generator<string, void, undefined> {
  if (text.length <= charactersPerStep) return void (yield text);
  for (let from = 0; from < text.length; ) {
    let to = Math.min(from + charactersPerStep, text.length);
    const cutsPair =
      (text.charCodeAt(to) & 0xfc00) === 0xdc00 && (text.charCodeAt(to - 1) & 0xfc00) === 0xd800;
    if (cutsPair) to--;
    yield text.slice(from, to);
    from = to;
  }
}

/** Counts the bytes of a text in UTF-8. */
export function* utf8LengthInSteps(text: string): Steps<number> {
  if (text.length <= charactersPerStep) return utf8(text).byteLength;
  let length = 0;
  for (const piece of piecesOf(text)) {
    length += utf8(piece).byteLength;
    yield;
  }
  return length;
}
