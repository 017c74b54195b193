import * as fs from "node:fs";
import { join } from "node:path";
import { isHoldfastError, Workspace } from "holdfast";
import { openDirectory } from "holdfast/node";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { DirectoryAdapter } from "../../src/storage/directory/directory-adapter.ts";
import type { FileSystem } from "../../src/storage/directory/file-system.ts";
import { nodeFileSystem } from "../../src/storage/directory/node-file-system.ts";
import { simulatedHost } from "../support/crashing-host.ts";
import { collect, refusalOf } from "../support/refusal.ts";
import { newFolder, rawFiles } from "./case-workspace.ts";
import { doors, otherFile, otherFolder } from "./doors.ts";

/** A root beside things that nothing may touch or tell. */
let outer: string;
let root: string;
const secret = "secret of the host\n";

beforeEach(() => {
  outer = newFolder();
  root = join(outer, "app");
  for (const [path, text] of Object.entries({
    "out/secret.txt": secret,
    "out/deep/secret.txt": secret,
    "app-evil/secret.txt": secret,
    "app/.git/config": "[core]\n",
    "app/real/file.txt": "inside\n",
    [`app/${otherFile}`]: "other\n",
    [`app/${otherFolder}/in.txt`]: "in\n",
  })) {
    fs.mkdirSync(join(outer, path, ".."), { recursive: true });
    fs.writeFileSync(join(outer, path), text);
  }
});

afterEach(() => fs.rmSync(outer, { recursive: true, force: true }));

/** Everything around the workspace, and its version control data: what must stay as it is. */
function sentinel(): Record<string, string> {
  const modes = Object.keys(rawFiles(outer)).map(
    (path) => [path, `${fs.lstatSync(join(outer, path)).mode} ${rawFiles(outer)[path]}`] as const,
  );
  return Object.fromEntries(
    modes.filter(([path]) => !path.startsWith("app/") || path.startsWith("app/.git/")),
  );
}

/** A row: links in the root, and paths through them that lead out or into what is protected. */
const links: readonly {
  readonly name: string;
  readonly links: Readonly<Record<string, () => string>>;
  readonly paths: readonly string[];
}[] = [
  { name: "#173 a link to a file outside", links: { l: () => join(outer, "out/secret.txt") }, paths: ["l"] },
  {
    name: "#173 a relative link to a file outside",
    links: { "real/l": () => "../../out/secret.txt" },
    paths: ["real/l"],
  },
  {
    name: "#173 a chain of links to a file outside",
    links: { a: () => "b", b: () => "real/c", "real/c": () => join(outer, "out/secret.txt") },
    paths: ["a", "b", "real/c"],
  },
  {
    name: "#175, #184 a file, there or not, below a linked folder",
    links: { l: () => join(outer, "out") },
    paths: ["l/secret.txt", "l/new.txt", "l/new/er.txt", "l/deep/secret.txt", "l/deep/new.txt"],
  },
  {
    name: "#175 a chain of linked folders",
    links: { a: () => "b", b: () => join(outer, "out") },
    paths: ["a/secret.txt", "a/new.txt"],
  },
  {
    name: "#175 a link to nothing, which a creation would bring to life",
    links: { l: () => join(outer, "not-there.txt"), m: () => join(outer, "not-there") },
    paths: ["l", "m/new.txt"],
  },
  {
    name: "#176 a folder beside the root whose name begins like the root's",
    links: { l: () => join(outer, "app-evil") },
    paths: ["l/secret.txt", "l/new.txt"],
  },
  {
    name: "#182, CVE-2026-71556 a link into version control data",
    links: { s: () => ".git" },
    paths: ["s/config", "s/hooks/new"],
  },
  {
    name: "#182 a link to a file of version control",
    links: { s: () => ".git/config", "real/s": () => "../.git/config" },
    paths: ["s", "real/s"],
  },
  {
    name: "#182 a link into the library's own state",
    links: { s: () => ".holdfast" },
    paths: ["s/format", "s/log/new"],
  },
  { name: "#182 links that go round", links: { a: () => "b", b: () => "a" }, paths: ["a", "b", "a/x"] },
];

const contained = [
  "INVALID_PATH",
  "PROTECTED_PATH",
  "SYMLINK_ESCAPE",
  "NOT_FOUND",
  "IS_DIRECTORY",
  "REVISION_MISMATCH",
];

for (const { name, links: made, paths } of links)
  test(`${name} is passed by no door`, async () => {
    for (const [path, target] of Object.entries(made)) fs.symlinkSync(target(), join(root, path));
    await using workspace = await openDirectory(root);
    const before = sentinel();
    const inside = rawFiles(root);
    for (const path of paths)
      for (const { name: door, knock, reads, makes } of doors) {
        const result: unknown = await knock(workspace, path).catch((error: unknown) => error);
        const told = JSON.stringify(result instanceof Error ? [result.message, { ...result }] : result) ?? "";
        const where = `${door} of ${path}`;
        expect([where, told.includes(secret.trim()), told.includes("[core]"), told.includes(outer)]).toEqual([
          where,
          false,
          false,
          false,
        ]);
        if (isHoldfastError(result, "ALREADY_EXISTS")) expect(door).toBe("apply moveTree to");
        else if (makes === true || !(reads === true || isHoldfastError(result)))
          expect([
            where,
            isHoldfastError(result, "INVALID_PATH", "PROTECTED_PATH", "SYMLINK_ESCAPE"),
          ]).toEqual([where, true]);
        else if (isHoldfastError(result)) expect(contained).toContain(result.code);
        else expect(["stat", "stat with revision", "list under"]).toContain(door);
      }
    for (const path of paths)
      for (const read of ["read", "readLines", "readBytes"] as const)
        expect(["SYMLINK_ESCAPE", "PROTECTED_PATH"]).toContain((await refusalOf(workspace[read](path))).code);
    expect((await collect(workspace.search("secret"))).map(({ path }) => path)).toEqual([]);
    expect(sentinel()).toEqual(before);
    expect(rawFiles(root)).toEqual(inside);
  });

test("#173 a link that stays inside is read through and not written through", async () => {
  fs.symlinkSync("real/file.txt", join(root, "l"));
  fs.symlinkSync("real", join(root, "folder"));
  await using workspace = await openDirectory(root);
  for (const path of ["l", "folder/file.txt"]) {
    const { text, revision } = await workspace.read(path);
    expect(text).toBe("inside\n");
    expect(await refusalOf(workspace.write(path, "x\n", { revision }))).toMatchObject({
      code: "SYMLINK_ESCAPE",
      written: "no",
    });
    expect(await refusalOf(workspace.edit(path, { op: "append", content: "x" }, { revision }))).toMatchObject(
      { code: "SYMLINK_ESCAPE" },
    );
  }
  expect(fs.readFileSync(join(root, "real/file.txt"), "utf8")).toBe("inside\n");
  expect(fs.readlinkSync(join(root, "l"))).toBe("real/file.txt");
});

test("#182 a link that is deleted or moved is itself deleted or moved, and nothing behind it", async () => {
  fs.symlinkSync("real/file.txt", join(root, "l"));
  fs.symlinkSync(join(outer, "out/secret.txt"), join(root, "out-link"));
  await using workspace = await openDirectory(root);
  const before = sentinel();
  const revisionOf = async (path: string) => (await workspace.stat(path, { revision: true }))?.revision;
  await workspace.apply({ action: "move", path: "l", destination: "m", revision: await revisionOf("l") });
  expect(fs.readlinkSync(join(root, "m"))).toBe("real/file.txt");
  await workspace.apply({ action: "delete", path: "out-link", revision: await revisionOf("out-link") });
  expect(fs.readdirSync(root)).not.toContain("out-link");
  expect(sentinel()).toEqual(before);
});

test("#182, CVE-2026-23745, CVE-2025-59343 a link is not moved to where it would lead out", async () => {
  fs.mkdirSync(join(root, "deep/er"), { recursive: true });
  fs.symlinkSync("../../real/file.txt", join(root, "deep/er/l"));
  fs.symlinkSync(join(outer, "out/secret.txt"), join(root, "deep/absolute"));
  await using workspace = await openDirectory(root);
  const inside = rawFiles(root);
  for (const [path, destination] of [
    ["deep/er/l", "m"],
    ["deep/er/l", "deep/m"],
    ["deep/absolute", "m"],
  ] as const) {
    const revision = (await workspace.stat(path, { revision: true }))?.revision;
    const move = { action: "move", path, destination, revision } as const;
    expect(await refusalOf(workspace.apply(move))).toMatchObject({ code: "SYMLINK_ESCAPE", written: "no" });
    expect(rawFiles(root)).toEqual(inside);
  }
  const revision = (await workspace.stat("deep", { revision: true }))?.revision;
  const tree = { action: "moveTree", path: "deep", destination: "a/b", revision } as const;
  expect(await refusalOf(workspace.apply(tree))).toMatchObject({ code: "SYMLINK_ESCAPE" });
  expect(rawFiles(root)).toEqual(inside);
});

test("#176 a link whose target only begins like the root is outside of it", async () => {
  const sibling = `${root}-evil`;
  fs.symlinkSync(join(sibling, "secret.txt"), join(root, "l"));
  await using workspace = await openDirectory(root);
  expect(await refusalOf(workspace.read("l"))).toMatchObject({ code: "SYMLINK_ESCAPE" });
  expect(await refusalOf(workspace.read("../app-evil/secret.txt"))).toMatchObject({ code: "INVALID_PATH" });
});

describe("A folder that is swapped for a link between the check and the use", () => {
  /** Opens a file system that swaps `real` for a link to the outside right after the n-th call that matters. */
  function swappingAfter(call: number): {
    readonly fileSystem: FileSystem;
    readonly swapped: () => boolean;
    arm(): void;
  } {
    let left = Number.POSITIVE_INFINITY;
    let swapped = false;
    const swap = () => {
      left -= 1;
      if (left !== 0) return;
      swapped = true;
      fs.renameSync(join(root, "real"), join(root, "real-moved-away"));
      fs.symlinkSync(join(outer, "out"), join(root, "real"));
    };
    const watched = ["lstat", "open", "fstat", "realpath", "rename", "link", "mkdir", "read"] as const;
    const wrapped = Object.fromEntries(
      watched.map((name) => [
        name,
        (...args: unknown[]) => {
          const result = (nodeFileSystem[name] as (...args: unknown[]) => unknown)(...args);
          swap();
          return result;
        },
      ]),
    );
    return {
      fileSystem: { ...nodeFileSystem, ...wrapped },
      swapped: () => swapped,
      arm: () => (left = call),
    };
  }

  async function swapEverywhere(work: (workspace: Workspace) => Promise<unknown>): Promise<number> {
    fs.writeFileSync(join(root, "real/secret.txt"), "inside\n");
    const before = sentinel();
    for (let call = 1; ; call++) {
      const { fileSystem, swapped, arm } = swappingAfter(call);
      const workspace = await Workspace.open(
        new DirectoryAdapter(simulatedHost(fileSystem), { root, durability: "process" }),
      );
      arm();
      const result = await work(workspace).catch((error: unknown) => error);
      if (result instanceof Error && !isHoldfastError(result)) throw result;
      expect(JSON.stringify(result) ?? "").not.toContain(secret.trim());
      await workspace.close();
      expect(sentinel()).toEqual(before);
      if (!swapped()) return call;
      fs.rmSync(join(root, "real"));
      fs.rmSync(join(root, ".holdfast"), { recursive: true });
      fs.rmSync(join(root, "real-moved-away"), { recursive: true });
      fs.mkdirSync(join(root, "real"));
      fs.writeFileSync(join(root, "real/secret.txt"), "inside\n");
    }
  }

  // Only there can a name be reached through a folder that is held open.
  const onLinux = process.platform === "linux";

  test.runIf(onLinux)("#178 is written through at no moment of a change", async () => {
    const calls = await swapEverywhere((workspace) =>
      workspace.apply([
        {
          action: "edit",
          path: "real/secret.txt",
          edits: [{ op: "replace_text", oldText: "inside", newText: "changed" }],
        },
        { action: "create", path: "real/new/file.txt", content: "planted\n" },
      ]),
    );
    expect(calls).toBeGreaterThan(20);
  });

  test.runIf(onLinux)("#179 is read through at no moment of a read", async () => {
    expect(await swapEverywhere((workspace) => workspace.read("real/secret.txt"))).toBeGreaterThan(3);
    expect(await swapEverywhere((workspace) => collect(workspace.search("secret")))).toBeGreaterThan(3);
    expect(await swapEverywhere((workspace) => workspace.readBytes("real/secret.txt"))).toBeGreaterThan(3);
  });

  test.runIf(onLinux)("#179 is read through at no moment of a reading that follows a link", async () => {
    fs.symlinkSync("real", join(root, "link"));
    fs.symlinkSync("link/secret.txt", join(root, "file-link"));
    for (const path of ["link/secret.txt", "file-link"])
      expect(await swapEverywhere((workspace) => workspace.read(path))).toBeGreaterThan(6);
    expect(await swapEverywhere((workspace) => collect(workspace.list({ under: "link" })))).toBeGreaterThan(
      4,
    );
    expect(
      await swapEverywhere((workspace) => workspace.stat("link/secret.txt", { revision: true })),
    ).toBeGreaterThan(6);
  });
});

test("#187 a caller's pattern is no regular expression, and takes no time that grows with its stars", async () => {
  await using workspace = await openDirectory(root);
  await workspace.write(`${"a".repeat(200)}!`, `${"a".repeat(100_000)}!\n(a+)+$ literally\n`);
  expect((await collect(workspace.search("(a+)+$"))).map(({ line }) => line)).toEqual([2]);
  for (const [glob, found] of [
    ["*a".repeat(100), []],
    [`${"a*".repeat(100)}b`, []],
    [`${"**/".repeat(100)}b`, []],
    [`${"a*".repeat(100)}!`, [`${"a".repeat(200)}!`]],
  ] as const)
    expect((await collect(workspace.list({ glob }))).map(({ path }) => path)).toEqual(found);
  expect(await refusalOf(() => collect(workspace.list({ glob: `${"{a,aa}".repeat(100)}b` })))).toMatchObject({
    code: "INVALID_ARGUMENT",
  });
});

test("#187 the root is decided once, at opening", async () => {
  const name = join(outer, "name");
  fs.symlinkSync(root, name);
  await using workspace = await openDirectory(name);
  fs.rmSync(name);
  fs.symlinkSync(join(outer, "out"), name);
  const before = sentinel();
  await workspace.write("new.txt", "new\n");
  expect(await refusalOf(workspace.read("secret.txt"))).toMatchObject({ code: "NOT_FOUND" });
  expect(fs.existsSync(join(root, "new.txt"))).toBe(true);
  expect(sentinel()).toEqual(before);
});
