import { Workspace } from "holdfast";
import { describe, expect, test } from "vitest";
import { sameGround } from "../support/grounds/test-storage.ts";
import { testWorkspace } from "../support/grounds/test-workspace.ts";
import { collect, refusalOf } from "../support/refusal.ts";

async function revisionOf(workspace: Workspace, path: string): Promise<string> {
  return (await workspace.read(path)).revision;
}

async function write(workspace: Workspace, path: string, content: string): Promise<string> {
  const found = await workspace.stat(path);
  const revision = found === undefined ? undefined : await revisionOf(workspace, path);
  return (await workspace.write(path, content, { revision })).workspaceRevision;
}

async function pathsOf(files: AsyncIterable<{ readonly path: string; readonly kind: string }>) {
  return (await collect(files)).filter(({ kind }) => kind === "file").map(({ path }) => path);
}

describe("the files at a revision", () => {
  test("are those that the commit left, however the workspace goes on", async () => {
    const { workspace } = await testWorkspace({ kept: "kept\n", gone: "gone\n", edited: "0\n" });
    const first = await write(workspace, "edited", "1\n");
    const view = workspace.at(first);
    expect((await view.read("edited")).text).toBe("1\n");
    await write(workspace, "edited", "2\n");
    await workspace.apply([
      { action: "delete", path: "gone", revision: await revisionOf(workspace, "gone") },
      { action: "create", path: "d/made", content: "made\n" },
    ]);
    expect((await view.read("edited")).text).toBe("1\n");
    expect((await view.read("gone")).text).toBe("gone\n");
    expect(await view.stat("d/made")).toBeUndefined();
    expect(await view.stat("d")).toBeUndefined();
    expect(await pathsOf(view.list())).toEqual(["edited", "gone", "kept"]);
    expect((await collect(view.search("1"))).map(({ path }) => path)).toEqual(["edited"]);
    expect((await workspace.at("r0").read("edited")).text).toBe("0\n");
    expect((await refusalOf(view.read("d/made"))).code).toBe("NOT_FOUND");
  });

  test("keep bytes, modes of reading, pages and revisions", async () => {
    const bytes = Uint8Array.from([255, 254, 0, 13, 10, 7]);
    const { workspace } = await testWorkspace({ binary: bytes, text: "a\r\nb\r\nc" });
    const before = await revisionOf(workspace, "text");
    await workspace.apply([
      { action: "delete", path: "binary", revision: (await workspace.readBytes("binary")).revision },
      { action: "delete", path: "text", revision: before },
    ]);
    const view = workspace.at("r0");
    expect((await view.readBytes("binary")).bytes).toEqual(bytes);
    expect(await view.readLines("text", { startLine: 2 })).toMatchObject({
      text: "b\r\nc",
      revision: before,
      endLine: 3,
    });
    expect((await view.stat("text", { revision: true }))?.revision).toBe(before);
  });

  test("tell files that another program changed before a later commit as the last commit left them", async () => {
    const { workspace, storage } = await testWorkspace();
    await write(workspace, "a", "ours\n");
    const at = await write(workspace, "b", "b\n");
    storage.writeOutside("a", "theirs\n");
    expect((await workspace.at(at).read("a")).text).toBe("theirs\n");
    await write(workspace, "a", "ours again\n");
    expect((await workspace.at(at).read("a")).text).toBe("ours\n");
  });

  test("follow commits of other handles", async () => {
    const { workspace, storage } = await testWorkspace({ a: "0\n" });
    const view = workspace.at("r0");
    expect((await view.read("a")).text).toBe("0\n");
    const other = await Workspace.open(sameGround(storage));
    await write(other, "a", "1\n");
    await write(other, "b", "1\n");
    await other.close();
    expect((await view.read("a")).text).toBe("0\n");
    expect(await pathsOf(view.list())).toEqual(["a"]);
  });

  test("are listed in order over several pages", async () => {
    const files = Object.fromEntries(
      Array.from({ length: 60 }, (_, index) => [`f${String(index).padStart(2, "0")}`, "x"]),
    );
    const { workspace } = await testWorkspace(files);
    for (const path of ["f03", "f17", "f59"])
      await workspace.apply({ action: "delete", path, revision: await revisionOf(workspace, path) });
    await write(workspace, "f16x", "new");
    const view = workspace.at("r0");
    expect(await pathsOf(view.list())).toEqual(Object.keys(files));
    expect(await pathsOf(view.list({ after: "f16", limit: 2 }))).toEqual(["f17", "f18"]);
  });

  test.each(["r9-0123456789abcdef", "r1-0000000000000000"])(
    "are not told of %s, which never was",
    async (revision) => {
      const { workspace } = await testWorkspace();
      await write(workspace, "a", "1");
      const refusal = await refusalOf(workspace.at(revision).read("a"));
      expect(refusal).toMatchObject({ code: "REVISION_NOT_FOUND", details: { revision } });
      expect((await refusalOf(collect(workspace.at(revision).list()))).code).toBe("REVISION_NOT_FOUND");
    },
  );

  test("are refused at once for what is no revision, and once the workspace is closed", async () => {
    const { workspace } = await testWorkspace();
    expect((await refusalOf(async () => workspace.at("yesterday"))).code).toBe("INVALID_ARGUMENT");
    const view = workspace.at("r0");
    await workspace.close();
    expect((await refusalOf(view.read("a"))).code).toBe("WORKSPACE_CLOSED");
    expect((await refusalOf(async () => workspace.at("r0"))).code).toBe("WORKSPACE_CLOSED");
  });
});

describe("diff", () => {
  test("shows what changed since a revision, and the other way round", async () => {
    const { workspace } = await testWorkspace({ a: "1\n2\n3\n", gone: "x\n" });
    await workspace.edit("a", { op: "replace_text", oldText: "2", newText: "two" });
    const middle = await write(workspace, "new", "n\n");
    await workspace.apply({ action: "delete", path: "gone", revision: await revisionOf(workspace, "gone") });
    const diff = await workspace.diff({ from: "r0" });
    expect(diff.files.map(({ path, status }) => [path, status])).toEqual([
      ["a", "modified"],
      ["gone", "deleted"],
      ["new", "added"],
    ]);
    expect(diff).toMatchObject({ additions: 2, removals: 2, truncated: false });
    expect(diff.files[0]?.hunks[0]?.lines).toEqual([" 1", "-2", "+two", " 3"]);
    const back = await workspace.at("r0").diff({ from: workspace });
    expect(back.files[0]?.hunks[0]?.lines).toEqual([" 1", "-two", "+2", " 3"]);
    const between = await workspace.at(middle).diff({ from: "r0" });
    expect(between.files.map(({ path }) => path)).toEqual(["a", "new"]);
    const since = await workspace.diff({ from: workspace.at(middle) });
    expect(since.files.map(({ path, status }) => [path, status])).toEqual([["gone", "deleted"]]);
    expect((await workspace.diff({ from: workspace })).files).toEqual([]);
  });

  test("knows renames over several commits, and narrows to paths by either name", async () => {
    const text = Array.from({ length: 20 }, (_, line) => `line ${line}\n`).join("");
    const { workspace } = await testWorkspace({ a: text, other: "o\n" });
    const move = async (path: string, destination: string) =>
      await workspace.apply({
        action: "move",
        path,
        destination,
        revision: await revisionOf(workspace, path),
      });
    await move("a", "b");
    await workspace.edit("b", { op: "replace_text", oldText: "line 7\n", newText: "line seven\n" });
    await move("b", "c");
    await write(workspace, "other", "p\n");
    for (const paths of [["a"], ["c"]])
      expect((await workspace.diff({ from: "r0", paths })).files).toMatchObject([
        { path: "c", previousPath: "a", status: "renamed", hunks: [{ oldLines: 7, newLines: 7 }] },
      ]);
    const back = await workspace.at("r0").diff({ from: workspace, paths: ["a"] });
    expect(back.files).toMatchObject([{ path: "a", previousPath: "c", status: "renamed" }]);
  });

  test("shows what another program left at paths that a commit has touched", async () => {
    const { workspace, storage } = await testWorkspace({ a: "0\n", b: "0\n" });
    await write(workspace, "a", "1\n");
    storage.writeOutside("a", "2\n");
    storage.writeOutside("b", "2\n");
    const diff = await workspace.diff({ from: "r0" });
    expect(diff.files.map(({ path, hunks }) => [path, hunks[0]?.lines])).toEqual([["a", ["-0", "+2"]]]);
  });

  test("keeps to the bytes that it may have and names what does not fit", async () => {
    const { workspace } = await testWorkspace({ a: "0\n", b: "0\n" });
    await write(workspace, "a", `${"x".repeat(500)}\n`);
    await write(workspace, "b", "1\n");
    const diff = await workspace.diff({ from: "r0", maxBytes: 200, contextLines: 0 });
    expect(diff.truncated).toBe(true);
    expect(diff.files.map(({ path, unified }) => [path, unified === ""])).toEqual([
      ["a", true],
      ["b", false],
    ]);
  });

  test("refuses what it cannot be compared with", async () => {
    const { workspace } = await testWorkspace({ a: "0\n" });
    const other = await testWorkspace();
    for (const from of [undefined, "yesterday", {} as never, other.workspace, other.workspace.at("r0")])
      expect((await refusalOf(workspace.diff({ from }))).code).toBe("INVALID_ARGUMENT");
    expect((await refusalOf(workspace.diff({ from: "r7-0123456789abcdef" }))).code).toBe(
      "REVISION_NOT_FOUND",
    );
    expect((await refusalOf(workspace.diff({ from: "r0", colour: true } as never))).code).toBe(
      "INVALID_ARGUMENT",
    );
  });
});
