import { nextMacrotask } from "../base/clock.ts";

/** Told which files may have changed; see `StorageAdapter.watch`. */
export type ChangeListener = (paths: readonly string[] | "unknown") => void;

/** Paths that are told in one call; of more, no listener would look at each. */
const mostPaths = 1000;

/**
 * Tells listeners which paths may have changed: what comes together before the event loop turns is told in one call, never within the call that
 * brings it. What a listener throws is its own affair.
 */
export class ChangeListeners {
  readonly #leaving = new Map<{ readonly listener: ChangeListener }, () => void>();
  readonly #nobodyLeft: () => void;
  #gathered: Set<string> | "unknown" | undefined;

  /** @param nobodyLeft - Called when the last listener has gone. */
  constructor(nobodyLeft: () => void = () => undefined) {
    this.#nobodyLeft = nobodyLeft;
  }

  /** Adds a listener until its signal. */
  add(listener: ChangeListener, signal: AbortSignal): void {
    if (signal.aborted) return;
    const entry = { listener };
    const leave = () => {
      signal.removeEventListener("abort", leave);
      if (this.#leaving.delete(entry) && this.#leaving.size === 0) this.#nobodyLeft();
    };
    this.#leaving.set(entry, leave);
    signal.addEventListener("abort", leave);
  }

  /** Tells paths, or that anything may have changed, when the event loop has turned. */
  tell(paths: readonly string[] | "unknown"): void {
    if (this.#leaving.size === 0 || paths.length === 0) return;
    if (this.#gathered === undefined) void nextMacrotask().then(() => this.#tellGathered());
    this.#gathered ??= new Set();
    if (paths === "unknown") this.#gathered = "unknown";
    if (this.#gathered === "unknown") return;
    for (const path of paths) this.#gathered.add(path);
    if (this.#gathered.size > mostPaths) this.#gathered = "unknown";
  }

  #tellGathered(): void {
    const gathered = this.#gathered;
    this.#gathered = undefined;
    if (gathered === undefined) return;
    for (const entry of this.#leaving.keys()) {
      // Each has a list of its own, and a turn of its own, in which it may also return a promise.
      const paths = gathered === "unknown" ? gathered : [...gathered];
      const call = () => (this.#leaving.has(entry) ? entry.listener(paths) : undefined);
      void Promise.resolve()
        .then(call)
        .catch(() => undefined);
    }
  }

  /** Lets all listeners go. */
  close(): void {
    for (const leave of [...this.#leaving.values()]) leave();
  }
}
