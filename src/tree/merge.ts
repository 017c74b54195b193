import type { Problem } from "../base/holdfast-error.ts";
import type { Steps } from "../base/steps.ts";
import type { Conflict } from "./conflict.ts";
import type { Delta } from "./delta.ts";

/** What is merged. */
export interface MergeInput {
  /** From the base to what is there now. */
  readonly current: Delta;
  /** From the same base to what is brought. */
  readonly incoming: Delta;
  /** Bytes by content id: those that `contentsOfMerge` names, as far as they are known. */
  readonly contents: ReadonlyMap<string, Uint8Array>;
}

/** What merging needs besides. */
export interface MergeOptions {
  /** `content`: files that both sides changed are merged by their lines. `path`: they are conflicts, with the line merge as a suggestion. */
  readonly mergePolicy: "content" | "path";
  /** Longest file that is merged by lines, and shown as text. */
  readonly textBytes: number;
  /** SHA-256 of bytes. */
  readonly contentId: (bytes: Uint8Array) => Steps<string>;
  /** The revision of a file; the bytes are left out when they are not among the contents, and so may be the answer. */
  readonly revision: (contentId: string, bytes: Uint8Array | undefined) => Steps<string | undefined>;
}

/**
 * What became of a path that a side changed: as it is now, as it is brought, the same on both sides, a merge of both (wherever the result is
 * neither side's, or was made by merging lines), or part of a conflict.
 */
export type MergeVerdict = "current" | "incoming" | "same" | "merged" | "conflict";

/** A three-way merge of trees. */
export interface TreeMerge {
  /** What to do to what is there now. Paths in conflict stay as they are. */
  readonly delta: Delta;
  /** Bytes that the merge made, by content id. */
  readonly contents: ReadonlyMap<string, Uint8Array>;
  /** What became of each path of both deltas, sorted. */
  readonly verdicts: ReadonlyMap<string, MergeVerdict>;
  /** Paths that are taken whole from what is brought, sorted. */
  readonly takenPaths: readonly string[];
  /** Paths in whose result both sides have a part, sorted: no merge can prove itself right. */
  readonly mergedPaths: readonly string[];
  /** What does not go together, sorted by path, each path once. */
  readonly conflicts: readonly Conflict[];
}

/** A merge with all conflicts resolved, or everything that is wrong with the resolutions. */
export type ResolvedMerge =
  | { readonly merge: TreeMerge; readonly problems?: undefined }
  | { readonly merge?: undefined; readonly problems: readonly Problem[] };
