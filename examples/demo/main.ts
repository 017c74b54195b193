import { rm } from "node:fs/promises";
import { allOrNothing } from "./all-or-nothing.ts";
import { byteFidelity } from "./byte-fidelity.ts";
import { contained } from "./contained.ts";
import { costOfChange } from "./cost-of-change.ts";
import { exactlyOnce } from "./exactly-once.ts";
import { printMatrix, printRow, printTitle, type Row, type Trial } from "./matrix.ts";
import { noLostUpdate } from "./no-lost-update.ts";
import { nothingThrownAway } from "./nothing-thrown-away.ts";
import { saysWhatHappened } from "./says-what-happened.ts";
import { copyPackage, readTree } from "./trees.ts";

const trials: readonly Trial[] = [
  { id: "P1", title: "No lost update: newer bytes are never written over", run: noLostUpdate },
  { id: "P2", title: "All or nothing: also after an error or a kill", run: allOrNothing },
  { id: "P3", title: "Exactly once: a key makes a call safe to repeat", run: exactlyOnce },
  { id: "P4", title: "Byte fidelity: what is not edited stays as it is", run: byteFidelity },
  { id: "P5", title: "Nothing is thrown away: not ours, not anybody's", run: nothingThrownAway },
  { id: "P6", title: "Contained: nothing outside the root is reached", run: contained },
  { id: "P7", title: "Cost follows the change: not the size of the tree", run: costOfChange },
  { id: "P8", title: "Says what happened: every fault, and what to do", run: saysWhatHappened },
];

const started = performance.now();
const root = await copyPackage("zod");
const results: { readonly trial: Trial; readonly rows: readonly Row[] }[] = [];
try {
  console.log(
    `Promises of holdfast, tried on a copy of the package zod (${(await readTree(root)).size} files).`,
  );
  for (const trial of trials) {
    printTitle(trial);
    const rows: Row[] = [];
    for await (const row of trial.run(root)) {
      printRow(row);
      rows.push(row);
    }
    results.push({ trial, rows });
  }
} finally {
  await rm(root, { recursive: true, force: true });
}
const allHold = printMatrix(results);
console.log(`    ${((performance.now() - started) / 1000).toFixed(0)} s.`);
if (!allHold) process.exitCode = 1;
