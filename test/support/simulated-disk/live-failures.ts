import { isHoldfastError } from "../../../src/base/holdfast-error.ts";
import type { FileSystem } from "../../../src/storage/directory/file-system.ts";
import type { CommitOutcome } from "../../../src/storage/storage-adapter.ts";
import { makeBatch } from "../tree-batch.ts";
import type { DiskWatch } from "./disk-file-system.ts";
import { openDisk } from "./open-disk.ts";
import { readDiskTree, showTree } from "./plan-model.ts";
import { type CampaignOptions, cutMoment, type Tally } from "./power-campaign.ts";
import type { PowerPlan } from "./power-plans.ts";
import { initialDisk, type Moment, PlanFailed, stateAfter, type WholeState } from "./record-plan.ts";
import { platformError, type SimulatedDisk } from "./simulated-disk.ts";

/** What a disk may answer instead of doing as told. */
export const failureCodes = [
  "ENOSPC",
  "EIO",
  "EACCES",
  "EROFS",
  "EMFILE",
  "EXDEV",
  "EBUSY",
  "short",
] as const;

/** One way for a step to be disturbed. */
export interface Failure {
  readonly code: (typeof failureCodes)[number];
  /** The call of the step that fails, from 1. */
  readonly at: number;
  /** Whether all later calls fail too. */
  readonly sticky: boolean;
}

interface Prepared {
  readonly disk: SimulatedDisk;
  readonly states: readonly WholeState[];
}

/** Runs a plan up to its last commit. */
async function prepare(plan: PowerPlan): Promise<Prepared> {
  const disk = initialDisk(plan);
  const states: WholeState[] = [{ tree: plan.initial, marker: undefined }];
  const last = plan.steps.findLastIndex((step) => step.do === "commit");
  let { storage } = await openDisk(disk, "boot-1");
  for (const step of plan.steps.slice(0, last)) {
    if (step.do === "restart" || step.do === "join") ({ storage } = await openDisk(disk, "boot-1"));
    else if (step.do === "checkpoint") await storage.prune({ before: 1, keep: new Set(), staged: [] });
    else {
      const batch = await makeBatch(storage, step.wanted);
      const [outcome] = await storage.commit([batch], { flush: true });
      if (outcome?.committed !== true) throw new PlanFailed(plan.name);
      states.push(stateAfter(states, step, batch.putRecords[0]?.bytes));
    }
  }
  return { disk, states };
}

/** Lets each chosen call of a plan's last commit fail; looks at what is answered, at what is there, and at what a power cut leaves. */
export async function failPlan(
  plan: PowerPlan,
  failures: (calls: number) => Iterable<Failure>,
  options: CampaignOptions,
  tally: Tally,
): Promise<void> {
  const prepared = await prepare(plan);
  const calls = (await runLast(plan, prepared, undefined, options, tally)) ?? 0;
  for (const failure of failures(calls)) {
    if (options.enough?.(tally) === true) return;
    await runLast(plan, prepared, failure, options, tally);
  }
}

/** Runs the last commit with a failure, or without. @returns how many calls it took. */
async function runLast(
  plan: PowerPlan,
  { disk: before, states }: Prepared,
  failure: Failure | undefined,
  options: CampaignOptions,
  tally: Tally,
): Promise<number> {
  const step = plan.steps.findLast((one) => one.do === "commit");
  if (step?.do !== "commit") throw new PlanFailed(plan.name);
  const disk = before.clone();
  let armed = false;
  let calls = 0;
  const moments: SimulatedDisk[] = [];
  const fails = () => {
    if (!armed || failure === undefined) return false;
    return calls === failure.at || (failure.sticky && calls > failure.at);
  };
  const watch: DiskWatch = {
    before: (call: keyof FileSystem, path) => {
      if (!armed) return;
      calls += 1;
      // A folder that is in use stays behind empty; no file is concerned.
      if (call === "rmdir" && failure?.code === "EBUSY") return;
      if (fails() && failure?.code !== "short") throw platformError(failure?.code ?? "", `${call} ${path}`);
    },
    shortWrite: () => fails() && failure?.code === "short",
    changed: () => {
      if (armed) moments.push(disk.clone());
    },
    ...(options.skipsFlush === undefined ? {} : { skipsFlush: options.skipsFlush }),
  };
  const { storage } = await openDisk(disk, "boot-1", watch);
  const batch = await makeBatch(storage, step.wanted);
  const both = [...states, stateAfter(states, step, batch.putRecords[0]?.bytes)];
  const old = states.length - 1;
  armed = true;
  const outcome = await storage.commit([batch], { flush: true }).then(
    ([first]) => first,
    (error: unknown): CommitOutcome => ({ committed: false, error, written: "no" }),
  );
  armed = false;
  if (failure === undefined) return calls;
  tally.liveFailures += 1;
  const label = `${failure.code}${failure.sticky ? " from" : " at"} call ${failure.at}: ${describe(outcome)}`;
  const [least, most] = bounds(outcome, old);
  const found = showTree(readDiskTree(disk));
  const known = least !== most || found === showTree(both[least]?.tree ?? new Map());
  if (!known || (outcome !== undefined && "error" in outcome && !isHoldfastError(outcome.error))) {
    tally.violations.push({
      plan: plan.name,
      moment: label,
      state: "alive",
      problem: `answered ${label}, but there is\n${found}`,
    });
  }
  const recorded = { plan, states: both };
  const during = moments.length === 0 ? [] : [options.random.pick(moments), options.random.pick(moments)];
  for (const moment of during)
    await cutMoment(
      recorded,
      { disk: moment, label: `during ${label}`, least: old, most: old + 1 },
      options,
      tally,
    );
  const after: Moment = { disk, label: `after ${label}`, least, most };
  await cutMoment(recorded, after, options, tally);
  return calls;
}

/** Which states an answer leaves possible. */
function bounds(outcome: CommitOutcome | undefined, old: number): readonly [number, number] {
  if (outcome?.committed === true) return [old + 1, old + 1];
  if (outcome !== undefined && "written" in outcome && outcome.written === "unknown") return [old, old + 1];
  return [old, old];
}

function describe(outcome: CommitOutcome | undefined): string {
  if (outcome === undefined || outcome.committed) return "committed";
  return "failed" in outcome ? "stale" : `${(outcome.error as { code?: string }).code} ${outcome.written}`;
}
