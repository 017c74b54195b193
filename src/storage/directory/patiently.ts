import type { Clock } from "../../base/clock.ts";
import { errorNumber, type FileSystem } from "./file-system.ts";

const longestMs = 5000;
const longestWaitMs = 250;

/** What passes by itself: a want of descriptors; on Windows also what a virus scanner or an indexer looks at. */
const everywhere: ReadonlySet<unknown> = new Set(["EMFILE", "ENFILE"]);
const onWindows: ReadonlySet<unknown> = new Set(["EPERM", "EACCES", "EBUSY"]);

/**
 * Does a step again while the platform refuses it for a moment: up to 5 s, with growing waits in which others go on, who may be the ones that
 * hold what is wanted.
 *
 * @param step - What is done; each time it looks anew at what it depends on, for it can be overtaken while it waits.
 */
export async function patiently<T>(fileSystem: FileSystem, step: () => T | Promise<T>): Promise<T> {
  for (let waited = 0, wait = 1; ; wait = Math.min(wait * 2, longestWaitMs)) {
    try {
      return await step();
    } catch (error) {
      const code = errorNumber(error);
      if (!everywhere.has(code) && !(fileSystem.isWindows && onWindows.has(code))) throw error;
      if (waited >= longestMs) throw error;
      await fileSystem.wait(wait);
      waited += wait;
    }
  }
}

/** Waits by a clock, and makes patient the calls that wait for the disk anyway. */
export function withPatience(inner: FileSystem, clock: Clock): FileSystem {
  const fileSystem: FileSystem = { ...inner, wait: (ms) => clock.sleep(ms) };
  return {
    ...fileSystem,
    create: (path, mode) => patiently(fileSystem, () => inner.create(path, mode)),
    remove: (path) => patiently(fileSystem, () => inner.remove(path)),
    copy: (from, to) => patiently(fileSystem, () => inner.copy(from, to)),
  };
}
