// Takes generated pairs of texts through the installed `git apply`: `npm run test:deep:diffs -- --pairs 20000 --seed 7`.
import { parseArgs } from "node:util";
import { runGitCampaign } from "../test/support/diffs/git-campaign.ts";

const { values } = parseArgs({
  options: {
    pairs: { type: "string", default: "20000" },
    seed: { type: "string", default: String(Date.now() % 1_000_000_000) },
  },
});
const [pairs, seed] = [Number(values.pairs), Number(values.seed)];
const step = 2000;
let [done, hunks, latin1] = [0, 0, 0];
const failures: string[] = [];
process.stdout.write(`seed ${seed}\n   pairs    hunks  8-bit  failures\n`);
while (done < pairs) {
  const result = runGitCampaign(Math.min(step, pairs - done), seed + done);
  done += result.pairs;
  hunks += result.hunks;
  latin1 += result.latin1;
  failures.push(...result.failures);
  const row = [
    String(done).padStart(8),
    String(hunks).padStart(8),
    String(latin1).padStart(6),
    String(failures.length).padStart(9),
  ];
  process.stdout.write(`${row.join(" ")}\n`);
}
for (const failure of failures.slice(0, 10)) process.stdout.write(`${failure.slice(0, 600)}\n`);
process.exitCode = failures.length === 0 ? 0 : 1;
