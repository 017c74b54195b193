import { changedStretch, type DurableContent, type Inode, makeInode } from "./inode.ts";
import type { Random } from "./random.ts";
import { applyNames, type NameChange, SimulatedDisk } from "./simulated-disk.ts";

/** What a power cut has left, and which of the pending changes reached the platter. */
export interface CrashState {
  readonly disk: SimulatedDisk;
  readonly label: string;
}

/** How many states of one moment are looked at. */
export interface CrashOptions {
  readonly random: Random;
  /** All subsets of the changes of names, up to that many changes. */
  readonly exhaustiveUpTo: number;
  /** Otherwise so many. */
  readonly samples: number;
}

/** Changes within these folders alone are made in great number and hardly ever matter: they are chosen at random. */
const noisy = /^(\/w\/\.holdfast\/(lock|tmp)\b)/;

function isNoise({ label }: NameChange): boolean {
  const [, ...paths] = label.split(" ");
  return paths.every((path) => noisy.test(path));
}

/** Yields what a power cut at this moment may leave: of what is not flushed, any part. */
export function* crashStates(disk: SimulatedDisk, options: CrashOptions): Generator<CrashState> {
  const open = disk.pending
    .map((change, index) => ({ change, index }))
    .filter(({ change }) => !change.forced);
  const weighty = open.filter(({ change }) => !isNoise(change)).map(({ index }) => index);
  const noise = open.filter(({ change }) => isNoise(change)).map(({ index }) => index);
  const unflushed = [...disk.inodes.values()].filter(isUnflushed);
  const logs = logFiles(disk);
  for (const { chosen, data } of choices(weighty, options)) {
    const applied = new Set([
      ...chosen,
      ...noise.filter(() => data === "all" || (data !== "none" && options.random.below(2) === 1)),
    ]);
    const isWhole = (ino: number) => data === "all" || (data === "log" && logs.has(ino));
    yield cut(disk, applied, unflushed, (variants, ino) =>
      isWhole(ino) ? variants.at(-1) : data === "none" ? variants[0] : options.random.pick(variants),
    );
  }
}

function logFiles(disk: SimulatedDisk): ReadonlySet<number> {
  const state = disk.find("/w")?.entries.get(".holdfast");
  return new Set(state === undefined ? [] : disk.find(`#${state}/log`)?.entries.values());
}

/** How much of what is not flushed reached the platter; `log`: the log is ahead of what its entries tell of. */
type DataChoice = "none" | "some" | "log" | "all";

function* choices(
  weighty: readonly number[],
  { random, exhaustiveUpTo, samples }: CrashOptions,
): Generator<{ readonly chosen: readonly number[]; readonly data: DataChoice }> {
  const count = weighty.length;
  if (count <= exhaustiveUpTo) {
    for (let mask = 0; mask < 2 ** count; mask++) {
      const chosen = weighty.filter((_, bit) => (mask & (1 << bit)) !== 0);
      yield { chosen, data: random.pick(["some", "log"] as const) };
      if (mask === 0 || mask === 2 ** count - 1) {
        yield { chosen, data: "all" };
        yield { chosen, data: "none" };
      }
    }
    return;
  }
  yield { chosen: [], data: "none" };
  yield { chosen: weighty, data: "some" };
  for (let made = 2; made < samples; made++) {
    const kind = random.below(4);
    const one = random.below(count);
    const chosen = weighty.filter((_, bit) =>
      kind === 0 ? bit !== one : kind === 1 ? bit === one : random.below(2) === 1,
    );
    yield { chosen, data: random.pick(["some", "some", "log", "all", "none"] as const) };
  }
}

function isUnflushed(inode: Inode): boolean {
  const { kind, durable, bytes, mode } = inode;
  return kind === "file" && (durable === undefined || durable.bytes !== bytes || durable.mode !== mode);
}

function cut(
  disk: SimulatedDisk,
  applied: ReadonlySet<number>,
  unflushed: readonly Inode[],
  choose: (variants: readonly ContentVariant[], ino: number) => ContentVariant | undefined,
): CrashState {
  const names = new Map<number, Map<string, number>>();
  const namesIn = (folder: number) => {
    let found = names.get(folder);
    if (found === undefined) {
      found = new Map(disk.inode(folder).settled);
      names.set(folder, found);
    }
    return found;
  };
  const labels: string[] = [];
  disk.pending.forEach((change, index) => {
    if (!change.forced && !applied.has(index)) return;
    applyNames(change, namesIn);
    if (!change.forced && !isNoise(change)) labels.push(change.label);
  });
  const left = new SimulatedDisk(disk.granularityNs, undefined);
  left.now = disk.now + 60_000_000_000n;
  const contents = new Map<number, DurableContent>();
  for (const inode of unflushed) {
    const [name, content] = choose(contentVariants(inode), inode.ino) ?? fail();
    contents.set(inode.ino, content);
    labels.push(`${inode.ino}=${name}`);
  }
  build(disk, left, namesIn, contents);
  return { disk: left, label: labels.join("; ") };
}

function fail(): never {
  throw new Error("A file has no content.");
}

/** Puts what can be reached from the root on the new disk. */
function build(
  disk: SimulatedDisk,
  left: SimulatedDisk,
  namesIn: (folder: number) => Map<string, number>,
  contents: ReadonlyMap<number, DurableContent>,
): void {
  const visit = (ino: number): void => {
    const known = left.inodes.get(ino);
    if (known !== undefined && ino !== 2) {
      known.links += 1;
      return;
    }
    const from = disk.inode(ino);
    const { bytes, mode, mtimeNs } = contents.get(ino) ?? from.durable ?? from;
    const inode = {
      ...makeInode(ino, from.kind, mode, mtimeNs, bytes),
      links: 1,
      uid: from.uid,
      gid: from.gid,
    };
    left.inodes.set(ino, inode);
    if (from.kind !== "directory") return;
    for (const [name, child] of namesIn(ino)) {
      inode.entries.set(name, child);
      visit(child);
    }
  };
  visit(2);
  left.sync();
}

type ContentVariant = readonly [name: string, content: DurableContent];

/** What a power cut may make of a file that is not flushed: nothing of what is new first, all of it last. */
function contentVariants(inode: Inode): readonly ContentVariant[] {
  const { bytes, durable, mode, mtimeNs, bornMode, bornNs } = inode;
  const length = bytes.byteLength;
  if (durable === undefined) {
    const headless = bytes.slice();
    headless.fill(0, 0, 512);
    const tailless = bytes.slice();
    if (length > 512) tailless.fill(0, 512);
    return [
      ["empty", { bytes: new Uint8Array(), mode: bornMode, mtimeNs: bornNs }],
      ["zeros", { bytes: new Uint8Array(length), mode: bornMode, mtimeNs }],
      ["half", { bytes: bytes.slice(0, length >> 1), mode, mtimeNs }],
      ["headless", { bytes: headless, mode, mtimeNs }],
      ["tailless", { bytes: tailless, mode, mtimeNs }],
      ["whole, old mode", { bytes, mode: bornMode, mtimeNs }],
      ["whole", { bytes, mode, mtimeNs }],
    ];
  }
  const old = new Uint8Array(length);
  old.set(durable.bytes.subarray(0, length));
  const { from, to } = changedStretch(old, bytes);
  const middle = (from + to) >> 1;
  const mixed = (start: number, end: number) => {
    const mix = old.slice();
    mix.set(bytes.subarray(start, end), start);
    return mix;
  };
  return [
    ["before", durable],
    ["longer", { bytes: old, mode: durable.mode, mtimeNs }],
    ["first half", { bytes: mixed(from, middle), mode, mtimeNs }],
    ["second half", { bytes: mixed(middle, to), mode, mtimeNs }],
    ["after", { bytes, mode, mtimeNs }],
  ];
}
