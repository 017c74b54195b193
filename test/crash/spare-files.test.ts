import { expect, test } from "vitest";
import { nextMacrotask } from "../../src/base/clock.ts";
import { checkAfterCrash } from "../support/check-after-crash.ts";
import { countingFileSystem, simulatedHost } from "../support/crashing-host.ts";
import { leftovers, readTree } from "../support/directory-tree.ts";
import { scenarios, wanted } from "../support/mixed-commit.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { makeBatch, openAdapter } from "../support/tree-batch.ts";

const prepare = Object.values(scenarios)[0] ?? expect.fail("there is a scenario");
/** Waits until no call comes any more: the files in advance are made. */
async function untilQuiet(calls: () => number): Promise<void> {
  for (let last = -1; last !== calls(); ) {
    last = calls();
    for (let turn = 0; turn < 20; turn++) await nextMacrotask();
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

/** Opens a storage whose first commits have had files made in advance. */
async function openWithSpares(root: string) {
  const counting = countingFileSystem();
  const { storage } = await openAdapter({ ...simulatedHost(counting.fileSystem), spareFiles: 8 }, root);
  const names = ["a", "b", "c", "d", "e"].map((name) => `${name}.txt`);
  for (const text of ["new\n", null]) {
    const batch = await makeBatch(storage, Object.fromEntries(names.map((name) => [name, text])));
    expect(await storage.commit([batch], { flush: true })).toMatchObject([{ committed: true }]);
    await untilQuiet(counting.calls);
  }
  return { counting, storage };
}

test("A commit into files made in advance is whole or absent after the process ends at any call of it, and no such file is left", async () => {
  process.umask(0o022);
  const seen = { old: 0, new: 0 };
  let total = Number.POSITIVE_INFINITY;
  for (let point = 1; point <= total; point++) {
    const { path: root, remove } = temporaryFolder("quick");
    await prepare(root);
    const { counting, storage } = await openWithSpares(root);
    const old = readTree(root);
    const batch = await makeBatch(storage, wanted);
    counting.arm({ crashAt: point });
    const outcome = await storage.commit([batch], { flush: true }).then(
      ([one]) => one,
      () => undefined,
    );
    if (!counting.hasCrashed()) {
      total = counting.calls();
      const made = counting.trace.filter((call) => call.startsWith("create ")).length;
      expect(made).toBeLessThan(batch.putFiles.length - 1);
      expect(outcome?.committed).toBe(true);
      await storage.close();
      expect(leftovers(root)).toEqual([]);
    }
    const side = await checkAfterCrash(simulatedHost(countingFileSystem().fileSystem), root, old);
    seen[side] += 1;
    if (outcome?.committed === true) expect(side).toBe("new");
    remove();
  }
  expect(seen.old).toBeGreaterThan(20);
  expect(seen.new).toBeGreaterThan(5);
}, 120_000);
