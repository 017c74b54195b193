import * as fs from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { nextMacrotask, randomIds, systemClock } from "../../../../src/base/clock.ts";
import { DirectoryAdapter } from "../../../../src/storage/directory/directory-adapter.ts";
import type { DirectoryHost } from "../../../../src/storage/directory/directory-host.ts";
import type { FileSystem } from "../../../../src/storage/directory/file-system.ts";
import type {
  FolderWatching,
  FolderWatchListener,
} from "../../../../src/storage/directory/folder-watching.ts";
import { nodeFileSystem } from "../../../../src/storage/directory/node-file-system.ts";
import { loadNodeHashing } from "../../../../src/storage/directory/node-hashing.ts";
import { simulatedHost } from "../../../support/crashing-host.ts";
import { writeTree } from "../../../support/directory-tree.ts";
import { temporaryFolder } from "../../../support/temporary-folder.ts";
import { makeBatch } from "../../../support/tree-batch.ts";

const hashing = await loadNodeHashing();

let folder: ReturnType<typeof temporaryFolder>;
let root: string;
let stop: AbortController;
beforeEach(() => {
  folder = temporaryFolder("quick");
  root = join(folder.path, "root");
  fs.mkdirSync(root);
  writeTree(root, { "a.txt": "old a\n", "src/b.txt": "old b\n", ".git/config": "" });
  stop = new AbortController();
});
afterEach(() => {
  stop.abort();
  folder.remove();
});

/** Keeps what is told. */
function recorder() {
  const told = new Set<string>();
  let wake = () => {};
  const listener = (paths: readonly string[] | "unknown") => {
    for (const path of paths === "unknown" ? ["(unknown)"] : paths) told.add(path);
    wake();
  };
  /** Waits until all of these have been told, gives all that has been told, and forgets it. */
  const heard = async (...wanted: readonly string[]): Promise<readonly string[]> => {
    while (!wanted.every((path) => told.has(path) || told.has("(unknown)")))
      await new Promise<void>((resolve) => (wake = resolve));
    const all = [...told].filter((path) => path !== marker).sort();
    told.clear();
    return all;
  };
  return { listener, heard, told };
}

/** Opens a storage whose waits take no time. */
async function opened(host: DirectoryHost, readOnly = false): Promise<DirectoryAdapter> {
  const storage = new DirectoryAdapter(host, { root });
  const clock = { ...systemClock, sleep: () => nextMacrotask() };
  await storage.open({ hashing, clock, ids: randomIds, readOnly, lockTimeoutMs: 0 });
  return storage;
}

async function listening(host: DirectoryHost) {
  const storage = await opened(host);
  const record = recorder();
  storage.watch?.(record.listener, { signal: stop.signal });
  return { storage, ...record };
}

/** Told when a watch has begun, however long that took. */
const marker = "marker.txt";

/** Watches the root; what is told of the beginning has been told. */
async function watchedRoot() {
  const watched = await listening(simulatedHost(nodeFileSystem));
  fs.writeFileSync(join(root, marker), "");
  await watched.heard(marker);
  return watched;
}

/** Waits, as long as the test may last, until something is as it should be. */
async function until<T>(look: () => T, wanted: T): Promise<void> {
  while (JSON.stringify(look()) !== JSON.stringify(wanted)) await nextMacrotask();
}

/** A platform whose events the test makes itself; it counts the watches that are open. */
function handMade(options: { wholeTrees: boolean; refuse?: (path: string) => string | undefined }) {
  const open = new Map<string, FolderWatchListener>();
  const watching: FolderWatching = {
    wholeTrees: options.wholeTrees,
    start: (path, listener) => {
      const at = fs.realpathSync(path);
      const code = options.refuse?.(at);
      if (code !== undefined) throw Object.assign(new Error(code), { code });
      open.set(at, listener);
      return () => {
        if (open.get(at) === listener) open.delete(at);
      };
    },
  };
  const host = (more: Partial<FileSystem> = {}) => simulatedHost({ ...nodeFileSystem, watching, ...more });
  const at = (path = "") => open.get(join(root, path));
  const watched = async (more: Partial<FileSystem> = {}) => {
    const record = await listening(host(more));
    await until(() => at() !== undefined, true);
    at()?.changed("change", marker);
    await record.heard(marker);
    return record;
  };
  const paths = () => [...open.keys()].map((path) => path.slice(root.length + 1)).sort();
  return { host, at, paths, watched };
}

describe("On this machine", () => {
  test("a file that an editor replaces by a rename is told each time", async () => {
    const { heard } = await watchedRoot();
    for (const text of ["1", "2", "3"]) {
      fs.writeFileSync(join(root, "src/.b.swp"), text);
      fs.renameSync(join(root, "src/.b.swp"), join(root, "src/b.txt"));
      await heard("src/b.txt");
      fs.appendFileSync(join(root, "src/b.txt"), text);
      await heard("src/b.txt");
    }
  });

  test("a folder that comes, moves and goes is told with what is in it", async () => {
    writeTree(folder.path, { "outside/deep/c.txt": "c" });
    const { heard } = await watchedRoot();
    fs.renameSync(join(folder.path, "outside"), join(root, "in"));
    await heard("in");
    fs.writeFileSync(join(root, "in/deep/c.txt"), "changed");
    await heard("in/deep/c.txt");
    fs.renameSync(join(root, "in"), join(root, "moved"));
    await heard("in", "moved");
    fs.writeFileSync(join(root, "moved/deep/c.txt"), "changed");
    expect(await heard("moved/deep/c.txt")).not.toContain("in/deep/c.txt");
    fs.renameSync(join(root, "moved"), join(folder.path, "outside"));
    await heard("moved");
    fs.writeFileSync(join(folder.path, "outside/deep/c.txt"), "not ours any more");
    fs.writeFileSync(join(root, "a.txt"), "marker");
    expect(await heard("a.txt")).toEqual(["a.txt"]);
  });

  test("a folder that is made anew under its name is watched", async () => {
    const { heard } = await watchedRoot();
    for (const text of ["1", "2"]) {
      fs.rmSync(join(root, "src"), { recursive: true });
      fs.mkdirSync(join(root, "src"));
      await heard("src");
      fs.writeFileSync(join(root, "src/b.txt"), text);
      await heard("src/b.txt");
    }
  });

  test("the state folder, git, other workspaces and what is behind links are not told", async () => {
    writeTree(root, { "inner/.holdfast/format": "", "inner/file": "1" });
    writeTree(folder.path, { "elsewhere/file": "1" });
    fs.symlinkSync(join(folder.path, "elsewhere"), join(root, "link"));
    const { storage, heard } = await watchedRoot();
    await storage.commit([await makeBatch(storage, { "a.txt": "ours" })], { flush: true });
    for (const path of [".git/config", "inner/file", "link/file", ".holdfast/more"])
      fs.writeFileSync(join(root, path), "changed");
    fs.mkdirSync(join(root, "GIT~1"));
    fs.writeFileSync(join(root, "src/b.txt"), "marker");
    expect((await heard("src/b.txt")).filter((path) => path !== "a.txt")).toEqual(["src/b.txt"]);
    await storage.close();
  });

  test("a root that is moved away is told as unknown, and one that is removed by what was in it", async () => {
    const moved = await watchedRoot();
    fs.renameSync(root, `${root}-moved`);
    await moved.heard("(unknown)");
    fs.renameSync(`${root}-moved`, root);
    const removed = await watchedRoot();
    fs.rmSync(root, { recursive: true });
    await removed.heard("a.txt", "src");
  });

  test("a watch keeps no process alive", async () => {
    const { heard } = await watchedRoot();
    const handles = () => process.getActiveResourcesInfo().filter((name) => name === "FSEventWrap").length;
    expect(handles()).toBe(0);
    fs.writeFileSync(join(root, "a.txt"), "1");
    await heard("a.txt");
  });
});

describe("Watches of single folders", () => {
  test("are there while somebody listens, one for each folder that holds files of the workspace", async () => {
    writeTree(root, { "src/deep/c.txt": "", "src/.git/config": "", "inner/.holdfast/format": "" });
    const { host, paths } = handMade({ wholeTrees: false });
    const storage = await opened(host());
    const second = new AbortController();
    expect([storage.capabilities.watch, paths()]).toEqual([true, []]);
    storage.watch?.(() => undefined, { signal: stop.signal });
    storage.watch?.(() => undefined, { signal: second.signal });
    await until(paths, ["", "src", "src/deep"]);
    stop.abort();
    for (let turn = 0; turn < 5; turn += 1) await nextMacrotask();
    expect(paths()).toEqual(["", "src", "src/deep"]);
    second.abort();
    await until(paths, []);
    storage.watch?.(() => undefined, { signal: new AbortController().signal });
    await until(paths, ["", "src", "src/deep"]);
    await storage.close();
    await until(paths, []);
  });

  test("are none with a signal that has fired", async () => {
    const { host, paths } = handMade({ wholeTrees: false });
    const storage = await opened(host());
    storage.watch?.(() => undefined, { signal: AbortSignal.abort() });
    expect(paths()).toEqual([]);
    await storage.close();
  });

  test.each(["ENOSPC", "EMFILE"])(
    "are given back when one is refused with %s, and it is told once",
    async (code) => {
      const refuse = (path: string) => (path.endsWith("src") ? code : undefined);
      const { host, paths } = handMade({ wholeTrees: false, refuse });
      const { heard, told } = await listening(host());
      expect(await heard("(unknown)")).toEqual(["(unknown)"]);
      await until(paths, []);
      fs.writeFileSync(join(root, "a.txt"), "1");
      await nextMacrotask();
      expect([...told]).toEqual([]);
    },
  );

  test("leave out a folder that may not be looked into, and its path is told once", async () => {
    writeTree(root, { "src/shut/c.txt": "", "src/shut/deep/d.txt": "", "z/e.txt": "" });
    const refuse = (path: string) => (path.endsWith("shut") ? "EACCES" : undefined);
    const { host, paths, at } = handMade({ wholeTrees: false, refuse });
    const { heard } = await listening(host());
    await heard("src/shut");
    await until(paths, ["", "src", "z"]);
    at("src")?.changed("change", "b.txt");
    await heard("src/b.txt");
  });

  test("look at everything anew when so much comes that some may be lost", async () => {
    const { watched, at, paths } = handMade({ wholeTrees: false });
    const { heard } = await watched();
    fs.mkdirSync(join(root, "missed/deep"), { recursive: true });
    for (let count = 0; count < 10_000; count += 1) at()?.changed("change", "a.txt");
    expect(await heard("(unknown)")).toEqual(["(unknown)"]);
    await until(paths, ["", "missed", "missed/deep", "src"]);
  });
});

describe("The watch of a whole tree", () => {
  test("is one, and tells of folders only when they come or go", async () => {
    const { watched, at, paths } = handMade({ wholeTrees: true });
    const { heard } = await watched();
    expect(paths()).toEqual([""]);
    at()?.changed("change", "src");
    at()?.changed("change", "src/b.txt");
    expect(await heard("src/b.txt")).toEqual(["src/b.txt"]);
    at()?.changed("rename", "src");
    at()?.changed("rename", "gone");
    expect(await heard("src", "gone")).toEqual(["gone", "src"]);
  });

  test.each([
    ["no name", (listener: FolderWatchListener) => listener.changed("change", null)],
    ["an error", (listener: FolderWatchListener) => listener.failed()],
  ])("that tells %s is unknown", async (_what, happen) => {
    const { watched, at } = handMade({ wholeTrees: true });
    const { heard } = await watched();
    const listener = at();
    if (listener === undefined) throw new Error("Nothing is watched.");
    happen(listener);
    expect(await heard("(unknown)")).toEqual(["(unknown)"]);
  });

  test("that has failed tells nothing more, until a new listener begins another", async () => {
    const { watched, at, paths } = handMade({ wholeTrees: true });
    const { storage, heard, told } = await watched();
    const listener = at();
    listener?.failed();
    await heard("(unknown)");
    listener?.changed("change", "a.txt");
    listener?.failed();
    for (let turn = 0; turn < 10; turn += 1) await nextMacrotask();
    expect([...told]).toEqual([]);
    await until(paths, []);
    storage.watch?.(() => undefined, { signal: stop.signal });
    await until(paths, [""]);
    at()?.changed("change", "a.txt");
    expect(await heard("a.txt")).not.toEqual([]);
  });

  test("gives paths as they are spelled in the library", async () => {
    const { watched, at } = handMade({ wholeTrees: true });
    const { heard } = await watched({ isWindows: true });
    for (const name of ["src\\b.txt", ".holdfast\\log\\1", "src\\.git", "GIT~1\\config", "bad\nname"])
      at()?.changed("change", name);
    expect(await heard("src/b.txt")).toEqual(["src/b.txt"]);
  });
});

describe("While commits run", () => {
  test("what is told waits until they have answered", async () => {
    const { watched, at } = handMade({ wholeTrees: true });
    let letFlush = () => {};
    let isHeld = false;
    const held = new Promise<void>((resolve) => (letFlush = resolve));
    const flush: FileSystem["flush"] = async (descriptor, what) => {
      if (isHeld) await held;
      await nodeFileSystem.flush(descriptor, what);
    };
    const { storage, heard, told } = await watched({ flush });
    const batch = await makeBatch(storage, { "a.txt": "ours" });
    isHeld = true;
    const commit = storage.commit([batch], { flush: true });
    at()?.changed("rename", "a.txt");
    for (let turn = 0; turn < 20; turn += 1) await nextMacrotask();
    expect([...told]).toEqual([]);
    letFlush();
    await commit;
    expect([...told]).toEqual([]);
    expect(await heard("a.txt")).toEqual(["a.txt"]);
    await storage.close();
  });
});

test("where the platform cannot tell, there is no watch, and the capability says so", async () => {
  const storage = await opened(simulatedHost({ ...nodeFileSystem, watching: undefined }));
  expect(storage.capabilities.watch).toBe(false);
  expect(storage.watch).toBeUndefined();
  await storage.close();
});

test("a root without a state folder that is opened for reading only is watched until it is closed", async () => {
  const { host, paths } = handMade({ wholeTrees: false });
  const storage = await opened(host(), true);
  storage.watch?.(() => undefined, { signal: stop.signal });
  await until(paths, ["", "src"]);
  await storage.close();
  await until(paths, []);
  expect(fs.existsSync(join(root, ".holdfast"))).toBe(false);
});
