import { ancestorsOf } from "../tree/path-parts.ts";

/** What a call needs to itself. */
export interface CallClaims {
  /** Paths that it changes; each also keeps other calls from the folders above and from all that is below it. */
  readonly paths: Iterable<string>;
  /** Names of other things, such as idempotency keys. */
  readonly names?: Iterable<string> | undefined;
}

/** A call that has been let in or waits; it settles when the call has ended, however it ended. */
type Ended = Promise<void>;

/**
 * Lets calls run in the order in which they were made where they touch the same things, and side by side where they do not. Each call waits for
 * the earlier ones that share a path, a folder or a name with it, and for no others, so every call gets its turn.
 */
export class CallOrder {
  /** The latest call at each path or name. */
  readonly #at = new Map<string, Ended>();
  /** The calls that still run or wait below each folder. */
  readonly #below = new Map<string, Set<Ended>>();

  /**
   * Runs the work when all earlier calls that share something with it have ended. Rejects at once when the signal fires before that; calls that came
   * later still wait for those that came earlier.
   */
  async run<T>(claims: CallClaims, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    let end = () => {};
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    const paths = [...claims.paths].map((path) => `file:${path}`);
    const names = [...new Set([...paths, ...(claims.names ?? [])])];
    const turn = Promise.all(this.#enter(names, ended));
    try {
      await (signal === undefined ? turn : untilAborted(turn, signal));
      return await work();
    } finally {
      void turn.then(() => {
        this.#leave(names, ended);
        end();
      });
    }
  }

  #enter(names: readonly string[], ended: Ended): ReadonlySet<Ended> {
    const earlier = new Set<Ended>();
    for (const name of names) {
      this.#note(earlier, this.#at.get(name));
      for (const call of this.#below.get(name) ?? []) earlier.add(call);
      for (const folder of ancestorsOf(name)) this.#note(earlier, this.#at.get(folder));
    }
    for (const name of names) {
      this.#at.set(name, ended);
      for (const folder of ancestorsOf(name)) {
        const calls = this.#below.get(folder) ?? new Set();
        this.#below.set(folder, calls.add(ended));
      }
    }
    return earlier;
  }

  #note(earlier: Set<Ended>, call: Ended | undefined): void {
    if (call !== undefined) earlier.add(call);
  }

  #leave(names: readonly string[], ended: Ended): void {
    for (const name of names) {
      if (this.#at.get(name) === ended) this.#at.delete(name);
      for (const folder of ancestorsOf(name)) {
        const calls = this.#below.get(folder);
        if (calls?.delete(ended) === true && calls.size === 0) this.#below.delete(folder);
      }
    }
  }
}

/** Waits for a promise, but no longer than until the signal fires. */
async function untilAborted(promise: Promise<unknown>, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  let stop = () => {};
  const aborted = new Promise<never>((_resolve, reject) => {
    stop = () => reject(signal.reason as Error);
    signal.addEventListener("abort", stop, { once: true });
  });
  try {
    await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
