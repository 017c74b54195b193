import * as fs from "node:fs";
import { join } from "node:path";
import { type Clock, type Pause, systemClock, timeSlice } from "../../src/base/clock.ts";
import type { FileSystem } from "../../src/storage/directory/file-system.ts";
import { GenerationLock } from "../../src/storage/directory/generation-lock.ts";
import { nodeFileSystem } from "../../src/storage/directory/node-file-system.ts";
import { loadNodeHashing } from "../../src/storage/directory/node-hashing.ts";
import { usualDisk } from "../../src/storage/directory/probe-disk.ts";
import type { ProcessIdentity, ProcessTable } from "../../src/storage/directory/process-table.ts";

const hashing = await loadNodeHashing();

/** A process of a machine that exists in tests only. */
export const someProcess: ProcessIdentity = {
  machine: "machine/host",
  boot: "boot",
  pidNamespace: "namespace",
  pid: 100,
  realm: "realm",
  start: "5000",
};

let tokensMade = 0;

/** Judges as the real table does, by a list of those that run. */
function fakeProcesses(self: ProcessIdentity, running: ReadonlySet<number>): ProcessTable {
  return {
    self,
    token: () => `${self.pid.toString(16).padStart(8, "0")}${(++tokensMade).toString(16).padStart(16, "0")}`,
    isGone: (owner) => {
      if (owner.machine !== self.machine) return false;
      if (owner.boot !== self.boot) return true;
      return owner.pidNamespace === self.pidNamespace && !running.has(owner.pid);
    },
  };
}

/** How a handle on a lock differs from that of the first process on a plain disk. */
export interface HandleOptions {
  readonly self?: Partial<ProcessIdentity>;
  readonly fileSystem?: FileSystem;
  readonly clock?: Clock;
  readonly links?: boolean;
  /** Waits after each read and each write. */
  readonly pause?: Pause;
}

/** The folder of a lock, and handles on it. */
export interface LockFolder {
  /** Host path of the folder that holds the generations. */
  readonly path: string;
  /** Processes that run; take one out and it is dead. */
  readonly running: Set<number>;
  handle(options?: HandleOptions): GenerationLock;
  /** Numbers of the generations that there are. */
  numbers(): readonly number[];
}

/** Makes what a lock needs of a state folder. */
export function lockFolder(at: string): LockFolder {
  fs.mkdirSync(join(at, "lock"), { recursive: true });
  fs.mkdirSync(join(at, "tmp"), { recursive: true });
  const running = new Set<number>();
  return {
    path: join(at, "lock"),
    running,
    handle: ({
      self: own = {},
      fileSystem = nodeFileSystem,
      clock = systemClock,
      links = true,
      pause = timeSlice(),
    } = {}) => {
      const self = { ...someProcess, ...own };
      running.add(self.pid);
      const processes = fakeProcesses(self, running);
      const state = { path: at, device: 0n, ...usualDisk, links };
      const nextName = () => `${self.realm}.${processes.token()}`;
      return new GenerationLock({
        fileSystem,
        processes,
        hashing,
        clock,
        state,
        nextName,
        pause,
      });
    },
    numbers: () =>
      fs
        .readdirSync(join(at, "lock"))
        .filter((name) => /^\d+$/.test(name))
        .map(Number)
        .sort((a, b) => a - b),
  };
}
