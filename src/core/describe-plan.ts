import { hashInSteps } from "../base/byte-steps.ts";
import type { Steps } from "../base/steps.ts";
import { workCounter } from "../base/work-counter.ts";
import type { RecordedResult } from "../history/revision-entry.ts";
import type { AppliedFile } from "../schema/apply-result.ts";
import { isEmptyDelta } from "../tree/delta.ts";
import type { Plan, PlannedFile } from "../tree/plan.ts";
import type { ViewContext } from "./workspace-context.ts";

/** Says what a plan does, as results and the log say it. */
export function* describePlan(context: ViewContext, plan: Plan): Steps<RecordedResult> {
  const due = workCounter();
  const files: AppliedFile[] = [];
  let additions = 0;
  let removals = 0;
  for (const planned of plan.files) {
    if (due(16 + planned.changedRanges.length)) yield;
    const revision = yield* revisionAfter(context, plan, planned);
    files.push(describeFile(planned, revision));
    additions += planned.additions;
    removals += planned.removals;
  }
  const { revisionAlgorithm } = context;
  const { warnings } = plan;
  return {
    alreadyApplied: isEmptyDelta(plan.delta),
    revisionAlgorithm,
    files,
    additions,
    removals,
    warnings,
  };
}

function* revisionAfter(
  context: ViewContext,
  plan: Plan,
  { path, operation, bytes, from }: PlannedFile,
): Steps<string | undefined> {
  if (operation === "deleted") return undefined;
  if (bytes !== undefined) return yield* hashInSteps(context.hashing, context.revisionAlgorithm, bytes);
  return plan.relies.get(from ?? path)?.revision;
}

function describeFile(planned: PlannedFile, revision: string | undefined): AppliedFile {
  const { path, previousPath, operation, totalLines, changedRanges, lineShifts, hunks, rebased } = planned;
  return {
    path,
    ...(previousPath !== undefined && { previousPath }),
    operation,
    ...(revision !== undefined && { revision }),
    ...(totalLines !== undefined && { totalLines }),
    changedRanges,
    lineShifts,
    ...(hunks !== undefined && { hunks }),
    ...(rebased !== undefined && { rebased }),
  };
}
