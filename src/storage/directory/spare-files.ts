import { nextMacrotask } from "../../base/clock.ts";
import { removeQuietly } from "./file-bytes.ts";
import type { FileSystem } from "./file-system.ts";
import { type StateFolder, temporaryFile } from "./state-folder.ts";

/** What making files needs. */
export interface SpareFilesHost {
  readonly fileSystem: FileSystem;
  readonly state: StateFolder;
  /** Makes names that nobody else makes. */
  readonly nextName: () => string;
}

/** Permission bits that a new file is asked for; the umask of the process takes some. */
export const newFileMode = 0o666;

/** Files that are made at the same time. */
const mostAtOnce = 4;

/**
 * Empty files that wait in the temporary folder for a content. Giving a file an inode is the slowest step of a small commit, so as many as the
 * last commits needed are made while the caller does something else. Nothing depends on them: without one, a commit makes the file itself.
 */
export class SpareFiles {
  readonly #host: SpareFilesHost;
  readonly #most: number;
  #ready: string[] = [];
  #mode: number | undefined;
  #wanted = 0;
  #taken = 0;
  #making = 0;
  #closed = false;
  #idle: (() => void) | undefined;

  /** @param most - Files that are kept at most; 0: none. */
  constructor(host: SpareFilesHost, most: number) {
    this.#host = host;
    this.#most = most;
  }

  /** Hands out an empty file that has these permission bits, relative to the state folder; `undefined` when there is none. */
  take(mode: number): string | undefined {
    if (mode !== newFileMode && this.#mode !== undefined && mode !== this.#mode) return undefined;
    this.#taken += 1;
    return this.#ready.pop();
  }

  /** Makes as many as were asked for since the last time, or three quarters of what was wanted before, once the event loop has turned. */
  async refill(): Promise<void> {
    this.#wanted = Math.min(this.#most, Math.max(this.#taken, this.#wanted - (this.#wanted >> 2)));
    this.#taken = 0;
    if (!this.#isShort()) return;
    await nextMacrotask();
    while (this.#making < mostAtOnce && this.#isShort()) void this.#make();
  }

  #isShort(): boolean {
    return !this.#closed && this.#ready.length + this.#making < this.#wanted;
  }

  async #make(): Promise<void> {
    const { fileSystem, state } = this.#host;
    this.#making += 1;
    try {
      const file = temporaryFile(this.#host);
      const descriptor = await fileSystem.create(`${state.path}/${file}`, newFileMode);
      this.#ready.push(file);
      try {
        this.#mode ??= fileSystem.fstat(descriptor).mode;
      } finally {
        fileSystem.close(descriptor);
      }
    } catch {
      // A disk that refuses will tell the commit that needs the file.
      this.#wanted = 0;
    }
    this.#making -= 1;
    if (this.#isShort()) void this.#make();
    else if (this.#making === 0) this.#idle?.();
  }

  /** Removes them all. */
  async close(): Promise<void> {
    this.#closed = true;
    if (this.#making > 0) await new Promise<void>((resolve) => (this.#idle = resolve));
    for (const file of this.#ready) removeQuietly(this.#host.fileSystem, `${this.#host.state.path}/${file}`);
    this.#ready = [];
  }
}
