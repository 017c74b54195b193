import * as fs from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { checkAfterCrash } from "../support/check-after-crash.ts";
import { crashKinds } from "../support/crash-kinds.ts";
import { countingFileSystem, simulatedHost } from "../support/crashing-host.ts";
import { readTree } from "../support/directory-tree.ts";
import { scenarios, wanted } from "../support/mixed-commit.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { makeBatch, openAdapter } from "../support/tree-batch.ts";

/** Without hard links a process can leave a lock that says nothing; it counts for nothing ten seconds later. */
function ageEmptyLocks(root: string): void {
  const folder = join(root, ".holdfast", "lock");
  for (const name of fs.readdirSync(folder)) {
    const earlier = Date.now() / 1000 - 11;
    if (fs.statSync(join(folder, name)).size === 0) fs.utimesSync(join(folder, name), earlier, earlier);
  }
}

const runs = crashKinds.flatMap(({ name, fileSystem, stride }) =>
  Object.entries(scenarios).map(([scenario, prepare]) => ({ scenario, name, prepare, fileSystem, stride })),
);

describe.each(runs)("A commit $scenario, on $name", ({ prepare, fileSystem, stride }) => {
  test("is whole or absent after the process ends at any call of it, and after a second end in the recovery", async () => {
    process.umask(0o022);
    const seen = { old: 0, new: 0 };
    let total = Number.POSITIVE_INFINITY;
    for (let point = 1; point <= total; point += stride) {
      const { path: root, remove } = temporaryFolder("quick");
      await prepare(root, fileSystem());
      const old = readTree(root);
      const counting = countingFileSystem(fileSystem());
      const { storage } = await openAdapter(simulatedHost(counting.fileSystem), root);
      const batch = await makeBatch(storage, wanted);
      counting.arm({ crashAt: point });
      const outcome = await storage.commit([batch], { flush: true }).then(
        ([first]) => first,
        () => undefined,
      );
      if (!counting.hasCrashed()) {
        total = counting.calls();
        expect(outcome?.committed).toBe(true);
      }
      ageEmptyLocks(root);
      // A second end, at a point of the recovery that differs from run to run but not from test to test.
      const second = countingFileSystem(fileSystem());
      second.arm({ crashAt: 1 + ((point * 7) % 60) });
      await openAdapter(simulatedHost(second.fileSystem), root).catch(() => undefined);
      ageEmptyLocks(root);
      const side = await checkAfterCrash(
        simulatedHost(countingFileSystem(fileSystem()).fileSystem),
        root,
        old,
      );
      seen[side] += 1;
      if (outcome?.committed === true) expect(side).toBe("new");
      remove();
    }
    expect(seen.old).toBeGreaterThan(20 / stride);
    expect(seen.new).toBeGreaterThan(5 / stride);
  }, 120_000);
});
