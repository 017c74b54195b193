// Merges generated texts with this library and with `git merge-file` and prints how the two differ: `npm run test:deep:merges -- --cases 2000 --seed 7`. Needs `--import tsx`.
import { parseArgs } from "node:util";
import { findFaults, formatTallies, tallyMerges } from "../test/support/merging/merge-tally.ts";

const { values } = parseArgs({
  options: {
    cases: { type: "string", default: "2000" },
    seed: { type: "string", default: String(Date.now() % 1_000_000_000) },
  },
});
const seed = Number(values.seed);
process.stdout.write(`seed ${seed}, ${values.cases} cases of each kind\n`);
const tallies = await tallyMerges(seed, Number(values.cases));
process.stdout.write(`${formatTallies(tallies)}\n`);
const faults = findFaults(tallies);
for (const fault of faults) process.stdout.write(`${fault}\n`);
if (faults.length > 0) process.exitCode = 1;
