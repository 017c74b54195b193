import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { openDirectory } from "holdfast/node";

const count = 400;
const root = await mkdtemp(join(tmpdir(), "crash-recovery-"));
const paths = Array.from({ length: count }, (_, index) => `file-${index}.txt`);
for (const path of paths) await writeFile(join(root, path), `${path}: old\n`);

// The writer is killed as soon as the first file is seen to be new, while others are still old.
const writer = fileURLToPath(new URL("./writer.ts", import.meta.url));
const child = spawn(process.execPath, ["--import", "tsx", writer, root, String(count)], { stdio: "inherit" });
await killWhen(child, () => paths.slice(0, 20).some((path) => isNew(path)));
const torn = await countNew();
console.log(`Killed: ${torn} of ${count} files are new.`);

// Opening again finishes what the writer had promised: every file is new.
const workspace = await openDirectory(root);
const { recovery } = await workspace.info();
console.log(
  `Opened again: ${await countNew()} of ${count} files are new; finished ${recovery.rolledForward}.`,
);
assert.equal(await countNew(), count);

// The writer's own key tells that its call took effect, so that nobody makes it again.
const outcome = await workspace.outcome("rename-everything");
assert.ok(outcome.known);
assert.equal(outcome.result.files.length, count);

await workspace.close();
await rm(root, { recursive: true });

function isNew(path: string): boolean {
  return readFileSync(join(root, path), "utf8").includes("new");
}

async function countNew(): Promise<number> {
  const texts = await Promise.all(paths.map((path) => readFile(join(root, path), "utf8")));
  return texts.filter((text) => text.includes("new")).length;
}

async function killWhen(process: ChildProcess, isTime: () => boolean): Promise<void> {
  const exited = once(process, "exit");
  while (process.exitCode === null && !isTime()) await setImmediate();
  process.kill("SIGKILL");
  await exited;
}
