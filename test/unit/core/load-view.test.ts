import { beforeEach, describe, expect, test } from "vitest";
import { randomIds, systemClock } from "../../../src/base/clock.ts";
import { loadPortableHashing } from "../../../src/base/hashing.ts";
import { libraryLimits } from "../../../src/base/limits.ts";
import { loadView } from "../../../src/core/load-view.ts";
import type { WorkspaceContext } from "../../../src/core/workspace-context.ts";
import { MemoryStorage } from "../../../src/storage/memory/memory-storage.ts";
import type { Change } from "../../../src/tree/change.ts";
import { openStorage } from "../../support/open-storage.ts";

const hashing = await loadPortableHashing();
let reads: string[];
let lists: string[];

async function contextOf(files: Record<string, string>, caseFold = false): Promise<WorkspaceContext> {
  const storage = new MemoryStorage({ files, caseFold });
  await openStorage(storage);
  const { read, list } = storage;
  storage.read = (path, options) => {
    reads.push(path);
    return read.call(storage, path, options);
  };
  storage.list = (options) => {
    lists.push(options.under ?? "");
    return list.call(storage, options);
  };
  return {
    storage,
    files: storage,
    hashing,
    clock: systemClock,
    ids: randomIds,
    limits: libraryLimits,
    revisionAlgorithm: "xxh64",
    names: "portable",
  };
}

beforeEach(() => {
  reads = [];
  lists = [];
});

const edit = (path: string): Change => ({ action: "edit", path, edits: [] });
const create = (path: string): Change => ({ action: "create", path, content: "" });

describe("what a batch touches is read once, and nothing else", () => {
  test.each<[string, readonly Change[], readonly string[], readonly string[]]>([
    ["an existing file, whose folders need no reading", [edit("a/b/c")], ["a/b/c"], []],
    ["two files of one folder", [edit("a/b/c"), edit("a/b/d")], ["a/b/c", "a/b/d"], []],
    ["a new file, and what could be in its way", [create("a/b/n")], ["a/b/n"], ["a/b/n"]],
    ["a new file in new folders", [create("n/m/x")], ["n", "n/m", "n/m/x"], ["n/m/x"]],
    ["an assertion", [{ action: "assert", path: "a/b/c", revision: null }], ["a/b/c"], []],
  ])("for %s", async (_name, changes, expectedReads, expectedLists) => {
    const context = await contextOf({ "a/b/c": "1", "a/b/d": "2", z: "3" });
    const view = await loadView(context, changes, {});
    for (const path of expectedReads) expect(reads).toContain(path);
    expect(reads.filter((path) => path === "z")).toEqual([]);
    expect(new Set(reads).size).toBe(reads.length);
    expect(lists).toEqual(expectedLists);
    expect(view.file("z")).toBeUndefined();
  });

  test("files are kept with their bytes only where planning looks at them", async () => {
    const context = await contextOf({ a: "1", b: "2" });
    const view = await loadView(context, [edit("a"), { action: "move", path: "b", destination: "c" }], {});
    expect(view.file("a")?.bytes).toEqual(new Uint8Array([49]));
    expect(view.file("b")).toMatchObject({
      byteLength: 1,
      revision: expect.stringMatching(/^[0-9a-f]{16}$/),
    });
    expect(view.file("b")?.bytes).toBeUndefined();
    expect(view.file("b")?.version).toBe((await context.storage.read("b", {}))?.version);
  });

  test("a folder in the place of a new file is listed no further than the batch could empty it", async () => {
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`a/f${index}`, ""]));
    const view = await loadView(await contextOf(many), [create("a")], {});
    expect(view.below("a").length).toBeGreaterThan(1);
    expect(view.below("a").length).toBeLessThan(10);
  });

  test("a folder that is changed whole is read whole", async () => {
    const context = await contextOf({ "a/x": "1", "a/b/y": "2", "ab/z": "3" });
    const view = await loadView(context, [{ action: "deleteTree", path: "a", revision: "0".repeat(64) }], {});
    expect(view.below("a")).toEqual(["a/b/y", "a/x"]);
    expect(view.folderRevision("a")).toMatch(/^[0-9a-f]{64}$/);
    expect(view.file("a/b/y")?.byteLength).toBe(1);
    expect(view.file("ab/z")).toBeUndefined();
  });
});

describe("where a storage takes spellings for one file", () => {
  test.each<[string, string, string | undefined]>([
    ["Src/Readme.md", "Src/Readme.md", undefined],
    ["Src/README.md", "Src/README.md", "Src/Readme.md"],
    ["src/new.md", "src", "Src"],
    ["Src/new.md", "Src/new.md", undefined],
  ])("for %s, the other spelling of %s is %s", async (path, node, other) => {
    const view = await loadView(await contextOf({ "Src/Readme.md": "x" }, true), [edit(path)], {});
    expect(view.otherSpelling(node)).toBe(other);
    expect(view.file(path) === undefined).toBe(path !== "Src/Readme.md");
  });
});
