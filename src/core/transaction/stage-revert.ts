import { timeSlice } from "../../base/clock.ts";
import { driveSteps } from "../../base/steps.ts";
import { revertResult } from "../../history/revert-result.ts";
import type { LoggedRevision } from "../../history/revision-log.ts";
import type { RevertTarget } from "../../schema/revert-options.ts";
import type { RevertResult } from "../../schema/revert-result.ts";
import type { TransactionRevertOptions } from "../../schema/transaction-calls.ts";
import { isEmptyDelta } from "../../tree/delta.ts";
import type { CommittablePlan } from "../committer.ts";
import { describePlan } from "../describe-plan.ts";
import { diffPlan } from "../diff-plan.ts";
import { pathsFilter } from "../path-filter.ts";
import { planRevert } from "../plan-revert.ts";
import { findTargets } from "../revert-files.ts";
import { wantedDiff } from "../wanted-diff.ts";
import type { Changed, OpenTransaction } from "./open-transaction.ts";
import { newPins, stageStep } from "./stage-step.ts";
import { stepContents } from "./step-contents.ts";
import type { StoredTransaction } from "./transaction-store.ts";

/** Stages what takes past commits back, as one step; what does not go together with what is staged or committed since comes back. */
export async function stageRevert(
  transaction: OpenTransaction,
  target: RevertTarget,
  options: TransactionRevertOptions,
): Promise<RevertResult> {
  const { log } = transaction.parts;
  return await transaction.change("revert", options, async (stored) => {
    const revisions = await findTargets(log, target, options);
    return await staged(transaction, stored, revisions, options);
  });
}

async function staged(
  transaction: OpenTransaction,
  stored: StoredTransaction,
  revisions: readonly LoggedRevision[],
  { paths, resolutions, includeDiff, signal }: TransactionRevertOptions,
): Promise<Changed<RevertResult>> {
  const { log, mergePolicy, context } = transaction.parts;
  const wants = paths === undefined ? () => true : pathsFilter(paths);
  const view = transaction.view(stored, { noted: false });
  const request = { revisions, wants, resolutions, mergePolicy };
  const { planned, conflicts, mergedPaths } = {
    mergedPaths: undefined,
    ...(await planRevert({ context: view, log }, request, { signal })),
  };
  const told = {
    idempotentReplay: false,
    workspaceRevision: stored.record.baseRevision,
    revisions: revisions.map(({ id }) => id),
  };
  if (planned === undefined) {
    const { revisionAlgorithm } = context;
    const nothing = {
      alreadyApplied: true,
      revisionAlgorithm,
      files: [],
      additions: 0,
      removals: 0,
      warnings: [],
    };
    return { result: () => revertResult({ ...nothing, ...told, conflicts, mergedPaths }) };
  }
  const { plan, versionOf, remarks } = planned;
  const described = await driveSteps(describePlan(context, plan), timeSlice({ signal }));
  const wanted = wantedDiff(includeDiff);
  const diff =
    wanted &&
    (await driveSteps(diffPlan(context, plan, { ...wanted, kept: undefined }), timeSlice({ signal })));
  const result = revertResult({ ...described, ...remarks, ...told, ...(diff !== undefined && { diff }) });
  if (isEmptyDelta(plan.delta)) return { result: () => result };
  const isKept = (contentId: string) => transaction.contents.rangeOf(contentId) !== undefined;
  const change = await stageStep(transaction, stored, {
    delta: plan.delta,
    pins: pinsOf(stored, plan, versionOf),
    contents: await stepContents(view, plan, isKept, { signal }),
  });
  return { change, result: () => ({ ...result, stagedIn: transaction.id }) };
}

function pinsOf(
  stored: StoredTransaction,
  plan: CommittablePlan["plan"],
  versionOf: CommittablePlan["versionOf"],
) {
  return newPins(plan.relies, stored.steps.pins, (path) => {
    const version = versionOf(path);
    return version === null ? undefined : { version };
  });
}
