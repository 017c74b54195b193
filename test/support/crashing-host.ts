import type { DirectoryHost } from "../../src/storage/directory/directory-host.ts";
import type { FileSystem } from "../../src/storage/directory/file-system.ts";
import { nodeFileSystem } from "../../src/storage/directory/node-file-system.ts";
import type { ProcessIdentity } from "../../src/storage/directory/process-table.ts";

/** Thrown by every call of a process that has crashed. */
class Crashed extends Error {}

/** What becomes of the calls of a file system. */
export interface Interference {
  /** The process is gone before this call, counted from 1. */
  readonly crashAt?: number | undefined;
  /** This call fails with this error number; the ones after it too, when `sticky`. */
  readonly failAt?: number | undefined;
  readonly errorNumber?: string | undefined;
  readonly sticky?: boolean | undefined;
  /** Calls that count and can fail. Default: all but `close`. */
  readonly only?: readonly (keyof FileSystem)[] | undefined;
}

/** A file system that counts its calls and lets one fail or be the last. */
export interface CountingFileSystem {
  readonly fileSystem: FileSystem;
  readonly calls: () => number;
  readonly hasCrashed: () => boolean;
  /** Starts counting anew, with other interference. */
  arm(interference: Interference): void;
  /** Names and first arguments of the calls since. */
  readonly trace: string[];
}

/** @param onCrash - What ends the process, where it is a real one. */
export function countingFileSystem(
  inner: FileSystem = nodeFileSystem,
  onCrash: () => void = () => undefined,
): CountingFileSystem {
  let calls = 0;
  let crashed = false;
  let interference: Interference = {};
  const trace: string[] = [];
  const before = (name: keyof FileSystem, args: readonly unknown[]) => {
    if (name === "close" || name === "anchor" || name === "wait") return;
    if (crashed) throw new Crashed();
    if (interference.only !== undefined && !interference.only.includes(name)) return;
    calls += 1;
    trace.push(`${name} ${String(args[0])}`);
    if (calls === interference.crashAt) {
      crashed = true;
      onCrash();
      throw new Crashed();
    }
    const { failAt } = interference;
    if (failAt !== undefined && (calls === failAt || (interference.sticky === true && calls > failAt))) {
      throw Object.assign(new Error(`injected ${interference.errorNumber}`), {
        code: interference.errorNumber,
      });
    }
  };
  const fileSystem = Object.fromEntries(
    Object.entries(inner).map(([name, call]) => [
      name,
      typeof call !== "function"
        ? call
        : (...args: unknown[]) => {
            if (name === "flush")
              return Promise.resolve().then(() => {
                before("flush", args);
                return (call as FileSystem["flush"])(args[0] as number, args[1] as "data" | "all");
              });
            before(name as keyof FileSystem, args);
            return (call as (...args: unknown[]) => unknown)(...args);
          },
    ]),
  ) as unknown as FileSystem;
  return {
    fileSystem,
    calls: () => calls,
    hasCrashed: () => crashed,
    trace,
    arm: (next) => {
      interference = next;
      calls = 0;
      trace.length = 0;
    },
  };
}

let processesMade = 0;

/**
 * A host whose process counts as gone for every later one of the same machine.
 *
 * @param living - Processes that live beside it, and do not count as gone for it; its own comes to them.
 */
export function simulatedHost(
  fileSystem: FileSystem,
  boot = "boot-1",
  living = new Set<number>(),
): DirectoryHost {
  processesMade += 1;
  living.add(processesMade);
  const self: ProcessIdentity = {
    machine: "machine",
    boot,
    pidNamespace: "pid",
    pid: processesMade,
    realm: `realm-${processesMade}`,
    start: "1",
  };
  let tokens = 0;
  return {
    fileSystem,
    idleMs: undefined,
    spareFiles: 0,
    processes: {
      self,
      token: () => `${self.pid.toString(16).padStart(8, "0")}${(++tokens).toString(16).padStart(8, "0")}`,
      isGone: (owner) => !living.has(owner.pid),
    },
  };
}
