import * as z from "zod";
import type { TreeDiff } from "../tree/tree-diff.ts";
import { type RevisionAlgorithm, revisionAlgorithmSchema } from "./revision-algorithm.ts";
import { treeDiffSchema } from "./tree-diff.ts";

/** A range of lines that a change touched. */
export interface AppliedRange {
  /** First line in the new text, from 1. */
  readonly startLine: number;
  /** Last line in the new text; `startLine - 1` when lines were only removed. */
  readonly endLine: number;
  /** Lines added. */
  readonly added: number;
  /** Lines removed. */
  readonly removed: number;
}

/** From a line of the old text on, how far line numbers moved. */
export interface AppliedLineShift {
  /** First line of the old text that it holds for, from 1. */
  readonly fromLine: number;
  /** How many lines further down it is now; negative: further up. */
  readonly by: number;
}

/** Where a hunk of a patch was applied. */
export interface AppliedHunk {
  /** How loosely its old lines were compared with those of the file. */
  readonly grade: "exact" | "trailingSpace" | "indent" | "lookalike";
  /** Line of the file as it was at which it begins, from 1. */
  readonly line: number;
  /** How many lines further down that is than its header says; 0 when that names no line. */
  readonly offset: number;
}

/** What happened to one path. */
export interface AppliedFile {
  /** The path; of a move or copy the target. */
  readonly path: string;
  /** The source of a move or copy. */
  readonly previousPath?: string;
  /** What happened. */
  readonly operation: "created" | "modified" | "deleted" | "moved" | "copied" | "unchanged";
  /** The file's revision from now on; left out for what is gone. */
  readonly revision?: string;
  /** Lines of the text; left out for binary files and for what is gone. */
  readonly totalLines?: number;
  /** Where the text changed, in order. */
  readonly changedRanges: readonly AppliedRange[];
  /** How line numbers of the old text moved, in order; see `shiftLine`. */
  readonly lineShifts: readonly AppliedLineShift[];
  /** One for each hunk of a patch; left out for other changes. */
  readonly hunks?: readonly AppliedHunk[];
  /** There when the change was based on an older revision and merged with what was done since. */
  readonly rebased?: boolean;
}

/** A remark on a call that succeeded. */
export interface Warning {
  /** A stable code. */
  readonly code: string;
  /** What it is about. */
  readonly message: string;
  /** The path concerned. */
  readonly path?: string;
}

/** What a call that changes files did. */
export interface ApplyResult {
  /** Whether nothing was written because only a plan was asked for. */
  readonly dryRun: boolean;
  /** Whether everything was already as asked, so that nothing was written. */
  readonly alreadyApplied: boolean;
  /** Whether this is the recorded result of an earlier call with the same idempotency key. */
  readonly idempotentReplay: boolean;
  /** The workspace revision that the call made, or that it found when it wrote nothing. */
  readonly workspaceRevision: string;
  /** The transaction in which the changes are staged, so that nothing is written yet; left out where they were written. */
  readonly stagedIn?: string;
  /** How the revisions of files are made. */
  readonly revisionAlgorithm: RevisionAlgorithm;
  /** One for each change, in the order of the call; of a tree change one for each file. */
  readonly files: readonly AppliedFile[];
  /** Lines added in all files. */
  readonly additions: number;
  /** Lines removed in all files. */
  readonly removals: number;
  /** What changed, when the call asked for it with `includeDiff`; left out of the recorded result that a repeat returns. */
  readonly diff?: TreeDiff;
  /** Remarks. */
  readonly warnings: readonly Warning[];
}

export const appliedFileSchema = z.object({
  path: z.string(),
  previousPath: z.string().optional().describe("The source of a move or copy."),
  operation: z.enum(["created", "modified", "deleted", "moved", "copied", "unchanged"]),
  revision: z.string().optional().describe("The revision from now on, for the next change."),
  totalLines: z.int().optional(),
  changedRanges: z
    .array(z.object({ startLine: z.int(), endLine: z.int(), added: z.int(), removed: z.int() }))
    .describe("Where the text changed, in lines of the new text."),
  lineShifts: z
    .array(z.object({ fromLine: z.int(), by: z.int() }))
    .describe("From which old line on line numbers moved, and by how much."),
  hunks: z
    .array(
      z.object({
        grade: z.enum(["exact", "trailingSpace", "indent", "lookalike"]),
        line: z.int(),
        offset: z.int(),
      }),
    )
    .optional()
    .describe("Of a patch: how exactly each hunk was found, and where."),
  rebased: z.boolean().optional().describe("True: merged with changes made since the revision it named."),
});

export const warningSchema = z.object({
  code: z.string(),
  message: z.string(),
  path: z.string().optional(),
});

export const applyResultSchema = z.object({
  dryRun: z.boolean().describe("True: nothing was written."),
  alreadyApplied: z.boolean().describe("True: everything was already as asked."),
  idempotentReplay: z.boolean().describe("True: the recorded result of an earlier call."),
  workspaceRevision: z.string(),
  stagedIn: z.string().optional().describe("The transaction that holds the changes, not written yet."),
  revisionAlgorithm: revisionAlgorithmSchema,
  files: z.array(appliedFileSchema),
  additions: z.int().describe("Lines added."),
  removals: z.int().describe("Lines removed."),
  diff: treeDiffSchema.optional().describe("What changed, when includeDiff asked for it."),
  warnings: z.array(warningSchema),
});
