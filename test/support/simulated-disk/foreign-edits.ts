import { checkRecovered } from "./check-recovered.ts";
import { crashStates } from "./crash-states.ts";
import { diskFileSystem } from "./disk-file-system.ts";
import type { CampaignOptions, Tally } from "./power-campaign.ts";
import type { PowerPlan } from "./power-plans.ts";
import { type Moment, type RecordedPlan, recordPlan } from "./record-plan.ts";
import type { SimulatedDisk } from "./simulated-disk.ts";

/** What people and programs do to a file between a cut and the next opening. @returns what must be there afterwards; `undefined`: anything. */
type ForeignEdit = (disk: SimulatedDisk, path: string) => Promise<string | undefined>;

const mine = "written by hand\n";

function write(disk: SimulatedDisk, path: string, text: string): void {
  const fileSystem = diskFileSystem(disk);
  const descriptor = fileSystem.open(path, "update");
  fileSystem.truncate(descriptor, 0);
  if (text !== "") fileSystem.write(descriptor, new TextEncoder().encode(text), 0);
  fileSystem.close(descriptor);
}

async function create(disk: SimulatedDisk, path: string, text: string): Promise<void> {
  const fileSystem = diskFileSystem(disk);
  fileSystem.close(await fileSystem.create(path, 0o644));
  write(disk, path, text);
}

function textOf(disk: SimulatedDisk, path: string): string {
  return new TextDecoder().decode(disk.find(path)?.bytes);
}

/** Edits of a file that is there. */
const foreignEdits: Readonly<Record<string, ForeignEdit>> = {
  "in place": async (disk, path) => {
    write(disk, path, mine);
    return mine;
  },
  "by rename": async (disk, path) => {
    await create(disk, "/w/foreign-temporary", mine);
    diskFileSystem(disk).rename("/w/foreign-temporary", path);
    return mine;
  },
  "by rename, same bytes": async (disk, path) => {
    const text = textOf(disk, path);
    await create(disk, "/w/foreign-temporary", text);
    diskFileSystem(disk).rename("/w/foreign-temporary", path);
    return text;
  },
  "cut short": async (disk, path) => {
    const text = textOf(disk, path).slice(0, 3);
    write(disk, path, text);
    return text;
  },
  "cut to nothing": async (disk, path) => {
    write(disk, path, "");
    return "";
  },
  // That others deleted what a commit has created or removed cannot be told from its own steps.
  deleted: async (disk, path) => {
    diskFileSystem(disk).unlink(path);
    return undefined;
  },
};

/** Runs a plan, cuts it, lets somebody edit one file, and opens it: the edit stays, and the rest is whole. */
export async function editPlan(plan: PowerPlan, options: CampaignOptions, tally: Tally): Promise<void> {
  const recorded = await recordPlan(plan, options);
  for (const moment of recorded.moments) {
    if (options.enough?.(tally) === true) return;
    if (options.random.below(options.everyMoment) > 0) continue;
    const [power] = [...crashStates(moment.disk, { ...options, exhaustiveUpTo: -1, samples: 3 })].slice(-1);
    await editAndOpen(recorded, moment, moment.disk.clone(), "kill", "boot-1", options, tally);
    if (power !== undefined)
      await editAndOpen(recorded, moment, power.disk, power.label, "boot-2", options, tally);
  }
}

async function editAndOpen(
  { plan, states }: RecordedPlan,
  moment: Moment,
  disk: SimulatedDisk,
  label: string,
  boot: string,
  options: CampaignOptions,
  tally: Tally,
): Promise<void> {
  const paths = [...new Set(states.flatMap(({ tree }) => [...tree.keys()]))];
  const path = options.random.pick(paths);
  const present = isFile(disk, `/w/${path}`);
  const name = present ? options.random.pick(Object.keys(foreignEdits)) : "created";
  disk.now += 1_000_000_000n;
  let text: string | undefined = mine;
  if (present) text = await foreignEdits[name]?.(disk, `/w/${path}`);
  else if (canCreate(disk, `/w/${path}`)) await create(disk, `/w/${path}`, mine);
  else return;
  // An empty file holds nobody's bytes: a content that the log does not hold begins as one.
  if (text === "" && /large|staged/.test(plan.name)) text = undefined;
  disk.sync();
  const expected = { ...moment, states, foreign: new Map([[path, text]]) };
  const recovery = await checkRecovered(disk, expected, {
    boot,
    record: false,
    goOn: options.random.below(4) === 0,
    skipsFlush: options.skipsFlush,
  });
  tally.foreignEdits += 1;
  tally.states += 1;
  if (recovery.problem !== undefined)
    tally.violations.push({
      plan: plan.name,
      moment: `${moment.label}, then ${path} ${name}`,
      state: label,
      problem: recovery.problem,
    });
}

function isFile(disk: SimulatedDisk, path: string): boolean {
  try {
    return disk.find(path)?.kind === "file";
  } catch {
    return false;
  }
}

function canCreate(disk: SimulatedDisk, path: string): boolean {
  try {
    return disk.find(path) === undefined;
  } catch {
    return false;
  }
}
