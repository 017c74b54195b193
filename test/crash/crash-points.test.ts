import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { countingFileSystem, simulatedHost } from "../support/crashing-host.ts";
import { leftovers, readTree, writeTree } from "../support/directory-tree.ts";
import { makeBatch, openAdapter, type Wanted } from "../support/tree-batch.ts";

const roots: string[] = [];
afterAll(() => roots.forEach((root) => fs.rmSync(root, { recursive: true, force: true })));

function newRoot(): string {
  const root = fs.mkdtempSync(join(tmpdir(), "holdfast-crash-"));
  roots.push(root);
  return root;
}

const large = "large ".repeat(50_000);

const before: Parameters<typeof writeTree>[1] = {
  "replace.txt": "old\n",
  "private.txt": { text: "old secret\n", mode: 0o600 },
  "delete.txt": "gone soon\n",
  "folder/emptied/last.txt": "last\n",
  "move/from.txt": { text: "moved\n", mode: 0o755 },
  "script.sh": "#!/bin/sh\n",
  "file-to-folder": "file\n",
  "folder-to-file/a.txt": "a\n",
  "untouched/é.txt": "stays\n",
};

const wanted: Wanted = {
  "create.txt": "new\n",
  "made/deep/create.txt": "new too\n",
  "replace.txt": "new\n",
  "private.txt": "new secret\n",
  "delete.txt": null,
  "folder/emptied/last.txt": null,
  "move/from.txt": null,
  "move/to/here.txt": { from: "move/from.txt", executable: true },
  "script.sh": { text: "#!/bin/sh\n", executable: true },
  "file-to-folder": null,
  "file-to-folder/inside.txt": "inside\n",
  "folder-to-file/a.txt": null,
  "folder-to-file": "now a file\n",
  "large.bin": large,
};

const afterwards: Record<string, string> = {
  "create.txt": "644 new\n",
  "made/deep/create.txt": "644 new too\n",
  "replace.txt": "644 new\n",
  "private.txt": "600 new secret\n",
  "move/to/here.txt": "755 moved\n",
  "script.sh": "755 #!/bin/sh\n",
  "file-to-folder/inside.txt": "644 inside\n",
  "folder-to-file": "644 now a file\n",
  "large.bin": `644 ${large}`,
};

/** What each scenario does before the commit in question. */
const scenarios = {
  "on files of other programs": async (root: string) => writeTree(root, before),
  "on files of an earlier commit that is not sealed": async (root: string) => {
    writeTree(root, before);
    const { storage } = await openAdapter(simulatedHost(countingFileSystem().fileSystem), root);
    const texts = Object.entries(before).map(([path, content]) => [path, { text: `${typeof content === "string" ? content : content.text}`, executable: path === "move/from.txt" }]);
    const outcomes = await storage.commit([await makeBatch(storage, Object.fromEntries(texts))], { flush: true });
    expect(outcomes[0]?.committed).toBe(true);
  },
};

async function checkAfter(root: string, old: Record<string, string>, fresh: Record<string, string>): Promise<"old" | "new"> {
  const { storage, report } = await openAdapter(simulatedHost(countingFileSystem().fileSystem), root);
  expect(report.conflicts).toEqual([]);
  const tree = readTree(root);
  const isNew = tree["create.txt"] !== undefined;
  expect(tree).toEqual(isNew ? fresh : old);
  expect(leftovers(root)).toEqual([]);
  const next = await storage.commit([await makeBatch(storage, { "after.txt": "works\n" })], { flush: true });
  expect(next[0]?.committed).toBe(true);
  await storage.close();
  expect(fs.readdirSync(join(root, ".holdfast", "pre"))).toEqual([]);
  return isNew ? "new" : "old";
}

describe.each(Object.entries(scenarios))("A commit %s", (_name, prepare) => {
  test("is whole or absent after the process ends at any call of it, and after a second end in the recovery", async () => {
    process.umask(0o022);
    const seen = { old: 0, new: 0 };
    let total = Number.POSITIVE_INFINITY;
    for (let point = 1; point <= total; point++) {
      const root = newRoot();
      await prepare(root);
      const old = readTree(root);
      const fresh = { "untouched/é.txt": old["untouched/é.txt"] ?? "", ...afterwards };
      const counting = countingFileSystem();
      const { storage } = await openAdapter(simulatedHost(counting.fileSystem), root);
      const batch = await makeBatch(storage, wanted);
      counting.arm({ crashAt: point });
      const outcome = await storage.commit([batch], { flush: true }).then(([first]) => first, () => undefined);
      if (!counting.hasCrashed()) {
        total = counting.calls();
        expect(outcome?.committed).toBe(true);
      }
      // A second end, at a point of the recovery that differs from run to run but not from test to test.
      const second = countingFileSystem();
      second.arm({ crashAt: 1 + ((point * 7) % 60) });
      await openAdapter(simulatedHost(second.fileSystem), root).catch(() => undefined);
      const side = await checkAfter(root, old, fresh);
      seen[side] += 1;
      if (outcome?.committed === true) expect(side).toBe("new");
      fs.rmSync(root, { recursive: true, force: true });
    }
    expect(seen.old).toBeGreaterThan(20);
    expect(seen.new).toBeGreaterThan(5);
  }, 120_000);
});
