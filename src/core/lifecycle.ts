import type { CancelOptions } from "../base/clock.ts";
import { HoldfastError } from "../base/holdfast-error.ts";
import { isAbortSignal } from "../schema/signal.ts";

/** Lets calls in while a handle is open, and closes it when those that are inside have ended. */
export class Lifecycle {
  #closing: Promise<void> | undefined;
  #inside = 0;
  #whenEmpty: (() => void) | undefined;
  /** Work that waits until no call is inside, and what runs of it. */
  readonly #behind: (() => Promise<void>)[] = [];
  #running: Promise<void> = Promise.resolve();

  /** Runs a call; refuses it with `WORKSPACE_CLOSED` once closing has begun, and with the signal's reason when that has fired. */
  async run<T>(options: CancelOptions | undefined, work: () => Promise<T>): Promise<T> {
    this.refuseIfClosing();
    refuseIfAborted(options);
    this.#inside += 1;
    try {
      return await work();
    } finally {
      this.#inside -= 1;
      if (this.#inside === 0) {
        this.#runBehind();
        this.#whenEmpty?.();
      }
    }
  }

  /** Passes on what is iterated over while the handle is open. An iteration that rests does not keep the handle from closing. */
  async *iterate<T>(
    options: CancelOptions | undefined,
    begin: () => AsyncIterable<T>,
  ): AsyncGenerator<T, void, undefined> {
    this.refuseIfClosing();
    refuseIfAborted(options);
    for await (const item of begin()) {
      yield item;
      this.refuseIfClosing();
    }
  }

  /** Runs work behind the calls, once none is inside; closing waits for it, and begins what has not begun. */
  whenIdle(work: () => Promise<void>): void {
    this.#behind.push(work);
    if (this.#inside === 0) this.#runBehind();
  }

  #runBehind(): void {
    for (const work of this.#behind.splice(0)) this.#running = this.#running.then(work);
  }

  /** Closes once: waits for the calls that are inside, then lets go of what the handle holds. */
  close(release: () => Promise<void>): Promise<void> {
    this.#closing ??= this.#close(release);
    return this.#closing;
  }

  async #close(release: () => Promise<void>): Promise<void> {
    if (this.#inside > 0)
      await new Promise<void>((resolve) => {
        this.#whenEmpty = resolve;
      });
    this.#runBehind();
    await this.#running;
    await release();
  }

  /** Refuses a call once closing has begun. */
  refuseIfClosing(): void {
    if (this.#closing !== undefined) throw new HoldfastError("WORKSPACE_CLOSED");
  }
}

/** Options have not been checked yet: what is no signal is left to the call, which refuses it. */
function refuseIfAborted(options: CancelOptions | undefined): void {
  const signal = options?.signal;
  if (isAbortSignal(signal)) signal.throwIfAborted();
}
