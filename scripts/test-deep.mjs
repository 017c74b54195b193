// Runs the power-loss campaign far beyond what the tests take: `npm run test:deep -- --states 2000000 --seed 7`. Needs `--import tsx`.
import { fork } from "node:child_process";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { findFlushSites, lossWithout } from "../test/support/simulated-disk/flush-sites.ts";
import { runPower, showViolations } from "../test/support/simulated-disk/power-runs.ts";

const { values } = parseArgs({
  options: {
    states: { type: "string", default: "1100000" },
    minutes: { type: "string", default: "60" },
    seed: { type: "string", default: String(Date.now() % 1_000_000_000) },
    mutants: { type: "string", default: "30000" },
  },
});
const seed = Number(values.seed);
const milliseconds = Number(values.minutes) * 60_000;

const usual = { exhaustiveUpTo: 2, samples: 6, everyMoment: 3, everySecond: 5 };
const second = 1_000_000_000n;

/** Campaigns, and which share of the states each looks at. */
const modes = [
  {
    name: "every plan of up to three operations, alone and after an unsealed commit",
    kind: "cuts",
    share: 0.2,
    ...usual,
    everyMoment: 16,
    shapes: ["alone", "earlier"],
    once: true,
  },
  {
    name: "power cuts, all subsets of up to 12 changes",
    kind: "cuts",
    share: 0.2,
    exhaustiveUpTo: 12,
    samples: 40,
    everyMoment: 8,
    everySecond: 40,
  },
  { name: "power cuts, random plans", kind: "cuts", share: 0.2, ...usual },
  {
    name: "random kills, and power cuts in the recovery",
    kind: "cuts",
    share: 0.1,
    ...usual,
    everySecond: 2,
    killsOnly: true,
  },
  { name: "times of files one second apart", kind: "cuts", share: 0.05, ...usual, granularityNs: second },
  {
    name: "times of files two seconds apart",
    kind: "cuts",
    share: 0.05,
    ...usual,
    granularityNs: 2n * second,
  },
  {
    name: "live failures",
    kind: "failures",
    share: 0.1,
    exhaustiveUpTo: 0,
    samples: 3,
    everyMoment: 2,
    everySecond: 8,
  },
  { name: "foreign edits", kind: "edits", share: 0.05, ...usual, everyMoment: 2, everySecond: 1 },
  {
    name: "power cuts while the log tells of contents that it does not hold",
    kind: "cuts",
    share: 0.05,
    ...usual,
    largeOneIn: 1,
    only: /^write .*\.log$/,
  },
];

const workerCount = Math.max(1, Math.min(availableParallelism(), 8));

function print(line) {
  process.stdout.write(`${line}\n`);
}

/** Runs one mode on all processors and adds up what they saw. */
async function runMode(number) {
  const parts = await Promise.all(
    Array.from({ length: workerCount }, (_, worker) => inWorker({ mode: number, worker })),
  );
  const sum = (of) => parts.reduce((total, part) => total + of(part), 0);
  return {
    states: sum(({ states }) => states),
    secondCrashes: sum(({ secondCrashes }) => secondCrashes),
    liveFailures: sum(({ liveFailures }) => liveFailures),
    foreignEdits: sum(({ foreignEdits }) => foreignEdits),
    violations: parts.flatMap(({ violations }) => violations),
  };
}

/** Gives one task to a process of its own and waits for its answer. */
function inWorker(task) {
  return new Promise((resolve, reject) => {
    const child = fork(fileURLToPath(import.meta.url), process.argv.slice(2), {
      env: { ...process.env, DEEP_TASK: JSON.stringify(task) },
    });
    let answer;
    child.on("message", (message) => {
      answer = message;
    });
    child.on("exit", (code) =>
      answer === undefined ? reject(new Error(`A worker ended with ${code}.`)) : resolve(answer),
    );
  });
}

async function work(task) {
  process.umask(0o022);
  if ("site" in task) {
    const { violations, states } = await lossWithout(task.site, seed, Number(values.mutants));
    return { caught: violations.length > 0, states };
  }
  const { name: _name, kind, share, ...how } = modes[task.mode];
  const states = Math.ceil((Number(values.states) * share) / workerCount);
  return await runPower(kind, {
    ...how,
    seed: seed + 1000 * task.mode + task.worker,
    states,
    milliseconds: milliseconds * share,
  });
}

async function main() {
  print(`seed ${seed}, ${workerCount} processes`);
  let violations = 0;
  for (const [number, { name }] of modes.entries()) {
    const tally = await runMode(number);
    violations += tally.violations.length;
    print(
      `${name}: ${tally.states} states, ${tally.secondCrashes} second crashes, ${tally.liveFailures} live failures, ${tally.foreignEdits} foreign edits, ${tally.violations.length} violations`,
    );
    if (tally.violations.length > 0) print(showViolations(tally.violations));
  }
  const sites = await findFlushSites(seed);
  const missed = [];
  const queue = [...sites];
  const lane = async () => {
    for (let site = queue.shift(); site !== undefined; site = queue.shift())
      if (!(await inWorker({ site })).caught) missed.push(site.name);
  };
  await Promise.all(Array.from({ length: workerCount }, lane));
  print(
    `flushes left out: ${sites.length}, caught ${sites.length - missed.length}${missed.length === 0 ? "" : `, without consequence here: ${missed.join("; ")}`}`,
  );
  if (violations > 0 || missed.length > 0) process.exitCode = 1;
}

const task = process.env.DEEP_TASK;
if (task === undefined) await main();
else {
  const answer = await work(JSON.parse(task));
  process.send?.({
    ...answer,
    ...(Array.isArray(answer.violations) ? { violations: answer.violations.slice(0, 1000) } : {}),
  });
  process.disconnect?.();
}
