import { execFileSync } from "node:child_process";
import { setTimeout } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { profiled } from "./profile.mjs";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc");

/** What a side does behind its answer must not count for the other: each gets that long to end it, in milliseconds. */
const quietMs = 150;

/** Empties what the last side left to others: work behind its answer, dirty pages and garbage. */
export async function settle() {
  await setTimeout(quietMs);
  execFileSync("sync");
  // A full collection would also take the compiled code whose temporary objects are all gone, and each round would time the compiler.
  collectGarbage({ type: "minor" });
}

export function median(values) {
  return quantile(values, 0.5);
}

function quantile(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (sorted.length - 1) * share;
  const low = sorted[Math.floor(at)];
  return low + (sorted[Math.ceil(at)] - low) * (at - Math.floor(at));
}

/** Times one side: `side(round)` prepares untimed and returns what is timed. */
async function timed(side, round) {
  const run = await side(round);
  await settle();
  let elapsed = 0;
  await profiled(async () => {
    const start = performance.now();
    await run();
    elapsed = performance.now() - start;
  });
  return elapsed;
}

/**
 * Times two sides in interleaved pairs, each side first in every second pair.
 *
 * Rounds 0 and 1 warm up, and `verify(round)` must not throw after each of them: it compares the bytes that the
 * sides have left. It runs once more after the last round, so that no side got away with less work.
 */
export async function pairs({ rounds, ours, peer, verify, only }) {
  const times = { ours: [], peer: [] };
  const sides = { ours, peer };
  const names = only === undefined ? ["ours", "peer"] : [only];
  for (let round = 0; round < rounds + 2; round++) {
    const order = round % 2 === 0 ? names : [...names].reverse();
    for (const name of order) {
      const elapsed = await timed(sides[name], round);
      if (round >= 2) times[name].push(elapsed);
    }
    if (only === undefined && (round < 2 || round === rounds + 1)) await verify(round);
  }
  return summary(times, rounds);
}

function summary({ ours, peer }, rounds) {
  const one = (values) =>
    values.length === 0
      ? {}
      : { median: median(values), low: quantile(values, 0.25), high: quantile(values, 0.75) };
  const ratios = ours.flatMap((value, index) => (peer[index] === undefined ? [] : [value / peer[index]]));
  const both = ratios.length > 0;
  return {
    rounds,
    ours: one(ours),
    peer: one(peer),
    ...(both ? { ratio: median(ours) / median(peer), ratioOfPairs: one(ratios) } : {}),
  };
}
