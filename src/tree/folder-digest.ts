import type { Hashing } from "../base/hashing.ts";
import { CanonicalDigest } from "./canonical-digest.ts";
import { compareText } from "./path-parts.ts";

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
export function folderDigest(hashing: Hashing, entries: Iterable<FolderEntry>): string {
  const digest = new CanonicalDigest(hashing, "holdfast.folder.1");
  for (const entry of [...entries].sort((a, b) => compareText(a.path, b.path)))
    digest.add(entry.path, entry.revision, entry.executable ? "x" : "-");
  return digest.finish();
}

/** Says whether a text has the form of a folder's digest. */
export function isFolderDigest(text: string): boolean {
  return /^[0-9a-f]{64}$/.test(text);
}
