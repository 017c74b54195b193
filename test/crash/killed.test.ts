import * as fs from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { nodeHost } from "../../src/storage/directory/directory-host.ts";
import { checkAfterCrash } from "../support/check-after-crash.ts";
import { readTree, writeTree } from "../support/directory-tree.ts";
import { before } from "../support/mixed-commit.ts";
import { startChild } from "../support/run-child.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

/** Runs one commit in a process that kills itself at a call; 0: at none. */
async function commitKilledAt(
  point: number,
): Promise<{ readonly side: "old" | "new"; readonly calls: number | undefined }> {
  const folder = temporaryFolder("quick");
  const root = join(folder.path, "root");
  const report = join(folder.path, "calls");
  try {
    fs.mkdirSync(root);
    writeTree(root, before);
    const old = readTree(root);
    const end = await startChild("commit-until-killed", [root, String(point), report]).ended;
    const calls = fs.existsSync(report) ? Number(fs.readFileSync(report, "utf8")) : undefined;
    if (calls === undefined) expect(end, end.stderr).toMatchObject({ signal: "SIGKILL" });
    const side = await checkAfterCrash({ ...nodeHost(), idleMs: undefined }, root, old);
    return { side, calls };
  } finally {
    folder.remove();
  }
}

test("a process killed at any file-system call of a commit leaves all of it or nothing, and no lock", async () => {
  process.umask(0o022);
  const { calls = 0, side } = await commitKilledAt(0);
  expect(side).toBe("new");
  const seen = { old: 0, new: 0 };
  const points = Array.from({ length: calls }, (_, index) => index + 1);
  const worker = async () => {
    for (let point = points.shift(); point !== undefined; point = points.shift())
      seen[(await commitKilledAt(point)).side] += 1;
  };
  await Promise.all([worker(), worker()]);
  expect(seen.old + seen.new).toBe(calls);
  expect(seen.old).toBeGreaterThan(100);
  expect(seen.new).toBeGreaterThan(20);
}, 240_000);
