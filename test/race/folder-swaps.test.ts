import * as fs from "node:fs";
import { join } from "node:path";
import { isHoldfastError, type Workspace } from "holdfast";
import { openDirectory } from "holdfast/node";
import { expect, test } from "vitest";
import { readTree, writeTree } from "../support/directory-tree.ts";
import { collect } from "../support/refusal.ts";
import { startChild } from "../support/run-child.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const swaps = 10_000;
const secret = "secret of the host";

/** What is tried over and over; each meets the folder, the link, or neither. */
const operations: readonly ((on: Workspace, turn: number) => Promise<unknown>)[] = [
  (on) => on.read("folder/file.txt"),
  (on) => on.readBytes("folder/deep/file.txt"),
  (on) => collect(on.list({ under: "folder" })),
  (on) => on.stat("folder/file.txt", { revision: true }),
  (on) => collect(on.search(secret)),
  (on, turn) =>
    on.apply([
      { action: "create", path: `folder/new-${turn}.txt`, content: "planted\n" },
      { action: "create", path: `folder/made-${turn}/new.txt`, content: "planted\n" },
    ]),
  (on, turn) => on.update("folder/file.txt", () => `inside ${turn}\n`),
  (on, turn) => on.edit("folder/deep/file.txt", { op: "append", content: `planted ${turn}` }),
  async (on) => {
    const file = await on.read("folder/file.txt");
    return on.apply({
      action: "move",
      path: "folder/file.txt",
      destination: "moved.txt",
      revision: file.revision,
    });
  },
  async (on) => {
    const { revision } = await on.read("moved.txt");
    return on.apply({ action: "move", path: "moved.txt", destination: "folder/file.txt", revision });
  },
  async (on) => {
    const { revision } = await on.read("folder/file.txt");
    await on.apply({ action: "delete", path: "folder/file.txt", revision });
    return on.write("folder/file.txt", "inside again\n");
  },
];

test.runIf(process.platform === "linux")(
  `a folder that is swapped for a link ${swaps} times lets nothing out and nothing in`,
  async () => {
    const { path: outer, remove } = temporaryFolder("quick");
    try {
      writeTree(outer, {
        "out/file.txt": `${secret}\n`,
        "out/deep/file.txt": `${secret}\n`,
        "app/folder/file.txt": "inside\n",
        "app/folder/deep/file.txt": "inside\n",
        "app/other.txt": "other\n",
      });
      const outside = () => readTree(join(outer, "out"));
      const before = outside();
      const root = join(outer, "app");
      const workspace = await openDirectory(root, { durability: "process" });
      const aside = join(outer, "aside");
      const child = startChild("swap-folder", [
        join(root, "folder"),
        aside,
        join(outer, "out"),
        String(swaps),
      ]);
      let swapped = 0;
      let running = true;
      child.onLine((line) => (swapped = Number(line)));
      const ended = child.ended.then((end) => {
        running = false;
        return end;
      });
      const met = { worked: 0, link: 0, gone: 0, other: 0 };
      for (let turn = 0; running; turn++) {
        const operation = operations[turn % operations.length];
        const result: unknown = await operation?.(workspace, turn).catch((error: unknown) => error);
        const told = JSON.stringify(result instanceof Error ? [result.message, { ...result }] : result) ?? "";
        expect(told).not.toContain(secret);
        if (!(result instanceof Error)) met.worked += 1;
        else if (!isHoldfastError(result)) throw result;
        else if (isHoldfastError(result, "SYMLINK_ESCAPE")) met.link += 1;
        else if (isHoldfastError(result, "NOT_FOUND", "REVISION_MISMATCH")) met.gone += 1;
        else met.other += 1;
        // The lines of the child come in between.
        await new Promise((resolve) => setImmediate(resolve));
      }
      expect(await ended).toMatchObject({ code: 0 });
      expect(swapped).toBe(swaps);
      expect(outside()).toEqual(before);
      await workspace.close();
      const attempts = met.worked + met.link + met.gone + met.other;
      console.log(`${attempts} operations over ${swaps} swaps:`, met);
      expect(attempts).toBeGreaterThan(200);
      expect(met.worked).toBeGreaterThan(attempts / 20);
      expect(met.link + met.gone).toBeGreaterThan(attempts / 20);
      // After it all, the workspace works, and the link is still no way out.
      fs.rmSync(join(root, "folder"), { recursive: true, force: true });
      fs.symlinkSync(join(outer, "out"), join(root, "folder"));
      await using reopened = await openDirectory(root);
      expect(await reopened.read("folder/file.txt").catch((error: unknown) => error)).toMatchObject({
        code: "SYMLINK_ESCAPE",
      });
      await reopened.write("after.txt", "works\n");
      expect(outside()).toEqual(before);
    } finally {
      remove();
    }
  },
  120_000,
);
