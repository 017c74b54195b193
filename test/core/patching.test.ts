import { type ErrorCode, Workspace } from "holdfast";
import { expect, test } from "vitest";
import { testStorage } from "../support/grounds/test-storage.ts";
import { testWorkspace } from "../support/grounds/test-workspace.ts";
import { collect, refusalOf } from "../support/refusal.ts";

const old = "one\ntwo\nthree\nfour\nfive\n";
const patchOf = (line: string) =>
  `*** Begin Patch\n*** Update File: f\n@@\n-${line}\n+${line.toUpperCase()}\n*** End Patch\n`;

test("patches of one file by many at once all land, without any revision", async () => {
  await using on = await testWorkspace({ f: old });
  const other = await Workspace.open(on.storage);
  const words = ["one", "two", "three", "four", "five"];
  await Promise.all(words.map((word, at) => (at % 2 === 0 ? on.workspace : other).applyPatch(patchOf(word))));
  expect((await on.workspace.read("f")).text).toBe(old.toUpperCase());
  await other.close();
});

test("the same key gives the recorded result, hunks included, and patches once", async () => {
  await using on = await testWorkspace({ f: old });
  const first = await on.workspace.applyPatch(patchOf("two"), { idempotencyKey: "k" });
  const again = await on.workspace.applyPatch(patchOf("two"), { idempotencyKey: "k" });
  expect(again).toEqual({ ...first, idempotentReplay: true });
  expect(again.files[0]?.hunks).toEqual([{ grade: "exact", line: 2, offset: 0 }]);
  const reused = await refusalOf(on.workspace.applyPatch(patchOf("one"), { idempotencyKey: "k" }));
  expect(reused.code).toBe("IDEMPOTENCY_KEY_REUSED");
  const unreadable = await refusalOf(on.workspace.applyPatch("no patch", { idempotencyKey: "k" }));
  expect(unreadable.code).toBe("IDEMPOTENCY_KEY_REUSED");
});

test("a dry run says what would happen and writes nothing", async () => {
  await using on = await testWorkspace({ f: old });
  const planned = await on.workspace.applyPatch(patchOf("two"), { dryRun: true });
  expect(planned).toMatchObject({ dryRun: true, additions: 1, removals: 1 });
  expect((await on.workspace.read("f")).text).toBe(old);
});

test("the history tells a patch by its cause", async () => {
  await using on = await testWorkspace({ f: old });
  await on.workspace.applyPatch(patchOf("two"), { source: "me" });
  await on.workspace.edit("f", { op: "replace_text", oldText: "one", newText: "1" });
  const patches = await collect(on.workspace.history({ cause: "patch" }));
  expect(patches).toMatchObject([{ cause: "patch", source: "me", paths: ["f"] }]);
});

test("a revision guards a patch of one file besides its text", async () => {
  await using on = await testWorkspace({ f: old });
  const { revision } = await on.workspace.read("f");
  await on.workspace.applyPatch(patchOf("one"));
  const change = { action: "patch", path: "f", patch: "-two\n+TWO\n" } as const;
  expect((await refusalOf(on.workspace.apply({ ...change, revision }))).code).toBe("REVISION_MISMATCH");
  await on.workspace.apply(change);
  expect((await on.workspace.read("f")).text).toBe("ONE\nTWO\nthree\nfour\nfive\n");
});

test("a patch goes with other changes in one call, or not at all", async () => {
  await using on = await testWorkspace({ f: old, g: "x\n" });
  const patch = { action: "patch", path: "f", patch: "-two\n+TWO\n" } as const;
  const bad = await refusalOf(
    on.workspace.apply([patch, { action: "create", path: "g", content: "other" }, { ...patch, path: "h" }]),
  );
  expect(bad.problems.map(({ code, changeIndex }) => [code, changeIndex])).toEqual<[ErrorCode, number][]>([
    ["ALREADY_EXISTS", 1],
    ["NOT_FOUND", 2],
  ]);
  await on.workspace.apply([patch, { action: "create", path: "n", content: "new\n" }]);
  expect(on.storage.toJSON()).toMatchObject({ f: "one\nTWO\nthree\nfour\nfive\n", n: "new\n" });
});

test("limits hold for the length of a patch, its files and its hunks", async () => {
  const storage = testStorage({ files: { f: old } });
  await using workspace = await Workspace.open(storage, {
    limits: { requestBytes: 400, changes: 2, editsPerChange: 2 },
  });
  const limitOf = async (patch: string) => {
    const error = await refusalOf(workspace.applyPatch(patch));
    return [error.code, (error.details as { limit?: string }).limit];
  };
  const section = (name: string) => `*** Add File: ${name}\n+x\n`;
  const envelope = (body: string) => `*** Begin Patch\n${body}*** End Patch\n`;
  expect(await limitOf(envelope(section("n".repeat(400))))).toEqual(["LIMIT_EXCEEDED", "requestBytes"]);
  expect(await limitOf(envelope(section("a") + section("b") + section("c")))).toEqual([
    "LIMIT_EXCEEDED",
    "changes",
  ]);
  const hunks = "@@\n-one\n@@\n-two\n@@\n-three\n";
  expect(await limitOf(envelope(`*** Update File: f\n${hunks}`))).toEqual([
    "LIMIT_EXCEEDED",
    "editsPerChange",
  ]);
  await workspace.applyPatch(envelope(`*** Update File: f\n@@\n-one\n@@\n-two\n${section("a")}`));
});

test("what is no patch is refused as an argument", async () => {
  await using on = await testWorkspace({ f: old });
  const error = await refusalOf(on.workspace.applyPatch(7 as unknown as string));
  expect(error.code).toBe("INVALID_ARGUMENT");
});

test("a workspace for inspection patches nothing", async () => {
  await using on = await testWorkspace({ f: old }, { mode: "inspectionOnly" });
  expect((await refusalOf(on.workspace.applyPatch(patchOf("one")))).code).toBe("MUTATION_DISABLED");
});
