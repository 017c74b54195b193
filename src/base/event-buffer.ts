import type { CancelOptions } from "./clock.ts";

/** How an {@link EventBuffer} is bounded. */
export interface EventBufferOptions<E> {
  /** Events that are kept for each subscriber, 1 or more; beyond it the oldest go. */
  readonly capacity: number;
  /** Makes the event that tells a subscriber how many it missed. */
  readonly overflow: (missed: number) => E;
}

/** What a subscriber of an {@link EventBuffer} asks for. */
export interface SubscribeOptions<E> extends CancelOptions {
  /** Whether an event concerns the subscriber; what does not takes up no room. */
  readonly wants?: ((event: E) => boolean) | undefined;
}

/**
 * Hands events to any number of subscribers, each at its own pace, and keeps a bounded number for each.
 *
 * A subscriber that is too slow loses the oldest events and is told how many, in their place. Publishing never waits and never fails.
 */
export class EventBuffer<E> {
  readonly #options: EventBufferOptions<E>;
  readonly #subscribers = new Set<Subscriber<E>>();
  #closed = false;

  /** Makes a buffer without subscribers. */
  constructor(options: EventBufferOptions<E>) {
    this.#options = options;
  }

  /** Gives an event to everyone who is subscribed now; after `close` to nobody. */
  publish(event: E): void {
    for (const subscriber of this.#subscribers) subscriber.push(event);
  }

  /**
   * Subscribes from this call on, not from the first event that is asked for.
   *
   * The events end, without an error, when the signal aborts (at once), when the consumer stops, or after `close` (once the kept ones are delivered).
   *
   * @param options - `signal` ends the subscription; `wants` says which events are kept at all. Default: all.
   */
  subscribe(options: SubscribeOptions<E> = {}): AsyncIterableIterator<E> {
    const subscriber: Subscriber<E> = new Subscriber(this.#options, {
      wants: options.wants ?? (() => true),
      leave: () => this.#subscribers.delete(subscriber),
    });
    if (this.#closed) subscriber.finish();
    else this.#subscribers.add(subscriber);
    subscriber.endOn(options.signal);
    return subscriber;
  }

  /** Ends every subscription once its kept events are delivered. A second call does nothing. */
  close(): void {
    this.#closed = true;
    for (const subscriber of this.#subscribers) subscriber.finish();
  }
}

class Subscriber<E> implements AsyncIterableIterator<E> {
  readonly #options: EventBufferOptions<E>;
  readonly #wants: (event: E) => boolean;
  readonly #leave: () => unknown;
  readonly #waiting: ((result: IteratorResult<E, undefined>) => void)[] = [];
  #kept: E[] = [];
  #missed = 0;
  #finished = false;
  #stopListening: (() => void) | undefined;

  constructor(
    options: EventBufferOptions<E>,
    own: { readonly wants: (event: E) => boolean; readonly leave: () => unknown },
  ) {
    this.#options = options;
    this.#wants = own.wants;
    this.#leave = own.leave;
  }

  push(event: E): void {
    if (!this.#wants(event)) return;
    const waiting = this.#waiting.shift();
    if (waiting !== undefined) waiting({ done: false, value: event });
    else this.#keep(event);
  }

  #keep(event: E): void {
    this.#kept.push(event);
    if (this.#kept.length <= this.#options.capacity) return;
    this.#kept.shift();
    this.#missed++;
  }

  finish(): void {
    if (this.#finished) return;
    this.#finished = true;
    this.#leave();
    this.#stopListening?.();
    for (const waiting of this.#waiting.splice(0)) waiting({ done: true, value: undefined });
  }

  endOn(signal: AbortSignal | undefined): void {
    if (signal === undefined || this.#finished) return;
    const stop = () => void this.return();
    signal.addEventListener("abort", stop, { once: true });
    this.#stopListening = () => signal.removeEventListener("abort", stop);
    if (signal.aborted) stop();
  }

  next(): Promise<IteratorResult<E, undefined>> {
    if (this.#missed > 0) {
      const value = this.#options.overflow(this.#missed);
      this.#missed = 0;
      return Promise.resolve({ done: false, value });
    }
    if (this.#kept.length > 0) return Promise.resolve({ done: false, value: this.#kept.shift() as E });
    if (this.#finished) return Promise.resolve({ done: true, value: undefined });
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  return(): Promise<IteratorResult<E, undefined>> {
    this.#kept = [];
    this.#missed = 0;
    this.finish();
    return Promise.resolve({ done: true, value: undefined });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}
