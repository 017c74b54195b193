import { crashStates } from "./crash-states.ts";
import type { DiskWatch } from "./disk-file-system.ts";
import { openDisk } from "./open-disk.ts";
import { type ModelTree, readDiskTree, showTree } from "./plan-model.ts";
import { PlanRun } from "./plan-run.ts";
import type { CampaignOptions, Tally } from "./power-campaign.ts";
import { makePlan, type PowerPlan } from "./power-plans.ts";
import type { SimulatedDisk } from "./simulated-disk.ts";

const plan: PowerPlan = makePlan(
  [
    { kind: "replace", place: "same" },
    { kind: "replace", place: "other" },
    { kind: "mkdir", place: "other" },
  ],
  "alone",
);

/** Somebody removes the state folder, durably. */
function removeState(disk: SimulatedDisk): void {
  const before = disk.pending.length;
  const empty = (path: string): void => {
    const folder = disk.find(path);
    for (const [name, ino] of [...(folder?.entries ?? [])]) {
      if (disk.inode(ino).kind === "directory") empty(`${path}/${name}`);
      if (folder !== undefined)
        disk.change(`remove ${path}/${name}`, [{ folder: folder.ino, name, ino: undefined }]);
    }
  };
  empty("/w/.holdfast");
  const root = disk.find("/w");
  if (root !== undefined)
    disk.change("remove /w/.holdfast", [{ folder: root.ino, name: ".holdfast", ino: undefined }]);
  disk.pending = disk.pending.map((change, index) => (index < before ? change : { ...change, forced: true }));
}

/** Removes the state folder while a commit is carried out, which is then finished from memory, and cuts power. */
export async function finishWithoutState(options: CampaignOptions, tally: Tally): Promise<void> {
  const { random } = options;
  let left = 1 + random.below(3);
  let isEntered = false;
  let atRemoval: ModelTree | undefined;
  const during: SimulatedDisk[] = [];
  const watch: DiskWatch = {
    before: (call) => {
      if (!isEntered || atRemoval !== undefined || (call !== "rename" && call !== "mkdir") || --left > 0)
        return;
      atRemoval = readDiskTree(run.disk);
      removeState(run.disk);
    },
    changed: (call, path) => {
      if (call === "flush" && path.includes("/log/")) isEntered = true;
      if (atRemoval !== undefined) during.push(run.disk.clone());
    },
    ...(options.skipsFlush === undefined ? {} : { skipsFlush: options.skipsFlush }),
  };
  const run = PlanRun.begin(plan, watch, options.granularityNs);
  await run.open();
  isEntered = false;
  for (const step of plan.steps) await run.run(step);
  const [before, after] = run.states;
  if (before === undefined || after === undefined || atRemoval === undefined)
    throw new Error("The state folder was not removed.");
  const old = before.tree;
  const removedAt = atRemoval;
  const fits = (tree: ModelTree, path: string): boolean => {
    const isAs = (one: ModelTree) =>
      one.get(path)?.text === tree.get(path)?.text && one.get(path)?.mode === tree.get(path)?.mode;
    // What was put in place before, and not flushed, has lost what would restore it.
    return isAs(old) || isAs(after.tree) || removedAt.get(path)?.text !== old.get(path)?.text;
  };
  const look = async (disk: SimulatedDisk, moment: string, problemOf: (tree: ModelTree) => boolean) => {
    for (const state of crashStates(disk, { ...options, samples: 10 })) {
      tally.states += 1;
      const tree = readDiskTree(state.disk);
      const problem = problemOf(tree)
        ? `there is\n${showTree(tree)}`
        : await openDisk(state.disk, "boot-2").then(
            () => undefined,
            (error: unknown) => String(error),
          );
      if (problem !== undefined)
        tally.violations.push({
          plan: `${plan.name}, finished from memory`,
          moment,
          state: state.label,
          problem,
        });
    }
  };
  await look(run.disk, "acknowledged", (tree) => showTree(tree) !== showTree(after.tree));
  await look(random.pick(during), "while it is finished", (tree) =>
    [...old.keys(), ...after.tree.keys()].some((path) => !fits(tree, path)),
  );
}
