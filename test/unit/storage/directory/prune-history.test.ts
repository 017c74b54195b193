import * as fs from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { utf8 } from "../../../../src/base/bytes.ts";
import { hashBytes } from "../../../../src/base/hashing.ts";
import type { DirectoryAdapter } from "../../../../src/storage/directory/directory-adapter.ts";
import { loadNodeHashing } from "../../../../src/storage/directory/node-hashing.ts";
import { countingFileSystem, simulatedHost } from "../../../support/crashing-host.ts";
import { readTree } from "../../../support/directory-tree.ts";
import { collect } from "../../../support/refusal.ts";
import { temporaryFolder } from "../../../support/temporary-folder.ts";
import { makeBatch, openAdapter } from "../../../support/tree-batch.ts";

const hashing = await loadNodeHashing();
const large = "large ".repeat(100_000);
const texts = ["one\n", large, "three\n", "four\n"];
const shaOf = (text: string) => hashBytes(hashing, "sha256", utf8(text));

let folder: ReturnType<typeof temporaryFolder>;
let root: string;
beforeEach(() => {
  folder = temporaryFolder("quick");
  root = folder.path;
});
afterEach(() => folder.remove());

const open = async (counting = countingFileSystem()) =>
  (await openAdapter(simulatedHost(counting.fileSystem), root)).storage;

/** Commits the texts one after the other to one path, each in a segment of its own. */
async function makeHistory(storage: DirectoryAdapter): Promise<void> {
  for (const text of texts) {
    const [outcome] = await storage.commit(
      [await makeBatch(storage, { "file.txt": text, "same.txt": "same\n" })],
      { flush: true },
    );
    expect(outcome).toMatchObject({ committed: true });
    await storage.prune({ before: 1, keep: new Set(), staged: [] });
  }
}

async function textOf(storage: DirectoryAdapter, sha256: string): Promise<string | undefined> {
  try {
    const pieces = await collect(storage.readChunks({ sha256 }, {}));
    return pieces.map((piece) => new TextDecoder().decode(piece)).join("");
  } catch {
    return undefined;
  }
}

const sequences = async (storage: DirectoryAdapter) =>
  (await collect(storage.readLog({}))).map(({ sequence }) => sequence);
const prune = (
  storage: DirectoryAdapter,
  before: number,
  keep: readonly string[] = [],
  staged: readonly string[] = [],
) => storage.prune({ before, keep: new Set(keep), staged });
const segments = () => fs.readdirSync(join(root, ".holdfast/log")).filter((name) => name.endsWith(".log"));

describe("Pruning", () => {
  test("drops old entries and their contents, and keeps those of the others, also for the next process", async () => {
    const storage = await open();
    await makeHistory(storage);
    for (const text of texts) expect(await textOf(storage, shaOf(text))).toBe(text);
    const before = segments().length;
    const { bytesFreed } = await prune(storage, 3);
    expect(bytesFreed).toBeGreaterThan(64 * 1024);
    expect(segments().length).toBeLessThan(before);
    await storage.close();
    const next = await open();
    for (const one of [next]) {
      expect(await sequences(one)).toEqual([3, 4]);
      expect(await textOf(one, shaOf("one\n"))).toBeUndefined();
      for (const text of ["three\n", "four\n", "same\n"])
        expect(await textOf(one, shaOf(text)), text).toBe(text);
      // What the first kept entry replaced belongs to it.
      expect(await textOf(one, shaOf(large))).toBe(large);
    }
    expect(readTree(root)).toMatchObject({ "file.txt": "644 four\n" });
    await next.close();
  });

  test("of everything leaves the files and the head of the chain, on which the next commit builds", async () => {
    const storage = await open();
    await makeHistory(storage);
    await prune(storage, 100);
    expect(await sequences(storage)).toEqual([]);
    const [outcome] = await storage.commit([await makeBatch(storage, { "file.txt": "five\n" })], {
      flush: true,
    });
    expect(outcome).toMatchObject({ committed: true, sequence: 5 });
    await storage.close();
    const next = await open();
    expect(await sequences(next)).toEqual([5]);
    await next.close();
  });

  test("keeps contents that are asked for, until they no longer are", async () => {
    const storage = await open();
    await makeHistory(storage);
    await prune(storage, 100, [shaOf("one\n"), shaOf(large)]);
    expect(await textOf(storage, shaOf("one\n"))).toBe("one\n");
    expect(await textOf(storage, shaOf(large))).toBe(large);
    expect((await prune(storage, 100)).bytesFreed).toBeGreaterThanOrEqual(large.length);
    expect(await textOf(storage, shaOf("one\n"))).toBeUndefined();
    expect(await textOf(storage, shaOf(large))).toBeUndefined();
    await storage.close();
  });

  test("a second time, or of what is gone, frees nothing and changes nothing", async () => {
    const storage = await open();
    await makeHistory(storage);
    await prune(storage, 3);
    await prune(storage, 3);
    expect((await prune(storage, 3)).bytesFreed).toBe(0);
    expect((await prune(storage, 2)).bytesFreed).toBe(0);
    expect(await sequences(storage)).toEqual([3, 4]);
    await storage.close();
  });

  test("removes the staged contents that are named, and no others", async () => {
    const storage = await open();
    const [one, two] = [await storage.stageContent({}), await storage.stageContent({})];
    await prune(storage, 1, [], [one, "st_never"]);
    expect(fs.readdirSync(join(root, ".holdfast/staged"))).toEqual([two]);
    await storage.close();
  });
});

test("pruning that ends at any call leaves all of the old entries or none, every kept content, and can be repeated", async () => {
  const template = temporaryFolder("quick");
  const made = (await openAdapter(simulatedHost(countingFileSystem().fileSystem), template.path)).storage;
  await makeHistory(made);
  await made.close();
  let total = Number.POSITIVE_INFINITY;
  for (let point = 1; point <= total; point++) {
    fs.rmSync(root, { recursive: true });
    // All of it is sealed, so nothing depends on which file on the disk holds what.
    fs.cpSync(template.path, root, { recursive: true });
    const counting = countingFileSystem();
    const storage = await open(counting);
    counting.arm({ crashAt: point });
    await prune(storage, 3, [shaOf("one\n")]).catch(() => undefined);
    if (!counting.hasCrashed()) total = counting.calls();
    const next = await open();
    expect(
      [
        [1, 2, 3, 4],
        [3, 4],
      ],
      `call ${point}`,
    ).toContainEqual(await sequences(next));
    for (const text of ["one\n", "three\n", "four\n", "same\n"])
      expect(await textOf(next, shaOf(text)), `${text} after call ${point}`).toBe(text);
    expect(readTree(root)).toMatchObject({ "file.txt": "644 four\n", "same.txt": "644 same\n" });
    await prune(next, 3);
    expect(await sequences(next), `call ${point}`).toEqual([3, 4]);
    expect(await textOf(next, shaOf("one\n")), `call ${point}`).toBeUndefined();
    await next.close();
  }
  expect(total).toBeGreaterThan(10);
  template.remove();
}, 60_000);
