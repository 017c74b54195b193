import { isHoldfastError, type Transaction, Workspace } from "holdfast";
import { describe, expect, test } from "vitest";
import { sameGround, testStorage } from "../support/grounds/test-storage.ts";
import { testWorkspace } from "../support/grounds/test-workspace.ts";
import { collect, refusalOf } from "../support/refusal.ts";

/** Puts text over a file, or makes it, as one step. */
const put = (tx: Transaction, path: string, text: string | null) => tx.update(path, () => text);

const revisionOf = async (tx: Transaction, path: string) => (await tx.read(path)).revision;

describe("staging", () => {
  test.each<[string, (tx: Transaction) => Promise<unknown>, Record<string, string>]>([
    [
      "apply, with several changes as one step",
      async (tx) =>
        tx.apply([
          { action: "create", path: "c", content: "c\n" },
          { action: "delete", path: "b", revision: await revisionOf(tx, "b") },
        ]),
      { a: "a\n", c: "c\n" },
    ],
    [
      "applyPatch",
      (tx) => tx.applyPatch("--- a/a\n+++ b/a\n@@ -1 +1 @@\n-a\n+patched\n"),
      { a: "patched\n", b: "b\n" },
    ],
    [
      "edit",
      (tx) => tx.edit("a", { op: "replace_text", oldText: "a", newText: "edited" }),
      { a: "edited\n", b: "b\n" },
    ],
    [
      "write",
      async (tx) => tx.write("a", "written\n", { revision: await revisionOf(tx, "a") }),
      { a: "written\n", b: "b\n" },
    ],
    ["update", (tx) => put(tx, "b", null), { a: "a\n" }],
  ])("%s stages one step, and writes nothing before the commit", async (_name, stage, expected) => {
    await using opened = await testWorkspace({ a: "a\n", b: "b\n" });
    const { workspace, storage } = opened;
    const tx = await workspace.beginTransaction();
    expect(await stage(tx)).toMatchObject({
      stagedIn: tx.id,
      dryRun: false,
      idempotentReplay: false,
      workspaceRevision: "r0",
    });
    expect(await tx.info()).toMatchObject({ revision: 1, revisionCount: 1, canUndo: true, canCommit: true });
    expect(storage.toJSON()).toEqual({ a: "a\n", b: "b\n" });
    expect(await collect(workspace.history())).toEqual([]);
    expect((await tx.commit()).committed).toBe(true);
    expect(storage.toJSON()).toEqual(expected);
    expect(await collect(workspace.history())).toHaveLength(1);
  });

  test("of nothing stages no step, and neither does a dry run", async () => {
    await using opened = await testWorkspace({ a: "a\n" });
    const tx = await opened.workspace.beginTransaction();
    const before = await tx.info();
    expect((await put(tx, "a", "a\n")).alreadyApplied).toBe(true);
    const dry = await tx.apply(
      { action: "create", path: "b", content: "b\n" },
      { dryRun: true, includeDiff: true },
    );
    expect(dry.dryRun).toBe(true);
    expect(dry).not.toHaveProperty("stagedIn");
    expect(dry.diff?.files.map(({ path }) => path)).toEqual(["b"]);
    expect((await tx.discard({ paths: ["a"] })).revision).toBe(0);
    expect(await tx.info()).toEqual(before);
  });

  test("shows with includeDiff what the step changes, not what all steps do", async () => {
    await using opened = await testWorkspace({ a: "a\n" });
    const tx = await opened.workspace.beginTransaction();
    await put(tx, "b", "b\n");
    const edit = { op: "replace_text", oldText: "a", newText: "A" } as const;
    const result = await tx.edit("a", edit, { includeDiff: true });
    expect(result.diff?.files.map(({ path }) => path)).toEqual(["a"]);
    expect((await tx.diff()).files.map(({ path }) => path)).toEqual(["a", "b"]);
  });

  test("that is refused stages nothing and tells all problems", async () => {
    await using opened = await testWorkspace({ a: "a\n" });
    const tx = await opened.workspace.beginTransaction();
    const error = await refusalOf(
      tx.apply([
        { action: "create", path: "a", content: "" },
        { action: "edit", path: "gone", edits: [{ op: "replace_text", oldText: "x", newText: "y" }] },
      ]),
    );
    expect(error.problems.map(({ code }) => code).sort()).toEqual(["ALREADY_EXISTS", "NOT_FOUND"]);
    expect(await tx.info()).toMatchObject({ state: "active", revision: 0, changedPaths: [] });
  });

  test("takes revisions of what is staged, and refuses those of what was there before", async () => {
    await using opened = await testWorkspace({ a: "a\n" });
    const tx = await opened.workspace.beginTransaction();
    const old = await revisionOf(tx, "a");
    await tx.write("a", "1\n", { revision: old });
    expect((await refusalOf(tx.write("a", "2\n", { revision: old }))).code).toBe("REVISION_MISMATCH");
    await tx.write("a", "2\n", { revision: await revisionOf(tx, "a") });
    expect((await tx.read("a")).text).toBe("2\n");
  });
});

describe("a key of a staging call", () => {
  const append = (tx: Transaction, idempotencyKey = "k") =>
    tx.applyPatch("--- a/a\n+++ b/a\n@@ -1 +1,2 @@\n a\n+more\n", { idempotencyKey });

  test("gives the recorded result again, and refuses other arguments", async () => {
    await using opened = await testWorkspace({ a: "a\n" });
    const tx = await opened.workspace.beginTransaction();
    const first = await append(tx);
    expect(await append(tx)).toEqual({ ...first, idempotentReplay: true });
    expect((await tx.info()).revision).toBe(1);
    const other = tx.apply({ action: "create", path: "b", content: "" }, { idempotencyKey: "k" });
    expect((await refusalOf(other)).code).toBe("IDEMPOTENCY_KEY_REUSED");
  });

  test("is looked up before the expected snapshot, which the call itself has made an old one", async () => {
    await using opened = await testWorkspace({ a: "a\n" });
    const tx = await opened.workspace.beginTransaction();
    const { snapshot } = await tx.info();
    const options = { idempotencyKey: "k", expectedSnapshot: snapshot };
    const change = { action: "create", path: "b", content: "b\n" } as const;
    const first = await tx.apply(change, options);
    expect(await tx.apply(change, options)).toEqual({ ...first, idempotentReplay: true });
    const { idempotencyKey: _left, ...without } = options;
    expect((await refusalOf(tx.apply({ ...change, path: "c" }, without))).code).toBe("SNAPSHOT_MISMATCH");
  });

  test("counts no longer when its step was undone, and again when it was redone", async () => {
    await using opened = await testWorkspace({ a: "a\n" });
    const tx = await opened.workspace.beginTransaction();
    await append(tx);
    await tx.undo();
    await tx.redo();
    expect((await append(tx)).idempotentReplay).toBe(true);
    await tx.undo();
    expect((await append(tx)).idempotentReplay).toBe(false);
  });

  test.each([1, 2, 5])("counts still when its step is one of %d in the baseline", async (squashed) => {
    const storage = testStorage({ files: { a: "a\n", b: "b\n" } });
    await using workspace = await Workspace.open(storage);
    const tx = await workspace.beginTransaction({ undoDepth: 1 });
    const first = await append(tx);
    for (let step = 0; step < squashed; step++) await put(tx, "b", `${step}\n`);
    expect(await append(tx)).toEqual({ ...first, idempotentReplay: true });
    await using other = await Workspace.open(sameGround(storage));
    expect(await append(await other.transactions.get(tx.id))).toEqual({ ...first, idempotentReplay: true });
    expect((await tx.read("a")).text).toBe("a\nmore\n");
  });

  test("is the transaction's own: two of them and the workspace may have the same", async () => {
    await using opened = await testWorkspace({ a: "a\n" });
    const { workspace } = opened;
    for (const view of [await workspace.beginTransaction(), await workspace.beginTransaction(), workspace])
      expect(
        await view.apply({ action: "create", path: "b", content: "b\n" }, { idempotencyKey: "k" }),
      ).toMatchObject({ idempotentReplay: false });
  });
});

describe("undo and redo", () => {
  test("go through the steps, and the snapshot of each state comes back", async () => {
    await using opened = await testWorkspace({ a: "0\n" });
    const tx = await opened.workspace.beginTransaction();
    const seen = [(await tx.info()).snapshot];
    for (const text of ["1\n", "2\n", "3\n"]) {
      await put(tx, "a", text);
      seen.push((await tx.info()).snapshot);
    }
    expect(new Set(seen.map(({ snapshotId }) => snapshotId)).size).toBe(4);
    expect(seen.map(({ transactionRevision }) => transactionRevision)).toEqual([0, 1, 2, 3]);
    for (const [move, at] of [
      [() => tx.undo(), 2],
      [() => tx.undo(2), 0],
      [() => tx.redo(), 1],
      [() => tx.redo(2), 3],
    ] as const) {
      const info = await move();
      expect(info).toMatchObject({ revision: at, revisionCount: 3, canUndo: at > 0, canRedo: at < 3 });
      expect(info.snapshot).toEqual(seen[at]);
      expect((await tx.read("a")).text).toBe(`${at}\n`);
      expect(info.changedPaths).toEqual(at === 0 ? [] : ["a"]);
    }
  });

  test("past the ends is refused, and nothing moves", async () => {
    await using opened = await testWorkspace({ a: "0\n" });
    const tx = await opened.workspace.beginTransaction();
    await put(tx, "a", "1\n");
    const before = await tx.info();
    for (const call of [() => tx.undo(2), () => tx.redo(), () => tx.undoTo("nowhere")])
      expect((await refusalOf(call)).code).toBe("TRANSACTION_HISTORY_UNAVAILABLE");
    for (const steps of [0, -1, 0.5]) expect((await refusalOf(tx.undo(steps))).code).toBe("INVALID_ARGUMENT");
    expect(await tx.info()).toEqual(before);
  });

  test("are over for what was undone when something else is staged, also with the same content", async () => {
    await using opened = await testWorkspace({ a: "0\n" });
    const tx = await opened.workspace.beginTransaction();
    await put(tx, "a", "1\n");
    await put(tx, "a", "2\n");
    const { snapshot } = await tx.info();
    await tx.undo();
    await put(tx, "a", "2\n");
    const info = await tx.info();
    expect(info).toMatchObject({ revision: 2, revisionCount: 2, canRedo: false });
    expect(info.snapshot.snapshotId).not.toBe(snapshot.snapshotId);
  });
});

describe("a savepoint", () => {
  test("is gone back to and forward to, from wherever the transaction is", async () => {
    await using opened = await testWorkspace({ a: "0\n" });
    const tx = await opened.workspace.beginTransaction();
    await tx.savepoint("start");
    await put(tx, "a", "1\n");
    expect((await tx.savepoint("one")).revision).toBe(1);
    await put(tx, "a", "2\n");
    expect((await tx.undoTo("start")).revision).toBe(0);
    expect((await tx.undoTo("one")).revision).toBe(1);
    expect((await tx.undoTo("one")).revision).toBe(1);
    expect((await tx.read("a")).text).toBe("1\n");
  });

  test("with a name that is in use stands for the state of now", async () => {
    await using opened = await testWorkspace({ a: "0\n" });
    const tx = await opened.workspace.beginTransaction();
    await tx.savepoint("s");
    for (const text of ["1\n", "2\n"]) await put(tx, "a", text);
    await tx.savepoint("s");
    await tx.undo();
    await tx.savepoint("s");
    await tx.redo();
    expect((await tx.undoTo("s")).revision).toBe(1);
    await tx.undo();
    await tx.savepoint("s");
    expect((await tx.undoTo("s")).revision).toBe(0);
  });

  test("of a dropped step is gone, and an earlier one of the name counts again", async () => {
    await using opened = await testWorkspace({ a: "0\n" });
    const tx = await opened.workspace.beginTransaction();
    await put(tx, "a", "1\n");
    await tx.savepoint("s");
    await put(tx, "a", "2\n");
    await tx.savepoint("s");
    await tx.savepoint("t");
    await tx.undo();
    await put(tx, "a", "3\n");
    expect((await refusalOf(tx.undoTo("t"))).code).toBe("TRANSACTION_HISTORY_UNAVAILABLE");
    expect((await tx.undoTo("s")).revision).toBe(1);
  });
});

describe("capacity", () => {
  test("makes the oldest step a part of the baseline, which is committed and cannot be undone", async () => {
    await using opened = await testWorkspace({ a: "a\n" });
    const { workspace, storage } = opened;
    const tx = await workspace.beginTransaction({ undoDepth: 2 });
    await tx.savepoint("start");
    for (const path of ["1", "2", "3", "4"]) {
      await put(tx, path, path);
      await tx.savepoint(path);
    }
    expect(await tx.info()).toMatchObject({ revision: 4, revisionCount: 4, remainingRevisions: 0 });
    expect((await refusalOf(tx.undo(3))).code).toBe("TRANSACTION_HISTORY_UNAVAILABLE");
    for (const label of ["start", "1"])
      expect((await refusalOf(tx.undoTo(label))).code).toBe("TRANSACTION_HISTORY_UNAVAILABLE");
    expect(await tx.undoTo("2")).toMatchObject({ revision: 2, canUndo: false, changedPaths: ["1", "2"] });
    expect((await tx.info()).remainingRevisions).toBe(2);
    await tx.commit();
    expect(storage.toJSON()).toEqual({ a: "a\n", 1: "1", 2: "2" });
  });

  test("of one step can be undone once", async () => {
    await using opened = await testWorkspace({ a: "0\n" });
    const tx = await opened.workspace.beginTransaction({ undoDepth: 1 });
    for (const text of ["1\n", "2\n", "3\n"]) await put(tx, "a", text);
    await tx.undo();
    expect((await tx.read("a")).text).toBe("2\n");
    expect(await tx.info()).toMatchObject({ revision: 2, revisionCount: 3, canUndo: false, canRedo: true });
  });

  test("refuses a step where that was chosen, and has room again after an undo", async () => {
    await using opened = await testWorkspace({ a: "0\n" });
    const tx = await opened.workspace.beginTransaction({ undoDepth: 2, onCapacity: "refuse" });
    await put(tx, "a", "1\n");
    expect(await tx.info()).toMatchObject({ remainingRevisions: 1, canMutate: true });
    await put(tx, "a", "2\n");
    expect(await tx.info()).toMatchObject({ remainingRevisions: 0, canMutate: false, canCommit: true });
    const error = await refusalOf(put(tx, "a", "3\n"));
    expect(isHoldfastError(error, "REVISION_CAPACITY_REACHED")).toBe(true);
    expect((await put(tx, "a", "2\n")).alreadyApplied).toBe(true);
    await tx.undo();
    await put(tx, "a", "4\n");
    expect((await tx.read("a")).text).toBe("4\n");
  });

  test.each([0, -1, 1.5])("of %d is no capacity", async (undoDepth) => {
    await using opened = await testWorkspace();
    const error = await refusalOf(opened.workspace.beginTransaction({ undoDepth }));
    expect(error.code).toBe("INVALID_ARGUMENT");
  });
});
