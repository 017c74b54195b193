import { nextMacrotask } from "../../../src/base/clock.ts";
import type { FileSystem } from "../../../src/storage/directory/file-system.ts";
import type { DiskWatch } from "./disk-file-system.ts";
import { PlanRun } from "./plan-run.ts";
import { type CampaignOptions, cutMoment, type Tally } from "./power-campaign.ts";
import type { PowerPlan } from "./power-plans.ts";
import type { Moment } from "./record-plan.ts";
import { platformError } from "./simulated-disk.ts";

/** A checkpoint flushes eight files at once: with that many before them, it comes to the last two later. */
const fillers = Array.from({ length: 8 }, (_, index) => `filler/${index}`);
const late = ["a/one", "b/two"];

const texts = (word: string, paths: readonly string[]) =>
  Object.fromEntries(paths.map((path) => [path, `${word} ${path}\n`]));

const plan: PowerPlan = {
  name: "a checkpoint, and a commit that is taken back meanwhile",
  initial: new Map(late.map((path) => [path, { text: `old ${path}\n`, mode: 0o644 }])),
  steps: [
    { do: "commit", wanted: texts("first", [...fillers, ...late]) },
    { do: "checkpoint" },
    { do: "commit", wanted: texts("second", [...late, "new/three"]) },
  ],
};

const changing: ReadonlySet<keyof FileSystem> = new Set(["rename", "link", "unlink", "rmdir"]);

/** What the two wait for, and what fails. */
class Meeting {
  #phase: "before" | "sealing" | "committing" | "takingBack" = "before";
  #left: number;
  #sealingHeld: (() => void)[] = [];
  #reached: (() => void) | undefined;

  /** @param failing - The change of names that fails while the commit is taken back, from 1; 0: none. */
  constructor(failing: number) {
    this.#left = failing;
  }

  /** The checkpoint is about to begin. @returns when it has come to its first files. */
  beginSealing(): Promise<void> {
    this.#phase = "sealing";
    return new Promise((resolve) => {
      this.#reached = resolve;
    });
  }

  beginCommit(): void {
    this.#phase = "committing";
  }

  before(call: keyof FileSystem, path: string): void {
    if (this.#phase === "committing" && call === "mkdir" && path.endsWith("/new"))
      throw platformError("EACCES", path);
    if (this.#phase === "takingBack" && changing.has(call) && --this.#left === 0)
      throw platformError("EACCES", path);
  }

  /** The checkpoint waits for the commit's files to be in place; the commit, before it takes them back, for the checkpoint to have passed them. */
  async hold(path: string): Promise<void> {
    if (this.#phase === "sealing" && !path.startsWith("/w/.holdfast")) {
      this.#reached?.();
      await new Promise<void>((resolve) => this.#sealingHeld.push(resolve));
    } else if (this.#phase === "committing" && path === "/w/.holdfast/pre") {
      this.#phase = "takingBack";
      for (const goOn of this.#sealingHeld) goOn();
      for (let turn = 0; turn < 100; turn++) await nextMacrotask();
    }
  }
}

/** Lets a checkpoint pass over files while a commit's own stand there, takes the commit back, and cuts power. */
export async function overlapCheckpoint(options: CampaignOptions, tally: Tally): Promise<void> {
  const meeting = new Meeting(options.random.below(8));
  const moments: Moment[] = [];
  const watch: DiskWatch = {
    before: (call, path) => meeting.before(call, path),
    hold: (path) => meeting.hold(path),
    changed: (call, path) =>
      void moments.push({ disk: run.disk.clone(), ...run.known, label: `${call} ${path}` }),
    ...(options.skipsFlush === undefined ? {} : { skipsFlush: options.skipsFlush }),
  };
  const run = PlanRun.begin(plan, watch, options.granularityNs);
  const [first, checkpoint, second] = plan.steps;
  if (first === undefined || checkpoint === undefined || second === undefined) return;
  await run.open();
  await run.run(first);
  const begun = meeting.beginSealing();
  const sealed = run.run(checkpoint);
  await begun;
  meeting.beginCommit();
  moments.length = 0;
  const outcome = await run.run(second);
  const states = [...run.states];
  const refused = outcome?.committed === false && !("failed" in outcome) ? outcome : undefined;
  if (refused?.written === "no") run.know({ ...run.known, most: run.known.most - 1 });
  await sealed;
  const end: Moment = { disk: run.disk, ...run.known, label: "acknowledged" };
  const how = { ...options, samples: 12, everySecond: 8 };
  for (const moment of [end, options.random.pick(moments)])
    await cutMoment({ plan, states }, moment, how, tally);
  if (refused === undefined)
    tally.violations.push({ plan: plan.name, moment: "", state: "alive", problem: "The commit was made." });
}
