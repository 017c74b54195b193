import { throwIfAborted } from "../base/abort.ts";
import { type Clock, nextMacrotask } from "../base/clock.ts";

/** A clock that stands still until it is told otherwise. */
export interface FixedClock extends Clock {
  /**
   * Moves the time on and wakes who sleeps, earliest first, each with the time that it slept until; what they do next has begun before the
   * promise resolves.
   *
   * @param ms - Milliseconds, 0 or more.
   */
  advance(ms: number): Promise<void>;
  /** Sets the time without waking anybody; back too. A number of milliseconds since 1970, or an RFC 3339 time. */
  set(now: number | string): void;
}

/**
 * Makes a clock that stands still: `now` gives the same until `advance` or `set`.
 *
 * @param start - Milliseconds since 1970, or an RFC 3339 time. Default: 2024-01-01T00:00:00Z.
 */
export function fixedClock(start: number | string = "2024-01-01T00:00:00Z"): FixedClock {
  let now = millisecondsOf(start);
  const sleepers = new Set<{ readonly until: number; readonly wake: () => void }>();
  const wakeNext = async (end: number): Promise<boolean> => {
    const due = [...sleepers].filter(({ until }) => until <= end);
    const [first] = due.sort((a, b) => a.until - b.until);
    if (first === undefined) return false;
    now = Math.max(now, first.until);
    first.wake();
    await nextMacrotask();
    return true;
  };
  return {
    now: () => now,
    sleep: async (ms, options) => {
      throwIfAborted(options);
      const signal = options?.signal;
      await new Promise<void>((resolve, reject) => {
        const sleeper = { until: now + ms, wake: () => end(resolve) };
        const stop = () => end(() => reject(signal?.reason as Error));
        const end = (settle: () => void) => {
          sleepers.delete(sleeper);
          signal?.removeEventListener("abort", stop);
          settle();
        };
        sleepers.add(sleeper);
        signal?.addEventListener("abort", stop);
      });
    },
    advance: async (ms) => {
      const end = now + ms;
      while (await wakeNext(end));
      now = end;
      await nextMacrotask();
    },
    set: (time) => {
      now = millisecondsOf(time);
    },
  };
}

function millisecondsOf(time: number | string): number {
  const milliseconds = typeof time === "number" ? time : Date.parse(time);
  if (!Number.isFinite(milliseconds)) throw new RangeError(`${JSON.stringify(time)} is no time.`);
  return milliseconds;
}
