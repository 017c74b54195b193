// Merges many generated trees here and with git, and prints where the two differ: `npx tsx scripts/merge-against-git.ts --count 2000 --seed 7`.
import { parseArgs } from "node:util";
import { compareWithGit, tableOf } from "../test/support/merge/compare-with-git.ts";

const { values } = parseArgs({
  options: {
    count: { type: "string", default: "2000" },
    seed: { type: "string", default: String(Date.now() % 1_000_000_000) },
  },
});
const comparison = compareWithGit(Number(values.seed), Number(values.count));
const unknown = comparison.differences.filter(({ why }) => why === "not known");
process.stdout.write(`${values.count} trees from seed ${values.seed}\n${tableOf(comparison)}\n`);
for (const { seed, what } of unknown) process.stdout.write(`not known: seed ${seed}: ${what}\n`);
if (unknown.length > 0) process.exitCode = 1;
