import type { Hashing } from "../base/hashing.ts";
import { CanonicalDigest } from "./canonical-digest.ts";
import type { Delta } from "./delta.ts";
import type { FileState } from "./file-state.ts";
import { compareText } from "./path-parts.ts";

/**
 * Gives the digest of a delta: SHA-256 over its sorted paths with the states before and after, modes included. Deltas with one digest do the
 * same; origins are no part of it.
 */
export function digestDelta(delta: Delta, hashing: Hashing): string {
  const digest = new CanonicalDigest(hashing, "holdfast.delta.1");
  for (const [path, { before, after }] of [...delta.changes].sort(([a], [b]) => compareText(a, b)))
    digest.add(path, ...describeState(before), ...describeState(after));
  return digest.finish();
}

/** Always three texts, so that their places tell what they are. */
function describeState(state: FileState | undefined): readonly [string, string, string] {
  return state === undefined
    ? ["absent", "", ""]
    : [state.kind, state.contentId, state.executable ? "x" : "-"];
}
