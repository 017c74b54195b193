import { mkdirSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { profileTable, startProfiling } from "./profile.mjs";

const { values } = parseArgs({
  options: {
    file: { type: "string" },
    rows: { type: "string" },
    folder: { type: "string" },
    dist: { type: "string" },
    only: { type: "string" },
    profile: { type: "boolean", default: false },
    quick: { type: "boolean", default: false },
  },
});
const wanted = values.rows.split(",").map(Number);
const folder = resolve(values.folder, `${values.file}-${process.pid}`);
mkdirSync(folder, { recursive: true });
try {
  const { run } = await import(`./rows/${values.file}.mjs`);
  const library = (entry) => import(pathToFileURL(join(resolve(values.dist), `${entry}.js`)).href);
  if (values.profile) await startProfiling();
  const results = await run({
    folder,
    library,
    dist: resolve(values.dist),
    quick: values.quick,
    only: values.only,
    wanted,
  });
  if (values.profile) console.error(profileTable());
  if (process.send === undefined) console.log(JSON.stringify(results, null, 2));
  else process.send(results);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
