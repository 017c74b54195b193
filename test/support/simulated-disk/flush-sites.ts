import type { Inode } from "./inode.ts";
import { emptyTally, type Tally } from "./power-campaign.ts";
import { runPower } from "./power-runs.ts";

/** Functions that flush whatever they are told to. */
const passing: ReadonlySet<string> = new Set([
  "flushPath",
  "inProcessQueue",
  "logTurn",
  "run",
  "exclusiveWork",
]);

/** Names the place in the code that flushes: the functions on the way there, and what is flushed. */
function flushSite(kind: Inode["kind"]): string {
  const names: string[] = [];
  for (const site of callSites()) {
    const name = site.getFunctionName();
    if (
      name === null ||
      passing.has(name) ||
      !/storage\/directory\/[\w-]+\.ts/.test(site.getFileName() ?? "")
    )
      continue;
    names.push(name.slice(name.lastIndexOf(".") + 1));
  }
  return `${names.slice(0, 3).reverse().join(" → ")}: ${kind}`;
}

/** The calls that led here, without the cost of making a text of them. */
function callSites(): readonly NodeJS.CallSite[] {
  const { prepareStackTrace, stackTraceLimit } = Error;
  Error.stackTraceLimit = 30;
  Error.prepareStackTrace = (_error, sites) => sites;
  const sites = new Error("").stack as unknown as readonly NodeJS.CallSite[];
  Error.prepareStackTrace = prepareStackTrace;
  Error.stackTraceLimit = stackTraceLimit;
  return sites;
}

/** Leaves out the flushes of one place. @param seen - Collects the places that are met. */
function skipping(
  site: string | undefined,
  seen?: Map<string, number>,
): (path: string, kind: Inode["kind"]) => boolean {
  return (_path, kind) => {
    const here = flushSite(kind);
    seen?.set(here, (seen.get(here) ?? 0) + 1);
    return here === site;
  };
}

/** Runs a little of everything and names each place that flushes. */
export async function findFlushSites(seed: number, states: number): Promise<readonly string[]> {
  const seen = new Map<string, number>();
  const skipsFlush = skipping(undefined, seen);
  for (const kind of ["cuts", "failures"] as const)
    await runPower(kind, { ...thorough, seed, states, skipsFlush });
  return [...seen.keys()].sort();
}

const thorough = { exhaustiveUpTo: 0, samples: 4, everyMoment: 3, everySecond: 3, largeOneIn: 2 };

/** Leaves the flushes of one place out until something is lost, in cuts and failures by turns. @param states - Gives up after so many. */
export async function lossWithout(site: string, seed: number, states: number): Promise<Tally> {
  const tally = emptyTally();
  const skipsFlush = skipping(site);
  for (let turn = 0; tally.states < states && tally.violations.length === 0; turn++) {
    const kind = turn % 3 === 2 ? "failures" : "cuts";
    await runPower(
      kind,
      { ...thorough, seed: seed + turn, states: Math.min(2000, states), skipsFlush, stopEarly: true },
      tally,
    );
  }
  return tally;
}
