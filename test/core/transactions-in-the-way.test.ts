import { Workspace } from "holdfast";
import { describe, expect, test } from "vitest";
import { needing } from "../support/grounds/needing.ts";
import { sameGround } from "../support/grounds/test-storage.ts";
import { testWorkspace } from "../support/grounds/test-workspace.ts";
import { refusalOf } from "../support/refusal.ts";

describe("What stands where a transaction makes a file", () => {
  test.each([
    ["a file in the place of its folder", "d/x", "d", "d"],
    ["a file below it", "d", "d/x", "d/x"],
  ])("%s is a conflict, and can be resolved", async (_name, made, inTheWay, path) => {
    await using ground = await testWorkspace();
    const transaction = await ground.workspace.beginTransaction();
    await transaction.apply({ action: "create", path: made, content: "made\n" });
    ground.storage.writeOutside(inTheWay, "in the way\n");
    expect(await transaction.info()).toMatchObject({ state: "conflicted", conflictPaths: [path] });
    expect((await refusalOf(transaction.commit())).code).toBe("TRANSACTION_CONFLICTED");
    const { conflicts = [] } = await transaction.rebase();
    expect(conflicts).toMatchObject([{ kind: "fileDirectory" }]);
    const resolutions = Object.fromEntries(conflicts.map((one) => [one.path, { take: "incoming" as const }]));
    expect(await transaction.rebase({ resolutions })).toMatchObject({ state: "active" });
    expect(await transaction.commit()).toMatchObject({ committed: true });
    expect((await ground.workspace.read(made)).text).toBe("made\n");
  });

  test("is no conflict when it goes away with the transaction", async () => {
    await using ground = await testWorkspace({ d: "x\n" });
    const transaction = await ground.workspace.beginTransaction();
    const { revision } = await transaction.read("d");
    await transaction.apply([
      { action: "delete", path: "d", revision },
      { action: "create", path: "d/x", content: "" },
    ]);
    expect(await transaction.commit()).toMatchObject({ committed: true });
  });

  test("may not come back by a discard", async () => {
    await using ground = await testWorkspace({ "d/x": "x\n" });
    const transaction = await ground.workspace.beginTransaction();
    const { revision } = await transaction.read("d/x");
    await transaction.apply([
      { action: "delete", path: "d/x", revision },
      { action: "create", path: "d", content: "" },
    ]);
    expect((await refusalOf(transaction.discard({ paths: ["d/x"] }))).code).toBe("ALREADY_EXISTS");
    expect(await transaction.info()).toMatchObject({ revision: 1, changedPaths: ["d", "d/x"] });
  });
});

describe("A name that changes only in case", () => {
  needing("names that fold", "elsewhere the two are different files")("is staged and committed", async () => {
    await using ground = await testWorkspace({ readme: "x\n" }, { caseFold: true });
    const transaction = await ground.workspace.beginTransaction();
    const { revision } = await transaction.read("readme");
    await transaction.apply({ action: "move", path: "readme", destination: "README", revision });
    expect(await transaction.info()).toMatchObject({ state: "active" });
    expect(await transaction.commit()).toMatchObject({ committed: true });
  });
});

describe("Bytes of a file that is moved or copied as a whole", () => {
  test.each([
    ["move", null],
    ["move", "other\n"],
    ["copy", null],
    ["copy", "other\n"],
  ] as const)("by a %s stay with the transaction when the file is %j by then", async (action, by) => {
    await using ground = await testWorkspace({ a: "x\n" });
    const transaction = await ground.workspace.beginTransaction();
    const { revision } = await transaction.read("a");
    await transaction.apply({ action, path: "a", destination: "b", revision });
    ground.storage.writeOutside("a", by);
    const second = await Workspace.open(sameGround(ground.storage));
    const again = await second.transactions.get(transaction.id);
    const { conflicts = [] } = await again.rebase();
    const resolutions = Object.fromEntries(
      conflicts.map(({ path }) => [path, { take: "incoming" as const }]),
    );
    await again.rebase({ resolutions });
    const text = action === "move" && by !== null ? by : "x\n";
    expect((await again.read("b")).text).toBe(text);
    await again.commit();
    expect((await ground.workspace.read("b")).text).toBe(text);
    await second.close();
  });

  test("are followed by a rebase to where others moved them", async () => {
    await using ground = await testWorkspace({ a: "1\n2\n3\n4\n5\n" });
    const { workspace } = ground;
    const transaction = await workspace.beginTransaction();
    await transaction.edit("a", { op: "replace_text", oldText: "1", newText: "one" });
    const { revision } = await workspace.read("a");
    await workspace.apply({ action: "move", path: "a", destination: "b", revision });
    expect(await transaction.rebase()).toMatchObject({ state: "active", changedPaths: ["b"] });
    await transaction.commit();
    expect((await workspace.read("b")).text).toBe("one\n2\n3\n4\n5\n");
  });
});

describe("A transaction that several handles share, or that was rebased", () => {
  test('with the scope "read" knows what another handle has read when that made a step', async () => {
    await using ground = await testWorkspace({ a: "x\n", b: "y\n" });
    const first = await ground.workspace.beginTransaction({ conflictScope: "read" });
    const second = await Workspace.open(sameGround(ground.storage));
    const other = await second.transactions.get(first.id);
    await other.info();
    await first.read("a");
    await first.apply({ action: "create", path: "c", content: "" });
    await other.read("b");
    await other.apply({ action: "create", path: "d", content: "" });
    ground.storage.writeOutside("a", "changed\n");
    expect(await other.info()).toMatchObject({ state: "conflicted", conflictPaths: ["a"] });
    await second.close();
  });

  test("has another name for the state that a rebase begins from", async () => {
    await using ground = await testWorkspace({ a: "x\n" });
    const transaction = await ground.workspace.beginTransaction();
    const begun = (await transaction.info()).snapshot;
    await transaction.edit("a", { op: "replace_text", oldText: "x", newText: "q" });
    ground.storage.writeOutside("a", "x\ny\n");
    const { conflicts = [] } = await transaction.rebase();
    const resolutions = Object.fromEntries(
      conflicts.map(({ path }) => [path, { take: "incoming" as const }]),
    );
    expect(await transaction.rebase({ resolutions })).toMatchObject({ state: "active", revision: 1 });
    const { snapshot } = await transaction.undo();
    expect(snapshot).toMatchObject({ transactionRevision: 0 });
    expect(snapshot.snapshotId).not.toBe(begun.snapshotId);
  });
});
