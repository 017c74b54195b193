import { Workspace } from "holdfast";
import { describe, expect, test } from "vitest";
import { needing } from "../support/grounds/needing.ts";
import { sameGround } from "../support/grounds/test-storage.ts";
import { testWorkspace } from "../support/grounds/test-workspace.ts";
import { collect, refusalOf } from "../support/refusal.ts";

async function revisionOf(workspace: Workspace, path: string): Promise<string> {
  return (await workspace.readBytes(path)).revision;
}

/** Writes a file over whatever is there and gives the workspace revision. */
async function write(workspace: Workspace, path: string, content: string, source?: string): Promise<string> {
  const revision = (await workspace.stat(path)) && (await revisionOf(workspace, path));
  return (await workspace.write(path, content, { revision, source })).workspaceRevision;
}

const lines = (count: number) => Array.from({ length: count }, (_, line) => `line ${line + 1}\n`).join("");

describe("revert", () => {
  test("takes one revision back whole: what it wrote, made, deleted and moved", async () => {
    const binary = Uint8Array.from([0, 255, 13, 10]);
    const files = { edited: "a\r\nb", gone: binary, moved: lines(3), other: "o" };
    const { workspace, storage } = await testWorkspace(files);
    const before = storage.toJSON();
    const [edited, gone, moved] = [
      await revisionOf(workspace, "edited"),
      await revisionOf(workspace, "gone"),
      await revisionOf(workspace, "moved"),
    ];
    const { workspaceRevision } = await workspace.apply([
      { action: "edit", path: "edited", revision: edited, edits: [{ op: "append", content: "c" }] },
      { action: "delete", path: "gone", revision: gone },
      { action: "move", path: "moved", destination: "d/here", revision: moved },
      { action: "create", path: "made/deep/file", content: "new" },
    ]);
    const after = storage.toJSON();
    const result = await workspace.revert(workspaceRevision, { reason: "regret", source: "human" });
    expect(storage.toJSON()).toEqual(before);
    expect(result).toMatchObject({
      reverted: true,
      dryRun: false,
      idempotentReplay: false,
      revisions: [workspaceRevision],
      conflicts: [],
      mergedPaths: [],
    });
    expect(result.files.map(({ path, previousPath, operation }) => [operation, path, previousPath])).toEqual([
      ["modified", "edited", undefined],
      ["created", "gone", undefined],
      ["deleted", "made/deep/file", undefined],
      ["moved", "moved", "d/here"],
    ]);
    expect(result.files[0]?.revision).toBe(edited);
    const [newest] = await collect(workspace.history({ limit: 1 }));
    expect(newest).toMatchObject({
      id: result.workspaceRevision,
      cause: "revert",
      reason: "regret",
      source: "human",
    });
    const again = await workspace.revert(result.workspaceRevision);
    expect(storage.toJSON()).toEqual(after);
    await workspace.revert(again.workspaceRevision);
    expect(storage.toJSON()).toEqual(before);
  });

  needing("modes", "it is about the executable bit")("brings modes back", async () => {
    const { workspace } = await testWorkspace({ a: "x" });
    const { workspaceRevision } = await workspace.apply({
      action: "chmod",
      path: "a",
      revision: await revisionOf(workspace, "a"),
      executable: true,
    });
    await workspace.revert(workspaceRevision);
    expect((await workspace.stat("a"))?.executable).toBe(false);
  });

  test("merges with later changes of the same file, and says where", async () => {
    const { workspace } = await testWorkspace({ a: lines(20) });
    const { workspaceRevision } = await workspace.edit("a", {
      op: "replace_text",
      oldText: "line 3\n",
      newText: "line three\n",
    });
    await workspace.edit("a", { op: "replace_text", oldText: "line 17\n", newText: "line seventeen\n" });
    const result = await workspace.revert(workspaceRevision, { includeDiff: true });
    expect((await workspace.read("a")).text).toBe(lines(20).replace("line 17\n", "line seventeen\n"));
    expect(result).toMatchObject({ reverted: true, mergedPaths: ["a"], additions: 1, removals: 1 });
    expect(result.files[0]?.changedRanges).toMatchObject([{ startLine: 3, endLine: 3 }]);
    expect(result.diff?.files[0]?.hunks[0]?.lines).toContain("+line 3");
  });

  test("returns conflicts and writes nothing, and takes resolutions", async () => {
    const { workspace, storage } = await testWorkspace({ a: "one\ntwo\n", b: "b\n" });
    const { workspaceRevision } = await workspace.apply([
      { action: "edit", path: "a", edits: [{ op: "replace_text", oldText: "two", newText: "2" }] },
      { action: "edit", path: "b", edits: [{ op: "replace_text", oldText: "b", newText: "B" }] },
    ]);
    const later = await write(workspace, "a", "one\nzwei\n");
    const before = storage.toJSON();
    const refused = await workspace.revert(workspaceRevision, { idempotencyKey: "k" });
    expect(refused).toMatchObject({ reverted: false, workspaceRevision: later, files: [] });
    expect(refused.conflicts).toMatchObject([
      {
        path: "a",
        kind: "content",
        base: { text: "one\n2\n" },
        current: { text: "one\nzwei\n" },
        incoming: { text: "one\ntwo\n" },
      },
    ]);
    expect(storage.toJSON()).toEqual(before);
    expect((await workspace.outcome("k")).known).toBe(false);
    const wrong = await refusalOf(
      workspace.revert(workspaceRevision, { resolutions: { b: { take: "current" } } }),
    );
    expect(wrong).toMatchObject({ code: "INVALID_ARGUMENT", problems: [{ path: "b" }] });
    const done = await workspace.revert(workspaceRevision, {
      resolutions: { a: { content: "one\nboth\n" } },
      idempotencyKey: "k",
    });
    expect(done).toMatchObject({ reverted: true, conflicts: [] });
    expect(storage.toJSON()).toEqual({ a: "one\nboth\n", b: "b\n" });
  });

  test("limits itself to paths, and takes both ends of a move together", async () => {
    const { workspace, storage } = await testWorkspace({ a: lines(4), b: "b", "d/c": "c" });
    const changes = await Promise.all(
      ["b", "d/c"].map(async (path) => {
        return { action: "delete", path, revision: await revisionOf(workspace, path) } as const;
      }),
    );
    const { workspaceRevision } = await workspace.apply([
      ...changes,
      { action: "move", path: "a", destination: "e", revision: await revisionOf(workspace, "a") },
    ]);
    await workspace.revert(workspaceRevision, { paths: ["d"] });
    expect(Object.keys(storage.toJSON())).toEqual(["d/c", "e"]);
    await workspace.revert(workspaceRevision, { paths: ["e"] });
    expect(Object.keys(storage.toJSON()).sort()).toEqual(["a", "d/c"]);
    await workspace.revert(workspaceRevision);
    expect(Object.keys(storage.toJSON()).sort()).toEqual(["a", "b", "d/c"]);
  });

  test("says when there is nothing to take back, and commits nothing", async () => {
    const { workspace } = await testWorkspace({ a: "0" });
    const id = await write(workspace, "a", "1");
    const now = await write(workspace, "a", "0");
    for (const target of [id, [now, id], { source: "nobody" }]) {
      const result = await workspace.revert(target);
      expect(result).toMatchObject({ reverted: false, workspaceRevision: now, conflicts: [] });
    }
    expect(await collect(workspace.history())).toHaveLength(2);
  });

  test("shows with dryRun what it would do", async () => {
    const { workspace, storage } = await testWorkspace({ a: "0\n" });
    const id = await write(workspace, "a", "1\n");
    const result = await workspace.revert(id, { dryRun: true, includeDiff: true });
    expect(result).toMatchObject({ dryRun: true, reverted: false, workspaceRevision: id });
    expect(result.diff?.files[0]?.hunks[0]?.lines).toEqual(["-1", "+0"]);
    expect(storage.toJSON()).toEqual({ a: "1\n" });
  });

  test("takes effect once for each key, and its repeat returns what it returned", async () => {
    const { workspace, storage } = await testWorkspace({ a: lines(9) });
    const { workspaceRevision: id } = await workspace.edit("a", {
      op: "replace_text",
      oldText: "line 2\n",
      newText: "",
    });
    await workspace.edit("a", { op: "replace_text", oldText: "line 8", newText: "line eight" });
    const options = { idempotencyKey: "k", source: "s" };
    const first = await workspace.revert(id, options);
    const other = await Workspace.open(sameGround(storage));
    for (const handle of [workspace, other]) {
      expect(await handle.revert(id, options)).toEqual({ ...first, idempotentReplay: true });
      expect(await handle.outcome("k")).toMatchObject({
        known: true,
        operation: "revert",
        result: { mergedPaths: ["a"] },
      });
      expect((await refusalOf(handle.revert(id, { ...options, paths: ["a"] }))).code).toBe(
        "IDEMPOTENCY_KEY_REUSED",
      );
    }
    await other.close();
    const once = await workspace.once(
      "o",
      async (key) => await workspace.revert(first.workspaceRevision, key),
    );
    const twice = await workspace.once("o", async () => await Promise.reject(new Error("called again")));
    expect(twice).toEqual({ ...once, idempotentReplay: true });
  });

  test.each([
    ["r9-0123456789abcdef", "REVISION_NOT_FOUND"],
    ["r1-0000000000000000", "REVISION_NOT_FOUND"],
    ["r0", "REVISION_NOT_FOUND"],
    ["yesterday", "INVALID_ARGUMENT"],
    [{}, "INVALID_ARGUMENT"],
    [[], "INVALID_ARGUMENT"],
    [{ author: "x" }, "INVALID_ARGUMENT"],
  ])("refuses %j with %s", async (target, code) => {
    const { workspace } = await testWorkspace({ a: "0" });
    await write(workspace, "a", "1");
    expect((await refusalOf(workspace.revert(target as string))).code).toBe(code);
  });

  test("is refused to a handle that may only look, and once it is closed", async () => {
    const { workspace, storage } = await testWorkspace({ a: "0" });
    const id = await write(workspace, "a", "1");
    const other = await Workspace.open(sameGround(storage), { mode: "inspectionOnly" });
    expect((await refusalOf(other.revert(id))).code).toBe("MUTATION_DISABLED");
    expect(await other.revert(id, { dryRun: true })).toMatchObject({ dryRun: true, conflicts: [] });
    await other.close();
    await workspace.close();
    expect((await refusalOf(workspace.revert(id))).code).toBe("WORKSPACE_CLOSED");
  });
});
