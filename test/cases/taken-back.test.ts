import * as fs from "node:fs";
import { type Change, isHoldfastError, type Workspace } from "holdfast";
import { expect, test } from "vitest";
import type { FileSystem } from "../../src/storage/directory/file-system.ts";
import { nodeFileSystem } from "../../src/storage/directory/node-file-system.ts";
import { collect, refusalOf } from "../support/refusal.ts";
import { hostPath, type InjectedDirectory, injectedDirectory } from "./injected-directory.ts";

const edit = (path: string, oldText: string, newText: string): Change => ({
  action: "edit",
  path,
  edits: [{ op: "replace_text", oldText, newText }],
});

/** What is on the disk, and what a call is to do with it. */
interface Scene {
  readonly files: Parameters<typeof injectedDirectory>[0];
  readonly changes: readonly Change[];
  /** What others do between the opening and the call. */
  readonly meanwhile?: (directory: InjectedDirectory) => void;
  /** What others do while the call runs: right before the step of it that fails. */
  readonly during?: (directory: InjectedDirectory) => void;
  /** What is there besides when the call has been taken back. */
  readonly besides?: Readonly<Record<string, string>>;
}

/** Makes a call with each of its renames and links failing in turn, and checks that nothing but what it did itself is taken back. */
async function failEverywhere({ files, changes, meanwhile, during, besides }: Scene): Promise<void> {
  let refused = 0;
  for (let failAt = 1, isPast = false; !isPast; failAt++) {
    let left = Number.POSITIVE_INFINITY;
    const failing =
      (step: "rename" | "link"): FileSystem["rename"] =>
      (from, to) => {
        left -= 1;
        if (left === 0) {
          during?.(directory);
          throw Object.assign(new Error("denied"), { code: "EACCES" });
        }
        nodeFileSystem[step](from, to);
      };
    using directory = injectedDirectory(files, { rename: failing("rename"), link: failing("link") });
    const workspace = await directory.open();
    meanwhile?.(directory);
    const before = { ...directory.tree(), ...besides };
    left = failAt;
    const error: unknown = await workspace.apply(changes).then(() => undefined, Object);
    isPast = left > 0;
    left = Number.POSITIVE_INFINITY;
    if (error !== undefined) {
      expect(isHoldfastError(error) ? error.written : error).toBe("no");
      expect(directory.tree()).toEqual(before);
      refused += 1;
    }
    await workspace.close();
    await (await directory.open()).close();
    if (error !== undefined) expect(directory.tree()).toEqual(before);
  }
  expect(refused).toBeGreaterThan(changes.length);
}

test("#139 taking back what failed leaves files that it did not touch, also in the folders that it made", async () => {
  await failEverywhere({
    files: { "a.txt": "a\n", "output/1.bin": "hours of work\n" },
    changes: [
      { action: "create", path: "made/new.txt", content: "new\n" },
      { action: "create", path: "output/new.txt", content: "new\n" },
      edit("a.txt", "a", "b"),
    ],
    during: (directory) => {
      fs.mkdirSync(hostPath(directory, "made"), { recursive: true });
      fs.writeFileSync(hostPath(directory, "made/untracked.txt"), "untracked\n");
    },
    besides: { "made/untracked.txt": "644 untracked\n" },
  });
});

test("#140 taking back a change of the ignore rules deletes nothing that they name or named", async () => {
  await failEverywhere({
    files: {
      ".gitignore": "output/\nsecrets.env\n",
      "output/1.bin": "1\n",
      "secrets.env": "s\n",
      "new.log": "n\n",
    },
    changes: [
      edit(".gitignore", "output/\n", "*.log\n"),
      { action: "create", path: "b.log", content: "b\n" },
    ],
  });
});

test("#145 taking back what failed removes the files that it made, and no others that are as new", async () => {
  await failEverywhere({
    files: { "a.txt": "a\n" },
    meanwhile: (directory) => {
      fs.mkdirSync(hostPath(directory, "later"));
      fs.writeFileSync(hostPath(directory, "later/theirs.txt"), "theirs\n");
    },
    changes: [
      { action: "create", path: "later/ours.txt", content: "ours\n" },
      { action: "create", path: "ours/only.txt", content: "ours\n" },
      edit("a.txt", "a", "b"),
    ],
  });
});

test("#130, #146 taking back brings back what was on the disk at that moment, its mode too, and not what was committed last", async () => {
  await failEverywhere({
    files: {
      "run.sh": { text: "committed\n", mode: 0o755 },
      "gone.sh": { text: "committed\n", mode: 0o700 },
    },
    meanwhile: (directory) => {
      for (const name of ["run.sh", "gone.sh"]) fs.writeFileSync(hostPath(directory, name), "by hand\n");
    },
    changes: [
      edit("run.sh", "by hand", "changed"),
      { action: "create", path: "b.txt", content: "b\n" },
      edit("gone.sh", "by hand", "changed"),
    ],
  });
});

test.each([
  ["once", false],
  ["from then on", true],
])("#148 what cannot be looked at %s is not taken for absent, nor for empty", async (_when, sticky) => {
  const calls = {
    create: (workspace: Workspace) =>
      workspace.apply({ action: "create", path: "folder/a.txt", content: "ours\n" }),
    write: (workspace: Workspace) => workspace.write("folder/a.txt", "ours\n"),
    stat: async (workspace: Workspace) => (await workspace.stat("folder/a.txt"))?.kind,
    read: async (workspace: Workspace) => (await workspace.read("folder/a.txt")).text,
    list: async (workspace: Workspace) => (await collect(workspace.list())).map(({ path }) => path),
  };
  for (const [name, call] of Object.entries(calls)) {
    let met = 0;
    let refused = 0;
    for (let isPast = false; !isPast; ) {
      using directory = injectedDirectory({ "folder/a.txt": "theirs\n", "folder/deep/b.txt": "b\n" });
      const before = directory.tree();
      const workspace = await directory.open({ durability: "process" });
      const only = ["lstat", "open", "fstat", "read", "readdir"] as const;
      directory.counting.arm({ failAt: met + 1, errorNumber: "EIO", sticky, only });
      const result: unknown = await call(workspace).catch((error: unknown) => error);
      isPast = directory.counting.calls() <= met;
      directory.counting.arm({});
      if (!isPast) met += 1;
      expect(directory.tree()).toEqual(before);
      if (isHoldfastError(result, "STORAGE_FAILED")) refused += 1;
      else expect([name, isHoldfastError(result) ? result.code : result]).toEqual([name, undisturbed[name]]);
      await workspace.close();
    }
    expect(refused).toBeGreaterThan(0);
  }
});

test.each(["lstat", "open"] as const)(
  "#148 a file of which every %s fails is neither gone nor written over",
  async (step) => {
    const failing = (at: string, ...rest: unknown[]): unknown => {
      if (at.endsWith("/a.txt")) throw Object.assign(new Error("broken"), { code: "EIO" });
      return (nodeFileSystem[step] as (...args: unknown[]) => unknown)(at, ...rest);
    };
    using directory = injectedDirectory({ "folder/a.txt": "theirs\n" }, { [step]: failing });
    const before = directory.tree();
    const workspace = await directory.open();
    for (const call of [
      () => workspace.apply({ action: "create", path: "folder/a.txt", content: "ours\n" }),
      () => workspace.write("folder/a.txt", "ours\n"),
      () => workspace.update("folder/a.txt", () => "ours\n"),
      () => workspace.read("folder/a.txt"),
      () => workspace.stat("folder/a.txt", { revision: true }),
      () => collect(workspace.search("theirs")),
    ])
      expect(await refusalOf(call)).toMatchObject({ code: "STORAGE_FAILED", written: "no" });
    expect(directory.tree()).toEqual(before);
    await workspace.close();
  },
);

/** What the calls of the cases above come to when nothing is in their way. */
const undisturbed: Readonly<Record<string, unknown>> = {
  create: "ALREADY_EXISTS",
  write: "REVISION_REQUIRED",
  stat: "file",
  read: "theirs\n",
  list: ["folder", "folder/a.txt", "folder/deep", "folder/deep/b.txt"],
};
