import * as fs from "node:fs";
import { join } from "node:path";
import { type Change, MemoryStorage, Workspace } from "holdfast";
import { describe, expect, test } from "vitest";
import type { FileStatus, FileSystem } from "../../src/storage/directory/file-system.ts";
import { nodeFileSystem } from "../../src/storage/directory/node-file-system.ts";
import { leftovers } from "../support/directory-tree.ts";
import { collect, refusalOf } from "../support/refusal.ts";
import { hostPath, injectedDirectory } from "./injected-directory.ts";

const edit = (path: string, oldText: string, newText: string): Change => ({
  action: "edit",
  path,
  edits: [{ op: "replace_text", oldText, newText }],
});

test("#91 a file without write permission stops the files before it, as in memory", async () => {
  using directory = injectedDirectory({
    "a.txt": "a\n",
    "b.txt": { text: "b\n", mode: 0o444 },
    "c.txt": "c\n",
  });
  const changes = [edit("a.txt", "a", "1"), edit("b.txt", "b", "2"), edit("c.txt", "c", "3")];
  const before = directory.tree();
  const workspace = await directory.open();
  await using inMemory = await Workspace.open(
    new MemoryStorage({
      files: { "a.txt": "a\n", "b.txt": "b\n", "c.txt": "c\n" },
      readOnlyPaths: ["b.txt"],
    }),
  );
  for (const either of [workspace, inMemory]) {
    const error = await refusalOf(either.apply(changes));
    expect(error).toMatchObject({
      code: "READ_ONLY",
      written: "no",
      problems: [{ code: "READ_ONLY", path: "b.txt" }],
    });
  }
  expect(directory.tree()).toEqual(before);
  await workspace.close();
});

test("#128 an edit through a link is refused, and both the link and the real file stay", async () => {
  using directory = injectedDirectory({ "real.txt": "real\n", "links/.keep": "" });
  fs.symlinkSync("real.txt", hostPath(directory, "link.txt"));
  fs.symlinkSync("../real.txt", hostPath(directory, "links/up.txt"));
  const before = directory.tree();
  const workspace = await directory.open();
  for (const path of ["link.txt", "links/up.txt"]) {
    const { text, revision } = await workspace.read(path);
    expect(text).toBe("real\n");
    const changes: readonly Change[] = [
      edit(path, "real", "changed"),
      { action: "write", path, content: "changed\n", revision },
      { action: "chmod", path, executable: true, revision },
      { action: "copy", path: "real.txt", destination: path, revision, destinationRevision: revision },
      { action: "move", path: "real.txt", destination: path, revision, destinationRevision: revision },
    ];
    for (const change of changes)
      expect(await refusalOf(workspace.apply(change))).toMatchObject({
        code: "SYMLINK_ESCAPE",
        written: "no",
      });
    expect(await refusalOf(workspace.update(path, () => "changed\n"))).toMatchObject({
      code: "SYMLINK_ESCAPE",
    });
  }
  expect(directory.tree()).toEqual(before);
  await workspace.close();
});

test.each([0o022, 0o027, 0o077])(
  "#164 the executable bit is set and unset, for whom the umask (%o) and the mode let read",
  async (umask) => {
    const usual = process.umask(umask);
    try {
      using directory = injectedDirectory({
        "755.sh": { text: "", mode: 0o755 },
        "750.sh": { text: "", mode: 0o750 },
        "644.sh": { text: "", mode: 0o644 },
        "600.sh": { text: "", mode: 0o600 },
      });
      await using workspace = await directory.open();
      const revision = (await workspace.read("755.sh")).revision;
      const chmod = (path: string, executable: boolean): Change => ({
        action: "chmod",
        path,
        executable,
        revision,
      });
      await workspace.apply([
        chmod("755.sh", false),
        chmod("750.sh", false),
        chmod("644.sh", true),
        chmod("600.sh", true),
        { action: "create", path: "new.sh", content: "", executable: true },
      ]);
      expect(directory.tree()).toEqual({
        "755.sh": "644 ",
        "750.sh": "640 ",
        "644.sh": "755 ",
        "600.sh": "700 ",
        "new.sh": `${(0o777 & ~umask).toString(8)} `,
      });
      await workspace.apply(chmod("new.sh", false));
      expect(directory.tree()["new.sh"]).toBe(`${(0o666 & ~umask).toString(8)} `);
    } finally {
      process.umask(usual);
    }
  },
);

describe("#133 A file of another user", () => {
  /** Makes one file look as if another user owned it. */
  function foreignOwner(name: string, chown: FileSystem["chown"]): Partial<FileSystem> {
    const disguise = (at: string, status: FileStatus | undefined) =>
      status !== undefined && at.endsWith(`/${name}`) ? { ...status, uid: 12_345, gid: 54_321 } : status;
    const names = new Map<number, string>();
    return {
      lstat: (at) => disguise(at, nodeFileSystem.lstat(at)),
      open: (at, how) => {
        const descriptor = nodeFileSystem.open(at, how);
        names.set(descriptor, at);
        return descriptor;
      },
      close: (descriptor) => {
        names.delete(descriptor);
        nodeFileSystem.close(descriptor);
      },
      fstat: (descriptor) => {
        const status = nodeFileSystem.fstat(descriptor);
        return disguise(names.get(descriptor) ?? "", status) ?? status;
      },
      chown,
    };
  }

  test("is refused when its owner cannot be kept", async () => {
    const denied = foreignOwner("theirs.txt", () => {
      throw Object.assign(new Error("not permitted"), { code: "EPERM" });
    });
    using directory = injectedDirectory({ "theirs.txt": "old\n", "mine.txt": "old\n" }, denied);
    const before = directory.tree();
    const workspace = await directory.open();
    const error = await refusalOf(
      workspace.apply([edit("mine.txt", "old", "new"), edit("theirs.txt", "old", "new")]),
    );
    expect(error).toMatchObject({
      code: "READ_ONLY",
      written: "no",
      message: expect.stringContaining("owner"),
    });
    expect(directory.tree()).toEqual(before);
    expect(leftovers(directory.root)).toEqual([]);
    await workspace.close();
  });

  test("gets its owner and group where that is allowed", async () => {
    const given: unknown[] = [];
    using directory = injectedDirectory(
      { "theirs.txt": "old\n" },
      foreignOwner("theirs.txt", (_descriptor, uid, gid) => given.push({ uid, gid })),
    );
    const workspace = await directory.open();
    await workspace.apply(edit("theirs.txt", "old", "new"));
    expect(given).toEqual([{ uid: 12_345, gid: 54_321 }]);
    await workspace.close();
  });

  test.runIf(process.getuid?.() === 0)("keeps its owner and group on the disk", async () => {
    using directory = injectedDirectory({ "theirs.txt": { text: "old\n", mode: 0o640 } });
    fs.chownSync(hostPath(directory, "theirs.txt"), 12_345, 54_321);
    const workspace = await directory.open();
    await workspace.apply(edit("theirs.txt", "old", "new"));
    expect(fs.statSync(hostPath(directory, "theirs.txt"))).toMatchObject({ uid: 12_345, gid: 54_321 });
    expect(directory.tree()).toEqual({ "theirs.txt": "640 new\n" });
    await workspace.close();
  });
});

describe("#134 A file with a second hard link", () => {
  test("is reported, and the other name keeps the old bytes", async () => {
    using directory = injectedDirectory({ "a.txt": "old\n", "c.txt": "old\n" });
    fs.linkSync(hostPath(directory, "a.txt"), hostPath(directory, "b.txt"));
    const workspace = await directory.open();
    const { warnings } = await workspace.apply([edit("a.txt", "old", "new"), edit("c.txt", "old", "new")]);
    expect(warnings).toMatchObject([{ code: "HARD_LINK_BROKEN", path: "a.txt" }]);
    expect(directory.tree()).toEqual({ "a.txt": "644 new\n", "b.txt": "644 old\n", "c.txt": "644 new\n" });
    const again = await workspace.apply(edit("a.txt", "new", "newer"));
    expect(again.warnings).toEqual([]);
    await workspace.close();
  });

  test("is refused when so asked", async () => {
    using directory = injectedDirectory({ "a.txt": "old\n", "c.txt": "old\n" });
    fs.linkSync(hostPath(directory, "a.txt"), hostPath(directory, "b.txt"));
    const before = directory.tree();
    const workspace = await directory.open({ hardLinks: "refuse" });
    expect(
      await refusalOf(workspace.apply([edit("c.txt", "old", "new"), edit("a.txt", "old", "new")])),
    ).toMatchObject({ code: "READ_ONLY", written: "no" });
    expect(directory.tree()).toEqual(before);
    await workspace.apply(edit("c.txt", "old", "new"));
    // What the library itself keeps of a file is no second name of it.
    await workspace.apply(edit("c.txt", "new", "newer"));
    await workspace.close();
  });
});

test("#136 a sandbox that denies renames gets a clear refusal, and the old state stays", async () => {
  let denied = false;
  const rename: FileSystem["rename"] = (from, to) => {
    if (denied && !to.includes(".holdfast"))
      throw Object.assign(new Error("denied"), { code: "EACCES", syscall: "rename" });
    nodeFileSystem.rename(from, to);
  };
  using directory = injectedDirectory({ "a.txt": "old\n", "b.txt": "old\n" }, { rename });
  const before = directory.tree();
  const workspace = await directory.open();
  denied = true;
  const error = await refusalOf(
    // What is new needs no rename, and comes first by its name, so it is there already when a rename is denied.
    workspace.apply([
      { action: "create", path: "NEW/new.txt", content: "new\n" },
      edit("a.txt", "old", "new"),
      edit("b.txt", "old", "new"),
    ]),
  );
  expect(error).toMatchObject({
    code: "READ_ONLY",
    written: "no",
    cause: { code: "EACCES", syscall: "rename" },
  });
  expect(error.message).toMatch(/access is denied \(EACCES\)/);
  expect(directory.tree()).toEqual(before);
  denied = false;
  await workspace.apply(edit("a.txt", "old", "new"));
  expect(directory.tree()["a.txt"]).toBe("644 new\n");
  await workspace.close();
});

function tooManyOpen(): Error {
  return Object.assign(new Error("too many open files"), { code: "EMFILE" });
}

test("#137 a want of descriptors that passes is waited out, wherever it is met", async () => {
  let met = 0;
  for (let isPast = false; !isPast; ) {
    let calls = Number.NEGATIVE_INFINITY;
    let left = 3;
    const refuseSome = () => {
      calls += 1;
      if (calls > met && left-- > 0) throw tooManyOpen();
    };
    using directory = injectedDirectory(
      { "folder/a.txt": "old\n" },
      {
        open: (path, how) => {
          refuseSome();
          return nodeFileSystem.open(path, how);
        },
        create: async (path, mode) => {
          refuseSome();
          return await nodeFileSystem.create(path, mode);
        },
      },
    );
    const workspace = await directory.open({ durability: "process" });
    calls = 0;
    await workspace.apply([
      edit("folder/a.txt", "old", "new"),
      { action: "create", path: "made/b.txt", content: "b\n" },
    ]);
    expect((await workspace.read("folder/a.txt")).text).toBe("new\n");
    isPast = calls <= met;
    if (!isPast) met += 1;
    await workspace.close();
    expect(directory.tree()).toEqual({ "folder/a.txt": "644 new\n", "made/b.txt": "644 b\n" });
  }
  expect(met).toBeGreaterThan(5);
});

test("#137 more than a thousand files are read, searched and changed with few of them open at a time", async () => {
  const mostOpen = 128;
  const files = 1200;
  const open = new Set<number>();
  let most = 0;
  const opened = (descriptor: number) => {
    open.add(descriptor);
    most = Math.max(most, open.size);
    return descriptor;
  };
  let refused = 0;
  const refuseTooMany = () => {
    if (open.size < mostOpen) return;
    refused += 1;
    throw tooManyOpen();
  };
  const counted: Partial<FileSystem> = {
    open: (path, how) => {
      refuseTooMany();
      return opened(nodeFileSystem.open(path, how));
    },
    create: async (path, mode) => {
      refuseTooMany();
      return opened(await nodeFileSystem.create(path, mode));
    },
    close: (descriptor) => {
      open.delete(descriptor);
      nodeFileSystem.close(descriptor);
    },
  };
  const paths = Array.from({ length: files }, (_, index) => `folder ${index % 150}/file ${index}.txt`);
  using directory = injectedDirectory(Object.fromEntries(paths.map((path) => [path, "old\n"])), counted);
  const workspace = await directory.open({ durability: "process" });
  expect(await Promise.all(paths.map(async (path) => (await workspace.read(path)).text))).toEqual(
    paths.map(() => "old\n"),
  );
  expect(await collect(workspace.search("old"))).toHaveLength(files);
  await workspace.apply(paths.map((path) => edit(path, "old", "new")));
  await Promise.all(
    paths
      .slice(0, 300)
      .map((path) => workspace.edit(path, { op: "replace_text", oldText: "new", newText: "newer" })),
  );
  expect(new Set(Object.values(directory.tree()))).toEqual(new Set(["644 new\n", "644 newer\n"]));
  // What is refused for a moment is tried again; nothing needs it here.
  expect({ most, refused }).toEqual({ most: expect.any(Number), refused: 0 });
  await workspace.close();
  expect(open.size).toBe(0);
});

describe("#143, #152 A folder that git works in", () => {
  test.each([
    ["a folder", (root: string) => fs.mkdirSync(join(root, ".git/objects"), { recursive: true })],
    [
      "a file, as in a submodule",
      (root: string) => fs.writeFileSync(join(root, ".git"), "gitdir: ../.git/modules/x\n"),
    ],
  ])("keeps its version control data, which is %s, unlisted and untouched", async (_name, make) => {
    const pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n";
    using directory = injectedDirectory({
      "large.bin": pointer,
      ".gitignore": "ignored/\n",
      "ignored/kept.txt": "kept\n",
    });
    make(directory.root);
    if (fs.statSync(hostPath(directory, ".git")).isDirectory())
      fs.writeFileSync(hostPath(directory, ".git/index"), "DIRC");
    const before = directory.tree();
    const workspace = await directory.open();
    expect(
      (await collect(workspace.list()))
        .map(({ path }) => path)
        .filter((path) => path.startsWith(".git/") || path === ".git" || path.startsWith(".holdfast")),
    ).toEqual([]);
    expect((await workspace.read("large.bin")).text).toBe(pointer);
    await workspace.apply([edit("large.bin", "12345", "12346"), edit(".gitignore", "ignored/", "other/")]);
    expect(await refusalOf(workspace.write(".git/index", "x"))).toMatchObject({ code: "PROTECTED_PATH" });
    expect(await refusalOf(workspace.write(".git", "x"))).toMatchObject({ code: "PROTECTED_PATH" });
    expect(directory.tree()).toEqual({
      ...before,
      "large.bin": `644 ${pointer.replace("12345", "12346")}`,
      ".gitignore": "644 other/\n",
    });
    await workspace.close();
  });
});
