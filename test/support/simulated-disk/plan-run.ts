import { utf8 } from "../../../src/base/bytes.ts";
import type { CommitOutcome, StorageBatch } from "../../../src/storage/storage-adapter.ts";
import { makeBatch, type Wanted } from "../tree-batch.ts";
import { type DiskWatch, diskFileSystem } from "./disk-file-system.ts";
import { makeInode } from "./inode.ts";
import { type OpenedDisk, openDisk, sha256Text } from "./open-disk.ts";
import { applyWanted, type ModelTree, type PlanWanted } from "./plan-model.ts";
import type { PlanStep, PowerPlan } from "./power-plans.ts";
import { SimulatedDisk } from "./simulated-disk.ts";

/** A numbered commit: the contents that it found in place of its own, and those that it left. */
export interface PlannedCommit {
  readonly sequence: number;
  readonly found: readonly string[];
  readonly left: readonly string[];
}

/** What must be there after so many commits. */
export interface WholeState {
  readonly tree: ModelTree;
  /** The record that each commit puts; `undefined` before the first. */
  readonly marker: string | undefined;
  /** Those that have a place in the log. */
  readonly commits: readonly PlannedCommit[];
  /** Staged contents by id: what of them has been committed. */
  readonly staged: ReadonlyMap<string, string>;
  /** Files that others wrote and did not flush: a power cut may do to them what it likes. */
  readonly loose: ReadonlySet<string>;
}

/** What is known of a disk at one moment. */
export interface Knowledge {
  /** The state that must have been reached if the process ends now ... */
  readonly least: number;
  /** ... and if power is cut. */
  readonly leastAfterCut: number;
  /** The last state that can have been reached. */
  readonly most: number;
  /** Commits before this number are dropped for certain ... */
  readonly prunedLeast: number;
  /** ... and may be dropped. */
  readonly prunedMost: number;
  /** Contents that are history for certain: they must be readable by their hash. */
  readonly history: ReadonlySet<string>;
}

/** What is known of a disk that nobody has committed to. */
const nothingKnown: Knowledge = {
  least: 0,
  leastAfterCut: 0,
  most: 0,
  prunedLeast: 1,
  prunedMost: 1,
  history: new Set(),
};

/** Thrown when a plan does not go as planned though nothing was in its way. */
export class PlanFailed extends Error {}

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
    put(`/w/${path}`, "file", mode, utf8(text));
  }
  disk.sync();
  disk.now += 10_000_000_000n;
  return disk;
}

/** A plan while it runs: the disk, the processes, and what is known. */
export class PlanRun {
  readonly disk: SimulatedDisk;
  readonly states: WholeState[];
  known = nothingKnown;
  readonly #watch: DiskWatch;
  readonly #plan: PowerPlan;
  readonly #handles: OpenedDisk[] = [];
  #current = 0;
  #living = new Set<number>();
  readonly #stagedIds = new Map<string, string>();

  private constructor(plan: PowerPlan, disk: SimulatedDisk, states: readonly WholeState[], watch: DiskWatch) {
    this.#plan = plan;
    this.disk = disk;
    this.states = [...states];
    this.#watch = watch;
  }

  /** Begins a plan. */
  static begin(plan: PowerPlan, watch: DiskWatch = {}, granularityNs?: bigint): PlanRun {
    const first = {
      tree: plan.initial,
      marker: undefined,
      commits: [],
      staged: new Map(),
      loose: new Set<string>(),
    };
    return new PlanRun(plan, initialDisk(plan, granularityNs), [first], watch);
  }

  /** Goes on with a copy of another run's disk, by a process of its own. */
  static from(other: PlanRun, watch: DiskWatch): PlanRun {
    const run = new PlanRun(other.#plan, other.disk.clone(), other.states, watch);
    run.known = other.known;
    for (const [name, id] of other.#stagedIds) run.#stagedIds.set(name, id);
    return run;
  }

  /** Takes note of what an answer leaves possible; states beyond that are forgotten. */
  know(known: Knowledge): void {
    this.known = known;
    this.states.length = known.most + 1;
  }

  /** Opens the storage as one more process. */
  async open(): Promise<void> {
    // A process that cannot open the storage ends.
    const living = new Set(this.#living);
    const opened = await openDisk(
      this.disk,
      "boot-1",
      this.#watch,
      this.#plan.durability,
      this.#living,
    ).catch((error: unknown) => {
      for (const pid of this.#living) if (!living.has(pid)) this.#living.delete(pid);
      throw error;
    });
    this.#current = this.#handles.push(opened) - 1;
  }

  get #handle(): OpenedDisk {
    const handle = this.#handles[this.#current];
    if (handle === undefined) throw new PlanFailed("Nothing is open.");
    return handle;
  }

  get storage(): OpenedDisk["storage"] {
    return this.#handle.storage;
  }

  /** Does one step. @returns the outcome of a commit; other failures are thrown. */
  async run(step: PlanStep): Promise<CommitOutcome | undefined> {
    // Whoever joins lives beside the others; a restart is the end of all of them, also where the new one cannot open the storage.
    if (step.do === "restart") {
      this.#living = new Set();
      this.#current = -1;
    }
    if (step.do === "join" || this.#current < 0) await this.open();
    if (step.do === "switch") this.#current = step.handle;
    else if (step.do === "edit") this.#edit(step.path, step.text);
    else if (step.do === "checkpoint") await this.#prune(this.known.prunedLeast, []);
    else if (step.do === "prune") await this.#prune(step.before, step.keep ?? []);
    else if (step.do === "commit" || step.do === "append") return await this.#commit(step);
    return undefined;
  }

  async #commit(step: PlanStep & { readonly do: "commit" | "append" }): Promise<CommitOutcome | undefined> {
    const flush = step.do === "commit" || step.flush;
    const batch =
      step.do === "commit" ? await this.#batch(step.wanted) : await this.#append(step.to, step.text);
    if (step.do === "commit" && step.chmod !== undefined) this.#chmod(step.chmod);
    const next = stateAfter(this.states.at(-1) as WholeState, step, batch, this.#stagedIds);
    this.states.push(next);
    this.known = { ...this.known, most: this.known.most + 1 };
    const [outcome] = await this.storage.commit([batch], { flush });
    if (outcome?.committed === true)
      this.known = {
        ...this.known,
        least: this.known.most,
        leastAfterCut: flush ? this.known.most : this.known.leastAfterCut,
      };
    return outcome;
  }

  async #batch(wanted: PlanWanted): Promise<StorageBatch> {
    const plain = Object.entries(wanted).filter(([, want]) => !isStaged(want)) as [string, Wanted[string]][];
    const batch = await makeBatch(this.storage, Object.fromEntries(plain));
    const staged = Object.entries(wanted).flatMap(([path, want]) => (isStaged(want) ? [{ path, want }] : []));
    const expect = [];
    for (const { path } of staged)
      expect.push({
        space: "files" as const,
        key: path,
        version: (await this.storage.read(path, {}))?.version ?? null,
      });
    const puts = staged.map(({ path, want }) => ({
      path,
      kind: "file" as const,
      executable: false,
      content: { staged: this.#stagedIds.get(want.staged) ?? "" },
    }));
    return { ...batch, expect: [...batch.expect, ...expect], putFiles: [...batch.putFiles, ...puts] };
  }

  /** A batch without a place in the log: a staged content grows. */
  async #append(name: string, text: string): Promise<StorageBatch> {
    let id = this.#stagedIds.get(name);
    if (id === undefined) {
      id = await this.storage.stageContent({});
      this.#stagedIds.set(name, id);
    }
    const { entry: _entry, ...batch } = await makeBatch(this.storage, {});
    const at = utf8(this.states.at(-1)?.staged.get(id) ?? "").byteLength;
    return { ...batch, appendContent: [{ staged: id, at, bytes: utf8(text) }] };
  }

  async #prune(before: number, keep: readonly string[]): Promise<void> {
    const { commits } = this.states.at(-1) as WholeState;
    const kept = commits.filter(({ sequence }) => sequence >= before);
    const history = new Set([...kept.flatMap(({ found, left }) => [...found, ...left])]);
    const still = [...this.known.history].filter((text) => history.has(text) || keep.includes(text));
    this.known = { ...this.known, prunedMost: before, history: new Set(still) };
    const hashes = new Set(keep.map((text) => sha256Text(this.#handle.hashing, text)));
    await this.storage.prune({ before, keep: hashes, staged: [] });
    const known = keep.filter((text) => commits.some(({ left }) => left.includes(text)));
    const { least } = this.known;
    this.known = {
      ...this.known,
      leastAfterCut: least,
      prunedLeast: before,
      history: new Set([...history, ...known]),
    };
  }

  /** Somebody writes a file in place and does not flush it. */
  #edit(path: string, text: string): void {
    const fileSystem = diskFileSystem(this.disk);
    const descriptor = fileSystem.open(`/w/${path}`, "update");
    fileSystem.truncate(descriptor, 0);
    fileSystem.write(descriptor, utf8(text), 0);
    fileSystem.close(descriptor);
    this.#loosen(path, { text });
  }

  #chmod({ path, mode }: { readonly path: string; readonly mode: number }): void {
    const fileSystem = diskFileSystem(this.disk);
    const descriptor = fileSystem.open(`/w/${path}`, "update");
    fileSystem.chmod(descriptor, mode);
    fileSystem.close(descriptor);
    this.#loosen(path, { mode });
  }

  /** What others did to a file is there, until power is cut. */
  #loosen(path: string, change: { readonly text?: string; readonly mode?: number }): void {
    const before = this.states.at(-1) as WholeState;
    const tree = new Map(before.tree);
    tree.set(path, { text: "", mode: 0o644, ...tree.get(path), ...change });
    const reached = this.states.push({ ...before, tree, loose: new Set([...before.loose, path]) }) - 1;
    this.known = { ...this.known, least: reached, leastAfterCut: reached, most: reached };
  }
}

function isStaged(want: PlanWanted[string]): want is { readonly staged: string } {
  return typeof want === "object" && want !== null && "staged" in want;
}

/** What a commit makes of a state. */
function stateAfter(
  before: WholeState,
  step: PlanStep & { readonly do: "commit" | "append" },
  batch: StorageBatch,
  ids: ReadonlyMap<string, string>,
): WholeState {
  const marker = new TextDecoder().decode(batch.putRecords[0]?.bytes);
  const staged = new Map(before.staged);
  for (const { staged: id, bytes } of batch.appendContent)
    staged.set(id, (staged.get(id) ?? "") + new TextDecoder().decode(bytes));
  if (step.do === "append") return { ...before, marker, staged };
  const texts = new Map([...ids].map(([name, id]) => [name, staged.get(id) ?? ""]));
  const tree = applyWanted(before.tree, step.wanted, texts);
  const paths = Object.keys(step.wanted);
  const commit = {
    sequence: before.commits.length + 1,
    found: paths.flatMap((path) => before.tree.get(path)?.text ?? []),
    left: paths.flatMap((path) => tree.get(path)?.text ?? []),
  };
  const loose = new Set([...before.loose].filter((path) => !paths.includes(path)));
  return { tree, marker, commits: [...before.commits, commit], staged, loose };
}

export function describeOutcome(outcome: CommitOutcome | undefined): string {
  if (outcome === undefined || outcome.committed) return String(outcome?.committed);
  return "failed" in outcome
    ? `failed ${JSON.stringify(outcome.failed)}`
    : `${String(outcome.error)} written ${outcome.written} cause ${String((outcome.error as Error).cause)}`;
}
