import * as fs from "node:fs";
import { dirname, join } from "node:path";
import { openDirectory } from "holdfast/node";
import { expect, test } from "vitest";
import { collect, refusalOf } from "../support/refusal.ts";
import { newFolder, rawFiles, testCase } from "./case-workspace.ts";

testCase(
  "#139, #140 rolling back touches no file that others made, whatever the ignore rules say now and said before",
  { ".gitignore": "build/\n", a: "a\n" },
  async ({ workspace, outside, files }) => {
    const tx = await workspace.beginTransaction();
    await tx.update(".gitignore", () => "*.log\n");
    await tx.update("a", () => "staged\n");
    await tx.update("made", () => "made\n");
    outside("build/large.bin", "untracked\n");
    outside("now.log", "untracked\n");
    await tx.rollback();
    expect(await files()).toEqual({
      ".gitignore": "build/\n",
      a: "a\n",
      "build/large.bin": "untracked\n",
      "now.log": "untracked\n",
    });
  },
);

testCase(
  "#142, #146 every undo can be undone, by redo and by reverting the revert, back to what was on the disk and in no commit",
  { a: "committed nowhere\n" },
  async ({ workspace, outside, raw }) => {
    outside("a", "by hand\n");
    const tx = await workspace.beginTransaction();
    await tx.update("a", () => "1\n");
    await tx.undo();
    expect((await tx.read("a")).text).toBe("by hand\n");
    await tx.redo();
    expect((await tx.read("a")).text).toBe("1\n");
    let { workspaceRevision } = await tx.commit();
    for (const text of ["by hand\n", "1\n", "by hand\n"]) {
      const staged = await workspace.beginTransaction();
      await staged.revert(workspaceRevision);
      ({ workspaceRevision } = await staged.commit());
      expect(await raw("a")).toBe(text);
    }
  },
);

test.each([
  ["a folder", { ".git/index": "index\n", ".git/refs/heads/main": "0123\n" }],
  ["a file", { ".git": "gitdir: ../.git/modules/x\n" }],
])(
  "#143, #152 a transaction leaves the data of version control alone where it is %s",
  async (_what, data) => {
    const root = newFolder();
    const before: Readonly<Record<string, string>> = { ...data, a: "a\n" };
    for (const [path, text] of Object.entries(before)) {
      fs.mkdirSync(dirname(join(root, path)), { recursive: true });
      fs.writeFileSync(join(root, path), text);
    }
    try {
      await using workspace = await openDirectory(root);
      for (const end of ["rollback", "commit"] as const) {
        const tx = await workspace.beginTransaction();
        for (const path of Object.keys(data))
          expect((await refusalOf(tx.update(path, () => "ours\n"))).code).toBe("PROTECTED_PATH");
        await tx.update("a", () => "staged\n");
        await tx.undo();
        await tx.redo();
        await tx[end]();
      }
      expect(rawFiles(root)).toEqual({ ...before, a: "staged\n" });
    } finally {
      fs.rmSync(root, { recursive: true, force: true });
    }
  },
);

testCase(
  "#145 going back to a savepoint takes away the files that were made since, and no others that are as new",
  { a: "a\n" },
  async ({ workspace, outside, files }) => {
    const tx = await workspace.beginTransaction();
    await tx.update("kept", () => "kept\n");
    await tx.savepoint("checkpoint");
    await tx.update("folder/made", () => "made\n");
    outside("folder/theirs", "theirs\n");
    await tx.undoTo("checkpoint");
    expect((await collect(tx.list())).map(({ path }) => path)).toEqual([
      "a",
      "folder",
      "folder/theirs",
      "kept",
    ]);
    await tx.commit();
    expect(await files()).toEqual({ a: "a\n", "folder/theirs": "theirs\n", kept: "kept\n" });
  },
);

testCase(
  "#104 deleting a folder and writing the same bytes back is no change, in however many steps",
  { "folder/a": "a\n", "folder/b": "b\n" },
  async ({ workspace, files }) => {
    const before = await files();
    const tx = await workspace.beginTransaction();
    const { revision } = (await tx.stat("folder", { revision: true })) ?? {};
    await tx.apply({ action: "deleteTree", path: "folder", revision: revision ?? "" });
    expect((await tx.info()).changedPaths).toEqual(["folder/a", "folder/b"]);
    await tx.update("folder/b", () => "b\n");
    await tx.update("folder/a", () => "a\n");
    expect(await tx.info()).toMatchObject({ changedPaths: [], canCommit: false });
    expect((await tx.commit()).committed).toBe(false);
    expect(await files()).toEqual(before);
    expect(await collect(workspace.history())).toEqual([]);
  },
);

testCase(
  "#149 what a worker staged and did not commit is there for the next one, until it is rolled back",
  { a: "a\n" },
  async ({ workspace, another }) => {
    const tx = await workspace.beginTransaction({ label: "unfinished" });
    await tx.update("a", () => "hours of work\n");
    await workspace.close();
    const next = await another();
    const [found] = await collect(next.transactions.list({ state: "active" }));
    expect(found).toMatchObject({ label: "unfinished", changedPaths: ["a"] });
    const again = await next.transactions.get(tx.id);
    expect((await again.read("a")).text).toBe("hours of work\n");
  },
);

testCase(
  "#151 the result of a commit names files that exist, with the revisions that they have",
  { a: "a\n", "folder/gone": "gone\n" },
  async ({ workspace }) => {
    const tx = await workspace.beginTransaction();
    await tx.update("a", () => "A\n");
    await tx.update("fleeting", () => "fleeting\n");
    await tx.update("folder/gone", () => null);
    await tx.discard({ paths: ["fleeting"] });
    const { files } = await tx.commit();
    expect(files.map(({ path, operation }) => [path, operation])).toEqual([
      ["a", "modified"],
      ["folder/gone", "deleted"],
    ]);
    for (const { path, operation, revision } of files)
      expect((await workspace.stat(path, { revision: true }))?.revision).toBe(
        operation === "deleted" ? undefined : revision,
      );
  },
);

testCase(
  "#152 pointer files go through steps, undo, redo and rebase as the bytes that they are",
  { "large.bin": "version https://git-lfs\r\noid 1\n", b: "b\n" },
  async ({ workspace, outside, files }) => {
    const pointer = "version https://git-lfs\r\noid 2\n";
    const tx = await workspace.beginTransaction();
    const { revision } = await tx.readBytes("large.bin");
    await tx.write("large.bin", new TextEncoder().encode(pointer), { revision });
    await tx.update("b", () => "B\n");
    await tx.undo();
    await tx.redo();
    outside("b", "B\n");
    expect((await tx.rebase()).state).toBe("active");
    await tx.commit();
    expect(await files()).toEqual({ "large.bin": pointer, b: "B\n" });
  },
);
