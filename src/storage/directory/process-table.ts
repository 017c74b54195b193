import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { randomIds } from "../../base/clock.ts";

/** Which process did something, as far as that can be told across restarts and containers. */
export interface ProcessIdentity {
  /** The machine: its id file and its host name. */
  readonly machine: string;
  /** The run of the machine since it was started. Empty where the platform does not tell. */
  readonly boot: string;
  /** The namespace that the process id belongs to. Empty where the platform has none. */
  readonly pidNamespace: string;
  /** Process id. */
  readonly pid: number;
  /** The part of the process that shares one set of globals: its main thread, or one worker. */
  readonly realm: string;
  /** When the process started, in clock ticks since the machine's start. Empty where the platform does not tell. */
  readonly start: string;
}

/** Tells processes apart, and the living from the dead. */
export interface ProcessTable {
  /** This process. */
  readonly self: ProcessIdentity;
  /** New random digits for names. */
  token(): string;
  /** Whether a process is provably gone: what cannot be judged is not. */
  isGone(owner: ProcessIdentity): boolean;
}

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8").trim();
  } catch {
    return "";
  }
}

function readLink(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return "";
  }
}

/** Field 22 of `/proc/<pid>/stat`; the second field is in brackets and may itself hold brackets and blanks. */
function startOf(pid: number | "self"): string {
  const stat = readText(`/proc/${pid}/stat`);
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? "";
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}

const realms = Symbol.for("holdfast.realm");

/** Random, and the same for all copies of the package that share globals. */
function ownRealm(): string {
  const holder = globalThis as { [realms]?: string };
  holder[realms] ??= randomIds("rev");
  return holder[realms];
}

function identifySelf(): Omit<ProcessIdentity, "start"> {
  return {
    // The id file alone does not do: machines made from one image may share it.
    machine: `${readText("/etc/machine-id")}/${hostname()}`,
    boot: readText("/proc/sys/kernel/random/boot_id"),
    pidNamespace: readLink("/proc/self/ns/pid"),
    pid: process.pid,
    realm: ownRealm(),
  };
}

/** Stays the same as long as the process runs. */
let known: Omit<ProcessIdentity, "start"> | undefined;

/**
 * The processes of this machine.
 *
 * @param started - When a process started; empty when that cannot be seen.
 */
export function nodeProcessTable(started: (pid: number | "self") => string = startOf): ProcessTable {
  known ??= identifySelf();
  const self = { ...known, start: started("self") };
  return {
    self,
    token: () => randomIds("rev").slice(4),
    isGone: (owner) => {
      if (owner.machine !== self.machine) return false;
      if (owner.boot !== self.boot) return true;
      if (owner.pidNamespace !== self.pidNamespace) return false;
      if (owner.pid !== self.pid && !isRunning(owner.pid)) return true;
      const start = owner.pid === self.pid ? self.start : started(owner.pid);
      // A machine may hide the processes of other users.
      return owner.start !== "" && start !== "" && start !== owner.start;
    },
  };
}
