/** Options of every call that can be cancelled. */
export interface CancelOptions {
  /** Stops the call; it then rejects with the signal's reason and has written nothing. Default: none. */
  readonly signal?: AbortSignal | undefined;
}

/** Where the library takes the time from, so that tests can hold it still. */
export interface Clock {
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  now(): number;
  /**
   * Waits.
   *
   * @param ms - Milliseconds, 0 or more.
   * @param options - `signal` ends the wait early; the promise then rejects with its reason.
   */
  sleep(ms: number, options?: CancelOptions): Promise<void>;
}

/** Makes names for new things: the prefix says of what kind, the rest is unique. */
export type IdSource = (prefix: IdPrefix) => string;

/** What kinds of things have ids. */
export type IdPrefix = "ws" | "rev" | "tx" | "st" | "wc" | "cs" | "rc" | "corr";

/** The machine's own clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (ms, options) =>
    new Promise((resolve, reject) => {
      const signal = options?.signal;
      if (signal?.aborted === true) return reject(signal.reason as Error);
      const stop = () => {
        clearTimeout(timer);
        reject(signal?.reason as Error);
      };
      const timer = setTimeout(() => {
        signal?.removeEventListener("abort", stop);
        resolve();
      }, ms);
      signal?.addEventListener("abort", stop, { once: true });
    }),
};

/** Ids with 96 random bits. */
export const randomIds: IdSource = (prefix) => {
  if (drawn.next === drawn.bytes.byteLength) {
    crypto.getRandomValues(drawn.bytes);
    drawn.next = 0;
  }
  let digits = "";
  for (const end = drawn.next + idBytes; drawn.next < end; drawn.next++)
    digits += (drawn.bytes[drawn.next] as number).toString(16).padStart(2, "0");
  return `${prefix}_${digits}`;
};

const idBytes = 12;

/** Random bytes for the next ids: asking for a few at a time takes longer than a small commit should spend on names. */
const drawn = { bytes: new Uint8Array(64 * idBytes), next: 64 * idBytes };

/** Taken once: whoever puts a false clock in place of the timers must not stop the loop as well. Of Node alone, and there far quicker than a channel. */
const { setImmediate } = globalThis as { readonly setImmediate?: (run: () => void) => unknown };

/** Runs something when the event loop has turned. */
function runNextTurn(run: () => void): void {
  if (setImmediate !== undefined) return void setImmediate(run);
  const { port1, port2 } = new MessageChannel();
  // Browsers and Node share this property, but Node's types do not have it.
  Object.assign(port1, {
    onmessage: () => {
      port1.close();
      run();
    },
  });
  port2.postMessage(undefined);
}

/** Lets the event loop turn once: timers, input and output of others run. */
export function nextMacrotask(): Promise<void> {
  return new Promise((resolve) => runNextTurn(resolve));
}

/** Called between pieces of long work: lets the event loop turn when all work of this turn together has lasted long enough. */
export type Pause = () => Promise<void> | undefined;

/** How long work is cut up. */
export interface TimeSliceOptions extends CancelOptions {
  /** How long the work of one turn may last before this work waits, in milliseconds. Default: 8. */
  readonly sliceMs?: number | undefined;
}

const defaultSliceMs = 8;

/** When work of the library began in this turn of the event loop; `undefined` before it has. All calls of the process share it. */
let turnStarted: number | undefined;

/** Who waits for a turn, in the order of their coming. */
const waiting: (() => void)[] = [];

/**
 * Makes a {@link Pause}; a pause in which the signal has fired rejects with its reason, which ends the work.
 *
 * Turns are shared: however many calls work at the same time, one turn of the loop holds about one slice of work. Those that must wait go on
 * in the order of their coming, in each turn as many as its slice has time for.
 */
export function timeSlice({ sliceMs = defaultSliceMs, signal }: TimeSliceOptions = {}): Pause {
  return () => {
    const now = performance.now();
    if (turnStarted === undefined) beginTurn(now);
    else if (now - turnStarted >= sliceMs) return nextSlice(signal);
    return undefined;
  };
}

/** Waits until all who wait by now have gone on; `undefined` when nobody does. For work that is worth more the more calls it serves. */
export function afterOthers(): Promise<void> | undefined {
  return waiting.length === 0 ? undefined : nextSlice(undefined);
}

async function nextSlice(signal: AbortSignal | undefined): Promise<void> {
  await new Promise<void>((resolve) => waiting.push(resolve));
  // Behind the work of this one, which goes on once this promise has settled, another one may use what is left of the slice.
  queueMicrotask(() => queueMicrotask(useRestOfTurn));
  signal?.throwIfAborted();
}

function useRestOfTurn(): void {
  const isLeft = turnStarted !== undefined && performance.now() - turnStarted < defaultSliceMs;
  if (isLeft) waiting.shift()?.();
}

function beginTurn(now: number): void {
  turnStarted = now;
  runNextTurn(endTurn);
}

function endTurn(): void {
  turnStarted = undefined;
  if (waiting.length === 0) return;
  beginTurn(performance.now());
  waiting.shift()?.();
}

/**
 * Runs something later without keeping the process alive for it.
 *
 * @param ms - Milliseconds.
 * @returns what calls it off.
 */
export function runLater(ms: number, run: () => void): () => void {
  const timer: unknown = setTimeout(run, ms);
  if (typeof timer === "object" && timer !== null && "unref" in timer) (timer as { unref(): void }).unref();
  return () => clearTimeout(timer as Parameters<typeof clearTimeout>[0]);
}
