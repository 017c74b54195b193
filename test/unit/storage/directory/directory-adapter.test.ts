import * as fs from "node:fs";
import { join } from "node:path";
import { isHoldfastError, Workspace } from "holdfast";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { utf8 } from "../../../../src/base/bytes.ts";
import { DirectoryAdapter } from "../../../../src/storage/directory/directory-adapter.ts";
import type { FileSystem } from "../../../../src/storage/directory/file-system.ts";
import { nodeFileSystem } from "../../../../src/storage/directory/node-file-system.ts";
import { loadNodeHashing } from "../../../../src/storage/directory/node-hashing.ts";
import { nodeProcessTable } from "../../../../src/storage/directory/process-table.ts";
import { encodeFrame, logFormat } from "../../../../src/storage/log/frame.ts";
import { fixedClock } from "../../../../src/testing/fixed-clock.ts";
import { countingFileSystem, simulatedHost } from "../../../support/crashing-host.ts";
import { readTree, writeTree } from "../../../support/directory-tree.ts";
import { refusalOf } from "../../../support/refusal.ts";
import { temporaryFolder } from "../../../support/temporary-folder.ts";
import { makeBatch, openAdapter } from "../../../support/tree-batch.ts";

const openOptions = {
  hashing: await loadNodeHashing(),
  clock: fixedClock(),
  ids: () => "id",
  readOnly: false,
  lockTimeoutMs: 0,
};

let folder: ReturnType<typeof temporaryFolder>;
let root: string;
beforeEach(() => {
  process.umask(0o022);
  folder = temporaryFolder("quick");
  root = join(folder.path, "root");
  fs.mkdirSync(root);
  writeTree(root, { "a.txt": "old a\n", "b.txt": "old b\n" });
});
afterEach(() => folder.remove());

const state = (name = "") => join(root, ".holdfast", name);
const newHost = (fileSystem: FileSystem = nodeFileSystem) => simulatedHost(fileSystem);
const openWorkspace = (
  options: Parameters<typeof Workspace.open>[1] = {},
  storage: { readonly stateDir?: string; readonly durability?: "process" } = {},
) => Workspace.open(new DirectoryAdapter(newHost(), { root, ...storage }), options);

/** Every name below a folder with what it is, its bytes and its times. */
function snapshot(at: string): Record<string, string> {
  return Object.fromEntries(
    fs
      .readdirSync(at, { recursive: true })
      .map(String)
      .sort()
      .map((name) => {
        const path = join(at, name);
        const { mode, mtimeNs, ctimeNs, ino, size } = fs.lstatSync(path, { bigint: true });
        const bytes = fs.lstatSync(path).isFile() ? fs.readFileSync(path, "latin1") : "";
        return [name, [mode, mtimeNs, ctimeNs, ino, size, bytes].join(" ")];
      }),
  );
}

/** Commits some texts, one commit each, and closes. */
async function history(texts: readonly string[]): Promise<void> {
  const { storage } = await openAdapter(newHost(), root);
  for (const text of texts)
    await storage.commit([await makeBatch(storage, { "log.txt": text })], { flush: true });
  await storage.close();
}

/** Ends a process between the commit point and the first rename. */
async function leavePending(): Promise<void> {
  const counting = countingFileSystem();
  const { storage } = await openAdapter(newHost(counting.fileSystem), root);
  const batch = await makeBatch(storage, { "a.txt": "new a\n", "b.txt": "new b\n" });
  counting.arm({ only: ["rename"], crashAt: 1 });
  await storage.commit([batch], { flush: true }).catch(() => undefined);
  expect(counting.hasCrashed()).toBe(true);
}

describe("A log that is damaged", () => {
  const segment = () => state("log/00000001.log");
  const change = (at: number, bytes: readonly number[]) => {
    const descriptor = fs.openSync(segment(), "r+");
    fs.writeSync(descriptor, Uint8Array.from(bytes), 0, bytes.length, at);
    fs.closeSync(descriptor);
  };
  const newerSegment = encodeFrame(openOptions.hashing, [utf8("what nobody here can read")], logFormat + 1);
  const damages: readonly (readonly [string, string, () => void])[] = [
    ["in its middle", "STORAGE_FAILED", () => change(600, [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff])],
    ["in its first bytes", "STORAGE_FAILED", () => change(0, [1, 2, 3, 4])],
    ["by being cut short", "STORAGE_FAILED", () => fs.truncateSync(segment(), 700)],
    ["by being emptied", "STORAGE_FAILED", () => fs.truncateSync(segment(), 0)],
    ["by being removed", "STORAGE_FAILED", () => fs.rmSync(segment())],
    ["by being all text", "STORAGE_FAILED", () => fs.writeFileSync(segment(), "text ".repeat(2000))],
    ["in the name of a newer version", "NOT_SUPPORTED", () => fs.writeFileSync(segment(), newerSegment)],
  ];

  test.each(damages)(
    "%s is refused at opening with %s, and every file stays as it is",
    async (_how, code, damage) => {
      await history(["one\n", "two\n", "three\n"]);
      const tree = readTree(root);
      damage();
      const damaged = fs.existsSync(segment()) ? fs.readFileSync(segment()) : undefined;
      for (let attempt = 0; attempt < 2; attempt++) {
        const error = await refusalOf(openWorkspace());
        expect(error).toMatchObject({ code, written: "no" });
        expect(error.message).toMatch(code === "STORAGE_FAILED" ? /damaged .*untouched/ : /newer version/);
      }
      expect(readTree(root)).toEqual(tree);
      if (damaged !== undefined) expect(fs.readFileSync(segment()).equals(damaged)).toBe(true);
    },
  );

  test.each(damages.slice(2, 6))(
    "%s is met by a process that has it open, when it looks for what others committed",
    async (_how, code, damage) => {
      const { storage } = await openAdapter(newHost(), root);
      await storage.commit([await makeBatch(storage, { "log.txt": "one\n" })], { flush: true });
      await history(["two\n"]);
      const batch = await makeBatch(storage, { "log.txt": "three\n" });
      damage();
      const problem = await storage.commit([batch], { flush: true }).then(
        () => undefined,
        (error: unknown) => error,
      );
      expect(problem).toMatchObject({ code, written: "no" });
      expect(readTree(root)["log.txt"]).toBe("644 two\n");
      await storage.close().catch(() => undefined);
    },
  );

  test.each([
    ["what it said when it was sealed", () => fs.rmSync(state("log/00000001.state"))],
    ["the end of what it said when it was sealed", () => fs.truncateSync(state("log/00000001.state"), 100)],
    ["its newest segment", () => fs.rmSync(state("log/00000002.log"))],
  ])("by the loss of %s is refused", async (_what, damage) => {
    const { storage } = await openAdapter(newHost(), root);
    await storage.commit([await makeBatch(storage, { "log.txt": "one\n" })], { flush: true });
    await storage.prune({ before: 2, keep: new Set(), staged: [] });
    await storage.commit([await makeBatch(storage, { "log.txt": "two\n" })], { flush: true });
    await storage.close();
    expect(fs.readdirSync(state("log")).sort()).toEqual(["00000001.state", "00000002.log"]);
    damage();
    expect(await refusalOf(openWorkspace())).toMatchObject({ code: "STORAGE_FAILED" });
    expect(readTree(root)["log.txt"]).toBe("644 two\n");
  });
});

describe("Garbage in the state folder", () => {
  test("beside what belongs there is passed over and left alone", async () => {
    await history(["one\n"]);
    const garbage = [
      "lock/notes",
      "lock/007",
      "log/x.log",
      "log/1.log",
      "tmp/note-1",
      "pre/notes",
      "staged/mine",
      "images/notes",
      "conflicts/notes",
      "notes",
    ];
    for (const name of garbage) fs.writeFileSync(state(name), "garbage");
    const workspace = await openWorkspace();
    await workspace.write("new.txt", "new\n");
    expect((await workspace.read("log.txt")).text).toBe("one\n");
    await workspace.close();
    for (const name of garbage) expect(fs.readFileSync(state(name), "utf8"), name).toBe("garbage");
  });

  test("in the place of the folders of the lock and the log is refused", async () => {
    for (const part of ["lock", "log"]) {
      await history(["one\n"]);
      fs.rmSync(state(part), { recursive: true });
      fs.writeFileSync(state(part), "garbage");
      const tree = readTree(root);
      expect(await refusalOf(openWorkspace())).toMatchObject({ code: "NOT_SUPPORTED" });
      expect(readTree(root)).toEqual(tree);
      fs.rmSync(state(), { recursive: true });
    }
  });
});

describe("Opened for inspection", () => {
  test("a folder without a state folder gets none", async () => {
    const before = snapshot(folder.path);
    const workspace = await openWorkspace({ mode: "inspectionOnly" });
    expect((await workspace.read("a.txt")).text).toBe("old a\n");
    expect((await refusalOf(workspace.write("new.txt", "x"))).written).toBe("no");
    await workspace.close();
    expect(snapshot(folder.path)).toEqual(before);
  });

  test("a workspace with a history is not written to, also when others hold its lock", async () => {
    await (await openWorkspace()).close();
    await history(["one\n", "two\n"]);
    const before = snapshot(folder.path);
    const workspace = await openWorkspace({ mode: "inspectionOnly" });
    expect((await workspace.read("log.txt")).text).toBe("two\n");
    await workspace.close();
    expect(snapshot(folder.path)).toEqual(before);
  });

  test("an interrupted commit is said to be pending and stays as it is, unless the caller allows it", async () => {
    await (await openWorkspace()).close();
    await leavePending();
    const before = snapshot(folder.path);
    expect(await refusalOf(openWorkspace({ mode: "inspectionOnly" }))).toMatchObject({
      code: "RECOVERY_PENDING",
    });
    const workspace = await openWorkspace({ mode: "inspectionOnly", allowPending: true });
    expect((await workspace.read("a.txt")).text).toBe("old a\n");
    await workspace.close();
    expect(snapshot(folder.path)).toEqual(before);
    const writable = await openWorkspace();
    expect((await writable.read("a.txt")).text).toBe("new a\n");
    await writable.close();
    await (await openWorkspace({ mode: "inspectionOnly" })).close();
  });
});

describe("The state folder elsewhere on the same disk", () => {
  test("holds everything, and the root holds nothing but the files", async () => {
    const stateDir = join(folder.path, "elsewhere");
    const workspace = await openWorkspace({}, { stateDir });
    await workspace.write("new.txt", "new\n");
    await workspace.close();
    expect(fs.readdirSync(root).sort()).toEqual(["a.txt", "b.txt", "new.txt"]);
    expect(fs.readdirSync(stateDir)).toContain("log");
  });

  test("is one lock however its path is spelled, for all handles of a process", async () => {
    const host = { ...newHost(), processes: nodeProcessTable() };
    fs.mkdirSync(join(folder.path, "elsewhere"));
    fs.symlinkSync(".", join(folder.path, "alias"));
    const spellings = ["elsewhere", "root/../elsewhere", "alias/elsewhere", "./elsewhere/"];
    const handles = await Promise.all(
      spellings.map((name) =>
        Workspace.open(new DirectoryAdapter(host, { root, stateDir: `${folder.path}/${name}` })),
      ),
    );
    await handles[0]?.write("count.txt", "0");
    const countUp = async (workspace: Workspace): Promise<void> => {
      try {
        await workspace.update("count.txt", (file) => String(Number(file?.text) + 1));
      } catch (error) {
        // Eight lost races in a row: the same call again.
        if (!isHoldfastError(error, "TARGET_BUSY")) throw error;
        await countUp(workspace);
      }
    };
    await Promise.all(
      handles.map(async (workspace) => {
        for (let round = 0; round < 10; round++) await countUp(workspace);
      }),
    );
    expect((await handles[0]?.read("count.txt"))?.text).toBe("40");
    for (const workspace of handles) await workspace.close();
  });
});

describe("A lock of a process on another machine", () => {
  const far = () => {
    const host = newHost();
    return {
      ...host,
      processes: { ...host.processes, self: { ...host.processes.self, machine: "elsewhere/far" } },
    };
  };

  test("is broken by its token, and what its owner left is finished", async () => {
    const counting = countingFileSystem();
    const owner = await openAdapter({ ...far(), fileSystem: counting.fileSystem }, root);
    await owner.storage.commit([await makeBatch(owner.storage, { "first.txt": "first\n" })], { flush: true });
    const batch = await makeBatch(owner.storage, { "a.txt": "newest a\n" });
    counting.arm({ only: ["rename"], crashAt: 1 });
    const host = newHost();
    const waiting = new DirectoryAdapter(
      { ...host, processes: { ...host.processes, isGone: () => false } },
      { root },
    );
    await waiting.open(openOptions);
    await owner.storage.commit([batch], { flush: true }).catch(() => undefined);
    const error = await refusalOf(
      waiting
        .commit([await makeBatch(waiting, { "b.txt": "mine\n" })], { flush: true })
        .then(() => undefined),
    );
    expect(error).toMatchObject({
      code: "LOCKED",
      written: "no",
      details: { owner: { machine: "elsewhere/far" } },
    });
    expect(await refusalOf(waiting.breakLock({ token: "another" }))).toMatchObject({ code: "NOT_FOUND" });
    await waiting.breakLock({ token: (error.details as { token: string }).token });
    expect(readTree(root)).toMatchObject({ "a.txt": "644 newest a\n" });
    expect(
      (await waiting.commit([await makeBatch(waiting, { "b.txt": "mine\n" })], { flush: true }))[0],
    ).toMatchObject({ committed: true });
    await waiting.close();
  });
});

describe("Several workspaces in one process", () => {
  test("on different roots do not disturb each other", async () => {
    const other = join(folder.path, "other");
    fs.mkdirSync(other);
    const [one, two] = await Promise.all([
      openWorkspace(),
      Workspace.open(new DirectoryAdapter(newHost(), { root: other })),
    ]);
    await Promise.all([one.write("x.txt", "one\n"), two.write("x.txt", "two\n")]);
    expect([(await one.read("x.txt")).text, (await two.read("x.txt")).text]).toEqual(["one\n", "two\n"]);
    await Promise.all([one.close(), two.close()]);
  });

  test("on one storage that were opened at the same time stay open until each is closed", async () => {
    const storage = new DirectoryAdapter({ ...newHost(), processes: nodeProcessTable() }, { root });
    const [one, two] = await Promise.all([Workspace.open(storage), Workspace.open(storage)]);
    await one?.close();
    await two?.write("x.txt", "still open\n");
    expect((await two?.read("x.txt"))?.text).toBe("still open\n");
    await two?.close();
  });
});

test("with durability for the end of the process only, nothing is flushed and an ended process is recovered", async () => {
  let flushes = 0;
  const counted: FileSystem = {
    ...nodeFileSystem,
    flush: async () => {
      flushes += 1;
    },
  };
  const workspace = await Workspace.open(
    new DirectoryAdapter(newHost(counted), { root, durability: "process" }),
  );
  for (let round = 0; round < 5; round++) await workspace.write(`new ${round}.txt`, "new\n");
  await workspace.close();
  expect(flushes).toBe(0);
  await leavePending();
  const storage = new DirectoryAdapter(newHost(), { root, durability: "process" });
  expect(await storage.open(openOptions)).toEqual({
    rolledForward: 1,
    rolledBack: 0,
    conflicts: [],
    pending: false,
  });
  expect(readTree(root)).toMatchObject({ "a.txt": "644 new a\n", "b.txt": "644 new b\n" });
  await storage.close();
});
