import { nextMacrotask } from "../../../src/base/clock.ts";
import { hashBytes } from "../../../src/base/hashing.ts";
import { chainHash, firstPreviousHash } from "../../../src/storage/log/chain-hash.ts";
import { makeBatch } from "../tree-batch.ts";
import type { DiskWatch } from "./disk-file-system.ts";
import { type OpenedDisk, openDisk } from "./open-disk.ts";
import { readDiskTree, showTree } from "./plan-model.ts";
import { describeOutcome, type WholeState } from "./record-plan.ts";
import type { SimulatedDisk } from "./simulated-disk.ts";

/** What must hold when a disk is opened again. */
export interface Expected {
  readonly states: readonly WholeState[];
  readonly least: number;
  readonly most: number;
  /** Paths that somebody else changed between, with what must be there; `undefined`: anything. */
  readonly foreign?: ReadonlyMap<string, string | undefined> | undefined;
}

/** What came of opening a disk again. */
export interface Recovery {
  /** What does not hold; `undefined`: all holds. */
  readonly problem: string | undefined;
  /** Which state was found. */
  readonly index: number;
  /** The disk after each change of the recovery, and which states may be found after it. */
  readonly moments: readonly {
    readonly disk: SimulatedDisk;
    readonly least: number;
    readonly most: number;
    readonly states: readonly WholeState[];
  }[];
}

/** How thoroughly a recovered disk is looked at. */
export interface CheckOptions {
  readonly boot: string;
  /** Keeps the disk after each change. */
  readonly record: boolean;
  /** Goes on with a commit and a checkpoint. */
  readonly goOn: boolean;
  readonly skipsFlush?: DiskWatch["skipsFlush"] | undefined;
}

/** Opens a disk as a new process and looks whether everything is as it must be. */
export async function checkRecovered(
  disk: SimulatedDisk,
  expected: Expected,
  options: CheckOptions,
): Promise<Recovery> {
  const moments: Recovery["moments"][number][] = [];
  let { states, least, most } = expected;
  const note = () => {
    if (options.record) moments.push({ disk: disk.clone(), least, most, states });
  };
  const watch: DiskWatch = {
    changed: note,
    ...(options.skipsFlush === undefined ? {} : { skipsFlush: options.skipsFlush }),
  };
  let index = -1;
  let problem: string | undefined;
  try {
    const opened = await openDisk(disk, options.boot, watch);
    index = await findState(disk, opened, expected);
    problem = index < 0 ? mixProblem(disk, expected) : await stateProblem(disk, opened, expected, index);
    if (problem === undefined) {
      least = index;
      most = index;
      note();
      if (options.goOn) {
        const next = await makeBatch(opened.storage, { "after/next": "works\n" });
        states = [
          ...expected.states.slice(0, index + 1),
          stateWithNext(expected, index, next.putRecords[0]?.bytes),
        ];
        most = index + 1;
        const [outcome] = await opened.storage.commit([next], { flush: true });
        least = most;
        note();
        problem =
          outcome?.committed === true
            ? await endProblem(disk, opened, expected)
            : `the next commit: ${describeOutcome(outcome)}`;
      }
    }
  } catch (error) {
    problem = `${String(error)} ${String((error as Error).cause ?? "")} ${(error as Error).stack?.split("\n").slice(1, 6).join("")}`;
  }
  return { problem, index, moments };
}

function stateWithNext({ states }: Expected, index: number, marker: Uint8Array | undefined): WholeState {
  const tree = new Map(states[index]?.tree);
  tree.set("after/next", { text: "works\n", mode: 0o644 });
  return { tree, marker: new TextDecoder().decode(marker) };
}

/** Whether a path is one that others changed, or one that cannot be as it should while their file stands there. */
function isTouched({ foreign }: Expected): (path: string) => boolean {
  const changed = [...(foreign?.keys() ?? [])];
  return (path) =>
    changed.some(
      (one) =>
        path === one || path.startsWith(`${one}/`) || one.startsWith(path.endsWith("/") ? path : `${path}/`),
    );
}

/** Finds the state whose files are there; of those that look alike, the one whose record is there too. */
async function findState(disk: SimulatedDisk, { storage }: OpenedDisk, expected: Expected): Promise<number> {
  const except = isTouched(expected);
  const found = showTree(readDiskTree(disk), except);
  const record = await storage.readRecord("marker", {});
  const marker = record === undefined ? undefined : new TextDecoder().decode(record.bytes);
  let alike = -1;
  for (let index = expected.most; index >= expected.least; index--) {
    const state = expected.states[index];
    if (found !== showTree(state?.tree ?? new Map(), except)) continue;
    if (state?.marker === marker) return index;
    if (alike < 0) alike = index;
  }
  return alike;
}

function mixProblem(disk: SimulatedDisk, expected: Expected): string {
  const allowed = expected.states.slice(expected.least, expected.most + 1).map(({ tree }) => showTree(tree));
  return `a mix:\n${showTree(readDiskTree(disk))}\n--- allowed (${expected.least} to ${expected.most}):\n${allowed.join("\n---\n")}`;
}

async function stateProblem(
  disk: SimulatedDisk,
  { storage, report, hashing }: OpenedDisk,
  { states, foreign }: Expected,
  index: number,
): Promise<string | undefined> {
  const tree = readDiskTree(disk);
  for (const [path, text] of foreign ?? []) {
    const found = tree.get(path)?.text;
    if (text !== undefined && found !== text)
      return `${path}, changed by others, holds ${JSON.stringify(found)} instead of ${JSON.stringify(text)}`;
  }
  if (foreign === undefined && report.conflicts.length > 0) return `conflicts ${report.conflicts.join(", ")}`;
  const marker = await storage.readRecord("marker", {});
  const text = marker === undefined ? undefined : new TextDecoder().decode(marker.bytes);
  if (text !== states[index]?.marker)
    return `the record is of another state: ${text} instead of ${states[index]?.marker} with the files of state ${index}`;
  let previous = firstPreviousHash;
  let count = 0;
  let sequence = 0;
  for await (const entry of storage.readLog({})) {
    sequence += 1;
    if (entry.sequence !== sequence) return `entry ${entry.sequence} stands where ${sequence} should`;
    if (entry.hash !== chainHash(hashing, sequence, previous, entry.bytes))
      return `the hash of entry ${sequence} does not fit`;
    previous = entry.hash;
    if (entry.undone !== true) count += 1;
  }
  if (count !== index) return `${count} entries in the log with the files of state ${index}`;
  return leftoverProblem(disk) ?? imageProblem(disk, hashing);
}

/** A before-image has the SHA-256 of its bytes as its name. */
function imageProblem(disk: SimulatedDisk, hashing: OpenedDisk["hashing"]): string | undefined {
  for (const [name, ino] of disk.find("/w/.holdfast/images")?.entries ?? []) {
    if (hashBytes(hashing, "sha256", disk.inode(ino).bytes) !== name)
      return `the image ${name} does not hold its bytes`;
  }
  return undefined;
}

function leftoverProblem(disk: SimulatedDisk): string | undefined {
  const left: string[] = [];
  const visit = (path: string): void => {
    for (const [name, ino] of disk.find(path)?.entries ?? []) {
      if (disk.inode(ino).kind === "directory") visit(`${path}/${name}`);
      else left.push(`${path}/${name}`);
    }
  };
  visit("/w/.holdfast/tmp");
  visit("/w/.holdfast/staged");
  return left.length === 0 ? undefined : `left over: ${left.join(", ")}`;
}

/** Seals everything: no pre-image is needed then; nothing else changes. */
async function endProblem(
  disk: SimulatedDisk,
  { storage, openDescriptors }: OpenedDisk,
  { foreign }: Expected,
): Promise<string | undefined> {
  const before = showTree(readDiskTree(disk));
  await seal(storage, foreign !== undefined);
  if (showTree(readDiskTree(disk)) !== before) return "sealing changed files";
  const pre = [...(disk.find("/w/.holdfast/pre")?.entries.keys() ?? [])];
  if (pre.length > 0 && foreign === undefined) return `pre-images left: ${pre.join(", ")}`;
  await storage.close();
  // Readers of one turn of the event loop share folders until it ends.
  await nextMacrotask();
  return openDescriptors().length === 0
    ? undefined
    : `descriptors left open: ${openDescriptors().join(", ")}`;
}

/** Who wrote into a file that was about to be replaced is told so, once. */
async function seal(storage: OpenedDisk["storage"], others: boolean): Promise<void> {
  const prune = () => storage.prune({ before: 1, keep: new Set(), staged: [] });
  await prune().catch(async (error: unknown) => {
    if (!others || (error as { readonly code?: string }).code !== "EXTERNAL_WRITE") throw error;
    await prune();
  });
}
