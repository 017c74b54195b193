import { nextMacrotask } from "../../base/clock.ts";
import { parseWorkspacePath } from "../../tree/workspace-path.ts";
import { type ChangeListener, ChangeListeners } from "../change-listeners.ts";
import type { NameEvent } from "./folder-watching.ts";
import { patiently } from "./patiently.ts";
import type { DiskAbilities } from "./probe-disk.ts";
import type { RootFolder } from "./root-folder.ts";
import { WatchedTree, type WatchedTreeHost } from "./watched-tree.ts";

/** What watching a directory needs. */
export interface DirectoryWatchHost extends WatchedTreeHost {
  /** What is known of the disk. */
  readonly state?: Pick<DiskAbilities, "decomposes">;
}

/** Events between two turns of the loop: with as many, the kernel's queue may have been full and some of them lost. */
const mostEvents = 8192;

/** Tells listeners which files of a directory may have changed. Nothing is watched while nobody listens. */
export class DirectoryWatch {
  readonly #makeHost: () => DirectoryWatchHost;
  readonly #listeners = new ChangeListeners(() => this.#stop());
  readonly #commits = new Set<Promise<void>>();
  #tree: WatchedTree | undefined;
  #work: Promise<void> = Promise.resolve();
  #events = new Map<string, NameEvent>();
  #count = 0;

  /** @param makeHost - Asked when watching begins. */
  constructor(makeHost: () => DirectoryWatchHost) {
    this.#makeHost = makeHost;
  }

  /** Adds a listener until its signal. */
  add(listener: ChangeListener, signal: AbortSignal): void {
    if (signal.aborted) return;
    this.#listeners.add(listener, signal);
    // A watch that has failed is tried again with each new listener.
    if (this.#tree?.isClosed === false) return;
    const host = this.#makeHost();
    const tree = new WatchedTree(host, {
      changed: (event, path) => this.#changed(host, tree, event, path),
      missed: (path) => this.#listeners.tell(path === "" ? "unknown" : [path]),
    });
    this.#tree = tree;
    this.#work = Promise.all([this.#work, tree.start()]).then(() => undefined);
  }

  /**
   * Takes note that a commit runs: what is told meanwhile may be its own doing, and waits until it has answered.
   *
   * @returns what is called at its end.
   */
  commitRuns(): () => void {
    let end = () => {};
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    this.#commits.add(ended);
    return () => {
      this.#commits.delete(ended);
      end();
    };
  }

  /** Lets all listeners go. */
  close(): void {
    this.#listeners.close();
  }

  #stop(): void {
    this.#tree?.close();
    this.#tree = undefined;
    this.#events.clear();
    this.#count = 0;
  }

  #changed(host: DirectoryWatchHost, tree: WatchedTree, event: NameEvent, told: string): void {
    this.#count += 1;
    if (this.#count === 1)
      void nextMacrotask().then(() => {
        this.#work = this.#work.then(() => this.#tellEvents(host, tree));
      });
    if (this.#count === mostEvents) this.#events.set("", "rename");
    const path = told === "" ? told : parseWorkspacePath(asSpelled(host, told)).path;
    if (path !== undefined && this.#events.get(path) !== "rename") this.#events.set(path, event);
  }

  async #tellEvents(host: DirectoryWatchHost, tree: WatchedTree): Promise<void> {
    if (tree !== this.#tree) return;
    const events = this.#events;
    this.#events = new Map();
    this.#count = 0;
    const renewed = new Set<string>();
    const told: string[] = [];
    const root = host.openRoot();
    try {
      for (const [path, event] of events) {
        const found = await kindAt(host, root, path);
        const isFolder = found === "directory";
        // What happens in a folder is told by the names in it.
        if (found === "hidden" || (isFolder && event === "change")) continue;
        if (isFolder || tree.has(path)) renewed.add(path);
        told.push(path);
      }
    } finally {
      root.close();
    }
    if (renewed.size > 0) await tree.renew(renewed);
    void Promise.all(this.#commits).then(() => {
      if (tree === this.#tree) this.#listeners.tell(told.includes("") ? "unknown" : told);
    });
  }
}

/** A told name as callers spell it. */
function asSpelled({ fileSystem, state }: DirectoryWatchHost, told: string): string {
  const path = fileSystem.isWindows ? told.replaceAll("\\", "/") : told;
  return state?.decomposes === true ? path.normalize("NFC") : path;
}

/** What stands at a path; `hidden` when it belongs to another workspace. What cannot be looked at may be a folder or not. */
async function kindAt(host: WatchedTreeHost, root: RootFolder, path: string): Promise<string> {
  if (path === "") return "directory";
  try {
    const located = await patiently(host.fileSystem, () => root.locate(path));
    return located.kind === "obstructed" && located.what === "otherWorkspace" ? "hidden" : located.kind;
  } catch {
    return "unknown";
  }
}
