import { setTimeout } from "node:timers/promises";

/**
 * Runs something and watches the event loop meanwhile: how long the longest turn took, and how far the memory of
 * the process rose. Turns follow each other without a pause, so no timer's grain is in the figure.
 * It goes on for half a second after the answer, because work that is put off blocks other callers as well.
 */
export async function watchLoop(run) {
  let longest = 0;
  let peakBytes = 0;
  let watching = true;
  let last = performance.now();
  const look = () => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    peakBytes = Math.max(peakBytes, process.memoryUsage.rss());
    if (!watching) return;
    last = performance.now();
    setImmediate(look);
  };
  setImmediate(look);
  await new Promise(setImmediate);
  last = performance.now();
  const start = last;
  await run();
  const elapsed = performance.now() - start;
  await setTimeout(500);
  watching = false;
  await new Promise(setImmediate);
  return { longest, peakBytes, elapsed };
}
