// Damages many patches and applies them: `npm run test:deep:patches -- --count 200000 --seed 7`. Stops at the first that is not answered as it must be.
import { parseArgs } from "node:util";
import { fuzzPatches } from "../test/support/patch/fuzz-patches.ts";

const { values } = parseArgs({
  options: {
    count: { type: "string", default: "50000" },
    seed: { type: "string", default: String(Date.now() % 1_000_000_000) },
  },
});
const outcomes = await fuzzPatches(Number(values.seed), Number(values.count));
const rows = [...outcomes]
  .sort(([, a], [, b]) => b - a)
  .map(([what, times]) => `${String(times).padStart(8)}  ${what}`);
process.stdout.write(`${values.count} damaged patches from seed ${values.seed}\n${rows.join("\n")}\n`);
