import type { Problem } from "../base/holdfast-error.ts";
import type { Steps } from "../base/steps.ts";
import type { ChangedRange, LineShift, PlanWarning } from "../text/edit-result.ts";
import type { AppliedHunk } from "../text/patch/apply-hunks.ts";
import type { Delta } from "./delta.ts";
import type { FileState } from "./file-state.ts";
import type { planPatch } from "./plan-patch.ts";

/** A file of the view that a plan is made against. */
export interface LoadedFile extends FileState {
  /** Its revision: the hash of its raw bytes. */
  readonly revision: string;
  /** Its bytes. May be left out where `pathsOfChanges` does not ask for them; results then tell nothing about lines. */
  readonly bytes?: Uint8Array | undefined;
  /** The limit that it exceeds, so that it was not read and nothing but its length is known. */
  readonly tooLong?: "textBytes" | "binaryBytes" | undefined;
}

/**
 * The state that a batch is planned against, at one time. `pathsOfChanges` tells what has to be in it; paths are matched by their exact spelling,
 * also on storages that fold names.
 */
export interface PlanView {
  /** The file or link at a path itself; `undefined` when there is none. */
  file(path: string): LoadedFile | undefined;
  /**
   * Paths of the files below a folder, sorted; empty when there is no such folder. Where there are more than all files that the batch can remove,
   * tree changes counted, one more than those is enough.
   */
  below(folder: string): readonly string[];
  /** The digest of a folder, as `stat` gives it with `revision: true`. */
  folderRevision(folder: string): string | undefined;
  /** Another spelling under which a path that does not exist exists, on storages where the two are one file; what it gives, `below` is asked for. */
  otherSpelling(path: string): string | undefined;
}

/** What planning needs besides the view. */
export interface PlanOptions {
  /** SHA-256 of bytes. */
  readonly contentId: (bytes: Uint8Array) => Steps<string>;
  /** Whether a text has the form of a revision. */
  readonly isRevision: (text: string) => boolean;
  /** Whether created names must be portable to every platform, or only valid on POSIX. */
  readonly names: "portable" | "posix";
  /** Whether names that differ in case or Unicode form only are one file; such pairs are refused within a batch that creates one of them in any case. */
  readonly folds: boolean;
  /** Plans changes by patches; a batch without them needs none, so that what reads patches is loaded only where there are some. */
  readonly planPatch?: typeof planPatch | undefined;
  /** Bounds of the batch. */
  readonly limits: {
    readonly changes: number;
    readonly editsPerChange: number;
    readonly textBytes: number;
    readonly binaryBytes: number;
    readonly requestBytes: number;
  };
}

/** What the plan does to one path. */
export interface PlannedFile {
  /** The path (of a move or copy: the destination). */
  readonly path: string;
  /** The source of a move or copy. */
  readonly previousPath?: string;
  /** What happens. */
  readonly operation: "created" | "modified" | "deleted" | "moved" | "copied" | "unchanged";
  /** The new bytes; left out where they are those of `from`, or there are none. */
  readonly bytes?: Uint8Array;
  /** The path whose present bytes it gets; left out where `bytes` is given. */
  readonly from?: string;
  /** Lines of the new text; left out for binary and deleted files. */
  readonly totalLines?: number;
  /** Where text changed, in order. */
  readonly changedRanges: readonly ChangedRange[];
  /** How line numbers moved, in order. */
  readonly lineShifts: readonly LineShift[];
  /** Where the hunks of a patch were applied. */
  readonly hunks?: readonly AppliedHunk[];
  /** There when it was planned against an older state and merged onto this one. */
  readonly rebased?: true;
  /** Lines added. */
  readonly additions: number;
  /** Lines removed. */
  readonly removals: number;
}

/** A batch that can be committed. */
export interface Plan {
  /** The states before and after. */
  readonly delta: Delta;
  /** One for each change in the order of the call (tree changes: one for each file). */
  readonly files: readonly PlannedFile[];
  /** Every path whose state the plan relies on, changed or not, with that state (`undefined`: absent): what must still hold at commit. */
  readonly relies: ReadonlyMap<string, LoadedFile | undefined>;
  /** Paths that are guarded by their text alone: when one of them has moved on, the batch may be planned again. */
  readonly located: ReadonlySet<string>;
  /** Remarks. */
  readonly warnings: readonly PlanWarning[];
}

/** A plan, or everything that is wrong with the batch. */
export type PlanResult =
  | { readonly plan: Plan; readonly problems?: undefined }
  | { readonly plan?: undefined; readonly problems: readonly Problem[] };
