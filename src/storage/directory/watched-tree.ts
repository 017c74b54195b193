import { timeSlice } from "../../base/clock.ts";
import { ancestorsOf } from "../../tree/path-parts.ts";
import { parseWorkspacePath } from "../../tree/workspace-path.ts";
import { errorNumber, type FileSystem } from "./file-system.ts";
import type { FolderWatching, NameEvent } from "./folder-watching.ts";
import { patiently } from "./patiently.ts";
import type { RootFolder } from "./root-folder.ts";

/** A folder that has gone meanwhile is told of by the one that held it. */
const gone: ReadonlySet<unknown> = new Set(["ENOENT", "ENOTDIR", "ELOOP"]);
/** What stands in the way of one folder and no other. */
const skipped: ReadonlySet<unknown> = new Set([...gone, "EACCES", "EPERM"]);

/** Whether a folder can be left out, and the rest be watched. */
function isSkipped(path: string, error: unknown): boolean {
  return path !== "" && skipped.has(errorNumber(error));
}

/** What watching a tree needs. */
export interface WatchedTreeHost {
  /** Reads folders, and gives names as callers spell them. */
  readonly fileSystem: FileSystem;
  /** Watches them. */
  readonly watching: FolderWatching;
  /** The folders of one piece of work. */
  readonly openRoot: () => RootFolder;
}

/** What a watched tree tells. */
export interface WatchedTreeListener {
  /** Something happened to a path. */
  changed(event: NameEvent, path: string): void;
  /** Something at or below a path may have been missed; `""`: anything. */
  missed(path: string): void;
}

/**
 * Watches a folder and all below it, but for protected names, other workspaces and what is behind links. Where the platform watches single
 * folders, each one has its watch; one that comes, goes or moves has to be looked at again.
 */
export class WatchedTree {
  readonly #host: WatchedTreeHost;
  readonly #listener: WatchedTreeListener;
  readonly #ends = new Map<string, () => void>();
  readonly #pause = timeSlice();
  #isClosed = false;

  constructor(host: WatchedTreeHost, listener: WatchedTreeListener) {
    this.#host = host;
    this.#listener = listener;
  }

  /** Begins. A tree that takes no more than a slice of work is watched when this returns; of a larger one it tells at the end that something may have been missed. */
  async start(): Promise<void> {
    const wasPrompt = await this.#enterAll([""]);
    if (!wasPrompt) this.#listener.missed("");
  }

  /** Whether nothing is watched any more. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Whether a folder has a watch of its own. */
  has(path: string): boolean {
    return this.#ends.has(path);
  }

  /** Looks at folders again that came, went or moved. */
  async renew(paths: ReadonlySet<string>): Promise<void> {
    if (this.#host.watching.wholeTrees && !paths.has("")) return;
    if ([...paths].some((path) => this.#ends.has(path)))
      await this.#end((watched) => ["", ...ancestorsOf(watched), watched].some((place) => paths.has(place)));
    await this.#enterAll([...paths]);
  }

  /** @returns whether the event loop has not turned meanwhile. */
  async #enterAll(paths: readonly string[]): Promise<boolean> {
    let isPrompt = true;
    const root = this.#host.openRoot();
    const folders = [...paths];
    try {
      for (let folder = folders.pop(); folder !== undefined && !this.#isClosed; folder = folders.pop()) {
        const path = folder;
        const waiting = this.#pause();
        if (waiting !== undefined) {
          isPrompt = false;
          await waiting;
        }
        try {
          folders.push(...this.#enter(root, path));
        } catch (error) {
          if (!this.#host.fileSystem.isWindows && isSkipped(path, error)) this.#skip(path, error);
          else {
            isPrompt = false;
            folders.push(...(await this.#enterPatiently(root, path)));
          }
        }
      }
    } catch {
      // The kernel allows no more watches. Half a watch would look like a whole one, and keep others from theirs.
      this.#giveUp();
    } finally {
      root.close();
    }
    return isPrompt;
  }

  async #enterPatiently(root: RootFolder, path: string): Promise<readonly string[]> {
    try {
      return await patiently(this.#host.fileSystem, () => this.#enter(root, path));
    } catch (error) {
      if (!isSkipped(path, error)) throw error;
      this.#skip(path, error);
      return [];
    }
  }

  #skip(path: string, error: unknown): void {
    if (!gone.has(errorNumber(error))) this.#listener.missed(path);
  }

  /** Watches a folder before looking what is in it, so that nothing comes in between. */
  #enter(root: RootFolder, path: string): readonly string[] {
    if (this.#isClosed) return [];
    const { fileSystem, watching } = this.#host;
    const folder = root.folder(path);
    if (folder === undefined || "kind" in folder) return [];
    const end = watching.start(folder.base, {
      changed: (event, name) => this.#changed(path, event, name),
      failed: () => this.#giveUp(),
    });
    this.#ends.get(path)?.();
    this.#ends.set(path, end);
    if (watching.wholeTrees) return [];
    return fileSystem
      .readdir(folder.base)
      .filter(({ kind }) => kind === "directory")
      .map(({ name }) => (path === "" ? name : `${path}/${name}`))
      .filter((inner) => parseWorkspacePath(inner).problem === undefined);
  }

  #changed(folder: string, event: NameEvent, name: string | null): void {
    if (this.#isClosed) return;
    if (name === null) this.#listener.missed("");
    // Of a folder that goes, the one that holds it tells as well.
    else if (name !== ".") this.#listener.changed(event, folder === "" ? name : `${folder}/${name}`);
    else if (folder === "") this.#listener.changed(event, "");
  }

  #giveUp(): void {
    if (this.#isClosed) return;
    this.close();
    this.#listener.missed("");
  }

  /** Ends all watches. */
  close(): void {
    this.#isClosed = true;
    void this.#end(() => true);
  }

  /** Ends the watches of some folders; of thousands that takes the kernel its time. */
  async #end(isMeant: (path: string) => boolean): Promise<void> {
    for (const [path, end] of this.#ends) {
      if (!isMeant(path)) continue;
      this.#ends.delete(path);
      const waiting = this.#pause();
      if (waiting !== undefined) await waiting;
      end();
    }
  }
}
