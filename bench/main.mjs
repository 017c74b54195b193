import { fork } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { cpus, loadavg, release } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { formatTable, isMet } from "./table.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const top = dirname(here);

/** The rows, and the file of bench/rows that measures them. Each file runs in a process of its own. */
const files = {
  "tree-commit": [1, 2, 3],
  "one-edit": [4, 5],
  "many-callers": [6],
  "tree-size": [7],
  "bundle-size": [8],
  responsiveness: [9],
  "history-size": [10],
  "line-merge": [11],
  "patch-commit": [13],
  revert: [15],
  "tree-merge": [12],
  transaction: [14, 16],
};

const { values } = parseArgs({
  options: {
    rows: { type: "string" },
    quick: { type: "boolean", default: false },
    profile: { type: "boolean", default: false },
    only: { type: "string" },
    folder: { type: "string", default: join(here, "temp") },
    dist: { type: "string", default: join(top, "dist") },
    out: { type: "string", default: join(top, "temp", "bench.json") },
  },
});
const known = Object.values(files).flat();
const wanted = values.rows?.split(",").map(Number) ?? known;
for (const row of wanted)
  if (!known.includes(row)) throw new Error(`There is no row ${row}; there are ${known.join(", ")}.`);
if (values.only !== undefined && !["ours", "peer"].includes(values.only))
  throw new Error("--only takes ours or peer.");
if (!existsSync(join(values.dist, "node.js")))
  throw new Error(`Nothing is built in ${values.dist}; run npm run build.`);

function runFile(file, rows) {
  const options = [
    "--file",
    file,
    "--rows",
    rows.join(","),
    "--folder",
    resolve(values.folder),
    "--dist",
    resolve(values.dist),
  ];
  if (values.quick) options.push("--quick");
  if (values.profile) options.push("--profile");
  if (values.only !== undefined) options.push("--only", values.only);
  return new Promise((done, fail) => {
    let results;
    const child = fork(join(here, "run-row.mjs"), options, {
      stdio: ["ignore", "inherit", "inherit", "ipc"],
    });
    child.on("message", (message) => {
      results = message;
    });
    child.on("error", fail);
    child.on("exit", (code) => {
      if (code === 0 && results !== undefined) done(results);
      else fail(new Error(`${file} ended with ${code} and ${results === undefined ? "no" : "its"} results`));
    });
  });
}

const results = [];
const failures = [];
for (const [file, all] of Object.entries(files)) {
  const rows = all.filter((row) => wanted.includes(row));
  if (rows.length === 0) continue;
  console.error(`row ${rows.join(", ")} …`);
  try {
    results.push(...(await runFile(file, rows)).map((result) => ({ ...result, met: isMet(result) })));
  } catch (error) {
    console.error(error);
    failures.push({ rows, message: String(error) });
  }
}

const machine = {
  node: process.version,
  cpu: cpus()[0]?.model,
  cores: cpus().length,
  kernel: release(),
  load: loadavg(),
};
mkdirSync(dirname(values.out), { recursive: true });
writeFileSync(
  values.out,
  `${JSON.stringify({ quick: values.quick, machine, results, failures }, null, 2)}\n`,
);
console.log(formatTable(results));
console.log(
  `\n${process.version}, ${machine.cores} cores, load ${machine.load[0]?.toFixed(1)}${values.quick ? "; quick: fewer rounds, smaller trees" : ""}. All figures: ${values.out}`,
);
if (failures.length > 0) process.exitCode = 1;
