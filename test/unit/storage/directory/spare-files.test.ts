import * as fs from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { nextMacrotask } from "../../../../src/base/clock.ts";
import { newFileMode, SpareFiles } from "../../../../src/storage/directory/spare-files.ts";
import { countingFileSystem } from "../../../support/crashing-host.ts";
import { temporaryFolder } from "../../../support/temporary-folder.ts";

let folder: ReturnType<typeof temporaryFolder>;
let counting: ReturnType<typeof countingFileSystem>;
const parts = ["0", "1", "2", "3"];
beforeEach(() => {
  folder = temporaryFolder("quick");
  counting = countingFileSystem();
  for (const part of parts) fs.mkdirSync(join(folder.path, "tmp", part), { recursive: true });
});
afterEach(() => folder.remove());

let names = 0;

function spareFiles(most: number): SpareFiles {
  const state = {
    path: folder.path,
    device: 0n,
    caseSensitive: true,
    decomposes: false,
    links: true,
    symlinks: true,
    modes: true,
  };
  return new SpareFiles({ fileSystem: counting.fileSystem, state, nextName: () => `name-${++names}` }, most);
}

const filesThere = () =>
  parts.flatMap((part) =>
    fs.readdirSync(join(folder.path, "tmp", part)).map((name) => `tmp/${part}/${name}`),
  );

/** Asks for files as a commit does, and waits until those that it wants are made. @returns what it got. */
async function commitOf(spares: SpareFiles, count: number, mode = newFileMode): Promise<string[]> {
  const got = Array.from({ length: count }, () => spares.take(mode));
  await spares.refill();
  for (let before = -1; before !== counting.calls(); ) {
    before = counting.calls();
    for (let turn = 0; turn < 20; turn++) await nextMacrotask();
    await new Promise((resolve) => fs.stat(folder.path, resolve));
  }
  return got.filter((file) => file !== undefined);
}

test("There are as many as the last commit asked for, each given to one", async () => {
  const spares = spareFiles(10);
  expect(await commitOf(spares, 3)).toEqual([]);
  const made = filesThere();
  expect(made).toHaveLength(3);
  const got = await commitOf(spares, 3);
  expect([...got].sort()).toEqual([...made].sort());
  for (const file of got) expect(fs.statSync(join(folder.path, file)).size).toBe(0);
  await spares.close();
});

test("There are never more than the most, and fewer after small commits", async () => {
  const spares = spareFiles(5);
  await commitOf(spares, 50);
  expect(filesThere()).toHaveLength(5);
  for (let round = 0; round < 5; round++) await commitOf(spares, 1);
  const got = await commitOf(spares, 5);
  expect(got.length).toBeGreaterThan(0);
  await spares.close();
});

test("With none wanted, none is made", async () => {
  const spares = spareFiles(0);
  await commitOf(spares, 50);
  expect(counting.calls()).toBe(0);
  await spares.close();
});

test("A file that needs other permission bits than a new one has gets none", async () => {
  const spares = spareFiles(10);
  await commitOf(spares, 2);
  const born = fs.statSync(join(folder.path, filesThere()[0] ?? "")).mode & 0o7777;
  expect(spares.take(0o600)).toBeUndefined();
  expect(spares.take(0o755)).toBeUndefined();
  expect(spares.take(born)).toBeDefined();
  expect(spares.take(newFileMode)).toBeDefined();
  await spares.close();
});

test("Closing removes them, also those that are being made, and none is made after it", async () => {
  const spares = spareFiles(10);
  for (let count = 0; count < 8; count++) expect(spares.take(newFileMode)).toBeUndefined();
  void spares.refill();
  await nextMacrotask();
  await spares.close();
  void spares.refill();
  for (let turn = 0; turn < 20; turn++) await nextMacrotask();
  expect(counting.trace.some((call) => call.startsWith("create"))).toBe(true);
  expect(filesThere()).toEqual([]);
});

test("A disk that refuses to make them leaves none, and is asked again by the next commit", async () => {
  const spares = spareFiles(10);
  counting.arm({ only: ["create"], failAt: 1, errorNumber: "ENOSPC", sticky: true });
  await commitOf(spares, 3);
  expect(filesThere()).toEqual([]);
  counting.arm({});
  await commitOf(spares, 3);
  expect(filesThere()).toHaveLength(3);
  await spares.close();
});
