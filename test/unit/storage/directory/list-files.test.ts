import * as fs from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { timeSlice } from "../../../../src/base/clock.ts";
import { listFiles } from "../../../../src/storage/directory/list-files.ts";
import { nodeFileSystem } from "../../../../src/storage/directory/node-file-system.ts";
import { RootFolder } from "../../../../src/storage/directory/root-folder.ts";
import type { StorageListOptions } from "../../../../src/storage/storage-adapter.ts";
import { writeTree } from "../../../support/directory-tree.ts";
import { collect } from "../../../support/refusal.ts";
import { temporaryFolder } from "../../../support/temporary-folder.ts";

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder("quick");
});
afterEach(() => folder.remove());

async function list(options: StorageListOptions = {}): Promise<readonly string[]> {
  const root = new RootFolder(nodeFileSystem, folder.path, true);
  try {
    return (
      await collect(
        listFiles({ fileSystem: nodeFileSystem, root, folds: false, pause: timeSlice() }, options),
      )
    ).map(({ path }) => path);
  } finally {
    root.close();
  }
}

const write = (paths: readonly string[]) =>
  writeTree(folder.path, Object.fromEntries(paths.map((path) => [path, ""])));

test("files come in the order of their whole paths, folders among them", async () => {
  const paths = [
    "a!",
    "a-b/x",
    "a.txt",
    "a/b/c",
    "a/b.txt",
    "a0",
    "b",
    "B",
    "z/1",
    "z/10",
    "z/2",
    "é",
    "😀",
    "\uffee",
  ];
  write(paths);
  expect(await list()).toEqual([...paths].sort());
});

const names = fc.constantFrom("a", "a!", "a.b", "a-", "a0", "b", "B", "ä");
const anyPaths = fc.array(
  fc.array(names, { minLength: 1, maxLength: 3 }).map((parts) => parts.join("/")),
  { maxLength: 12 },
);

test("a listing after any place and under any folder is the rest of the whole one", async () => {
  await fc.assert(
    fc.asyncProperty(anyPaths, fc.array(names, { maxLength: 3 }), names, async (wanted, after, under) => {
      fs.rmSync(folder.path, { recursive: true });
      fs.mkdirSync(folder.path);
      // A path is a file or a folder, whichever came first.
      const paths = [...new Set(wanted)].filter(
        (path, index, all) =>
          !all.some(
            (other, at) =>
              (at < index || other.length > path.length) &&
              (other.startsWith(`${path}/`) || path.startsWith(`${other}/`)) &&
              at !== index,
          ),
      );
      write(paths);
      const place = after.join("/");
      const sorted = [...paths].sort();
      expect(await list()).toEqual(sorted);
      expect(await list({ after: place })).toEqual(sorted.filter((path) => path > place));
      expect(await list({ under, after: place })).toEqual(
        sorted.filter((path) => path.startsWith(`${under}/`) && path > place),
      );
    }),
    { numRuns: 60 },
  );
});

describe("Is left out", () => {
  test.each([".git/config", ".GIT/x", ".holdfast/log/1", "deep/.git/HEAD", "git~1/x"])(
    "what is protected: %s",
    async (path) => {
      write(["kept.txt", path]);
      expect(await list()).toEqual(["kept.txt"]);
    },
  );

  test("what lies in another workspace", async () => {
    write(["kept.txt", "other/.holdfast/format", "other/x.txt", "other/deep/y.txt"]);
    expect(await list()).toEqual(["kept.txt"]);
  });

  test.each(["back\\slash", "line\nfeed", "a/\u0001"])("what no path can spell: %j", async (path) => {
    write(["kept.txt", path]);
    expect(await list()).toEqual(["kept.txt"]);
  });

  test("an empty folder, and everything behind a link, which is itself listed", async () => {
    write(["a/x.txt", "kept.txt"]);
    fs.mkdirSync(join(folder.path, "empty/deep"), { recursive: true });
    fs.symlinkSync("a", join(folder.path, "link"));
    expect(await list()).toEqual(["a/x.txt", "kept.txt", "link"]);
    expect(await list({ under: "link" })).toEqual([]);
    expect(await list({ under: "none" })).toEqual([]);
    expect(await list({ under: "kept.txt" })).toEqual([]);
  });
});

test("folders before the place to go on from are not read", async () => {
  write(["a/x", "b/x", "b/y", "c/x"]);
  const read: string[] = [];
  const fileSystem = {
    ...nodeFileSystem,
    anchor: (_descriptor: number, path: string) => path,
    readdir: (path: string) => {
      read.push(path.slice(folder.path.length));
      return nodeFileSystem.readdir(path);
    },
  };
  const root = new RootFolder(fileSystem, folder.path, true);
  await collect(listFiles({ fileSystem, root, folds: false, pause: timeSlice() }, { after: "b/x" }));
  root.close();
  expect(read).toEqual(["", "/b", "/c"]);
});

test("a listing that is cancelled ends with the signal's reason", async () => {
  write(["a", "b"]);
  const controller = new AbortController();
  const root = new RootFolder(nodeFileSystem, folder.path, true);
  const files = listFiles(
    { fileSystem: nodeFileSystem, root, folds: false, pause: timeSlice() },
    { signal: controller.signal },
  );
  expect((await files.next()).value).toMatchObject({ path: "a", kind: "file", byteLength: 0 });
  controller.abort(new Error("enough"));
  await expect(files.next()).rejects.toThrow("enough");
  root.close();
});
