import * as fs from "node:fs";
import { join } from "node:path";
import { openDirectory } from "holdfast/node";
import { expect, test } from "vitest";
import { startChild } from "../support/run-child.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const workers = 4;
const keysEach = 250;

/** Runs one worker to its end, killing its process at given numbers of answers and starting it again at the key without an answer. */
async function runWorker(root: string, name: string, killAfter: readonly number[]): Promise<{ readonly killedHoldingLock: number }> {
  const kills = [...killAfter];
  let next = 0;
  let killedHoldingLock = 0;
  for (;;) {
    const child = startChild("count-up", [root, name, String(next), String(keysEach)]);
    const killAt = kills[0];
    child.onLine((line) => {
      next = Number(line) + 1;
      if (killAt !== undefined && next >= killAt) child.kill();
    });
    const end = await child.ended;
    if (end.code === 0) return { killedHoldingLock };
    expect(end, end.stderr).toMatchObject({ signal: "SIGKILL" });
    kills.shift();
    const lock = fs.readdirSync(join(root, ".holdfast", "lock")).map((name) => fs.readFileSync(join(root, ".holdfast", "lock", name), "utf8"));
    if (lock.some((text) => text.startsWith("H ") && text.includes(`"pid":${child.pid},`))) killedHoldingLock += 1;
  }
}

test("a counter that four processes count up, some killed while they hold the lock, ends at the number of keys", async () => {
  const folder = temporaryFolder("quick");
  try {
    const killPlan = Array.from({ length: workers }, (_, worker) => Array.from({ length: 12 }, (_, kill) => 15 + kill * 18 + worker * 4));
    const ends = await Promise.all(killPlan.map((kills, worker) => runWorker(folder.path, `worker-${worker}`, kills)));
    const workspace = await openDirectory(folder.path);
    expect((await workspace.read("counter.txt")).text).toBe(String(workers * keysEach));
    for (let worker = 0; worker < workers; worker++) expect(await workspace.outcome(`worker-${worker}-0`)).toMatchObject({ known: true });
    await workspace.close();
    expect(ends.reduce((sum, { killedHoldingLock }) => sum + killedHoldingLock, 0)).toBeGreaterThan(0);
  } finally {
    folder.remove();
  }
}, 240_000);
