import { type Clock, Workspace } from "holdfast";
import { expect, test } from "vitest";
import { DirectoryAdapter } from "../../src/storage/directory/directory-adapter.ts";
import type { FileSystem } from "../../src/storage/directory/file-system.ts";
import { nodeFileSystem } from "../../src/storage/directory/node-file-system.ts";
import { simulatedHost } from "../support/crashing-host.ts";
import { leftovers, readTree, writeTree } from "../support/directory-tree.ts";
import { refusalOf } from "../support/refusal.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

/** A clock that only waits move on. */
function waitingClock(): { readonly clock: Clock; readonly waits: number[] } {
  const waits: number[] = [];
  let now = 1_700_000_000_000;
  const sleep = async (ms: number) => {
    waits.push(ms);
    now += ms;
  };
  return { clock: { now: () => now, sleep }, waits };
}

/** A Windows on which somebody holds `target.txt` open: renames onto it are refused so many times. */
function heldTarget(times: number, code: string): Partial<FileSystem> {
  let left = times;
  const rename: FileSystem["rename"] = (from, to) => {
    if (to.endsWith("/target.txt") && left-- > 0)
      throw Object.assign(new Error(`${code}: somebody holds it`), { code });
    nodeFileSystem.rename(from, to);
  };
  return { isWindows: true, rename };
}

async function openBusy(root: string, inner: Partial<FileSystem>, clock: Clock): Promise<Workspace> {
  const host = simulatedHost({ ...nodeFileSystem, ...inner });
  return await Workspace.open(new DirectoryAdapter(host, { root }), { clock });
}

const changes = (["target.txt", "other.txt"] as const).map(
  (path) =>
    ({ action: "edit", path, edits: [{ op: "replace_text", oldText: "old", newText: "new" }] }) as const,
);

test.each(["EPERM", "EACCES", "EBUSY"])(
  "#122 and #125 a target that a scanner holds for a moment (%s) is replaced after growing waits on the given clock",
  async (code) => {
    const folder = temporaryFolder("quick");
    writeTree(folder.path, { "target.txt": "old\n", "other.txt": "old\n" });
    const { clock, waits } = waitingClock();
    const workspace = await openBusy(folder.path, heldTarget(5, code), clock);
    await workspace.apply(changes);
    expect(waits).toHaveLength(5);
    for (const [index, ms] of waits.entries()) expect(ms).toBeGreaterThan(waits[index - 1] ?? 0);
    await workspace.close();
    expect(readTree(folder.path)).toEqual({ "target.txt": "644 new\n", "other.txt": "644 new\n" });
    folder.remove();
  },
);

test("#122 and #124 a target that stays in use is given up after a bounded time, and all is as before", async () => {
  const folder = temporaryFolder("quick");
  writeTree(folder.path, { "target.txt": "old\n", "other.txt": "old\n" });
  const { clock, waits } = waitingClock();
  const workspace = await openBusy(folder.path, heldTarget(Number.POSITIVE_INFINITY, "EBUSY"), clock);
  const error = await refusalOf(workspace.apply(changes));
  expect(error).toMatchObject({ code: "TARGET_BUSY", written: "no" });
  const waited = waits.reduce((sum, ms) => sum + ms, 0);
  expect(waited).toBeGreaterThanOrEqual(5000);
  expect(waited).toBeLessThan(11_000);
  await workspace.close();
  expect(readTree(folder.path)).toEqual({ "target.txt": "644 old\n", "other.txt": "644 old\n" });
  expect(leftovers(folder.path)).toEqual([]);
  folder.remove();
});
