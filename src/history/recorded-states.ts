import type { CancelOptions } from "../base/clock.ts";
import type { StorageAdapter } from "../storage/storage-adapter.ts";
import type { Delta } from "../tree/delta.ts";
import type { FileState } from "../tree/file-state.ts";
import { decodeRevisionEntry } from "./revision-entry.ts";

/** Entries from before the handle was opened that are looked through, all calls together: what paths older ones left is not known. */
const mostLookedBack = 1000;

/** Of those, what one call reads: a commit of files that none of them touched must not wait for all. */
const mostPerCall = 32;

/** Commits that came before earlier ones are known; with more of them, all is forgotten. */
const mostAhead = 256;

/**
 * Knows what the history last recorded at paths, so that a commit that replaces something else can tell that somebody changed it past the library. Kept
 * up by the commits of this handle at no cost; the log is read only for what they do not tell, and each entry once.
 */
export class RecordedStates {
  readonly #storage: StorageAdapter;
  readonly #states = new Map<string, FileState | undefined>();
  readonly #ahead = new Map<number, Delta>();
  /** All entries from after `#oldest` to `#newest` are taken in. */
  #newest: number;
  #oldest: number;
  #looked = 0;
  #turn: Promise<unknown> = Promise.resolve();

  /** @param newest - The number of the newest entry when the handle was opened. */
  constructor(storage: StorageAdapter, newest: number) {
    this.#storage = storage;
    this.#newest = newest;
    this.#oldest = newest;
  }

  /** Whether something is known of a path. */
  has(path: string): boolean {
    return this.#states.has(path);
  }

  /** What is recorded of a path. */
  get(path: string): FileState | undefined {
    return this.#states.get(path);
  }

  /** Takes in a commit of this handle. */
  add(sequence: number, delta: Delta): void {
    if (sequence <= this.#newest) return;
    this.#ahead.set(sequence, delta);
    this.#takeAhead();
    if (this.#ahead.size <= mostAhead) return;
    // Others commit so much that it is cheaper to begin anew than to read all that they did.
    this.#states.clear();
    this.#newest = Math.max(...this.#ahead.keys());
    this.#oldest = this.#newest;
    this.#looked = 0;
    this.#ahead.clear();
  }

  /** Takes in what others have committed. */
  readOn(options: CancelOptions): Promise<void> {
    return this.#inTurn(async () => {
      for await (const { sequence, bytes, undone } of this.#storage.readLog({
        ...options,
        from: this.#newest + 1,
      })) {
        if (sequence <= this.#newest) continue;
        if (undone !== true) this.#take(decodeRevisionEntry(bytes).delta);
        this.#newest = sequence;
        this.#ahead.delete(sequence);
      }
      this.#takeAhead();
    });
  }

  /** Looks in older entries for paths, a few entries at a time. */
  lookBack(paths: readonly string[], options: CancelOptions): Promise<void> {
    return this.#inTurn(async () => {
      const missing = new Set(paths.filter((path) => !this.#states.has(path)));
      if (missing.size === 0 || this.#looked >= mostLookedBack || this.#oldest <= 0) return;
      const most = Math.min(mostLookedBack, this.#looked + mostPerCall);
      const reading = { ...options, from: this.#oldest, reverse: true };
      for await (const { sequence, bytes, undone } of this.#storage.readLog(reading)) {
        this.#oldest = sequence - 1;
        this.#looked += 1;
        if (undone !== true)
          for (const [path, { after }] of decodeRevisionEntry(bytes).delta.changes) {
            if (!this.#states.has(path)) this.#states.set(path, after);
            missing.delete(path);
          }
        if (missing.size === 0 || this.#looked >= most) return;
      }
      this.#oldest = 0;
    });
  }

  #takeAhead(): void {
    for (let next = this.#ahead.get(this.#newest + 1); next !== undefined; ) {
      this.#newest += 1;
      this.#ahead.delete(this.#newest);
      this.#take(next);
      next = this.#ahead.get(this.#newest + 1);
    }
  }

  #take({ changes }: Delta): void {
    for (const [path, { after }] of changes) this.#states.set(path, after);
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    const done = this.#turn.then(work);
    this.#turn = done.catch(() => undefined);
    return done;
  }
}
