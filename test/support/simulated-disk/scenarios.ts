import { type FailureChoice, failPlan } from "./live-failures.ts";
import { overlapCheckpoint } from "./overlapping-checkpoint.ts";
import { type CampaignOptions, cutMoment, cutPlan, type Tally } from "./power-campaign.ts";
import {
  makePlan,
  type Operation,
  type OperationKind,
  type PlanShape,
  type PowerPlan,
} from "./power-plans.ts";
import { recordPlan } from "./record-plan.ts";
import { finishWithoutState } from "./removed-state.ts";

/** A small run that comes to certain places in the code. */
export interface Scenario {
  readonly name: string;
  /** Functions whose flushes it is meant for: tried there first. */
  readonly meantFor?: readonly string[];
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

/** The process ends, another recovers, and power is cut then. */
function kills(shape: PlanShape, kinds: readonly OperationKind[], large = false, only?: RegExp): Scenario {
  const one = plan(shape, kinds, large);
  return {
    name: `kills and cuts of ${one.name}`,
    run: async (options, tally) => {
      const everyMoment = only === undefined ? 2 : 1;
      const how = { ...options, only, everyMoment, everySecond: 1, secondMoments: 8, killsOnly: true };
      while (options.enough?.(tally) !== true) await cutPlan(one, how, tally);
    },
  };
}

/** Power is cut twice. */
function twice(shape: PlanShape, kinds: readonly OperationKind[], large = false): Scenario {
  const one = plan(shape, kinds, large);
  return {
    name: `two cuts of ${one.name}`,
    run: async (options, tally) => {
      const how = { ...options, samples: 3, everyMoment: 4, everySecond: 1, secondMoments: 6 };
      while (options.enough?.(tally) !== true) await cutPlan(one, how, tally);
    },
  };
}

/** Power is cut when all is done. */
function ends(shape: PlanShape, kinds: readonly OperationKind[], large = false): Scenario {
  const one = plan(shape, kinds, large);
  return {
    name: `cuts at the end of ${one.name}`,
    run: async (options, tally) => {
      const how = { ...options, samples: 40, exhaustiveUpTo: 5, everySecond: 1000 };
      while (options.enough?.(tally) !== true) {
        const recorded = await recordPlan(one, options);
        const acknowledged = recorded.moments.filter(({ label }) => label === "acknowledged");
        for (const moment of acknowledged.slice(-2)) await cutMoment(recorded, moment, how, tally);
      }
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

/** Somebody changes the mode of a file that a commit has already made its new content like. */
function chmodBefore(): Scenario {
  const one = plan("alone", ["replace"]);
  const chmod = { path: "same/replace0", mode: 0o640 };
  const steps = one.steps.map((step) => (step.do === "commit" ? { ...step, chmod } : step));
  const changed = { ...one, name: `${one.name}, mode changed before`, steps };
  return {
    name: `cuts of ${changed.name}`,
    run: async (options, tally) => {
      while (options.enough?.(tally) !== true) await cutPlan(changed, { ...options, everyMoment: 2 }, tally);
    },
  };
}

function repeated(name: string, once: Scenario["run"]): Scenario {
  return {
    name,
    run: async (options, tally) => {
      while (options.enough?.(tally) !== true) await once(options, tally);
    },
  };
}

function meantFor(scenario: Scenario, ...functions: readonly string[]): Scenario {
  return { ...scenario, meantFor: functions };
}

/** Runs in which others do something at a moment that no plan comes to by itself. */
export const rareMoments: readonly Scenario[] = [
  meantFor(chmodBefore(), "makeAlike"),
  meantFor(repeated("a checkpoint that passes over files of a commit", overlapCheckpoint), "takeBack"),
  meantFor(
    repeated("a commit whose state folder is removed", finishWithoutState),
    "writeContent",
    "finishFromMemory",
  ),
];

/** Runs that together come to every place that flushes. */
export const scenarios: readonly Scenario[] = [
  cuts("earlier", ["replace", "create"]),
  cuts("earlier, sealed after", ["replace", "mkdir"]),
  cuts("between unflushed ones", ["replace"]),
  cuts("by three processes in turn", ["replace", "create"]),
  meantFor(
    cuts("sealed after, then more", ["mkdir", "replace"], true),
    "makeFile",
    "prepareContents",
    "settleFolders",
  ),
  meantFor(ends("in three segments", ["create"], true), "copyDurably", "flushPublished"),
  meantFor(ends("earlier, sealed after", ["replace"]), "finishCheckpoint", "canFlush"),
  meantFor(ends("pruned between", ["replace"]), "seal", "pruneHistory", "rescueContents"),
  meantFor(ends("by three processes in turn", ["replace", "create"]), "packHistory", "publish"),
  meantFor(ends("after edits by hand", ["replace"]), "keepImage"),
  meantFor(
    ends("with a staged content", ["create"]),
    "appendStaged",
    "stageContent",
    "prepareStaged",
    "prepareContents",
  ),
  meantFor(kills("alone", ["replace"], false, /^rename .*\.log$/), "settleSegments"),
  meantFor(kills("earlier", ["replace", "create"], false, /^write .*\.log$/), "settleSegments"),
  kills("alone", ["replace", "delete"]),
  kills("earlier, sealed between", ["replace"]),
  kills("sealed after, then more", ["mkdir"], true),
  meantFor(twice("alone", ["replace", "mkdir"]), "freshContent"),
  meantFor(twice("alone", ["mkdir", "replace"], true), "settleFolders"),
  failing("failing flushes", flushesFail, plan("earlier", ["replace", "create"]), "commit"),
  failing("failing flushes", flushesFail, plan("earlier, sealed after", ["replace"]), "checkpoint"),
  meantFor(
    failing("failing flushes", flushesFail, plan("between unflushed ones", ["replace"]), "checkpoint"),
    "beginCheckpoint",
  ),
  meantFor(
    failing("failing renames", namesFail, plan("earlier", ["replace", "mkdir"]), "commit"),
    "takeBack",
    "note",
  ),
  failing("failing renames", namesFail, plan("earlier", ["delete", "fileToFolder"]), "commit"),
  ...rareMoments,
];
