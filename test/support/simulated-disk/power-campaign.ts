import { checkRecovered, type Recovery } from "./check-recovered.ts";
import { type CrashOptions, crashStates } from "./crash-states.ts";
import type { DiskWatch } from "./disk-file-system.ts";
import type { PowerPlan } from "./power-plans.ts";
import { type Moment, type RecordedPlan, recordPlan } from "./record-plan.ts";

/** Something that does not hold, with what led to it. */
export interface Violation {
  readonly plan: string;
  readonly moment: string;
  readonly state: string;
  readonly problem: string;
}

/** What a campaign has seen. */
export interface Tally {
  states: number;
  secondCrashes: number;
  liveFailures: number;
  foreignEdits: number;
  readonly violations: Violation[];
}

export function emptyTally(): Tally {
  return { states: 0, secondCrashes: 0, liveFailures: 0, foreignEdits: 0, violations: [] };
}

/** How much of each plan is looked at. */
export interface CampaignOptions extends CrashOptions {
  /** One moment in so many is looked at. */
  readonly everyMoment: number;
  /** One recovery in so many is itself cut. */
  readonly everySecond: number;
  /** Looks at moments in an order that chance decides. */
  readonly shuffle?: boolean | undefined;
  /** Cuts no power at first, but in the recovery that follows. */
  readonly killsOnly?: boolean | undefined;
  /** Looks at no other moments than those that are called so. */
  readonly only?: RegExp | undefined;
  /** One recovery in so many is followed by a commit and a checkpoint. Default: 3. */
  readonly goOnOneIn?: number | undefined;
  /** So many moments of a recovery are cut. Default: 3. */
  readonly secondMoments?: number | undefined;
  readonly granularityNs?: bigint | undefined;
  readonly skipsFlush?: DiskWatch["skipsFlush"] | undefined;
  /** Stops when it says so. */
  readonly enough?: ((tally: Tally) => boolean) | undefined;
}

/** Moments that are always looked at: answers, and when the log may be on the platter without what its entries tell of. */
const telling = /^acknowledged$|^write .*\.log$/;

/** Runs a plan, cuts it after each change, and looks at what is recovered. */
export async function cutPlan(plan: PowerPlan, options: CampaignOptions, tally: Tally): Promise<void> {
  const recorded = await recordPlan(plan, options);
  for (const moment of inOrder(recorded.moments, options)) {
    if (options.enough?.(tally) === true) return;
    if (options.only?.test(moment.label) === false) continue;
    if (!telling.test(moment.label) && options.random.below(options.everyMoment) > 0) continue;
    await cutMoment(recorded, moment, options, tally);
  }
}

/** A list as it is, or in an order that chance decides. */
export function inOrder<T>(
  list: readonly T[],
  { random, shuffle }: Pick<CampaignOptions, "random" | "shuffle">,
): readonly T[] {
  if (shuffle !== true) return list;
  const mixed = [...list];
  for (let left = mixed.length; left > 1; left--) {
    const at = random.below(left);
    [mixed[at], mixed[left - 1]] = [mixed[left - 1] as T, mixed[at] as T];
  }
  return mixed;
}

/** Looks at everything that may be left of one moment: after a kill and after power cuts. */
export async function cutMoment(
  recorded: Pick<RecordedPlan, "plan" | "states">,
  moment: Moment,
  options: CampaignOptions,
  tally: Tally,
): Promise<void> {
  const { states } = recorded;
  const look = async (disk: Moment["disk"], label: string, boot: string) => {
    const second = options.random.below(options.everySecond) === 0;
    const recovery = await checkRecovered(
      disk,
      { ...moment, states },
      {
        boot,
        record: second,
        goOn: options.random.below(options.goOnOneIn ?? 3) === 0,
        skipsFlush: options.skipsFlush,
      },
    );
    tally.states += 1;
    if (recovery.problem !== undefined)
      tally.violations.push({
        plan: recorded.plan.name,
        moment: moment.label,
        state: label,
        problem: recovery.problem,
      });
    else if (second)
      await cutRecovery(recorded.plan.name, `${moment.label} | ${label}`, boot, recovery, options, tally);
  };
  await look(moment.disk.clone(), "kill", "boot-1");
  if (options.killsOnly === true) return;
  for (const state of crashStates(moment.disk, options)) {
    if (options.enough?.(tally) === true) return;
    await look(state.disk, state.label, "boot-2");
  }
}

/** Cuts a recovery, and what came after it, at a few of its changes. */
async function cutRecovery(
  plan: string,
  label: string,
  boot: string,
  { moments }: Recovery,
  options: CampaignOptions,
  tally: Tally,
): Promise<void> {
  const picked = moments.slice(-1);
  while (moments.length > 0 && picked.length < (options.secondMoments ?? 3))
    picked.push(options.random.pick(moments));
  for (const moment of picked) {
    if (options.enough?.(tally) === true) return;
    const killed = { disk: moment.disk.clone(), label: "kill", boot };
    for (const state of [
      killed,
      ...crashStates(moment.disk, { ...options, exhaustiveUpTo: 1, samples: 3 }),
    ]) {
      tally.secondCrashes += 1;
      await lookAgain(plan, label, { boot: "boot-3", ...state }, moment, options, tally);
    }
  }
}

async function lookAgain(
  plan: string,
  label: string,
  left: { readonly disk: Moment["disk"]; readonly label: string; readonly boot: string },
  moment: Recovery["moments"][number],
  options: CampaignOptions,
  tally: Tally,
): Promise<void> {
  const again = await checkRecovered(left.disk, moment, {
    boot: left.boot,
    record: false,
    goOn: options.random.below((options.goOnOneIn ?? 3) + 1) === 0,
    skipsFlush: options.skipsFlush,
  });
  tally.states += 1;
  if (again.problem !== undefined)
    tally.violations.push({ plan, moment: label, state: `second: ${left.label}`, problem: again.problem });
}
