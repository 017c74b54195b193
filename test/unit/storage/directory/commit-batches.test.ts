import * as fs from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { DirectoryAdapter } from "../../../../src/storage/directory/directory-adapter.ts";
import type { FileStatus, FileSystem } from "../../../../src/storage/directory/file-system.ts";
import { nodeFileSystem } from "../../../../src/storage/directory/node-file-system.ts";
import type { CommitOutcome } from "../../../../src/storage/storage-adapter.ts";
import { simulatedHost } from "../../../support/crashing-host.ts";
import { leftovers, readTree, writeTree } from "../../../support/directory-tree.ts";
import { temporaryFolder } from "../../../support/temporary-folder.ts";
import { makeBatch, openAdapter, type Wanted } from "../../../support/tree-batch.ts";

const files = { "a.txt": "old a\n", "b.txt": "old b\n", "folder/c.txt": "old c\n" };
const wanted: Wanted = {
  "a.txt": "new a\n",
  "b.txt": null,
  "folder/c.txt": "new c\n",
  "made/d.txt": "new d\n",
};
const after = { "a.txt": "644 new a\n", "folder/c.txt": "644 new c\n", "made/d.txt": "644 new d\n" };

let folder: ReturnType<typeof temporaryFolder>;
let root: string;
beforeEach(() => {
  process.umask(0o022);
  folder = temporaryFolder("quick");
  root = folder.path;
  writeTree(root, files);
});
afterEach(() => folder.remove());

/** What another program does, once, before or after the first call that meets a condition. */
interface Moment {
  readonly call: "rename" | "link" | "flush" | "open";
  readonly when: (args: readonly string[]) => boolean;
  readonly act: () => void;
  readonly after?: boolean;
}

/** A file system on which another program acts at one moment of the next commit. */
function watched(): {
  readonly fileSystem: FileSystem;
  at(moment: Moment): void;
  readonly acted: () => boolean;
} {
  let next: Moment | undefined;
  let acted = false;
  const wrap = <Call extends Moment["call"]>(call: Call): FileSystem[Call] =>
    ((...args: never[]) => {
      const now = next?.call === call && next.when(args.map(String)) ? next : undefined;
      if (now !== undefined) {
        next = undefined;
        acted = true;
      }
      if (now !== undefined && now.after !== true) now.act();
      const result = (nodeFileSystem[call] as (...args: never[]) => unknown)(...args);
      if (now?.after === true) now.act();
      return result;
    }) as FileSystem[Call];
  return {
    fileSystem: {
      ...nodeFileSystem,
      rename: wrap("rename"),
      link: wrap("link"),
      flush: wrap("flush"),
      open: wrap("open"),
    },
    at: (moment) => {
      next = moment;
    },
    acted: () => acted,
  };
}

async function commitOnce(
  storage: DirectoryAdapter,
  batch: Wanted = wanted,
): Promise<CommitOutcome | undefined> {
  const [outcome] = await storage.commit([await makeBatch(storage, batch)], { flush: true });
  return outcome;
}

/** Commits while another program acts; then the next commit must work, also in the next process. */
async function commitWhile(makeMoment: () => Moment, batch: Wanted = wanted) {
  const disk = watched();
  const { storage } = await openAdapter(simulatedHost(disk.fileSystem), root);
  const prepared = await makeBatch(storage, batch);
  disk.at(makeMoment());
  const [outcome] = await storage.commit([prepared], { flush: true });
  expect(disk.acted()).toBe(true);
  const tree = readTree(root);
  expect(await commitOnce(storage, { "next.txt": "works\n" })).toMatchObject({ committed: true });
  await storage.close();
  const next = await openAdapter(simulatedHost(nodeFileSystem), root);
  expect(next.report.conflicts).toEqual([]);
  expect(readTree(root)).toEqual({ ...tree, "next.txt": "644 works\n" });
  expect(leftovers(root)).toEqual([]);
  return { outcome, tree, storage: next.storage };
}

const old = { "a.txt": "644 old a\n", "b.txt": "644 old b\n", "folder/c.txt": "644 old c\n" };
const conflicts = () =>
  Object.fromEntries(
    fs
      .readdirSync(join(root, ".holdfast/conflicts"))
      .map((name) => [name, fs.readFileSync(join(root, ".holdfast/conflicts", name), "utf8")]),
  );
const onto = (name: string) => (args: readonly string[]) => args[1]?.endsWith(`/${name}`) === true;

describe("Another program that writes while a commit is carried out", () => {
  test.each(["a.txt", "b.txt", "folder/c.txt"])(
    "through a descriptor that it opened before is met: its bytes stand in %s, and ours are kept",
    async (path) => {
      const descriptor = fs.openSync(join(root, path), "r+");
      const isRemoval = wanted[path] === null;
      const { outcome, tree } = await commitWhile(() => ({
        call: "rename",
        when: isRemoval
          ? (args) => args[0]?.endsWith(`/${path}`) === true
          : onto(path.split("/").at(-1) ?? ""),
        act: () => void fs.writeSync(descriptor, "theirs\n", 0),
        after: true,
      }));
      fs.closeSync(descriptor);
      expect(outcome).toMatchObject({
        committed: false,
        written: "no",
        error: { code: "EXTERNAL_WRITE", details: { paths: [path] }, written: "no" },
      });
      expect(tree).toEqual({ ...old, [path]: "644 theirs\n" });
      const kept = Object.values(conflicts());
      for (const text of isRemoval ? ["new a\n"] : ["new a\n", "new c\n"]) expect(kept).toContain(text);
    },
  );

  test("by a new file of the same name, before ours is renamed onto it, is met", async () => {
    const { outcome, tree } = await commitWhile(() => ({
      call: "flush",
      when: () => true,
      act: () => {
        fs.writeFileSync(join(root, "editor"), "theirs\n");
        fs.renameSync(join(root, "editor"), join(root, "a.txt"));
      },
      after: true,
    }));
    expect(outcome).toMatchObject({
      committed: false,
      written: "no",
      error: { code: "EXTERNAL_WRITE", details: { paths: ["a.txt"] } },
    });
    expect(tree).toEqual({ ...old, "a.txt": "644 theirs\n" });
    expect(Object.values(conflicts())).toContain("new a\n");
  });

  test("at a place where the commit makes a file is met, and keeps the place", async () => {
    const { outcome, tree } = await commitWhile(() => ({
      call: "link",
      when: onto("d.txt"),
      act: () => fs.writeFileSync(join(root, "made/d.txt"), "theirs\n"),
    }));
    expect(outcome).toMatchObject({
      committed: false,
      written: "no",
      error: { code: "EXTERNAL_WRITE", details: { paths: ["made/d.txt"] } },
    });
    expect(tree).toEqual({ ...old, "made/d.txt": "644 theirs\n" });
    expect(Object.values(conflicts()).sort()).toEqual(["new a\n", "new c\n", "new d\n"]);
  });

  test("and removes a file that the commit replaces is met, and the file stays removed or comes back whole", async () => {
    const { outcome, tree } = await commitWhile(() => ({
      call: "flush",
      when: () => true,
      act: () => fs.rmSync(join(root, "a.txt")),
      after: true,
    }));
    expect(outcome).toMatchObject({ committed: false, written: "no", error: { code: "EXTERNAL_WRITE" } });
    expect([{ ...old }, { "b.txt": old["b.txt"], "folder/c.txt": old["folder/c.txt"] }]).toContainEqual(tree);
  });
});

describe("Another program that writes before the commit point", () => {
  test("between the check and the second link is not written over: the expectation fails", async () => {
    const { outcome, tree } = await commitWhile(() => ({
      call: "link",
      when: (args) => args[0]?.endsWith("/a.txt") === true,
      act: () => fs.writeFileSync(join(root, "a.txt"), "theirs\n"),
    }));
    expect(outcome).toMatchObject({ committed: false, failed: [{ space: "files", key: "a.txt" }] });
    expect(tree).toEqual({ ...old, "a.txt": "644 theirs\n" });
    expect(fs.readdirSync(join(root, ".holdfast/pre"))).toEqual([]);
  });

  test("and removes the target between the check and the second link makes the expectation fail", async () => {
    const { outcome, tree } = await commitWhile(() => ({
      call: "link",
      when: (args) => args[0]?.endsWith("/a.txt") === true,
      act: () => fs.rmSync(join(root, "a.txt")),
    }));
    expect(outcome).toMatchObject({ committed: false, failed: [{ space: "files", key: "a.txt" }] });
    expect(tree).toEqual({ "b.txt": old["b.txt"], "folder/c.txt": old["folder/c.txt"] });
  });

  test("at a place where the commit makes a file is met after it", async () => {
    const { outcome, tree } = await commitWhile(() => ({
      call: "link",
      when: (args) => args[0]?.endsWith("/a.txt") === true,
      act: () => {
        fs.mkdirSync(join(root, "made"));
        fs.writeFileSync(join(root, "made/d.txt"), "theirs\n");
      },
    }));
    expect(outcome).toMatchObject({ committed: false, written: "no", error: { code: "EXTERNAL_WRITE" } });
    expect(tree).toEqual({ ...old, "made/d.txt": "644 theirs\n" });
  });
});

describe("A state folder that disappears while the storage is open", () => {
  test.each([
    ["all of it", ""],
    ["the log", "log"],
    ["the lock", "lock"],
    ["the temporary files", "tmp"],
    ["the pre-images", "pre"],
  ])("(%s) stops the next commit, and nothing is written", async (_what, part) => {
    const { storage } = await openAdapter(simulatedHost(nodeFileSystem), root);
    expect(await commitOnce(storage, { "first.txt": "first\n" })).toMatchObject({ committed: true });
    const batch = await makeBatch(storage, wanted);
    const before = readTree(root);
    fs.rmSync(join(root, ".holdfast", part), { recursive: true });
    const problem = await storage.commit([batch], { flush: true }).then(
      ([outcome]) => (outcome !== undefined && "error" in outcome ? outcome.error : outcome),
      (error: unknown) => error,
    );
    expect(problem).toMatchObject({ code: "STORAGE_FAILED", written: "no" });
    expect(readTree(root)).toEqual(before);
    await storage.close().catch(() => undefined);
  });

  test("between preparing and the commit point stops it too", async () => {
    const disk = watched();
    const { storage } = await openAdapter(simulatedHost(disk.fileSystem), root);
    const batch = await makeBatch(storage, wanted);
    disk.at({
      call: "link",
      when: (args) => args[0]?.endsWith("/a.txt") === true,
      act: () => fs.rmSync(join(root, ".holdfast/tmp"), { recursive: true }),
    });
    const [outcome] = await storage.commit([batch], { flush: true });
    expect(outcome).toMatchObject({ committed: false, written: "no", error: { code: "STORAGE_FAILED" } });
    expect(readTree(root)).toEqual(old);
  });
});

describe("A file that must not be replaced", () => {
  test.each<[string, () => void, string]>([
    ["that is read-only", () => fs.chmodSync(join(root, "a.txt"), 0o444), "READ_ONLY"],
    ["that is read-only, and would be removed", () => fs.chmodSync(join(root, "b.txt"), 0o400), "READ_ONLY"],
    [
      "in the place of which there is a folder with a file",
      () => {
        fs.mkdirSync(join(root, "made/d.txt"), { recursive: true });
        fs.writeFileSync(join(root, "made/d.txt/x"), "x");
      },
      "IS_DIRECTORY",
    ],
    [
      "below another workspace",
      () => fs.mkdirSync(join(root, "made/.holdfast"), { recursive: true }),
      "PROTECTED_PATH",
    ],
    ["behind a link", () => fs.symlinkSync("folder", join(root, "made")), "SYMLINK_ESCAPE"],
    [
      "where a file is in the place of its folder",
      () => fs.writeFileSync(join(root, "made"), "file"),
      "ALREADY_EXISTS",
    ],
  ])("%s is refused with the whole batch", async (_what, prepare, code) => {
    const { storage } = await openAdapter(simulatedHost(nodeFileSystem), root);
    const batch = await makeBatch(storage, wanted);
    prepare();
    const before = readTree(root);
    const [outcome] = await storage.commit([batch], { flush: true });
    expect(outcome).toMatchObject({ committed: false, written: "no", error: { code } });
    expect(readTree(root)).toEqual(before);
    expect(leftovers(root)).toEqual([]);
    await storage.close();
  });

  test("on another file system is refused", async () => {
    const elsewhere = ["folder", "folder/c.txt"].map(
      (path) => fs.statSync(join(root, path), { bigint: true }).ino,
    );
    const mounted = <Status extends FileStatus | undefined>(status: Status): Status =>
      status !== undefined && elsewhere.includes(status.ino) ? { ...status, dev: 4711n } : status;
    const fileSystem: FileSystem = {
      ...nodeFileSystem,
      lstat: (at) => mounted(nodeFileSystem.lstat(at)),
      fstat: (descriptor) => mounted(nodeFileSystem.fstat(descriptor)),
    };
    const { storage } = await openAdapter(simulatedHost(fileSystem), root);
    for (const path of ["folder/new.txt", "folder/deep/new.txt"]) {
      const outcome = await commitOnce(storage, { "a.txt": "new a\n", [path]: "new\n" });
      expect(outcome).toMatchObject({
        committed: false,
        written: "no",
        error: { code: "NOT_SUPPORTED", problems: [{ path }] },
      });
    }
    const outcome = await commitOnce(storage, { "a.txt": "new a\n", "folder/c.txt": null });
    expect(outcome).toMatchObject({
      committed: false,
      written: "no",
      error: { code: "NOT_SUPPORTED", problems: [{ path: "folder/c.txt" }] },
    });
    expect(readTree(root)).toEqual(old);
    expect(await commitOnce(storage, { "a.txt": "new a\n" })).toMatchObject({ committed: true });
    await storage.close();
  });
});

test.each([
  [0o022, "644", "755"],
  [0o077, "600", "700"],
  [0o002, "664", "775"],
])(
  "new files get the bits that the umask %o leaves, and replaced ones keep theirs",
  async (umask, plain, executable) => {
    fs.chmodSync(join(root, "a.txt"), 0o640);
    process.umask(umask);
    try {
      const { storage } = await openAdapter(simulatedHost(nodeFileSystem), root);
      await commitOnce(storage, {
        "a.txt": "new a\n",
        "new.txt": "new\n",
        "new.sh": { text: "new\n", executable: true },
      });
      expect(readTree(root)).toMatchObject({
        "a.txt": "640 new a\n",
        "new.txt": `${plain} new\n`,
        "new.sh": `${executable} new\n`,
      });
      await storage.close();
    } finally {
      process.umask(0o022);
    }
  },
);

test("without interference the commit of these tests is whole", async () => {
  const { storage } = await openAdapter(simulatedHost(nodeFileSystem), root);
  expect(await commitOnce(storage)).toMatchObject({ committed: true });
  expect(readTree(root)).toEqual(after);
  await storage.close();
});
