import { type CancelOptions, type Clock, randomIds } from "../base/clock.ts";

const firstWait = 16;
const longestWait = 512;

/**
 * Waits after a lost race, so that writers of one file who keep meeting come apart: not at all the first time, then twice as long each time, and
 * never two of them equally long.
 *
 * @param lost - Races that the call has lost before this one.
 * @throws The signal's reason, once it fires.
 */
export async function waitForNextTry(lost: number, clock: Clock, options: CancelOptions): Promise<void> {
  if (lost === 0) return;
  const longest = Math.min(longestWait, firstWait * 2 ** (lost - 1));
  const jitter = Number.parseInt(randomIds("corr").slice(-4), 16) / 0x1_0000;
  await clock.sleep((longest * (1 + jitter)) / 2, { signal: options.signal });
}
