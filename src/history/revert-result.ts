import type { ApplyResult } from "../schema/apply-result.ts";
import type { RevertResult } from "../schema/revert-result.ts";
import type { Conflict } from "../tree/conflict.ts";
import type { RecordedResult } from "./revision-entry.ts";

/** What a commit that takes others back came to, or what stood against it. */
export interface RevertOutcome
  extends RecordedResult,
    Pick<ApplyResult, "workspaceRevision" | "idempotentReplay" | "diff"> {
  /** Left out of what is recorded, for only what was written is. */
  readonly dryRun?: boolean | undefined;
  readonly conflicts?: readonly Conflict[] | undefined;
}

/** Tells it as `revert` returns it. */
export function revertResult(outcome: RevertOutcome): RevertResult {
  const { dryRun = false, conflicts = [], revisions = [], mergedPaths = [], diff } = outcome;
  return {
    reverted: !dryRun && !outcome.alreadyApplied && conflicts.length === 0,
    dryRun,
    idempotentReplay: outcome.idempotentReplay,
    workspaceRevision: outcome.workspaceRevision,
    revisionAlgorithm: outcome.revisionAlgorithm,
    revisions,
    files: outcome.files,
    additions: outcome.additions,
    removals: outcome.removals,
    mergedPaths,
    conflicts,
    ...(diff !== undefined && { diff }),
    warnings: outcome.warnings,
  };
}
