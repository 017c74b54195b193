import { Workspace } from "holdfast";
import { describe, expect, test } from "vitest";
import { sameGround } from "../support/grounds/test-storage.ts";
import { testWorkspace } from "../support/grounds/test-workspace.ts";
import { collect } from "../support/refusal.ts";

async function write(workspace: Workspace, path: string, content: string, source?: string): Promise<string> {
  const revision = (await workspace.stat(path)) && (await workspace.readBytes(path)).revision;
  return (await workspace.write(path, content, { revision, source })).workspaceRevision;
}

const lines = (...changed: readonly number[]) =>
  Array.from({ length: 30 }, (_, line) =>
    changed.includes(line) ? `LINE ${line}\n` : `line ${line}\n`,
  ).join("");

describe("reverting several revisions", () => {
  test("is one commit, whatever order they are named in", async () => {
    const { workspace, storage } = await testWorkspace({ a: "0", b: "0" });
    const ids: string[] = [];
    for (const [path, content] of [
      ["a", "1"],
      ["a", "2"],
      ["b", "1"],
      ["a", "3"],
    ] as const)
      ids.push(await write(workspace, path, content));
    const [first, second, third, fourth] = ids as [string, string, string, string];
    const result = await workspace.revert([second, fourth, first, third, second]);
    expect(result.revisions).toEqual([fourth, third, second, first]);
    expect(storage.toJSON()).toEqual({ a: "0", b: "0" });
    expect(await collect(workspace.history())).toHaveLength(5);
    await workspace.revert(result.workspaceRevision);
    expect(storage.toJSON()).toEqual({ a: "3", b: "1" });
  });

  test("finds them by a filter and leaves what others did in between", async () => {
    const { workspace } = await testWorkspace({ a: lines() });
    await write(workspace, "a", lines(3), "agent");
    await write(workspace, "a", lines(3, 14), "human");
    await write(workspace, "a", lines(3, 14, 25), "agent");
    await write(workspace, "new", "n", "agent");
    const result = await workspace.revert({ source: "agent" });
    expect(result).toMatchObject({ reverted: true, conflicts: [], mergedPaths: ["a"] });
    expect((await workspace.read("a")).text).toBe(lines(14));
    expect(await workspace.stat("new")).toBeUndefined();
  });

  test("tells one conflict of a path: between now and what is wanted in the end", async () => {
    const { workspace, storage } = await testWorkspace({ a: "0\n" });
    const ids = [await write(workspace, "a", "1\n"), await write(workspace, "a", "2\n")];
    await write(workspace, "a", "now\n");
    const { conflicts } = await workspace.revert(ids);
    expect(conflicts).toMatchObject([
      { path: "a", base: { text: "2\n" }, current: { text: "now\n" }, incoming: { text: "0\n" } },
    ]);
    await workspace.revert(ids, { resolutions: { a: { take: "incoming" } } });
    expect(storage.toJSON()).toEqual({ a: "0\n" });
  });

  test("tells one conflict also where others came between, and resolves it in the same way", async () => {
    const { workspace, storage } = await testWorkspace({ a: "0\n" });
    const first = await write(workspace, "a", "1\n");
    await write(workspace, "a", "between\n");
    const third = await write(workspace, "a", "2\n");
    await write(workspace, "a", "now\n");
    const { conflicts } = await workspace.revert([first, third]);
    expect(conflicts).toMatchObject([
      { path: "a", base: { text: "2\n" }, current: { text: "now\n" }, incoming: { text: "0\n" } },
    ]);
    for (const [take, text] of [
      ["current", "now\n"],
      ["incoming", "0\n"],
    ] as const) {
      const result = await workspace.revert([first, third], { resolutions: { a: { take } } });
      expect(result.conflicts).toEqual([]);
      expect(storage.toJSON()).toEqual({ a: text });
    }
  });

  test("takes chains of moves back to where the file was", async () => {
    const { workspace, storage } = await testWorkspace({ a: lines() });
    const ids: string[] = [];
    for (const [path, destination] of [
      ["a", "b"],
      ["b", "c/d"],
    ] as const) {
      const { revision } = await workspace.read(path);
      ids.push((await workspace.apply({ action: "move", path, destination, revision })).workspaceRevision);
    }
    const result = await workspace.revert(ids);
    expect(result.files).toMatchObject([{ path: "a", previousPath: "c/d", operation: "moved" }]);
    expect(storage.toJSON()).toEqual({ a: lines() });
  });
});

describe("reverting under later changes of the tree", () => {
  test("follows a file that was moved on", async () => {
    const { workspace, storage } = await testWorkspace({ a: lines() });
    const id = await write(workspace, "a", lines(7));
    const { revision } = await workspace.read("a");
    await workspace.apply({ action: "move", path: "a", destination: "b", revision });
    const result = await workspace.revert(id);
    expect(result).toMatchObject({ reverted: true, conflicts: [] });
    expect(storage.toJSON()).toEqual({ b: lines() });
  });

  test("finds in conflict what was deleted, and a file or folder that stands where it was", async () => {
    const { workspace, storage } = await testWorkspace({ a: lines(), "d/e": "e\n", f: "f\n" });
    const edited = await write(workspace, "a", lines(7));
    await workspace.apply({ action: "delete", path: "a", revision: (await workspace.read("a")).revision });
    expect((await workspace.revert(edited)).conflicts).toMatchObject([{ path: "a", kind: "modifyDelete" }]);
    const { revision } = await workspace.read("d/e");
    const gone = (await workspace.apply({ action: "delete", path: "d/e", revision })).workspaceRevision;
    await write(workspace, "d", "a file now\n");
    expect((await workspace.revert(gone)).conflicts).toMatchObject([{ kind: "fileDirectory" }]);
    const other = await workspace.read("f");
    const { workspaceRevision } = await workspace.apply({
      action: "delete",
      path: "f",
      revision: other.revision,
    });
    storage.writeOutside("f/inside", "x\n");
    const before = storage.toJSON();
    expect((await workspace.revert(workspaceRevision)).conflicts).toMatchObject([{ kind: "fileDirectory" }]);
    expect(storage.toJSON()).toEqual(before);
  });

  test("never writes over what another program did to a path", async () => {
    const { workspace, storage } = await testWorkspace({ a: "0\n", b: "0\n" });
    const { workspaceRevision } = await workspace.apply(
      await Promise.all(
        ["a", "b"].map(async (path) => {
          return {
            action: "write",
            path,
            content: "1\n",
            revision: (await workspace.read(path)).revision,
          } as const;
        }),
      ),
    );
    storage.writeOutside("a", "theirs\n");
    const result = await workspace.revert(workspaceRevision);
    expect(result.conflicts).toMatchObject([{ path: "a", current: { text: "theirs\n" } }]);
    expect(storage.toJSON()).toEqual({ a: "theirs\n", b: "1\n" });
  });

  test("waits for the calls before it on the same paths, and loses no race", async () => {
    const { workspace } = await testWorkspace({ a: lines() });
    const id = await write(workspace, "a", lines(2));
    const edit = (line: number) =>
      workspace.edit("a", { op: "replace_text", oldText: `line ${line}\n`, newText: `LINE ${line}\n` });
    await Promise.all([edit(10), workspace.revert(id), edit(20), edit(25)]);
    expect((await workspace.read("a")).text).toBe(lines(10, 20, 25));
  });

  test("is planned again when another handle was quicker, and loses nothing of it", async () => {
    const { workspace, storage } = await testWorkspace({ a: lines() });
    const other = await Workspace.open(sameGround(storage));
    for (let round = 0; round < 4; round += 1) {
      const id = await write(workspace, "a", lines(2));
      const line = 20 + round;
      await Promise.all([
        workspace.revert(id),
        other.edit("a", { op: "replace_text", oldText: `line ${line}\n`, newText: `LINE ${line}\n` }),
      ]);
      expect((await workspace.read("a")).text).toBe(lines(line));
      await write(workspace, "a", lines());
    }
    await other.close();
  });
});
