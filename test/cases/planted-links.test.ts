import * as fs from "node:fs";
import { join } from "node:path";
import { isHoldfastError, Workspace } from "holdfast";
import { openDirectory } from "holdfast/node";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { DirectoryAdapter } from "../../src/storage/directory/directory-adapter.ts";
import type { FileSystem } from "../../src/storage/directory/file-system.ts";
import { nodeFileSystem } from "../../src/storage/directory/node-file-system.ts";
import { countingFileSystem, simulatedHost } from "../support/crashing-host.ts";
import { readTree } from "../support/directory-tree.ts";
import { newFolder, rawFiles } from "./case-workspace.ts";

/** A root beside a folder that nothing may touch. */
let outer: string;
let root: string;

beforeEach(() => {
  outer = newFolder();
  root = join(outer, "app");
  fs.mkdirSync(root);
  fs.mkdirSync(join(outer, "out"));
  fs.writeFileSync(join(outer, "out/secret.txt"), "secret\n");
});

afterEach(() => fs.rmSync(outer, { recursive: true, force: true }));

/** Everything around the root, empty folders too. */
function sentinel(): Record<string, string> {
  return Object.fromEntries(Object.entries(readTree(outer)).filter(([path]) => !path.startsWith("app/")));
}

/** Opens the root as another process does; those before it count as gone. */
function anotherProcess(fileSystem: FileSystem, durability?: "process"): Promise<Workspace> {
  return Workspace.open(new DirectoryAdapter(simulatedHost(fileSystem), { root, durability }));
}

/** Opens the root, writes a small and a large file and closes it; each may be refused, but only by the library. */
async function openAndWrite(open: () => Promise<Workspace>): Promise<void> {
  const opened = await open().catch(refusal);
  if (opened === undefined) return;
  await opened.write("small.txt", "small\n").catch(refusal);
  await opened.write("large.bin", new Uint8Array(600_000)).catch(refusal);
  await opened.close().catch(refusal);
}

function refusal(error: unknown): undefined {
  if (!isHoldfastError(error) || error.code === "INTERNAL") throw error;
}

/** Makes the root as it was at first. */
function empty(): void {
  for (const name of fs.readdirSync(root)) fs.rmSync(join(root, name), { recursive: true });
}

describe("#181 A link that is planted in the state folder", () => {
  const plants: readonly (readonly [string, string])[] = [
    [".holdfast", "out"],
    [".holdfast", "empty"],
    [".holdfast/lock", "out"],
    [".holdfast/log", "out"],
    [".holdfast/tmp", "out"],
    [".holdfast/pre", "out"],
    [".holdfast/staged", "out"],
    [".holdfast/lock/1", "out/secret.txt"],
    [".holdfast/lock/99", "out/secret.txt"],
    [".holdfast/log/00000001.log", "out/secret.txt"],
    [".holdfast/format", "out/secret.txt"],
    [".holdfast/.gitignore", "out/secret.txt"],
  ];

  test.each(plants)("as %s truncates and writes nothing behind it", async (path, target) => {
    const at = join(root, path);
    fs.mkdirSync(join(at, ".."), { recursive: true });
    if (target === "empty") fs.mkdirSync(join(outer, target));
    fs.symlinkSync(join(outer, target), at);
    const before = sentinel();
    for (const durability of ["process", "power"] as const) {
      await openAndWrite(() => openDirectory(root, { lockTimeoutMs: 0, durability }));
      expect(sentinel()).toEqual(before);
    }
  });

  test("in place of a file of it writes nothing to that file, which now is outside", async () => {
    const state = join(root, ".holdfast");
    const folders = new Set<string>();
    for (let at = 0, isPast = false; !isPast; at++) {
      const counting = countingFileSystem();
      const workspace = await anotherProcess(counting.fileSystem);
      await workspace.write("a.txt", "a\n");
      await workspace.edit("a.txt", { op: "replace_text", oldText: "a", newText: "b" });
      // The process is gone, so the next one goes on with its files.
      counting.arm({ crashAt: 1 });
      await workspace.close().catch(() => undefined);
      const names = Object.keys(rawFiles(state));
      const name = names[at] ?? "";
      folders.add(name.split("/")[0] ?? "");
      fs.renameSync(join(state, name), join(outer, "out/file"));
      fs.symlinkSync(join(outer, "out/file"), join(state, name));
      const before = sentinel();
      await openAndWrite(() => anotherProcess(nodeFileSystem));
      expect([name, sentinel()]).toEqual([name, before]);
      isPast = at === names.length - 1;
      empty();
    }
    expect([...folders]).toEqual(expect.arrayContaining(["format", "lock", "log", "pre"]));
  });

  test.each([
    ["symbolic", fs.symlinkSync],
    ["hard", fs.linkSync],
  ])(
    "at a name that is about to be created, whichever it is (%s), is not written to",
    async (_kind, plant) => {
      const secret = join(outer, "out/secret.txt");
      const look = () => [fs.readFileSync(secret, "utf8"), fs.statSync(secret).mode];
      const before = look();
      let planted = 0;
      for (let isPast = false; !isPast; ) {
        let left = planted + 1;
        const create: FileSystem["create"] = async (path, mode) => {
          left -= 1;
          if (left === 0) plant(secret, path);
          return await nodeFileSystem.create(path, mode);
        };
        await openAndWrite(() => anotherProcess({ ...nodeFileSystem, create }, "process"));
        expect([planted, ...look()]).toEqual([planted, ...before]);
        isPast = left > 0;
        if (!isPast) planted += 1;
        empty();
      }
      expect(planted).toBeGreaterThan(5);
    },
  );
});
