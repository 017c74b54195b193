import type { Inode } from "./inode.ts";
import { type CampaignOptions, emptyTally, type Tally } from "./power-campaign.ts";
import { seededRandom } from "./random.ts";
import { scenarios } from "./scenarios.ts";

/** Functions that flush what others tell them to: the place is where they are called, once in the code whoever comes there. */
export const flushingFunctions: ReadonlySet<string> = new Set([
  "flush",
  "flushPath",
  "flushFolder",
  "flushTargets",
  "replaceFile",
  "placeInLog",
  "createSegment",
  "createSealedState",
]);

/** Functions that others hand their work to. */
const passing: ReadonlySet<string> = new Set([
  ...flushingFunctions,
  "inProcessQueue",
  "logTurn",
  "run",
  "exclusiveWork",
]);

/** A place in the code that flushes. */
export interface FlushSite {
  /** The functions on the way there, and what is flushed. */
  readonly name: string;
  /** Tells it from all others. */
  readonly key: string;
  /** The function that flushes, or has it done. */
  readonly caller: string;
  /** Where in the code it does; one place may flush files and folders. */
  readonly position: string;
  /** Numbers of the scenarios that come there. */
  readonly scenarios: readonly number[];
}

/** Finds the place that flushes now. */
function flushSite(path: string, kind: Inode["kind"]): Omit<FlushSite, "scenarios"> {
  const names: string[] = [];
  let position = "";
  for (const site of callSites()) {
    const name = site.getFunctionName();
    if (name === null || !/storage\/directory\/[\w-]+\.ts/.test(site.getFileName() ?? "")) continue;
    const own = name.slice(name.lastIndexOf(".") + 1);
    if (passing.has(own)) continue;
    if (names.length === 0) position = `${site.getLineNumber()}:${site.getColumnNumber()}`;
    names.push(own);
  }
  const caller = names[0] ?? "?";
  const name = `${caller}: ${whatIs(path, kind)}`;
  return { name, key: `${name} ${position}`, caller, position };
}

function whatIs(path: string, kind: Inode["kind"]): string {
  if (kind !== "directory") return "a file";
  const match = /\/\.holdfast(?:\/(\w+))?$/.exec(path);
  return match === null ? "a folder" : `the folder ${match[1] ?? "of the state"}`;
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

function campaign(seed: number, most: number, rest: Pick<CampaignOptions, "skipsFlush">): CampaignOptions {
  return {
    random: seededRandom(seed),
    exhaustiveUpTo: 0,
    samples: 6,
    everyMoment: 1,
    everySecond: 2,
    goOnOneIn: 2,
    shuffle: true,
    enough: ({ states, violations }) => states >= most || violations.length > 0,
    ...rest,
  };
}

/** Runs a little of every scenario and tells each place that flushes. @throws when something is lost though nothing is left out. */
export async function findFlushSites(seed: number, states = 300): Promise<readonly FlushSite[]> {
  const found = new Map<string, Omit<FlushSite, "scenarios"> & { readonly scenarios: Set<number> }>();
  for (const [number, { name, run }] of scenarios.entries()) {
    const tally = emptyTally();
    const skipsFlush = (path: string, kind: Inode["kind"]) => {
      const site = flushSite(path, kind);
      const known = found.get(site.key) ?? { ...site, scenarios: new Set() };
      found.set(site.key, known);
      known.scenarios.add(number);
      return false;
    };
    await run(campaign(seed, states, { skipsFlush }), tally);
    const [violation] = tally.violations;
    if (violation !== undefined)
      throw new Error(
        `${name}: ${violation.plan}; ${violation.moment}; ${violation.state}; ${violation.problem}`,
      );
  }
  const named = new Map<string, number>();
  return [...found.values()].map((site) => {
    const turn = (named.get(site.name) ?? 0) + 1;
    named.set(site.name, turn);
    return {
      ...site,
      name: turn === 1 ? site.name : `${site.name} (${turn})`,
      scenarios: [...site.scenarios].sort((a, b) => meant(b, site.name) - meant(a, site.name) || a - b),
    };
  });
}

function meant(scenario: number, site: string): number {
  return scenarios[scenario]?.meantFor?.some((name) => site.startsWith(`${name}:`)) === true ? 1 : 0;
}

/** Leaves the flushes of one place out until something is lost. @param states - Gives up after about so many. */
export async function lossWithout(site: FlushSite, seed: number, states: number): Promise<Tally> {
  const tally = emptyTally();
  const skipsFlush = (path: string, kind: Inode["kind"]) => flushSite(path, kind).key === site.key;
  for (let most = 300, turn = 0; tally.states < states; most *= 2, turn++) {
    for (const number of site.scenarios) {
      const options = campaign(seed + turn, tally.states + most, { skipsFlush });
      await scenarios[number]?.run(options, tally);
      if (tally.violations.length > 0) return tally;
    }
    if (site.scenarios.length === 0) break;
  }
  return tally;
}
