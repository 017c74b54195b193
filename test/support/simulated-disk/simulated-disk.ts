import { cloneInode, type Inode, makeInode } from "./inode.ts";

/** One change of names: the platter has all of it or nothing. */
export interface NameChange {
  readonly changes: readonly {
    readonly folder: number;
    readonly name: string;
    readonly ino: number | undefined;
  }[];
  /** Whether a flush has put it on the platter; it waits for earlier changes of the same names only. */
  readonly forced: boolean;
  /** What it was, for reports. */
  readonly label: string;
}

/** An error as the platform gives it. */
export function platformError(code: string, what: string): Error {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  const error = Object.assign(new Error(`${code}: ${what}`), { code });
  Error.stackTraceLimit = stackTraceLimit;
  return error;
}

const rootIno = 2;

/** A disk in memory that knows what of it a power cut would leave. Its calls are those of a file system made over it. */
export class SimulatedDisk {
  /** All inodes, those without a name included. */
  readonly inodes: Map<number, Inode>;
  /** Changes of names that a power cut may undo, in the order in which they were made. */
  pending: readonly NameChange[];
  /** The time in nanoseconds; goes on with every call. */
  now: bigint;
  /** Times of files are cut down to a multiple of this. */
  readonly granularityNs: bigint;

  constructor(granularityNs = 1n, from?: SimulatedDisk) {
    this.granularityNs = granularityNs;
    this.inodes = new Map();
    this.pending = from?.pending ?? [];
    this.now = from?.now ?? 1_700_000_000_000_000_000n;
    if (from === undefined)
      this.inodes.set(rootIno, { ...makeInode(rootIno, "directory", 0o755, this.now), links: 1 });
    else for (const [ino, inode] of from.inodes) this.inodes.set(ino, cloneInode(inode));
  }

  /** The same disk once more; contents are shared until written. */
  clone(): SimulatedDisk {
    return new SimulatedDisk(this.granularityNs, this);
  }

  /** The time as a file would have it. */
  tick(): bigint {
    this.now += 1000n;
    return this.now - (this.now % this.granularityNs);
  }

  /** The lowest number that no inode has, as disks give them. */
  freeIno(): number {
    let ino = rootIno + 1;
    while (this.inodes.has(ino)) ino++;
    return ino;
  }

  /** An inode by number. */
  inode(ino: number): Inode {
    const inode = this.inodes.get(ino);
    if (inode === undefined) throw platformError("EIO", `no inode ${ino}`);
    return inode;
  }

  /** Finds what a path names; the last link is not followed. Paths begin at the root, or with `#` and an inode. */
  find(path: string): Inode | undefined {
    const { folder, name } = this.place(path);
    if (name === undefined) return folder;
    const ino = folder.entries.get(name);
    return ino === undefined ? undefined : this.inode(ino);
  }

  /** The folder of a path and the last name; without a name for a path that ends in the folder itself. */
  place(path: string, depth = 0): { readonly folder: Inode; readonly name: string | undefined } {
    if (depth > 40) throw platformError("ELOOP", path);
    const parts = path.split("/").filter((part) => part !== "" && part !== ".");
    let at = this.inode(rootIno);
    if (parts[0]?.startsWith("#") === true) at = this.inode(Number(parts.shift()?.slice(1)));
    const name = path.endsWith("/.") ? undefined : parts.pop();
    for (const [index, part] of parts.entries()) {
      if (at.kind !== "directory") throw platformError("ENOTDIR", path);
      const ino = at.entries.get(part);
      if (ino === undefined) throw platformError("ENOENT", path);
      const next = this.inode(ino);
      if (next.kind === "symlink") {
        const target = new TextDecoder().decode(next.bytes);
        const rest = [...parts.slice(index + 1), ...(name === undefined ? ["."] : [name])].join("/");
        return this.place(
          target.startsWith("/") ? `${target}/${rest}` : `#${at.ino}/${target}/${rest}`,
          depth + 1,
        );
      }
      at = next;
    }
    if (at.kind !== "directory") throw platformError("ENOTDIR", path);
    return { folder: at, name };
  }

  /** Changes names in memory; the platter follows at a flush, or at any time, or never. */
  change(label: string, changes: NameChange["changes"]): void {
    for (const { folder, name, ino } of changes) {
      const { entries } = this.inode(folder);
      const old = entries.get(name);
      if (old !== undefined) this.inode(old).links -= 1;
      if (ino === undefined) entries.delete(name);
      else {
        entries.set(name, ino);
        this.inode(ino).links += 1;
      }
    }
    this.pending = [...this.pending, { changes, forced: false, label }];
  }

  /** Puts changes of names on the platter that were made before and touch a folder. */
  settleNames(folder: number, made: ReadonlySet<NameChange["changes"]>): void {
    const touches = ({ changes }: NameChange) =>
      made.has(changes) && changes.some((change) => change.folder === folder);
    const waiting = new Set<string>();
    const left: NameChange[] = [];
    for (const change of this.pending) {
      const forced = change.forced || touches(change);
      const keys = change.changes.map(({ folder: at, name }) => `${at}/${name}`);
      if (forced && !keys.some((key) => waiting.has(key))) {
        applyNames(change, (at) => this.inode(at).settled);
        continue;
      }
      for (const key of keys) waiting.add(key);
      left.push(forced === change.forced ? change : { ...change, forced });
    }
    this.pending = left;
  }

  /** Everything is on the platter from now on. */
  sync(): void {
    this.pending = [];
    for (const inode of this.inodes.values()) {
      inode.settled.clear();
      for (const [name, ino] of inode.entries) inode.settled.set(name, ino);
      inode.durable = { bytes: inode.bytes, mode: inode.mode, mtimeNs: inode.mtimeNs };
    }
  }
}

/** Carries a change of names out in folders given by number. */
export function applyNames(
  { changes }: Pick<NameChange, "changes">,
  names: (folder: number) => Map<string, number>,
): void {
  for (const { folder, name, ino } of changes) {
    if (ino === undefined) names(folder).delete(name);
    else names(folder).set(name, ino);
  }
}
