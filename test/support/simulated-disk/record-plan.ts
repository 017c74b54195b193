import type { CommitOutcome } from "../../../src/storage/storage-adapter.ts";
import { makeBatch } from "../tree-batch.ts";
import type { DiskWatch } from "./disk-file-system.ts";
import { makeInode } from "./inode.ts";
import { openDisk } from "./open-disk.ts";
import { applyWanted, type ModelTree, readDiskTree, showTree } from "./plan-model.ts";
import type { PlanStep, PowerPlan } from "./power-plans.ts";
import { SimulatedDisk } from "./simulated-disk.ts";

/** What must be there after so many commits. */
export interface WholeState {
  readonly tree: ModelTree;
  /** The record that each commit puts; `undefined` before the first. */
  readonly marker: string | undefined;
}

/** A disk at one moment of a plan, and which states may be found after it. */
export interface Moment {
  readonly disk: SimulatedDisk;
  readonly label: string;
  /** Commits that were acknowledged. */
  readonly least: number;
  /** Commits that had begun. */
  readonly most: number;
}

/** A plan as it ran. */
export interface RecordedPlan {
  readonly plan: PowerPlan;
  /** By number of commits. */
  readonly states: readonly WholeState[];
  readonly moments: readonly Moment[];
}

/** Makes a disk that holds a plan's files for certain. */
export function initialDisk(plan: PowerPlan, granularityNs = 1n): SimulatedDisk {
  const disk = new SimulatedDisk(granularityNs);
  const put = (path: string, kind: "file" | "directory", mode: number, bytes?: Uint8Array) => {
    if (disk.find(path) !== undefined) return;
    const { folder, name = "" } = disk.place(path);
    const inode = makeInode(disk.freeIno(), kind, mode, disk.tick(), bytes);
    disk.inodes.set(inode.ino, inode);
    disk.change("begin", [{ folder: folder.ino, name, ino: inode.ino }]);
  };
  put("/w", "directory", 0o755);
  for (const [path, { text, mode }] of plan.initial) {
    const parts = path.split("/");
    for (let count = 1; count < parts.length; count++)
      put(`/w/${parts.slice(0, count).join("/")}`, "directory", 0o755);
    put(`/w/${path}`, "file", mode, new TextEncoder().encode(text));
  }
  disk.sync();
  disk.now += 10_000_000_000n;
  return disk;
}

/** What interferes with a run besides. */
export interface RecordOptions {
  readonly granularityNs?: bigint | undefined;
  readonly skipsFlush?: DiskWatch["skipsFlush"] | undefined;
  /** Called before each call of the step with this number. */
  readonly disturb?: { readonly step: number; readonly before: NonNullable<DiskWatch["before"]> } | undefined;
}

/** Thrown when a plan does not go as planned though nothing was in its way. */
export class PlanFailed extends Error {}

/** Runs a plan to its end and keeps the disk as it was after each change. */
export async function recordPlan(plan: PowerPlan, options: RecordOptions = {}): Promise<RecordedPlan> {
  const disk = initialDisk(plan, options.granularityNs);
  const states: WholeState[] = [{ tree: plan.initial, marker: undefined }];
  const moments: Moment[] = [];
  let least = 0;
  let most = 0;
  const note = (label: string) => void moments.push({ disk: disk.clone(), label, least, most });
  const watch: DiskWatch = {
    changed: (call, path) => note(`${call} ${path}`),
    ...(options.skipsFlush === undefined ? {} : { skipsFlush: options.skipsFlush }),
  };
  let opened = await openDisk(disk, "boot-1", watch);
  for (const step of plan.steps) {
    if (step.do === "restart" || step.do === "join") opened = await openDisk(disk, "boot-1", watch);
    else if (step.do === "checkpoint") await opened.storage.prune({ before: 1, keep: new Set(), staged: [] });
    else {
      const batch = await makeBatch(opened.storage, step.wanted);
      states.push(stateAfter(states, step, batch.putRecords[0]?.bytes));
      most += 1;
      const [outcome] = await opened.storage.commit([batch], { flush: true });
      if (outcome?.committed !== true) throw new PlanFailed(`${plan.name}: ${describeOutcome(outcome)}`);
      least = most;
      note("acknowledged");
    }
    const [found, expected] = [showTree(readDiskTree(disk)), showTree(states[most]?.tree ?? new Map())];
    if (found !== expected)
      throw new PlanFailed(`${plan.name}: after ${step.do} there is\n${found}\ninstead of\n${expected}`);
  }
  return { plan, states, moments };
}

export function stateAfter(
  states: readonly WholeState[],
  step: PlanStep & { readonly do: "commit" },
  marker: Uint8Array | undefined,
): WholeState {
  return {
    tree: applyWanted(states.at(-1)?.tree ?? new Map(), step.wanted),
    marker: new TextDecoder().decode(marker),
  };
}

export function describeOutcome(outcome: CommitOutcome | undefined): string {
  if (outcome === undefined || outcome.committed) return String(outcome?.committed);
  return "failed" in outcome
    ? `failed ${JSON.stringify(outcome.failed)}`
    : `${String(outcome.error)} written ${outcome.written} cause ${String((outcome.error as Error).cause)}`;
}
