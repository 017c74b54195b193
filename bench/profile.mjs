import { Session } from "node:inspector/promises";

let session;
const self = new Map();
let runs = 0;

/** Starts profiling: from now on `profiled` counts where its runs spend the time of the main thread. */
export async function startProfiling() {
  session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.setSamplingInterval", { interval: 100 });
}

/** Runs, and counts the samples that were taken meanwhile. */
export async function profiled(run) {
  if (session === undefined) return await run();
  await session.post("Profiler.start");
  await run();
  const { profile } = await session.post("Profiler.stop");
  runs += 1;
  const nodes = new Map(profile.nodes.map((node) => [node.id, node.callFrame]));
  profile.samples.forEach((id, index) => {
    const { functionName, url, lineNumber } = nodes.get(id);
    const name = `${functionName || "(anonymous)"} ${url.split("/").at(-1)}:${lineNumber + 1}`;
    self.set(name, (self.get(name) ?? 0) + profile.timeDeltas[index] / 1000);
  });
}

/** The functions that took the longest themselves, in milliseconds a run. */
export function profileTable(count = 40) {
  const top = [...self].sort(([, a], [, b]) => b - a).slice(0, count);
  return top.map(([name, total]) => `${(total / runs).toFixed(3).padStart(9)} ms  ${name}`).join("\n");
}
