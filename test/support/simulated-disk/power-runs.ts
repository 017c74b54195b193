import { editPlan } from "./foreign-edits.ts";
import { failPlan, failureCodes } from "./live-failures.ts";
import { type CampaignOptions, cutPlan, emptyTally, type Tally, type Violation } from "./power-campaign.ts";
import {
  makePlan,
  type Operation,
  operationSets,
  type PlanShape,
  type PowerPlan,
  planShapes,
} from "./power-plans.ts";
import { type Random, seededRandom } from "./random.ts";

/** Kinds of runs: cuts alone, failing calls before them, edits by others after them. */
export const runKinds = ["cuts", "failures", "edits"] as const;
export type RunKind = (typeof runKinds)[number];

/** How much is run. */
export interface RunOptions {
  readonly seed: number;
  /** Runs until so many states have been looked at. */
  readonly states: number;
  /** ... or so many milliseconds have passed. */
  readonly milliseconds?: number | undefined;
  /** Looks at all subsets up to this many changes; otherwise at a few. */
  readonly exhaustiveUpTo: number;
  readonly samples: number;
  readonly everyMoment: number;
  readonly everySecond: number;
  /** Times of files are cut down to a multiple of this. */
  readonly granularityNs?: bigint | undefined;
  readonly skipsFlush?: CampaignOptions["skipsFlush"];
  /** Looks at no other moments than those that are called so. */
  readonly only?: RegExp | undefined;
  /** One plan in so many has contents that the log does not hold. Default: 16. */
  readonly largeOneIn?: number | undefined;
  /** Plans are of these shapes. Default: all. */
  readonly shapes?: readonly PlanShape[] | undefined;
  /** Ends when each plan has been run once. */
  readonly once?: boolean | undefined;
  /** Ends processes at first, and cuts power in the recoveries that follow. */
  readonly killsOnly?: boolean | undefined;
}

const sets: readonly (readonly Operation[])[] = [...operationSets()];
const allShapes = Object.keys(planShapes) as readonly PlanShape[];

/** Every set of up to three operations in every shape, in an order that a seed decides; now and then with contents that the log does not hold. */
function* plansInRandomOrder(
  random: Random,
  largeOneIn: number,
  shapes: readonly PlanShape[],
): Generator<PowerPlan> {
  const numbers = Array.from({ length: sets.length * shapes.length }, (_, index) => index);
  for (let left = numbers.length; left > 0; left--) {
    const at = random.below(left);
    const number = numbers[at] ?? 0;
    numbers[at] = numbers[left - 1] ?? 0;
    const set = sets[Math.floor(number / shapes.length)] ?? [];
    const shape = shapes[number % shapes.length] ?? "alone";
    // The only copy of a large content is its target until it is sealed: who writes into that has changed it.
    const large = random.below(largeOneIn) === 0 && shape !== "after edits by hand";
    yield makePlan(set, shape, large);
  }
}

/** Runs one kind until its bound is reached, through all plans again where they do not suffice. */
export async function runPower(
  kind: RunKind,
  options: RunOptions,
  tally: Tally = emptyTally(),
): Promise<Tally> {
  const random = seededRandom(options.seed);
  const ends = performance.now() + (options.milliseconds ?? Number.POSITIVE_INFINITY);
  const until = tally.states + options.states;
  const enough = () => tally.states >= until || performance.now() >= ends;
  const campaign: CampaignOptions = { ...options, random, enough };
  const { largeOneIn = 16, shapes = allShapes, once = false } = options;
  while (!enough()) {
    for (const plan of plansInRandomOrder(random, largeOneIn, shapes)) {
      if (enough()) break;
      await runPlan(kind, plan, campaign, tally);
    }
    if (once) break;
  }
  return tally;
}

async function runPlan(
  kind: RunKind,
  plan: PowerPlan,
  options: CampaignOptions,
  tally: Tally,
): Promise<void> {
  const { random } = options;
  try {
    if (kind === "cuts") await cutPlan(plan, options, tally);
    else if (kind === "edits") await editPlan(plan, options, tally);
    else {
      await failPlan(
        plan,
        function* ({ length }) {
          const step = options.everyMoment;
          for (let at = 1 + random.below(step); at <= length; at += 1 + random.below(2 * step))
            yield { at, code: random.pick(failureCodes), sticky: random.below(3) === 0 };
        },
        { ...options, exhaustiveUpTo: 0, samples: Math.min(options.samples, 3) },
        tally,
        random.below(plan.steps.length),
      );
    }
  } catch (error) {
    tally.violations.push({
      plan: plan.name,
      moment: "the plan itself",
      state: "",
      problem: `${String(error)}\n${(error as Error).stack}`,
    });
  }
}

/** One line for each of the first few violations, shortest first. */
export function showViolations(violations: readonly Violation[], most = 3): string {
  const short = [...violations]
    .sort((a, b) => a.state.length + a.plan.length - b.state.length - b.plan.length)
    .slice(0, most);
  return short
    .map(({ plan, moment, state, problem }) => `plan ${plan}\ncut at ${moment}\nleft ${state}\n${problem}`)
    .join("\n\n");
}
