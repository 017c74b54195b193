import type { Limits } from "./limits.ts";

/** What one side of a conflict has, as errors carry it: the same as `ConflictSide`. */
export interface ConflictSideDetails {
  /** Its path on this side. */
  readonly path: string;
  /** What is there. */
  readonly kind: "file" | "symlink" | "directory";
  /** Whether it may be run. */
  readonly executable: boolean;
  /** Its revision, where its bytes are known. */
  readonly revision?: string;
  /** Its text without a byte order mark, where it is text and known. */
  readonly text?: string;
  /** There when the text is one character a byte. */
  readonly encoding?: "latin1";
  /** There when a byte order mark stands before the text. */
  readonly bom?: true;
  /** All files that this side has in the conflict, when they are several. */
  readonly files?: readonly { readonly path: string; readonly revision?: string }[];
}

/** A conflict, as errors carry it: the same as `Conflict`. */
export interface ConflictDetails {
  /** Names the conflict in resolutions. */
  readonly path: string;
  /** What the sides disagree about. */
  readonly kind:
    | "content"
    | "addAdd"
    | "modifyDelete"
    | "renameRename"
    | "renameDelete"
    | "fileDirectory"
    | "mode"
    | "symlink"
    | "binary"
    | "pathCollision";
  /** What both began from. */
  readonly base?: ConflictSideDetails;
  /** What is there now. */
  readonly current?: ConflictSideDetails;
  /** What is brought. */
  readonly incoming?: ConflictSideDetails;
  /** Lines that both sides changed: first and last, from 1. */
  readonly regions?: readonly {
    readonly id: string;
    readonly base: readonly [number, number];
    readonly current: readonly [number, number];
    readonly incoming: readonly [number, number];
  }[];
  /** A text with the changes of both sides. */
  readonly suggestion?: string;
  /** Why no line merge was tried. */
  readonly unmerged?: "bytesUnknown" | "tooLong";
}

/** What an error of each code carries in `details`; codes that are not listed carry nothing that programs should read. */
export interface ErrorDetails {
  /** The file moved on. The current revision is left out on purpose: old line numbers would pass with it. */
  REVISION_MISMATCH: {
    /** The file. */
    readonly path: string;
    /** The revision that the change named. */
    readonly expectedRevision: string;
    /** Lines that the file has now, when it is text. */
    readonly totalLines?: number;
    /** Who changed it, as far as the history tells. */
    readonly changedBy: "thisSession" | "otherSession" | "outside" | "unknown";
    /** There when the call was to be merged, and the bytes of the revision that the change named are not known any more. */
    readonly rebase?: "baseUnavailable";
  };
  /** No such file. */
  NOT_FOUND: {
    /** The path that was asked for. */
    readonly path: string;
    /** Up to three paths that are spelled like it. */
    readonly similar: readonly string[];
  };
  /** Changes that do not go together. */
  MERGE_CONFLICT: {
    /** Each of them, as results carry conflicts. */
    readonly conflicts: readonly ConflictDetails[];
  };
  /** A state that is not there, or no longer. */
  REVISION_NOT_FOUND: {
    /** The workspace revision that was asked for. */
    readonly revision: string;
    /** There when the revision is known, and the bytes that a merge has to begin from are not. */
    readonly rebase?: "baseUnavailable";
  };
  /** The state is another one. What it is now is left out on purpose: whoever passed it on would not have looked. */
  SNAPSHOT_MISMATCH: {
    /** The first part of the snapshot that differs. */
    readonly differs: "workspace" | "epoch" | "state" | "transaction" | "transactionRevision";
  };
  /** The key belongs to another call. */
  IDEMPOTENCY_KEY_REUSED: {
    /** What the key's own call did. */
    readonly outcome: {
      /** The key is recorded. */
      readonly known: true;
      /** The state that its call left. */
      readonly workspaceRevision: string;
      /** When, RFC 3339. */
      readonly time: string;
      /** Which call. */
      readonly operation: string;
    };
  };
  /** Too much was asked. */
  LIMIT_EXCEEDED: {
    /** Which limit. */
    readonly limit: keyof Limits;
    /** Its value. */
    readonly maximum: number;
    /** What was asked. */
    readonly actual: number;
  };
  /** The text to replace is not there. */
  TEXT_NOT_FOUND: {
    /** The file. */
    readonly path: string;
    /** The place in the file that comes nearest, and in what it differs. */
    readonly nearest?: {
      readonly startLine: number;
      readonly text: string;
      readonly differs: "whitespace" | "lineEnding" | "lookalike" | "text";
    };
  };
  /** The text to replace is there too often. */
  TEXT_AMBIGUOUS: {
    /** The file. */
    readonly path: string;
    /** How often it occurs. */
    readonly occurrences: number;
    /** Lines on which the first eight begin, each once. */
    readonly lines: readonly number[];
  };
  /** A patch that is not understood. */
  PATCH_INVALID: {
    /** The line of the patch, from 1. */
    readonly line: number;
  };
  /** The lines of a hunk are not in the file. */
  PATCH_CONTEXT_NOT_FOUND: {
    /** The file. */
    readonly path: string;
    /** Which hunk of the file, from 0. */
    readonly hunk: number;
    /** The line of the patch at which it begins, from 1. */
    readonly line: number;
    /** The place in the file that comes nearest, and in what it differs. */
    readonly nearest?: {
      readonly startLine: number;
      readonly text: string;
      readonly differs: "whitespace" | "lineEnding" | "lookalike" | "text";
    };
  };
  /** The lines of a hunk are in the file more than once. */
  PATCH_CONTEXT_AMBIGUOUS: {
    /** The file. */
    readonly path: string;
    /** Which hunk of the file, from 0. */
    readonly hunk: number;
    /** The line of the patch at which it begins, from 1. */
    readonly line: number;
    /** At how many places its lines, or those of its `@@` line, stand. */
    readonly occurrences: number;
    /** The first eight of them, from 1. */
    readonly lines: readonly number[];
  };
  /** Bytes that are not UTF-8. */
  UNSUPPORTED_ENCODING: {
    /** The file. */
    readonly path: string;
    /** Offset of the first byte that is not UTF-8, from 0. */
    readonly offset?: number;
  };
  /** Who holds the storage. */
  LOCKED: {
    /** The owner as it wrote itself down: machine, process id, start time. */
    readonly owner: Readonly<Record<string, string | number>>;
    /** What to hand to `breakLock` once that owner is known to be gone. */
    readonly token: string;
  };
  /** Files that another program wrote meanwhile. */
  EXTERNAL_WRITE: {
    /** Their paths. */
    readonly paths: readonly string[];
  };
  /** What others changed that a transaction relies on. */
  TRANSACTION_CONFLICTED: {
    /** The transaction. */
    readonly transactionId: string;
    /** The paths, sorted. */
    readonly paths: readonly string[];
  };
}
