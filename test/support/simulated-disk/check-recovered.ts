import { nextMacrotask } from "../../../src/base/clock.ts";
import { makeBatch } from "../tree-batch.ts";
import { historyProblem, readableTexts } from "./check-history.ts";
import type { DiskWatch } from "./disk-file-system.ts";
import { type OpenedDisk, openDisk, sha256Text } from "./open-disk.ts";
import { readDiskTree, showTree } from "./plan-model.ts";
import { describeOutcome, type Knowledge, type WholeState } from "./plan-run.ts";
import type { SimulatedDisk } from "./simulated-disk.ts";

/** What must hold when a disk is opened again. */
export interface Expected extends Knowledge {
  readonly states: readonly WholeState[];
  /** Paths that somebody else changed between, with what must be there; `undefined`: anything. */
  readonly foreign?: ReadonlyMap<string, string | undefined> | undefined;
}

/** What came of opening a disk again. */
export interface Recovery {
  /** What does not hold; `undefined`: all holds. */
  readonly problem: string | undefined;
  /** The disk after each change of the recovery, and what is known of it. */
  readonly moments: readonly (Knowledge & {
    readonly disk: SimulatedDisk;
    readonly states: readonly WholeState[];
  })[];
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
  const { foreign, states: known, ...rest } = expected;
  let now: Knowledge & { readonly states: readonly WholeState[] } = { ...rest, states: known };
  const note = () => {
    if (options.record) moments.push({ ...now, disk: disk.clone() });
  };
  const watch: DiskWatch = {
    changed: note,
    ...(options.skipsFlush === undefined ? {} : { skipsFlush: options.skipsFlush }),
  };
  let problem: string | undefined;
  try {
    const opened = await openDisk(disk, options.boot, watch);
    const index = await findState(disk, opened, expected, options.boot !== "boot-1");
    const state = known[index];
    problem =
      state === undefined
        ? mixProblem(disk, expected)
        : await stateProblem(disk, opened, expected, state, options.boot !== "boot-1");
    if (problem === undefined && state !== undefined) {
      // What was acknowledged unflushed, and is there after a kill, can still be lost by a cut.
      now = {
        ...now,
        least: index,
        leastAfterCut: Math.min(index, options.boot === "boot-1" ? now.leastAfterCut : index),
        most: index,
      };
      note();
      if (options.goOn) {
        const next = await makeBatch(opened.storage, { "after/next": "works\n" });
        now = {
          ...now,
          states: [...known.slice(0, index + 1), stateWithNext(state, next.putRecords[0]?.bytes)],
          most: index + 1,
        };
        const [outcome] = await opened.storage.commit([next], { flush: true });
        now = { ...now, least: index + 1, leastAfterCut: index + 1 };
        note();
        problem =
          outcome?.committed === true
            ? await endProblem(disk, opened, expected)
            : `the next commit: ${describeOutcome(outcome)}`;
        const found =
          now.states[index + 1]?.commits.filter(({ sequence }) => sequence >= now.prunedMost) ?? [];
        const texts = found.flatMap((commit) => commit.found);
        if (options.record)
          now = { ...now, history: new Set([...now.history, ...(await readableTexts(opened, texts))]) };
        note();
        await opened.storage.close();
        // Readers of one turn of the event loop share folders until it ends.
        await nextMacrotask();
        const open = opened.openDescriptors();
        if (open.length > 0) problem ??= `descriptors left open: ${open.join(", ")}`;
      }
    }
  } catch (error) {
    problem = `${String(error)} ${String((error as Error).cause ?? "")} ${(error as Error).stack?.split("\n").slice(1, 6).join("")}`;
  }
  return { problem, moments };
}

function stateWithNext(before: WholeState, marker: Uint8Array | undefined): WholeState {
  const tree = new Map(before.tree);
  tree.set("after/next", { text: "works\n", mode: 0o644 });
  const commit = { sequence: Number.POSITIVE_INFINITY, found: [], left: ["works\n"] };
  return { ...before, tree, marker: new TextDecoder().decode(marker), commits: [...before.commits, commit] };
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
async function findState(
  disk: SimulatedDisk,
  { storage }: OpenedDisk,
  expected: Expected,
  afterCut: boolean,
): Promise<number> {
  const touched = isTouched(expected);
  const tree = readDiskTree(disk);
  const found = showTree(tree, touched);
  const record = await storage.readRecord("marker", {});
  const marker = record === undefined ? undefined : new TextDecoder().decode(record.bytes);
  let alike = -1;
  for (let index = expected.most; index >= (afterCut ? expected.leastAfterCut : expected.least); index--) {
    const state = expected.states[index];
    const loose = afterCut ? state?.loose : undefined;
    const same =
      loose === undefined || loose.size === 0
        ? found === showTree(state?.tree ?? new Map(), touched)
        : showTree(tree, (path) => touched(path) || loose.has(path)) ===
          showTree(state?.tree ?? new Map(), (path) => touched(path) || loose.has(path));
    if (!same) continue;
    if (state?.marker === marker) return index;
    if (alike < 0) alike = index;
  }
  return alike;
}

function mixProblem(disk: SimulatedDisk, { states, leastAfterCut, most }: Expected): string {
  const allowed = states.slice(leastAfterCut, most + 1).map(({ tree }) => showTree(tree));
  return `a mix:\n${showTree(readDiskTree(disk))}\n--- allowed (${leastAfterCut} to ${most}):\n${allowed.join("\n---\n")}`;
}

async function stateProblem(
  disk: SimulatedDisk,
  opened: OpenedDisk,
  expected: Expected,
  state: WholeState,
  afterCut: boolean,
): Promise<string | undefined> {
  const tree = readDiskTree(disk);
  for (const [path, text] of expected.foreign ?? []) {
    const found = tree.get(path)?.text;
    if (text !== undefined && found !== text)
      return `${path}, changed by others, holds ${JSON.stringify(found)} instead of ${JSON.stringify(text)}`;
  }
  const conflicts = opened.report.conflicts.filter((path) => !(afterCut && state.loose.has(path)));
  if (expected.foreign === undefined && conflicts.length > 0) return `conflicts ${conflicts.join(", ")}`;
  const marker = await opened.storage.readRecord("marker", {});
  const text = marker === undefined ? undefined : new TextDecoder().decode(marker.bytes);
  if (text !== state.marker) return `the record is of another state: ${text} instead of ${state.marker}`;
  return await historyProblem(disk, opened, state, expected);
}

/** Seals everything: no pre-image is needed then; nothing else changes. */
async function endProblem(
  disk: SimulatedDisk,
  { storage, hashing }: OpenedDisk,
  { foreign, prunedLeast, history }: Expected,
): Promise<string | undefined> {
  const before = showTree(readDiskTree(disk));
  const keep = new Set([...history].map((text) => sha256Text(hashing, text)));
  await seal(storage, { before: prunedLeast, keep, staged: [] }, foreign !== undefined);
  if (showTree(readDiskTree(disk)) !== before) return "sealing changed files";
  const pre = [...(disk.find("/w/.holdfast/pre")?.entries.keys() ?? [])];
  if (pre.length > 0 && foreign === undefined) return `pre-images left: ${pre.join(", ")}`;
  return undefined;
}

/** Who wrote into a file that was about to be replaced is told so, once. */
async function seal(
  storage: OpenedDisk["storage"],
  options: Parameters<OpenedDisk["storage"]["prune"]>[0],
  others: boolean,
): Promise<void> {
  const prune = () => storage.prune(options);
  await prune().catch(async (error: unknown) => {
    if (!others || (error as { readonly code?: string }).code !== "EXTERNAL_WRITE") throw error;
    await prune();
  });
}
