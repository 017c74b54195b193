import { type Conflict, isHoldfastError, type Resolution, type Transaction, Workspace } from "holdfast";
import { describe, expect, test } from "vitest";
import { needing } from "../support/grounds/needing.ts";
import { sameGround, testStorage } from "../support/grounds/test-storage.ts";
import { testWorkspace } from "../support/grounds/test-workspace.ts";
import { collect, refusalOf } from "../support/refusal.ts";
import { lines } from "../support/stale-file.ts";

const put = (tx: Transaction, path: string, text: string | null) => tx.update(path, () => text);

const files = { a: lines(), other: "other\n", "folder/b": "b\n", "folder/c": "c\n" };

type Scope = "touched" | "read" | "workspace";

describe("a change by others", () => {
  test.each<[what: string, path: string, content: string | null, conflicts: readonly Scope[]]>([
    ["of a path that is staged", "a", "theirs\n", ["touched", "read", "workspace"]],
    ["that removes a path that is staged", "a", null, ["touched", "read", "workspace"]],
    ["of a path that was read", "folder/b", "other length\n", ["read", "workspace"]],
    ["of a path in a folder that was listed", "folder/new", "new\n", ["read", "workspace"]],
    ["of another path", "other", "other length\n", ["workspace"]],
  ])("%s is in conflict where the scope says so", async (_what, path, content, conflicts) => {
    for (const conflictScope of ["touched", "read", "workspace"] as const) {
      await using opened = await testWorkspace(files);
      const { workspace } = opened;
      const tx = await workspace.beginTransaction({ conflictScope });
      await tx.read("folder/b");
      await collect(tx.list({ under: "folder" }));
      await put(tx, "a", lines({ 2: "mine" }));
      await workspace.update(path, () => content);
      const expected = conflicts.includes(conflictScope) ? "conflicted" : "active";
      const info = await tx.info();
      expect([conflictScope, info.state]).toEqual([conflictScope, expected]);
      if (expected === "active") {
        expect((await tx.commit()).committed).toBe(true);
        continue;
      }
      expect(info.conflictPaths).toContain(
        path === "folder/new" && conflictScope === "read" ? "folder" : path,
      );
      expect(info).toMatchObject({ canMutate: false, canUndo: false, canCommit: false, canRollback: true });
    }
  });

  test("of nothing but the time of a file is none", async () => {
    await using opened = await testWorkspace(files);
    const { workspace, storage } = opened;
    const tx = await workspace.beginTransaction();
    await put(tx, "a", lines({ 2: "mine" }));
    storage.writeOutside("a", null);
    storage.writeOutside("a", lines());
    expect((await tx.info()).state).toBe("active");
    expect((await tx.commit()).committed).toBe(true);
  });

  test("that keeps the length of a file is noticed by the commit at the latest, and nothing is written", async () => {
    await using opened = await testWorkspace({ a: "aaaa\n" });
    const { workspace, storage } = opened;
    const tx = await workspace.beginTransaction();
    await put(tx, "a", "mine\n");
    storage.writeOutside("a", "bbbb\n");
    const error = await refusalOf(tx.commit());
    expect(error).toMatchObject({ code: "TRANSACTION_CONFLICTED", written: "no" });
    expect(isHoldfastError(error, "TRANSACTION_CONFLICTED") && error.details.paths).toEqual(["a"]);
    expect(storage.toJSON()).toEqual({ a: "bbbb\n" });
  });

  test("of what was read up to the last step counts for another handle too", async () => {
    const storage = testStorage({ files });
    await using workspace = await Workspace.open(storage);
    const tx = await workspace.beginTransaction({ conflictScope: "read" });
    await using other = await Workspace.open(sameGround(storage));
    const again = await other.transactions.get(tx.id);
    await again.info();
    await tx.read("folder/b");
    await put(tx, "a", lines({ 2: "mine" }));
    storage.writeOutside("folder/b", "other length\n");
    expect(await again.info()).toMatchObject({ state: "conflicted", conflictPaths: ["folder/b"] });
  });

  test("is a commit of another transaction, too", async () => {
    await using opened = await testWorkspace(files);
    const { workspace } = opened;
    const [first, second] = [await workspace.beginTransaction(), await workspace.beginTransaction()];
    await put(first, "a", lines({ 2: "first" }));
    await put(second, "a", lines({ 8: "second" }));
    expect((await second.read("a")).text).toBe(lines({ 8: "second" }));
    await first.commit();
    expect((await refusalOf(second.commit())).code).toBe("TRANSACTION_CONFLICTED");
    expect(await second.rebase()).toMatchObject({ state: "active", revision: 1 });
    expect((await second.commit()).mergedPaths).toEqual(["a"]);
    expect((await workspace.read("a")).text).toBe(lines({ 2: "first", 8: "second" }));
  });
});

describe("a rebase", () => {
  test("puts what is staged onto what others did elsewhere in the file, as one step", async () => {
    await using opened = await testWorkspace(files);
    const { workspace, storage } = opened;
    const tx = await workspace.beginTransaction();
    await put(tx, "a", lines({ 8: "mine" }));
    await put(tx, "new", "new\n");
    storage.writeOutside("a", lines({ 2: "theirs\nand more" }));
    expect(await tx.rebase()).toMatchObject({
      state: "active",
      revision: 1,
      revisionCount: 1,
      changedPaths: ["a", "new"],
    });
    expect((await tx.read("a")).text).toBe(lines({ 2: "theirs\nand more", 8: "mine" }));
    expect(await tx.undo()).toMatchObject({ revision: 0, canUndo: false, changedPaths: [] });
    expect((await tx.read("a")).text).toBe(lines({ 2: "theirs\nand more" }));
    await tx.redo();
    expect(await tx.commit()).toMatchObject({ committed: true, mergedPaths: ["a"] });
  });

  test("whose step was undone leaves no path that was merged", async () => {
    await using opened = await testWorkspace(files);
    const { workspace, storage } = opened;
    const tx = await workspace.beginTransaction();
    await put(tx, "a", lines({ 8: "mine" }));
    storage.writeOutside("a", lines({ 2: "theirs\nand more" }));
    await tx.rebase();
    await tx.undo();
    await put(tx, "new", "new\n");
    expect((await tx.commit()).mergedPaths).toEqual([]);
  });

  test("of a key's step keeps the key", async () => {
    await using opened = await testWorkspace(files);
    const { workspace, storage } = opened;
    const tx = await workspace.beginTransaction();
    const edit = { op: "replace_text", oldText: "line 8\n", newText: "line 8\nmine\n" } as const;
    await tx.edit("a", edit, { idempotencyKey: "k" });
    storage.writeOutside("a", lines({ 2: "theirs\nand more" }));
    await tx.rebase();
    expect((await tx.edit("a", edit, { idempotencyKey: "k" })).idempotentReplay).toBe(true);
    expect((await tx.read("a")).text).toBe(lines({ 2: "theirs\nand more", 8: "line 8\nmine" }));
  });

  test("of what others did as well leaves nothing, and the transaction is active", async () => {
    await using opened = await testWorkspace(files);
    const { workspace, storage } = opened;
    const tx = await workspace.beginTransaction();
    await put(tx, "a", lines({ 8: "mine and more" }));
    storage.writeOutside("a", lines({ 8: "mine and more" }));
    expect(await tx.rebase()).toMatchObject({ state: "active", revision: 0, changedPaths: [] });
    expect((await tx.commit()).committed).toBe(false);
  });

  test("tells all sides of a conflict, changes nothing, and takes a resolution for each", async () => {
    await using opened = await testWorkspace({ a: lines() });
    const { workspace, storage } = opened;
    const tx = await workspace.beginTransaction();
    await put(tx, "a", lines({ 2: "mine", 8: "mine" }));
    storage.writeOutside("a", lines({ 2: "theirs\nand more" }));
    const info = await tx.rebase();
    expect(info).toMatchObject({ state: "conflicted", revision: 1 });
    expect(info.conflicts).toMatchObject([
      {
        path: "a",
        kind: "content",
        base: { text: lines() },
        current: { text: lines({ 2: "theirs\nand more" }) },
        incoming: { text: lines({ 2: "mine", 8: "mine" }) },
      },
    ]);
    expect((await tx.info()).conflicts).toEqual(info.conflicts);
    const wrong = tx.rebase({ resolutions: { a: { take: "current" }, b: { take: "current" } } });
    expect((await refusalOf(wrong)).code).toBe("INVALID_ARGUMENT");
    expect(await tx.info()).toEqual(info);
  });

  test.each<[string, (conflict: Conflict) => Resolution, string | undefined]>([
    ["a side's whole file", () => ({ take: "incoming" }), lines({ 2: "mine", 8: "mine" })],
    ["what others have", () => ({ take: "current" }), lines({ 2: "theirs\nand more" })],
    ["what both began from", () => ({ take: "base" }), lines()],
    ["a text", () => ({ content: "both\n" }), "both\n"],
    ["bytes", () => ({ content: new TextEncoder().encode("both\n") }), "both\n"],
    ["that the file goes", () => ({ delete: true }), undefined],
    [
      "lines for each region",
      ({ regions = [] }) => ({
        regions: Object.fromEntries(regions.map(({ id }) => [id, { content: "both" }])),
      }),
      lines({ 2: "both", 8: "mine" }),
    ],
  ])("is resolved with %s", async (_form, resolve, expected) => {
    await using opened = await testWorkspace({ a: lines() });
    const { workspace, storage } = opened;
    const tx = await workspace.beginTransaction();
    await put(tx, "a", lines({ 2: "mine", 8: "mine" }));
    storage.writeOutside("a", lines({ 2: "theirs\nand more" }));
    const [conflict] = (await tx.rebase()).conflicts ?? [];
    if (conflict === undefined) throw new Error("There is no conflict.");
    const resolved = await tx.rebase({ resolutions: { a: resolve(conflict) } });
    expect(resolved.state).toBe("active");
    expect(resolved).not.toHaveProperty("conflicts");
    await tx.commit();
    expect(storage.toJSON()["a"]).toBe(expected);
  });

  test.each<[string, mine: string | null, theirs: string | null, path: string, kind: Conflict["kind"]]>([
    ["they deleted what is changed", "mine\n", null, "a", "modifyDelete"],
    ["they changed what is deleted", null, "theirs and more\n", "a", "modifyDelete"],
    ["both made a file", "mine\n", "theirs and more\n", "new", "addAdd"],
  ])("finds that %s", async (_name, mine, theirs, path, kind) => {
    await using opened = await testWorkspace(files);
    const { workspace, storage } = opened;
    const tx = await workspace.beginTransaction();
    await put(tx, path, mine);
    storage.writeOutside(path, theirs);
    expect((await tx.rebase()).conflicts).toMatchObject([{ path, kind }]);
    const taken = await tx.rebase({ resolutions: { [path]: { take: "incoming" } } });
    expect(taken.state).toBe("active");
    await tx.commit();
    expect(storage.toJSON()[path]).toBe(mine ?? undefined);
  });

  test("takes along in a move what others did to the file", async () => {
    await using opened = await testWorkspace(files);
    const { workspace, storage } = opened;
    const tx = await workspace.beginTransaction();
    const { revision } = await tx.read("a");
    await tx.apply({ action: "move", path: "a", destination: "moved", revision });
    storage.writeOutside("a", lines({ 2: "theirs\nand more" }));
    expect(await tx.rebase()).toMatchObject({ state: "active", changedPaths: ["a", "moved"] });
    await tx.commit();
    expect(storage.toJSON()).toEqual({
      moved: lines({ 2: "theirs\nand more" }),
      other: "other\n",
      "folder/b": "b\n",
      "folder/c": "c\n",
    });
  });

  needing("modes", "others change one")("keeps a mode that others gave", async () => {
    await using opened = await testWorkspace(files);
    const { workspace } = opened;
    const tx = await workspace.beginTransaction();
    await put(tx, "a", lines({ 8: "mine" }));
    const { revision } = await workspace.read("a");
    await workspace.apply({ action: "chmod", path: "a", revision, executable: true });
    expect((await tx.rebase()).state).toBe("active");
    await tx.commit();
    expect(await workspace.read("a")).toMatchObject({ executable: true, text: lines({ 8: "mine" }) });
  });

  test("of an active transaction looks first, and then changes nothing", async () => {
    await using opened = await testWorkspace(files);
    const tx = await opened.workspace.beginTransaction();
    await put(tx, "a", "mine\n");
    const before = await tx.info();
    expect(await tx.rebase()).toEqual(before);
  });
});

describe("a rollback", () => {
  test.each([
    ["ready", undefined],
    ["ready", "ready"],
    ["outOfDate", "outOfDate"],
  ] as const)("of one in conflict leaves the handle %s with %s", async (state, onConflictedRollback) => {
    await using opened = await testWorkspace(files, { onConflictedRollback });
    const { workspace, storage } = opened;
    const tx = await workspace.beginTransaction();
    await put(tx, "a", "mine\n");
    storage.writeOutside("a", "theirs and more\n");
    const outcome = await tx.rollback();
    expect(outcome).toMatchObject({ state: "rolledBack", changedPaths: ["a"] });
    expect(await tx.rollback()).toEqual(outcome);
    expect(storage.toJSON()["a"]).toBe("theirs and more\n");
    expect((await workspace.info()).state).toBe(state);
    if (state === "ready") expect((await workspace.beginTransaction()).id).toBeDefined();
    else expect((await refusalOf(workspace.beginTransaction())).code).toBe("WORKSPACE_OUT_OF_DATE");
    expect((await workspace.read("a")).text).toBe("theirs and more\n");
  });

  test("of an active one leaves the handle ready, and its files as they are", async () => {
    await using opened = await testWorkspace(files, { onConflictedRollback: "outOfDate" });
    const { workspace, storage } = opened;
    {
      await using tx = await workspace.beginTransaction();
      await put(tx, "a", "mine\n");
    }
    expect((await collect(workspace.transactions.list())).map(({ state }) => state)).toEqual(["rolledBack"]);
    expect((await workspace.info()).state).toBe("ready");
    expect(storage.toJSON()).toEqual(files);
  });
});
