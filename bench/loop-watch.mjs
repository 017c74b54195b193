import { readFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";

/** Processor time that this thread has used, in milliseconds; of the whole process where the system does not tell. */
function threadTime() {
  try {
    return Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, "latin1").split(" ")[0]) / 1e6;
  } catch {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  }
}

/**
 * Runs something and watches the event loop meanwhile: how long the longest turn took, how much processor time the
 * one took that used most (other programs make turns longer, not this), and how far the memory of the process rose. Turns follow each other without a pause, so no timer's grain is in the figure.
 * It goes on for half a second after the answer, because work that is put off blocks other callers as well.
 */
export async function watchLoop(run) {
  let longest = 0;
  let longestWork = 0;
  let peakBytes = 0;
  let watching = true;
  let last = performance.now();
  let lastWork = threadTime();
  const look = () => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    longestWork = Math.max(longestWork, threadTime() - lastWork);
    peakBytes = Math.max(peakBytes, process.memoryUsage.rss());
    if (!watching) return;
    last = performance.now();
    lastWork = threadTime();
    setImmediate(look);
  };
  setImmediate(look);
  await new Promise(setImmediate);
  last = performance.now();
  lastWork = threadTime();
  const start = last;
  await run();
  const elapsed = performance.now() - start;
  await setTimeout(500);
  watching = false;
  await new Promise(setImmediate);
  return { longest, longestWork, peakBytes, elapsed };
}
