import type { Hashing } from "../base/hashing.ts";
import type { Steps } from "../base/steps.ts";
import { workCounter } from "../base/work-counter.ts";
import { CanonicalDigest } from "./canonical-digest.ts";
import { compareText } from "./path-parts.ts";
import { sortInSteps } from "./sort-in-steps.ts";

/** One file of a folder, as the folder's digest sees it. */
export interface FolderEntry {
  /** Its path relative to the folder. */
  readonly path: string;
  /** Its revision. */
  readonly revision: string;
  /** Whether it may be run. */
  readonly executable: boolean;
}

/**
 * Gives the digest of a folder: SHA-256 over its files' paths, revisions and modes, in whatever order they come. It guards changes of the whole
 * folder.
 */
export function* folderDigest(hashing: Hashing, entries: Iterable<FolderEntry>): Steps<string> {
  const digest = new CanonicalDigest(hashing, "holdfast.folder.1");
  const due = workCounter();
  for (const entry of yield* sortInSteps([...entries], (a, b) => compareText(a.path, b.path))) {
    digest.add(entry.path, entry.revision, entry.executable ? "x" : "-");
    if (due(16)) yield;
  }
  return digest.finish();
}

/** Says whether a text has the form of a folder's digest. */
export function isFolderDigest(text: string): boolean {
  return /^[0-9a-f]{64}$/.test(text);
}
