import * as z from "zod";
import type { TreeDiff } from "../tree/tree-diff.ts";
import { type AppliedFile, appliedFileSchema, type Warning, warningSchema } from "./apply-result.ts";
import { type RevisionAlgorithm, revisionAlgorithmSchema } from "./revision-algorithm.ts";
import { treeDiffSchema } from "./tree-diff.ts";

/** What the commit of a transaction did. */
export interface CommitResult {
  /** Whether anything was committed; false when nothing was staged, and the transaction is active still. */
  readonly committed: boolean;
  /** Whether this is the recorded result of an earlier call with the same idempotency key. */
  readonly idempotentReplay: boolean;
  /** The workspace revision that the commit made, or that it found when it wrote nothing. */
  readonly workspaceRevision: string;
  /** How the revisions of files are made. */
  readonly revisionAlgorithm: RevisionAlgorithm;
  /** One for each changed path, sorted; both ends of a move are one. */
  readonly files: readonly AppliedFile[];
  /** Lines added in all files. */
  readonly additions: number;
  /** Lines removed in all files. */
  readonly removals: number;
  /** Paths in whose content a rebase brought changes of others together with those of the transaction, sorted: no merge can prove itself right. */
  readonly mergedPaths: readonly string[];
  /** What changed, when the call asked for it with `includeDiff`; left out of the recorded result that a repeat returns. */
  readonly diff?: TreeDiff;
  /** Remarks. */
  readonly warnings: readonly Warning[];
}

export const commitResultSchema = z.object({
  committed: z.boolean().describe("False: nothing was staged."),
  idempotentReplay: z.boolean().describe("True: the recorded result of an earlier call."),
  workspaceRevision: z.string(),
  revisionAlgorithm: revisionAlgorithmSchema,
  files: z.array(appliedFileSchema),
  additions: z.int().describe("Lines added."),
  removals: z.int().describe("Lines removed."),
  mergedPaths: z.array(z.string()).describe("Paths whose content was merged with changes of others."),
  diff: treeDiffSchema.optional().describe("What changed, when includeDiff asked for it."),
  warnings: z.array(warningSchema),
});
