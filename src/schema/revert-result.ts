import * as z from "zod";
import type { Conflict } from "../tree/conflict.ts";
import type { TreeDiff } from "../tree/tree-diff.ts";
import { type AppliedFile, appliedFileSchema, type Warning, warningSchema } from "./apply-result.ts";
import { conflictSchema } from "./conflict.ts";
import { type RevisionAlgorithm, revisionAlgorithmSchema } from "./revision-algorithm.ts";
import { treeDiffSchema } from "./tree-diff.ts";

/** What a revert did, or would do. */
export interface RevertResult {
  /** Whether files changed; false when there are conflicts, when nothing was left to take back, and on a dry run. */
  readonly reverted: boolean;
  /** Whether nothing was written because only a plan was asked for. */
  readonly dryRun: boolean;
  /** Whether this is the recorded result of an earlier call with the same idempotency key. */
  readonly idempotentReplay: boolean;
  /** The workspace revision that the call made, or that it found when it wrote nothing. */
  readonly workspaceRevision: string;
  /** How the revisions of files are made. */
  readonly revisionAlgorithm: RevisionAlgorithm;
  /** The transaction that holds it, when it was staged and not written. */
  readonly stagedIn?: string;
  /** The workspace revisions that were to be taken back, newest first. */
  readonly revisions: readonly string[];
  /** One for each path that changes, sorted; both ends of a move are one. */
  readonly files: readonly AppliedFile[];
  /** Lines added in all files. */
  readonly additions: number;
  /** Lines removed in all files. */
  readonly removals: number;
  /** Paths in whose content later changes stay beside what was taken back, sorted: no merge can prove itself right. */
  readonly mergedPaths: readonly string[];
  /** Later changes that do not go together with it, sorted by path; where there are any, nothing was written. */
  readonly conflicts: readonly Conflict[];
  /** What changed, when the call asked for it with `includeDiff`; left out of the recorded result that a repeat returns. */
  readonly diff?: TreeDiff;
  /** Remarks. */
  readonly warnings: readonly Warning[];
}

export const revertResultSchema = z.object({
  reverted: z.boolean().describe("True: files changed."),
  dryRun: z.boolean().describe("True: nothing was written."),
  idempotentReplay: z.boolean().describe("True: the recorded result of an earlier call."),
  workspaceRevision: z.string(),
  revisionAlgorithm: revisionAlgorithmSchema,
  stagedIn: z.string().optional().describe("The transaction that holds it; nothing was written."),
  revisions: z.array(z.string()).describe("What was to be taken back, newest first."),
  files: z.array(appliedFileSchema),
  additions: z.int().describe("Lines added."),
  removals: z.int().describe("Lines removed."),
  mergedPaths: z.array(z.string()).describe("Paths whose content was merged with later changes."),
  conflicts: z.array(conflictSchema).describe("Where there are any, nothing was written."),
  diff: treeDiffSchema.optional().describe("What changed, when includeDiff asked for it."),
  warnings: z.array(warningSchema),
});
