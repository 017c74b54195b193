// Runs every examples/<story>/main.ts against the build, by package name; the first line of a failure names the story. The demo has a command of
// its own, `npm run demo`.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const stories = readdirSync(`${root}examples`, { withFileTypes: true })
  .filter(
    (entry) =>
      entry.isDirectory() && entry.name !== "demo" && existsSync(`${root}examples/${entry.name}/main.ts`),
  )
  .map((entry) => entry.name)
  .sort();

if (stories.length === 0) {
  console.error("There is no examples/<story>/main.ts.");
  process.exit(1);
}
if (!existsSync(`${root}dist/index.js`)) {
  console.error("There is no build; run `npm run build` first.");
  process.exit(1);
}

let failures = 0;
for (const story of stories) {
  const run = spawnSync(process.execPath, ["--import", "tsx", `examples/${story}/main.ts`], {
    cwd: root,
    encoding: "utf8",
    timeout: 120_000,
  });
  if (run.status === 0) {
    console.log(`ok ${story}`);
    continue;
  }
  failures += 1;
  console.error(`FAILED ${story} (exit ${run.status ?? run.signal})\n${run.stdout}\n${run.stderr}`);
}
if (failures > 0) process.exitCode = 1;
