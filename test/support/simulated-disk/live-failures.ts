import { isHoldfastError } from "../../../src/base/holdfast-error.ts";
import type { FileSystem } from "../../../src/storage/directory/file-system.ts";
import type { CommitOutcome } from "../../../src/storage/storage-adapter.ts";
import type { DiskWatch } from "./disk-file-system.ts";
import { readDiskTree, showTree } from "./plan-model.ts";
import { describeOutcome, type Knowledge, PlanFailed, PlanRun, type WholeState } from "./plan-run.ts";
import { type CampaignOptions, cutMoment, inOrder, type Tally } from "./power-campaign.ts";
import type { PlanStep, PowerPlan } from "./power-plans.ts";
import type { Moment } from "./record-plan.ts";
import { platformError } from "./simulated-disk.ts";

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

/** Says which calls of a step are to fail, given all of them. */
export type FailureChoice = (calls: readonly (keyof FileSystem)[]) => Iterable<Failure>;

/** Runs a plan up to a step. */
async function runUntil(
  plan: PowerPlan,
  last: number,
  options: Pick<CampaignOptions, "skipsFlush" | "granularityNs">,
): Promise<PlanRun> {
  const run = PlanRun.begin(
    plan,
    options.skipsFlush === undefined ? {} : { skipsFlush: options.skipsFlush },
    options.granularityNs,
  );
  await run.open();
  for (const step of plan.steps.slice(0, last)) {
    const outcome = await run.run(step);
    if (outcome?.committed === false) throw new PlanFailed(`${plan.name}: ${describeOutcome(outcome)}`);
  }
  return run;
}

/** The step that failures are tried on: the last that writes. */
function stepToFail(plan: PowerPlan): number {
  return plan.steps.findLastIndex(({ do: what }) => what === "commit" || what === "append");
}

/** Lets each chosen call of one step of a plan fail; looks at what is answered, at what is there, and at what a power cut leaves. */
export async function failPlan(
  plan: PowerPlan,
  failures: FailureChoice,
  options: CampaignOptions,
  tally: Tally,
  number = stepToFail(plan),
): Promise<void> {
  const step = plan.steps[number];
  if (step === undefined) throw new PlanFailed(plan.name);
  const before = await runUntil(plan, number, options);
  const calls = await countCalls(before, step, options);
  for (const failure of inOrder([...failures(calls)], options)) {
    if (options.enough?.(tally) === true) return;
    await failStep(plan, before, step, failure, options, tally);
  }
}

async function countCalls(
  before: PlanRun,
  step: PlanStep,
  { skipsFlush }: CampaignOptions,
): Promise<readonly (keyof FileSystem)[]> {
  const calls: (keyof FileSystem)[] = [];
  let armed = false;
  const run = PlanRun.from(before, {
    before: (call) => {
      if (armed) calls.push(call);
    },
    ...(skipsFlush === undefined ? {} : { skipsFlush }),
  });
  await run.open();
  armed = true;
  await run.run(step);
  return calls;
}

async function failStep(
  plan: PowerPlan,
  before: PlanRun,
  step: PlanStep,
  failure: Failure,
  options: CampaignOptions,
  tally: Tally,
): Promise<void> {
  let armed = false;
  let calls = 0;
  const moments: Moment[] = [];
  let states: readonly WholeState[] = [];
  const fails = () => armed && (calls === failure.at || (failure.sticky && calls > failure.at));
  const watch: DiskWatch = {
    before: (call, path) => {
      if (!armed) return;
      calls += 1;
      // A folder that is in use stays behind empty; no file is concerned.
      if (call === "rmdir" && failure.code === "EBUSY") return;
      if (fails() && failure.code !== "short") throw platformError(failure.code, `${call} ${path}`);
    },
    shortWrite: () => fails() && failure.code === "short",
    changed: (call, path) => {
      if (!armed || calls < failure.at) return;
      states = [...run.states];
      moments.push({ disk: run.disk.clone(), ...run.known, label: `${label}: during, at ${call} ${path}` });
    },
    ...(options.skipsFlush === undefined ? {} : { skipsFlush: options.skipsFlush }),
  };
  let label = `${failure.code}${failure.sticky ? " from" : " at"} call ${failure.at} of ${step.do}`;
  const run = PlanRun.from(before, watch);
  await run.open();
  armed = true;
  const answer = await attempt(run, step);
  armed = false;
  tally.liveFailures += 1;
  label += `, answered ${answer.said}`;
  const problem = answer.problem ?? aliveProblem(run);
  if (problem !== undefined)
    tally.violations.push({ plan: plan.name, moment: label, state: "alive", problem });
  const { random } = options;
  const after: Moment = { disk: run.disk.clone(), ...run.known, label };
  const during = moments.length === 0 ? [] : [random.pick(moments), random.pick(moments)];
  for (const moment of during) await cutMoment({ plan, states }, moment, options, tally);
  await cutMoment({ plan, states: [...run.states] }, after, options, tally);
  if (run.known.least === run.known.most) await goOn(plan, run, label, options, tally);
}

/** Runs the step that is disturbed. Afterwards the run knows what the answer leaves possible. */
async function attempt(
  run: PlanRun,
  step: PlanStep,
): Promise<{ readonly said: string; readonly problem?: string | undefined }> {
  const old = run.known;
  try {
    const outcome = await run.run(step);
    if (outcome?.committed !== false) return { said: "done" };
    run.know(bounds(outcome, run.known, old));
    if ("failed" in outcome) return { said: "stale" };
    const problem = isHoldfastError(outcome.error) ? undefined : `answered ${String(outcome.error)}`;
    return { said: `${(outcome.error as { code?: string }).code} ${outcome.written}`, problem };
  } catch (error) {
    // A list of batches rejects only when nothing has taken effect.
    if (step.do === "commit" || step.do === "append") run.know({ ...run.known, most: old.most });
    const problem = isHoldfastError(error) ? undefined : `threw ${String(error)}`;
    return { said: `threw ${(error as { code?: string }).code}`, problem };
  }
}

/** Which states an answer leaves possible. */
function bounds(outcome: CommitOutcome, known: Knowledge, old: Knowledge): Knowledge {
  const unknown = "written" in outcome && outcome.written === "unknown";
  return unknown ? known : { ...known, most: old.most };
}

function aliveProblem(run: PlanRun): string | undefined {
  const { least, most } = run.known;
  const found = showTree(readDiskTree(run.disk));
  if (least !== most || found === showTree(run.states[least]?.tree ?? new Map())) return undefined;
  return `there is\n${found}`;
}

/** The same process commits once more; what it acknowledges must last, whatever failed before. */
async function goOn(
  plan: PowerPlan,
  run: PlanRun,
  label: string,
  options: CampaignOptions,
  tally: Tally,
): Promise<void> {
  const { said, problem } = await attempt(run, { do: "commit", wanted: { "goes/on": "works\n" } });
  if (problem !== undefined || (said !== "done" && !said.startsWith("RECOVERY_PENDING")))
    tally.violations.push({
      plan: plan.name,
      moment: label,
      state: "alive, then one more commit",
      problem: problem ?? `answered ${said}`,
    });
  const after: Moment = { disk: run.disk, ...run.known, label: `${label}, then one more commit: ${said}` };
  await cutMoment({ plan, states: run.states }, after, options, tally);
}
