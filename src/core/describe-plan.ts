import { timeSlice } from "../base/clock.ts";
import type { RecordedResult } from "../history/revision-entry.ts";
import type { AppliedFile } from "../schema/apply-result.ts";
import { isEmptyDelta } from "../tree/delta.ts";
import type { Plan, PlannedFile } from "../tree/plan.ts";
import { revisionOf } from "./fingerprint.ts";
import type { WorkspaceContext } from "./workspace-context.ts";

/** Says what a plan does, as results and the log say it. */
export async function describePlan(context: WorkspaceContext, plan: Plan): Promise<RecordedResult> {
  const pause = timeSlice();
  const files: AppliedFile[] = [];
  let additions = 0;
  let removals = 0;
  for (const planned of plan.files) {
    const revision = await revisionAfter(context, plan, planned, pause);
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

async function revisionAfter(
  context: WorkspaceContext,
  plan: Plan,
  { path, operation, bytes, from }: PlannedFile,
  pause: () => Promise<void> | undefined,
): Promise<string | undefined> {
  if (operation === "deleted") return undefined;
  if (bytes !== undefined) return await revisionOf(context, bytes, pause);
  return plan.relies.get(from ?? path)?.revision;
}

function describeFile(planned: PlannedFile, revision: string | undefined): AppliedFile {
  const { path, previousPath, operation, totalLines, changedRanges, lineShifts } = planned;
  return {
    path,
    ...(previousPath !== undefined && { previousPath }),
    operation,
    ...(revision !== undefined && { revision }),
    ...(totalLines !== undefined && { totalLines }),
    changedRanges,
    lineShifts,
  };
}
