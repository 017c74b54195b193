import * as fs from "node:fs";
import { dirname, join } from "node:path";
import { Workspace } from "holdfast";
import { openDirectory } from "holdfast/node";
import { afterEach, describe, expect, test } from "vitest";
import { groundKind } from "../support/grounds/ground-kinds.ts";
import { has } from "../support/grounds/needing.ts";
import { testStorage } from "../support/grounds/test-storage.ts";
import { batchOf, openStorage } from "../support/open-storage.ts";
import { collect, refusalOf } from "../support/refusal.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

type Texts = Readonly<Record<string, string>>;

const leaving: (() => unknown)[] = [];
afterEach(async () => {
  for (const leave of leaving.splice(0).reverse()) await leave();
});

/** What the log holds of the commit that makes the links. */
const entry = { format: 1, time: "2026-01-01T00:00:00Z", result: { files: [], warnings: [] } };

type MakeGround = (files: Texts, links: Texts) => Promise<Workspace>;

const memory = async (files: Texts, links: Texts) => {
  const storage = await openStorage(testStorage({ files }));
  const putFiles = Object.entries(links).map(([path, target]) => ({
    path,
    kind: "symlink" as const,
    executable: false,
    content: { bytes: new TextEncoder().encode(target) },
  }));
  const expect = putFiles.map(({ path }) => ({ space: "files" as const, key: path, version: null }));
  await storage.commit(
    [batchOf({ expect, putFiles, entry: () => new TextEncoder().encode(JSON.stringify(entry)) })],
    { flush: true },
  );
  return await Workspace.open(storage);
};

const directory = async (files: Texts, links: Texts) => {
  const { path: root, remove } = temporaryFolder();
  leaving.push(remove);
  for (const [path, text] of Object.entries({ ...files, ...links })) {
    fs.mkdirSync(dirname(join(root, path)), { recursive: true });
    if (path in links) fs.symlinkSync(text, join(root, path));
    else fs.writeFileSync(join(root, path), text);
  }
  return await openDirectory(root);
};

const otherGround = async (files: Texts, links: Texts) => {
  const storage = testStorage({ files });
  for (const [path, target] of Object.entries(links)) storage.linkOutside?.(path, target);
  return await Workspace.open(storage);
};

const grounds: Readonly<Record<string, MakeGround>> =
  groundKind === "memory"
    ? { "in memory": memory, "in a directory": directory }
    : { [`on ${groundKind}`]: groundKind === "memory that folds" ? memory : otherGround };

const files = { "a/real.txt": "real", "a/b/deep.txt": "deep", "c/other.txt": "other" };

const [describeLinks, reason] = has("symbolic links")
  ? [describe, ""]
  : [describe.skip, " (needs symbolic links: all of it is about them)"];

describeLinks.each(Object.entries(grounds))(`Links of a workspace %s${reason}`, (_kind, make) => {
  const open = async (links: Texts) => {
    const workspace = await make(files, links);
    leaving.push(() => workspace.close());
    return workspace;
  };

  test.each<readonly [string, Texts, string, string]>([
    ["a link to a file beside it", { "a/l": "real.txt" }, "a/l", "real"],
    ["a link to a file elsewhere", { "c/l": "../a/real.txt" }, "c/l", "real"],
    ["a target with superfluous parts", { "c/l": ".././a//real.txt" }, "c/l", "real"],
    ["a link to a link", { x: "y", y: "a/real.txt" }, "x", "real"],
    ["a linked folder", { l: "a" }, "l/real.txt", "real"],
    ["a linked folder with a slash at its end", { l: "a/" }, "l/b/deep.txt", "deep"],
    ["a linked folder in a linked folder", { l: "a", "a/m": "b" }, "l/m/deep.txt", "deep"],
    ["a link in a linked folder, from its real place", { l: "a/b", "a/b/up": "../real.txt" }, "l/up", "real"],
    ["a parent of what a link leads to, not of the link", { l: "a/b", m: "l/../real.txt" }, "m", "real"],
    ["a link to the root", { self: "." }, "self/a/real.txt", "real"],
    ["a link to the root again and again", { self: "." }, "self/self/self/c/other.txt", "other"],
    ["a link from below to the root", { "a/b/up": "../.." }, "a/b/up/c/other.txt", "other"],
  ])("are read through by %s", async (_what, links, path, text) => {
    const workspace = await open(links);
    expect(await workspace.read(path)).toMatchObject({ path, text });
    expect(await workspace.readLines(path)).toMatchObject({ path, text });
    const { bytes, revision } = await workspace.readBytes(path);
    expect(new TextDecoder().decode(bytes)).toBe(text);
    expect((await workspace.read(path, { expectedRevision: revision })).text).toBe(text);
  });

  test.each<readonly [string, Texts, string, string]>([
    ["an absolute target", { l: "/etc/passwd" }, "l", "SYMLINK_ESCAPE"],
    ["an absolute folder", { l: "/etc" }, "l/passwd", "SYMLINK_ESCAPE"],
    ["a target above the root", { "a/l": "../../x" }, "a/l", "SYMLINK_ESCAPE"],
    ["a target that only passes above the root", { "a/l": "../../a/real.txt" }, "a/l", "SYMLINK_ESCAPE"],
    ["a parent of the root through a link", { self: ".", l: "self/../x" }, "l", "SYMLINK_ESCAPE"],
    ["data of version control", { "a/l": "../.git/config" }, "a/l", "PROTECTED_PATH"],
    ["a folder of version control", { l: ".git" }, "l/config", "PROTECTED_PATH"],
    ["the state of the library", { l: ".HoldFast" }, "l/format", "PROTECTED_PATH"],
    ["a target that no path can name", { l: "a\\b" }, "l", "SYMLINK_ESCAPE"],
    ["itself", { l: "l" }, "l", "SYMLINK_ESCAPE"],
    ["a ring", { x: "y", y: "x" }, "x/a", "SYMLINK_ESCAPE"],
    ["a file that is not there", { l: "nowhere" }, "l", "NOT_FOUND"],
    ["a folder that is not there", { l: "nowhere" }, "l/a", "NOT_FOUND"],
    ["a folder", { l: "a" }, "l", "IS_DIRECTORY"],
    ["the root", { self: "." }, "self", "IS_DIRECTORY"],
    ["a file in the place of a folder", { l: "a/real.txt" }, "l/x", "NOT_FOUND"],
  ])("lead to nothing that is read by %s", async (_what, links, path, code) => {
    const workspace = await open(links);
    for (const read of ["read", "readLines", "readBytes"] as const)
      expect((await refusalOf(workspace[read](path))).code).toBe(code);
  });

  test("are followed forty times, and no more often", async () => {
    const chain = Object.fromEntries(
      Array.from({ length: 41 }, (_, index) => [`l${index}`, `l${index + 1}`]),
    );
    const workspace = await open({ ...chain, l40: "a/real.txt" });
    expect((await workspace.read("l1")).text).toBe("real");
    expect((await refusalOf(workspace.read("l0"))).code).toBe("SYMLINK_ESCAPE");
  });

  test("are told by stat as what they are, and followed where they stand for folders", async () => {
    const workspace = await open({ l: "a", "a/m": "real.txt", out: "/etc" });
    expect(await workspace.stat("l")).toMatchObject({ path: "l", kind: "symlink", byteLength: 1 });
    expect(await workspace.stat("l/m")).toMatchObject({ path: "l/m", kind: "symlink" });
    expect(await workspace.stat("l/b")).toMatchObject({ path: "l/b", kind: "directory" });
    expect(await workspace.stat("l/nothing")).toBeUndefined();
    const { revision } = await workspace.read("l/real.txt");
    expect(await workspace.stat("l/real.txt", { revision: true })).toMatchObject({ kind: "file", revision });
    const digest = (await workspace.stat("a/b", { revision: true }))?.revision;
    expect((await workspace.stat("l/b", { revision: true }))?.revision).toBe(digest);
    expect((await refusalOf(workspace.stat("out/passwd"))).code).toBe("SYMLINK_ESCAPE");
  });

  test("give their folder to a listing that names it, and are not entered by one that meets them", async () => {
    const workspace = await open({ l: "a", "a/up": "..", self: ".", out: "/etc", git: ".git" });
    const paths = async (options: object) =>
      (await collect(workspace.list(options))).map(({ path, kind }) => `${path} ${kind}`);
    const below = ["l/b directory", "l/b/deep.txt file", "l/real.txt file", "l/up symlink"];
    expect(await paths({ under: "l" })).toEqual(below);
    expect(await paths({ under: "l", depth: 1 })).toEqual([below[0], below[2], below[3]]);
    expect(await paths({ under: "l", exclude: ["l/b"], glob: "*.txt" })).toEqual([below[2]]);
    expect(await paths({ under: "l/b" })).toEqual(["l/b/deep.txt file"]);
    for (const [index, entry] of below.entries())
      expect(await paths({ under: "l", after: entry.split(" ")[0] })).toEqual(below.slice(index + 1));
    expect(await paths({ under: "l", after: "c" })).toEqual(below);
    expect(await paths({ under: "l", after: "m" })).toEqual([]);
    const whole = await paths({});
    expect(whole).toContain("l symlink");
    expect(whole.filter((path) => path.startsWith("l/"))).toEqual([]);
    expect(await paths({ under: "self" })).toEqual(whole.map((path) => `self/${path}`));
    expect(await paths({ under: "l/real.txt" })).toEqual([]);
    expect((await refusalOf(collect(workspace.list({ under: "out" })))).code).toBe("SYMLINK_ESCAPE");
    expect((await refusalOf(collect(workspace.list({ under: "git" })))).code).toBe("PROTECTED_PATH");
    expect((await collect(workspace.search("real"))).map(({ path }) => path)).toEqual(["a/real.txt"]);
  });

  test("let nothing be changed through them, nor asserted", async () => {
    const workspace = await open({ l: "a", f: "a/real.txt" });
    const { revision } = await workspace.read("l/real.txt");
    const edits = [{ op: "replace_text", oldText: "real", newText: "changed" }] as const;
    for (const change of [
      { action: "write", path: "l/real.txt", content: "x", revision },
      { action: "edit", path: "l/real.txt", edits },
      { action: "delete", path: "l/real.txt", revision },
      { action: "create", path: "l/new.txt", content: "x" },
      { action: "assert", path: "l/real.txt", revision },
      { action: "assert", path: "l/new.txt", revision: null },
      { action: "edit", path: "f", edits },
    ] as const)
      expect((await refusalOf(workspace.apply(change))).code).toBe("SYMLINK_ESCAPE");
    expect((await workspace.read("a/real.txt")).text).toBe("real");
  });
});
