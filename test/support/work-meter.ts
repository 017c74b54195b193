import { type Hashing, type HashState, loadPortableHashing, type StorageAdapter } from "holdfast";
import { vi } from "vitest";

/** What was done in one turn of the event loop. */
export interface TurnWork {
  /** Bytes that went into hashes. */
  readonly hashed: number;
  /** Calls of the storage, each step of a listing one of them. */
  readonly calls: number;
}

/** Counts the work that is done between two turns of the event loop. No time is measured: every look at the clock finds that the slice is used up. */
export class WorkMeter {
  #hashed = 0;
  #calls = 0;

  /** Makes a storage count what is asked of it, and the bytes that are hashed for it. */
  async count(storage: StorageAdapter): Promise<StorageAdapter> {
    const load = storage.loadHashing?.bind(storage) ?? loadPortableHashing;
    const hashing = await load();
    const counted: Hashing = {
      sha256: () => this.#countHash(hashing.sha256()),
      xxh64: () => this.#countHash(hashing.xxh64()),
    };
    return new Proxy(storage, {
      get: (target, name) => {
        if (name === "loadHashing") return async () => counted;
        const value: unknown = Reflect.get(target, name, target);
        if (typeof value !== "function") return value;
        return (...args: unknown[]) => {
          this.#calls += 1;
          const result: unknown = Reflect.apply(value, target, args);
          return isIterable(result) ? this.#countSteps(result) : result;
        };
      },
    });
  }

  /** Runs something; gives the most work that a turn held, and how many turns there were. */
  async most(run: () => Promise<unknown>): Promise<TurnWork & { readonly turns: number }> {
    let time = performance.now();
    const clock = vi.spyOn(performance, "now").mockImplementation(() => (time += 1000));
    let most = { hashed: 0, calls: 0 };
    let turns = 0;
    let running = true;
    const look = () => {
      most = { hashed: Math.max(most.hashed, this.#hashed), calls: Math.max(most.calls, this.#calls) };
      this.#hashed = 0;
      this.#calls = 0;
      turns += 1;
      if (running) setImmediate(look);
    };
    this.#hashed = 0;
    this.#calls = 0;
    setImmediate(look);
    try {
      await run();
    } finally {
      running = false;
      look();
      clock.mockRestore();
      // What still believes in the clock of before ends with its turn.
      for (let turn = 0; turn < 2; turn++) await new Promise((resolve) => setImmediate(resolve));
    }
    return { ...most, turns };
  }

  #countHash(state: HashState): HashState {
    return {
      update: (bytes) => {
        this.#hashed += bytes.byteLength;
        state.update(bytes);
      },
      digest: () => state.digest(),
    };
  }

  async *#countSteps<T>(items: AsyncIterable<T>): AsyncGenerator<T, void, undefined> {
    for await (const item of items) {
      this.#calls += 1;
      yield item;
    }
  }
}

function isIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === "object" && value !== null && Symbol.asyncIterator in value;
}
