import type { DiskWatch } from "./disk-file-system.ts";
import { readDiskTree, showTree } from "./plan-model.ts";
import { describeOutcome, type Knowledge, PlanFailed, PlanRun, type WholeState } from "./plan-run.ts";
import type { PowerPlan } from "./power-plans.ts";
import type { SimulatedDisk } from "./simulated-disk.ts";

/** A disk at one moment of a plan, and what is known of it. */
export interface Moment extends Knowledge {
  readonly disk: SimulatedDisk;
  readonly label: string;
}

/** A plan as it ran. */
export interface RecordedPlan {
  readonly plan: PowerPlan;
  /** By number of commits. */
  readonly states: readonly WholeState[];
  readonly moments: readonly Moment[];
}

/** What interferes with a run besides. */
export interface RecordOptions {
  readonly granularityNs?: bigint | undefined;
  readonly skipsFlush?: DiskWatch["skipsFlush"] | undefined;
}

/** Runs a plan to its end and keeps the disk as it was after each change. */
export async function recordPlan(plan: PowerPlan, options: RecordOptions = {}): Promise<RecordedPlan> {
  const moments: Moment[] = [];
  const note = (label: string) => void moments.push({ disk: run.disk.clone(), label, ...run.known });
  const run = PlanRun.begin(
    plan,
    {
      changed: (call, path) => note(`${call} ${path}`),
      ...(options.skipsFlush === undefined ? {} : { skipsFlush: options.skipsFlush }),
    },
    options.granularityNs,
  );
  await run.open();
  for (const step of plan.steps) {
    const outcome = await run.run(step);
    if (outcome?.committed === false) throw new PlanFailed(`${plan.name}: ${describeOutcome(outcome)}`);
    if (step.do !== "restart" && step.do !== "join" && step.do !== "switch") note("acknowledged");
    const [found, expected] = [
      showTree(readDiskTree(run.disk)),
      showTree(run.states.at(-1)?.tree ?? new Map()),
    ];
    if (found !== expected)
      throw new PlanFailed(`${plan.name}: after ${step.do} there is\n${found}\ninstead of\n${expected}`);
  }
  return { plan, states: run.states, moments };
}
