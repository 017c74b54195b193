import * as fs from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { timeSlice } from "../../../../src/base/clock.ts";
import type { FileSystem } from "../../../../src/storage/directory/file-system.ts";
import { nodeFileSystem } from "../../../../src/storage/directory/node-file-system.ts";
import { loadNodeHashing } from "../../../../src/storage/directory/node-hashing.ts";
import { readFile, statFile } from "../../../../src/storage/directory/read-files.ts";
import { RootFolder } from "../../../../src/storage/directory/root-folder.ts";
import { temporaryFolder } from "../../../support/temporary-folder.ts";

const hashing = await loadNodeHashing();
let folder: ReturnType<typeof temporaryFolder>;
let calls: string[];
let root: RootFolder;

const fileSystem: FileSystem = {
  ...nodeFileSystem,
  lstat: (at) => {
    calls.push(`lstat ${at.slice(at.lastIndexOf("/") + 1)}`);
    return nodeFileSystem.lstat(at);
  },
  read: (descriptor, into, position) => {
    calls.push("read");
    return nodeFileSystem.read(descriptor, into, position);
  },
  open: (at, how) => {
    if (how === "read") calls.push("open");
    return nodeFileSystem.open(at, how);
  },
};

beforeEach(() => {
  folder = temporaryFolder("quick");
  fs.writeFileSync(join(folder.path, "a"), "12345", { mode: 0o755 });
  fs.mkdirSync(join(folder.path, "folder"));
  fs.writeFileSync(join(folder.path, "folder/b"), "b");
  fs.symlinkSync("folder", join(folder.path, "link"));
  calls = [];
  root = new RootFolder(fileSystem, folder.path, true);
});

afterEach(() => {
  root.close();
  folder.remove();
});

const host = () => ({ fileSystem, hashing, pause: timeSlice(), root });

test("what is at a path is told by one look, without opening it, and without a version", async () => {
  const stamp = expect.stringMatching(/^\d+-\d+$/);
  expect(await statFile(host(), "a")).toEqual({ kind: "file", byteLength: 5, executable: true, stamp });
  expect(calls).toEqual(["lstat a"]);
  expect(await statFile(host(), "link")).toEqual({
    kind: "symlink",
    byteLength: 6,
    executable: false,
    stamp,
  });
  expect(await statFile(host(), "folder")).toBeUndefined();
});

describe("a reading with a bound", () => {
  test("gives a file that is as long", async () => {
    expect((await readFile(host(), "a", 5))?.bytes).toEqual(new TextEncoder().encode("12345"));
  });

  test.each([
    ["a file", "a", 5],
    ["the target of a link", "link", 6],
  ])("refuses %s that is longer before it reads a byte", async (_what, path, actual) => {
    await expect(readFile(host(), path, actual - 1)).rejects.toMatchObject({
      code: "LIMIT_EXCEEDED",
      details: { actual, maximum: actual - 1 },
    });
    expect(calls).not.toContain("read");
  });
});

test("behind a link in the place of a folder there is nothing", async () => {
  expect(await statFile(host(), "link/b")).toBeUndefined();
  expect(await readFile(host(), "link/b")).toBeUndefined();
  expect((await readFile(host(), "folder/b"))?.bytes).toEqual(new TextEncoder().encode("b"));
});
