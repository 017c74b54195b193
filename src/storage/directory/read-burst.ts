import { nextMacrotask, timeSlice } from "../../base/clock.ts";
import { fewAtATime } from "./few-at-a-time.ts";
import type { RootFolder } from "./root-folder.ts";

/** Readers that may have files open at the same time. */
const mostAtOnce = 16;

interface Shared {
  readonly root: RootFolder;
  users: number;
  ended: boolean;
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

  constructor(openRoot: () => RootFolder) {
    this.#openRoot = openRoot;
  }

  /** Runs one reader; `pause` is for its own long work. */
  run<T>(read: (root: RootFolder) => Promise<T>): Promise<T> {
    return this.#gate(async () => {
      if (this.#shared === undefined) this.#pause.restart();
      else await this.#pause();
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
    const shared: Shared = { root: this.#openRoot(), users: 0, ended: false };
    void nextMacrotask().then(() => {
      shared.ended = true;
      this.#shared = undefined;
      closeUnused(shared);
    });
    return shared;
  }
}

function closeUnused(shared: Shared): void {
  if (shared.ended && shared.users === 0) shared.root.close();
}
