import { nextMacrotask, timeSlice } from "../../base/clock.ts";
import { fewAtATime } from "./few-at-a-time.ts";
import type { RootFolder } from "./root-folder.ts";

/** Readers that may have files open at the same time. */
const mostAtOnce = 16;

interface Shared {
  readonly root: RootFolder;
  users: number;
  ended: boolean;
  /** Called when its folders are closed. */
  readonly closed: () => void;
}

/**
 * Lets readers that begin before the event loop turns share the folders that they open. No longer: until it turns nobody here can have learned
 * of a commit that another process has made meanwhile, so what the open folders show is not out of date for anybody.
 */
export class ReadBurst {
  readonly #openRoot: () => RootFolder;
  readonly #gate = fewAtATime(mostAtOnce);
  readonly #pause = timeSlice();
  #shared: Shared | undefined;
  /** Settled when the folders of all bursts but the present one are closed: there are never more than two sets of them. */
  #others: Promise<void> = Promise.resolve();
  #closing: Promise<void> = Promise.resolve();

  constructor(openRoot: () => RootFolder) {
    this.#openRoot = openRoot;
  }

  /** Runs one reader; `pause` is for its own long work. */
  run<T>(read: (root: RootFolder) => Promise<T>): Promise<T> {
    return this.#gate(async () => {
      await this.#pause();
      if (this.#shared === undefined) await this.#others;
      const shared = this.#join();
      try {
        return await read(shared.root);
      } finally {
        shared.users -= 1;
        closeUnused(shared);
      }
    });
  }

  #join(): Shared {
    this.#shared ??= this.#begin();
    this.#shared.users += 1;
    return this.#shared;
  }

  #begin(): Shared {
    this.#others = this.#closing;
    let closed = () => {};
    this.#closing = new Promise((resolve) => {
      closed = resolve;
    });
    const shared: Shared = { root: this.#openRoot(), users: 0, ended: false, closed };
    void nextMacrotask().then(() => {
      shared.ended = true;
      this.#shared = undefined;
      closeUnused(shared);
    });
    return shared;
  }
}

function closeUnused(shared: Shared): void {
  if (!shared.ended || shared.users > 0) return;
  shared.root.close();
  shared.closed();
}
