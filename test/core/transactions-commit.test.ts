import { type Transaction, Workspace } from "holdfast";
import { describe, expect, test } from "vitest";
import { sameGround, testStorage } from "../support/grounds/test-storage.ts";
import { testWorkspace } from "../support/grounds/test-workspace.ts";
import { collect, refusalOf } from "../support/refusal.ts";
import { lines } from "../support/stale-file.ts";

const put = (tx: Transaction, path: string, text: string | null) => tx.update(path, () => text);

describe("a commit", () => {
  test("writes all steps as one revision that says who, why and that it was a transaction", async () => {
    await using opened = await testWorkspace({ a: lines(), b: "b\n" });
    const { workspace, storage } = opened;
    const tx = await workspace.beginTransaction({ label: "tidy up" });
    await put(tx, "a", lines({ 2: "mine\nand more" }));
    await put(tx, "b", null);
    await put(tx, "a", lines({ 2: "mine" }));
    const who = { source: "agent", sessionId: "s", exchange: 3, reason: "why", metadata: { k: "v" } };
    const result = await tx.commit({ ...who, includeDiff: true });
    expect(result).toMatchObject({
      committed: true,
      idempotentReplay: false,
      additions: 1,
      removals: 2,
      mergedPaths: [],
      files: [
        { path: "a", operation: "modified", changedRanges: [{ startLine: 2, endLine: 2 }] },
        { path: "b", operation: "deleted" },
      ],
    });
    expect(result.diff?.files.map(({ path }) => path)).toEqual(["a", "b"]);
    for (const gone of ["dryRun", "stagedIn", "alreadyApplied"]) expect(result).not.toHaveProperty(gone);
    expect(await collect(workspace.history())).toMatchObject([
      { id: result.workspaceRevision, cause: "transaction", ...who, paths: ["a", "b"] },
    ]);
    expect(storage.toJSON()).toEqual({ a: lines({ 2: "mine" }) });
    expect(await tx.info()).toMatchObject({ state: "committed", label: "tidy up", changedPaths: ["a", "b"] });
    expect((await refusalOf(tx.commit())).code).toBe("NO_ACTIVE_TRANSACTION");
  });

  test("of nothing, or of what comes to nothing, leaves it active", async () => {
    await using opened = await testWorkspace({ a: "a\n" });
    const { workspace } = opened;
    const tx = await workspace.beginTransaction();
    const nothing = { committed: false, files: [], workspaceRevision: "r0" };
    expect(await tx.commit({ idempotencyKey: "k" })).toMatchObject(nothing);
    const { revision } = await tx.read("a");
    await tx.apply({ action: "move", path: "a", destination: "b", revision });
    await tx.apply({ action: "move", path: "b", destination: "a", revision });
    expect(await tx.info()).toMatchObject({ revision: 2, canCommit: false, changedPaths: [] });
    expect(await tx.commit({ idempotencyKey: "k" })).toMatchObject(nothing);
    expect(await collect(workspace.history())).toEqual([]);
    await put(tx, "a", "A\n");
    expect((await tx.commit({ idempotencyKey: "k" })).committed).toBe(true);
  });

  test("with a key gives the recorded result again, also through another handle", async () => {
    const storage = testStorage({ files: { a: "a\n" } });
    await using workspace = await Workspace.open(storage);
    const tx = await workspace.beginTransaction();
    await put(tx, "a", "A\n");
    const first = await tx.commit({ idempotencyKey: "k" });
    await using other = await Workspace.open(sameGround(storage));
    for (const handle of [tx, await other.transactions.get(tx.id)])
      expect(await handle.commit({ idempotencyKey: "k" })).toEqual({ ...first, idempotentReplay: true });
    expect(await workspace.outcome("k")).toMatchObject({ workspaceRevision: first.workspaceRevision });
    const second = await workspace.beginTransaction();
    await put(second, "a", "B\n");
    expect((await refusalOf(second.commit({ idempotencyKey: "k" }))).code).toBe("IDEMPOTENCY_KEY_REUSED");
    expect((await second.info()).state).toBe("active");
  });

  test.each(["object", "token"] as const)("is bound to the state that was seen, by its %s", async (form) => {
    await using opened = await testWorkspace({ a: "a\n" });
    const { workspace } = opened;
    const tx = await workspace.beginTransaction();
    await put(tx, "a", "1\n");
    const { snapshot } = await tx.info();
    await put(tx, "a", "2\n");
    const expectedSnapshot = form === "object" ? snapshot : snapshot.token;
    const refusal = await refusalOf(tx.commit({ expectedSnapshot }));
    expect(refusal).toMatchObject({ code: "SNAPSHOT_MISMATCH", written: "no" });
    expect(refusal.details).toEqual({ differs: "transactionRevision" });
    await tx.undo();
    expect((await tx.commit({ expectedSnapshot })).committed).toBe(true);
  });

  test("says which part of the expected snapshot differs, and gives no other one", async () => {
    await using opened = await testWorkspace({ a: "a\n" });
    await using elsewhere = await testWorkspace();
    const { workspace } = opened;
    const tx = await workspace.beginTransaction();
    await put(tx, "a", "1\n");
    const { snapshot } = await tx.info();
    const outside = (await workspace.info()).snapshot;
    const cases = [
      ["workspace", (await elsewhere.workspace.info()).snapshot],
      ["epoch", { ...snapshot, workspaceEpoch: snapshot.workspaceEpoch + 1 }],
      ["transaction", outside],
      ["transaction", (await (await workspace.beginTransaction()).info()).snapshot],
      ["transactionRevision", { ...snapshot, transactionRevision: 0 }],
      ["state", { ...snapshot, snapshotId: "rev_other" }],
    ] as const;
    for (const [differs, expectedSnapshot] of cases)
      for (const call of [
        () => tx.commit({ expectedSnapshot }),
        () => tx.undo(1, { expectedSnapshot }),
        () => tx.discard({ paths: ["a"] }, { expectedSnapshot }),
        () => tx.savepoint("s", { expectedSnapshot }),
        () => tx.write("new", "new\n", { expectedSnapshot }),
      ]) {
        const refusal = await refusalOf(call);
        expect(refusal.code).toBe("SNAPSHOT_MISMATCH");
        expect(refusal.details).toEqual({ differs });
      }
    expect((await refusalOf(tx.commit({ expectedSnapshot: "no token" }))).code).toBe("INVALID_ARGUMENT");
    expect((await tx.info()).snapshot).toEqual(snapshot);
  });
});

describe("a function that runs in a transaction", () => {
  const states = async (workspace: Workspace) =>
    (await collect(workspace.transactions.list())).map(({ state }) => state).sort();

  test("is committed with the options of the call, and gives its value", async () => {
    await using opened = await testWorkspace({ a: "a\n" });
    const { workspace } = opened;
    const ran = await workspace.transaction(
      async (tx) => {
        await put(tx, "a", "A\n");
        return (await tx.read("a")).text;
      },
      { source: "agent", label: "run" },
    );
    expect(ran).toMatchObject({ value: "A\n", commit: { committed: true, files: [{ path: "a" }] } });
    expect(await collect(workspace.history())).toMatchObject([{ cause: "transaction", source: "agent" }]);
  });

  test("that throws is rolled back, and its error is thrown", async () => {
    await using opened = await testWorkspace({ a: "a\n" });
    const { workspace, storage } = opened;
    const failure = new Error("mine");
    const ran = workspace.transaction(async (tx) => {
      await put(tx, "a", "A\n");
      throw failure;
    });
    await expect(ran).rejects.toBe(failure);
    expect(await states(workspace)).toEqual(["rolledBack"]);
    expect(storage.toJSON()).toEqual({ a: "a\n" });
  });

  test("that stages nothing leaves no transaction open", async () => {
    await using opened = await testWorkspace({ a: "a\n" });
    const { workspace } = opened;
    const ran = await workspace.transaction(async (tx) => (await tx.read("a")).text);
    expect(ran).toMatchObject({ value: "a\n", commit: { committed: false } });
    expect(await states(workspace)).toEqual(["rolledBack"]);
  });

  test.each([
    ["throw", undefined, ["rolledBack"], lines({ 2: "theirs and more" }), 1],
    ["rebase", undefined, ["committed"], lines({ 2: "theirs and more", 8: "mine" }), 1],
    ["rerun", 2, ["committed", "rolledBack"], lines({ 2: "theirs and more", 8: "mine" }), 2],
    ["rerun", 1, ["rolledBack"], lines({ 2: "theirs and more" }), 1],
  ] as const)(
    "does on a conflict what %s with attempts %s says",
    async (onConflict, attempts, left, text, runs) => {
      await using opened = await testWorkspace({ a: lines() });
      const { workspace, storage } = opened;
      let count = 0;
      const run = workspace.transaction(
        async (tx) => {
          count += 1;
          const { text: now } = await tx.read("a");
          await put(tx, "a", now.replace("line 8", "mine"));
          storage.writeOutside("a", lines({ 2: "theirs and more" }));
        },
        { onConflict, attempts },
      );
      if (left[0] === "committed") expect((await run).commit.committed).toBe(true);
      else expect((await refusalOf(run)).code).toBe("TRANSACTION_CONFLICTED");
      expect(count).toBe(runs);
      expect(await states(workspace)).toEqual(left);
      expect(storage.toJSON()["a"]).toBe(text);
    },
  );

  test("is refused with the conflicts when its steps cannot be rebased", async () => {
    await using opened = await testWorkspace({ a: lines() });
    const { workspace, storage } = opened;
    const run = workspace.transaction(
      async (tx) => {
        await put(tx, "a", lines({ 2: "mine" }));
        storage.writeOutside("a", lines({ 2: "theirs and more" }));
      },
      { onConflict: "rebase" },
    );
    const refusal = await refusalOf(run);
    expect(refusal).toMatchObject({ code: "MERGE_CONFLICT", written: "no" });
    expect(refusal.details).toMatchObject({ conflicts: [{ path: "a", kind: "content" }] });
    expect(await states(workspace)).toEqual(["rolledBack"]);
  });

  test("with a key runs once; a repeat has the recorded commit and no value", async () => {
    await using opened = await testWorkspace({ a: "a\n" });
    const { workspace } = opened;
    let count = 0;
    const call = () =>
      workspace.transaction(
        async (tx) => {
          count += 1;
          await put(tx, "a", "A\n");
          return count;
        },
        { idempotencyKey: "k" },
      );
    const first = await call();
    expect(await call()).toEqual({ value: undefined, commit: { ...first.commit, idempotentReplay: true } });
    expect(count).toBe(1);
  });
});

describe("the transactions of a workspace", () => {
  test("are found by id and listed by state, with a page at a time", async () => {
    await using opened = await testWorkspace({ a: "a\n" });
    const { workspace } = opened;
    const all: Transaction[] = [];
    for (let count = 0; count < 3; count++) all.push(await workspace.beginTransaction());
    await all[0]?.rollback();
    const ids = all.map(({ id }) => id).sort();
    const listed = async (options?: Parameters<typeof workspace.transactions.list>[0]) =>
      (await collect(workspace.transactions.list(options))).map(({ transactionId }) => transactionId);
    expect(await listed()).toEqual(ids);
    expect(await listed({ state: "rolledBack" })).toEqual([all[0]?.id]);
    expect(await listed({ limit: 2 })).toEqual(ids.slice(0, 2));
    expect(await listed({ after: ids[0] })).toEqual(ids.slice(1));
    expect((await refusalOf(workspace.transactions.get("tx_none"))).code).toBe("TRANSACTION_NOT_FOUND");
  });

  test("are gone on with by another handle after the first was closed", async () => {
    const storage = testStorage({ files: { a: "a\n" } });
    const first = await Workspace.open(storage);
    const begun = await first.beginTransaction({ label: "long" });
    await put(begun, "a", "1\n");
    await put(begun, "b", "b\n");
    await begun.undo();
    await begun.savepoint("here");
    await first.close();
    await using second = await Workspace.open(sameGround(storage));
    const tx = await second.transactions.get(begun.id);
    expect(await tx.info()).toMatchObject({ label: "long", revision: 1, revisionCount: 2, canRedo: true });
    expect((await tx.read("a")).text).toBe("1\n");
    await tx.redo();
    expect((await tx.read("b")).text).toBe("b\n");
    expect((await tx.undoTo("here")).revision).toBe(1);
    await tx.commit();
    expect(storage.toJSON()).toEqual({ a: "1\n" });
  });

  test("can be looked at for inspection, and neither changed nor put in conflict by it", async () => {
    const storage = testStorage({ files: { a: "a\n" } });
    await using workspace = await Workspace.open(storage);
    const tx = await workspace.beginTransaction();
    await put(tx, "a", "mine\n");
    await using looking = await Workspace.open(sameGround(storage), { mode: "inspectionOnly" });
    const seen = await looking.transactions.get(tx.id);
    expect((await seen.read("a")).text).toBe("mine\n");
    expect(await seen.info()).toMatchObject({
      state: "active",
      canMutate: false,
      canCommit: false,
      canRollback: false,
    });
    for (const call of [
      () => put(seen, "a", "1\n"),
      () => seen.undo(),
      () => seen.commit(),
      () => seen.rollback(),
    ])
      expect((await refusalOf(call)).code).toBe("MUTATION_DISABLED");
    storage.writeOutside("a", "theirs and more\n");
    expect(await collect(looking.transactions.list())).toMatchObject([
      { state: "conflicted", conflictPaths: ["a"] },
    ]);
    storage.writeOutside("a", "a\n");
    expect((await tx.commit()).committed).toBe(true);
  });
});
