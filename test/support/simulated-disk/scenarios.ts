import { type FailureChoice, failPlan } from "./live-failures.ts";
import { type CampaignOptions, cutPlan, type Tally } from "./power-campaign.ts";
import {
  makePlan,
  type Operation,
  type OperationKind,
  type PlanShape,
  type PowerPlan,
} from "./power-plans.ts";

/** A small run that comes to certain places in the code. */
export interface Scenario {
  readonly name: string;
  readonly run: (options: CampaignOptions, tally: Tally) => Promise<void>;
}

function plan(shape: PlanShape, kinds: readonly OperationKind[], large = false): PowerPlan {
  const operations = kinds.map((kind, index): Operation => ({ kind, place: index === 0 ? "same" : "other" }));
  return makePlan(operations, shape, large);
}

function cuts(shape: PlanShape, kinds: readonly OperationKind[], large = false): Scenario {
  const one = plan(shape, kinds, large);
  return {
    name: `cuts of ${one.name}`,
    run: async (options, tally) => {
      while (options.enough?.(tally) !== true) await cutPlan(one, { ...options, everyMoment: 2 }, tally);
    },
  };
}

/** Each flush of a step fails once. */
const flushesFail: FailureChoice = function* (calls) {
  for (const [index, call] of calls.entries())
    if (call === "flush") yield { at: index + 1, code: "EIO", sticky: false };
};

/** Each call of a step that changes names fails once, the last ones first: the commit is in the log by then. */
const namesFail: FailureChoice = function* (calls) {
  for (const [index, call] of [...calls.entries()].reverse())
    if (call === "rename" || call === "link" || call === "mkdir")
      yield { at: index + 1, code: "EACCES", sticky: false };
};

function failing(
  what: string,
  choice: FailureChoice,
  one: PowerPlan,
  step: "commit" | "append" | "checkpoint" | "prune",
): Scenario {
  return {
    name: `${what} in ${step} of ${one.name}`,
    run: async (options, tally) => {
      const number = one.steps.findLastIndex(({ do: kind }) => kind === step);
      while (options.enough?.(tally) !== true) await failPlan(one, choice, options, tally, number);
    },
  };
}

/** Runs that together come to every place that flushes. */
export const scenarios: readonly Scenario[] = [
  cuts("earlier", ["replace", "create"]),
  cuts("earlier, sealed after", ["replace", "mkdir"]),
  cuts("after edits by hand", ["replace", "delete"]),
  cuts("pruned between", ["replace"]),
  cuts("between unflushed ones", ["replace"]),
  cuts("with a staged content", ["create"]),
  cuts("sealed after, then more", ["mkdir", "replace"], true),
  cuts("in three segments", ["move"], true),
  cuts("by three processes in turn", ["replace", "create"]),
  failing("failing flushes", flushesFail, plan("earlier", ["replace", "create"]), "commit"),
  failing("failing flushes", flushesFail, plan("earlier, sealed after", ["replace"]), "checkpoint"),
  failing("failing flushes", flushesFail, plan("between unflushed ones", ["replace"]), "commit"),
  failing("failing renames", namesFail, plan("earlier", ["replace", "mkdir"]), "commit"),
  failing("failing renames", namesFail, plan("earlier", ["delete", "fileToFolder"]), "commit"),
];
