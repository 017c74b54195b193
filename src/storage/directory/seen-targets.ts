import type { FileStatus } from "./file-system.ts";

/** Files that are remembered; more make it forget all. */
const mostSeen = 10_000;

/**
 * What files looked like when they were last read, so that new contents can be made like them without another look. A hint and no more: under
 * the lock, the file that stands there decides.
 */
export class SeenTargets {
  readonly #seen = new Map<string, FileStatus>();

  /** Remembers a file. */
  note(path: string, status: FileStatus): void {
    if (this.#seen.size >= mostSeen) this.#seen.clear();
    this.#seen.set(path, status);
  }

  /** What stood at a path; `undefined` when it was not read. */
  at(path: string): FileStatus | undefined {
    return this.#seen.get(path);
  }
}
