import { type Change, isHoldfastError } from "holdfast";
import { describe, expect, test } from "vitest";
import { needing } from "../support/grounds/needing.ts";
import { testWorkspace } from "../support/grounds/test-workspace.ts";
import { collect, refusalOf } from "../support/refusal.ts";
import { lines, rebase, replace, stale } from "../support/stale-file.ts";

describe("a stale edit", () => {
  test("is made on what was read and merged with what others did since", async () => {
    const { workspace, storage, revision } = await stale("a", lines({ 2: "theirs\nand more" }));
    await using _closing = workspace;
    const result = await workspace.edit("a", replace(8, "mine"), { revision, ...rebase });
    expect(storage.toJSON()["a"]).toBe(lines({ 2: "theirs\nand more", 8: "mine" }));
    expect(result.files).toEqual([
      {
        path: "a",
        operation: "modified",
        revision: (await workspace.read("a")).revision,
        totalLines: 13,
        changedRanges: [{ startLine: 9, endLine: 9, added: 1, removed: 1 }],
        lineShifts: [],
        rebased: true,
      },
    ]);
    expect(result).toMatchObject({ additions: 1, removals: 1, dryRun: false, alreadyApplied: false });
  });

  test("is refused without the option, and with its default", async () => {
    const { workspace, storage, revision } = await stale();
    await using _closing = workspace;
    for (const options of [{}, { onStale: "reject" } as const]) {
      const error = await refusalOf(workspace.edit("a", replace(8, "mine"), { revision, ...options }));
      expect(error).toMatchObject({ code: "REVISION_MISMATCH", written: "no" });
      expect(error.details).not.toHaveProperty("rebase");
    }
    expect(storage.toJSON()["a"]).toBe(lines({ 2: "theirs" }));
  });

  test("that changes the same lines is a conflict that tells both sides, and nothing is written", async () => {
    const { workspace, storage, revision } = await stale();
    await using _closing = workspace;
    const changes: readonly Change[] = [
      { action: "create", path: "new", content: "new\n" },
      { action: "edit", path: "a", revision, edits: [replace(2, "mine"), replace(8, "mine too")] },
    ];
    const before = storage.toJSON();
    const error = await refusalOf(workspace.apply(changes, rebase));
    expect(error).toMatchObject({
      code: "MERGE_CONFLICT",
      category: "conflict",
      retry: "change",
      written: "no",
      problems: [{ code: "MERGE_CONFLICT", path: "a", changeIndex: 1 }],
    });
    expect(error.message).toContain("line 2 of what is there now");
    if (!isHoldfastError(error, "MERGE_CONFLICT")) throw error;
    expect(error.details.conflicts).toMatchObject([
      {
        path: "a",
        kind: "content",
        base: { revision, text: lines() },
        current: { text: lines({ 2: "theirs" }) },
        incoming: { text: lines({ 2: "mine", 8: "mine too" }) },
        regions: [{ base: [2, 2], current: [2, 2], incoming: [2, 2] }],
      },
    ]);
    expect(storage.toJSON()).toEqual(before);
    expect(await collect(workspace.history())).toEqual([]);
  });

  test("that others made as well is done already", async () => {
    const { workspace, revision } = await stale("a", lines({ 8: "mine" }));
    await using _closing = workspace;
    const result = await workspace.edit("a", replace(8, "mine"), { revision, ...rebase });
    expect(result).toMatchObject({
      alreadyApplied: true,
      files: [{ path: "a", operation: "unchanged", totalLines: 12, rebased: true, changedRanges: [] }],
    });
    expect(result.files[0]?.revision).toBe((await workspace.read("a")).revision);
  });

  test("is planned as it would have been then, with every refusal of then", async () => {
    const { workspace, revision } = await stale("a", lines({ 2: "theirs" }).repeat(2));
    await using _closing = workspace;
    const error = await refusalOf(workspace.edit("a", replace(14, "mine"), { revision, ...rebase }));
    expect(error.code).toBe("LINE_OUT_OF_RANGE");
  });

  test("goes together with changes that are not stale, each told in its order and in lines of now", async () => {
    const { workspace, storage, revision } = await stale("m", `0\n${lines()}`);
    await using _closing = workspace;
    const other = (await workspace.read("other")).revision;
    const result = await workspace.apply(
      [
        { action: "edit", path: "other", revision: other, edits: [replace(1, "changed")] },
        { action: "edit", path: "m", revision, edits: [replace(8, "mine\nmine")] },
        { action: "create", path: "b", content: "b\n" },
      ],
      rebase,
    );
    expect(storage.toJSON()).toEqual({
      m: `0\n${lines({ 8: "mine\nmine" })}`,
      other: "changed\n",
      b: "b\n",
    });
    expect(result.files.map(({ path, operation, rebased }) => [path, operation, rebased])).toEqual([
      ["other", "modified", undefined],
      ["m", "modified", true],
      ["b", "created", undefined],
    ]);
    expect(result.files[1]).toMatchObject({
      changedRanges: [{ startLine: 9, endLine: 10, added: 2, removed: 1 }],
      lineShifts: [{ fromLine: 10, by: 1 }],
    });
    expect(await collect(workspace.history())).toHaveLength(1);
  });

  test("shows what it would do in a dry run, with the diff from now", async () => {
    const { workspace, storage, revision } = await stale();
    await using _closing = workspace;
    const options = { revision, ...rebase, dryRun: true, includeDiff: true } as const;
    const result = await workspace.edit("a", replace(8, "mine"), options);
    expect(result).toMatchObject({ dryRun: true, files: [{ path: "a", rebased: true }] });
    const [hunk] = result.diff?.files[0]?.hunks ?? [];
    expect(hunk?.lines.filter((line) => !line.startsWith(" "))).toEqual(["-line 8", "+mine"]);
    expect(storage.toJSON()["a"]).toBe(lines({ 2: "theirs" }));
  });

  test("binds an idempotency key to the option, and its repeat gives the recorded result", async () => {
    const { workspace, storage, revision } = await stale();
    await using _closing = workspace;
    const options = { revision, ...rebase, idempotencyKey: "k" };
    const first = await workspace.edit("a", replace(8, "mine"), options);
    const again = await workspace.edit("a", replace(8, "mine"), options);
    expect(again).toEqual({ ...first, idempotentReplay: true });
    expect(again.files[0]?.rebased).toBe(true);
    expect(storage.toJSON()["a"]).toBe(lines({ 2: "theirs", 8: "mine" }));
    const { onStale: _left, ...without } = options;
    for (const other of [without, { ...options, onStale: "reject" } as const])
      expect((await refusalOf(workspace.edit("a", replace(8, "mine"), other))).code).toBe(
        "IDEMPOTENCY_KEY_REUSED",
      );
  });

  test("takes the default of the option for no option in what a key is bound to", async () => {
    await using opened = await testWorkspace({ a: "1\n" });
    const { workspace } = opened;
    const { revision } = await workspace.read("a");
    const options = { revision, idempotencyKey: "k" };
    await workspace.edit("a", replace(1, "2"), { ...options, onStale: "reject" });
    expect((await workspace.edit("a", replace(1, "2"), options)).idempotentReplay).toBe(true);
  });

  test("is a conflict whenever both sides changed a file, by the policy of paths", async () => {
    await using opened = await testWorkspace({ a: lines() }, { mergePolicy: "path" });
    const { workspace, storage } = opened;
    const { revision } = await workspace.read("a");
    storage.writeOutside("a", lines({ 2: "theirs" }));
    const error = await refusalOf(workspace.edit("a", replace(8, "mine"), { revision, ...rebase }));
    expect(error.details).toMatchObject({
      conflicts: [{ kind: "content", suggestion: lines({ 2: "theirs", 8: "mine" }) }],
    });
  });
});

describe("other stale changes", () => {
  test.each<[string, (revision: string) => Change, string | null, Record<string, string>]>([
    [
      "a write",
      (revision) => ({ action: "write", path: "a", revision, content: lines({ 8: "mine" }) }),
      lines({ 2: "theirs" }),
      { a: lines({ 2: "theirs", 8: "mine" }) },
    ],
    [
      "a patch of the file",
      (revision) => ({
        action: "patch",
        path: "a",
        revision,
        patch: "@@\n line 7\n-line 8\n+mine\n line 9\n",
      }),
      lines({ 2: "theirs", 7: "line 7" }),
      { a: lines({ 2: "theirs", 8: "mine" }) },
    ],
    [
      "a move, which takes along what others did",
      (revision) => ({ action: "move", path: "a", revision, destination: "b" }),
      lines({ 2: "theirs" }),
      { b: lines({ 2: "theirs" }) },
    ],
    [
      "a move with edits",
      (revision) => ({ action: "move", path: "a", revision, destination: "b", edits: [replace(8, "mine")] }),
      lines({ 2: "theirs" }),
      { b: lines({ 2: "theirs", 8: "mine" }) },
    ],
    [
      "a copy, which is one of what was read",
      (revision) => ({ action: "copy", path: "a", revision, destination: "b", edits: [replace(8, "mine")] }),
      lines({ 2: "theirs" }),
      { a: lines({ 2: "theirs" }), b: lines({ 8: "mine" }) },
    ],
    [
      "a copy of what is gone by now",
      (revision) => ({ action: "copy", path: "a", revision, destination: "b" }),
      null,
      { b: lines() },
    ],
    [
      "a deletion of what is gone by now",
      (revision) => ({ action: "delete", path: "a", revision }),
      null,
      {},
    ],
  ])("%s", async (_name, change, now, expected) => {
    const { workspace, storage, revision } = await stale("a", now);
    await using _closing = workspace;
    const result = await workspace.apply(change(revision), { ...rebase, includeDiff: true });
    expect(storage.toJSON()).toEqual({ ...expected, other: "other\n" });
    expect(result.files).toHaveLength(1);
    expect(result.files[0]?.rebased).toBe(true);
    const { path, revision: left } = result.files[0] ?? { path: "" };
    expect((await workspace.stat(path, { revision: true }))?.revision).toBe(left);
  });

  test.each<[string, (revision: string) => Change, string | null, string]>([
    [
      "an edit of what is gone",
      (revision) => ({ action: "edit", path: "a", revision, edits: [replace(1, "x")] }),
      null,
      "modifyDelete",
    ],
    [
      "a write over what is gone",
      (revision) => ({ action: "write", path: "a", revision, content: "x\n" }),
      null,
      "modifyDelete",
    ],
    [
      "a deletion of what was changed",
      (revision) => ({ action: "delete", path: "a", revision }),
      lines({ 2: "x" }),
      "modifyDelete",
    ],
    [
      "a move of what is gone",
      (revision) => ({ action: "move", path: "a", revision, destination: "b" }),
      null,
      "renameDelete",
    ],
    [
      "a write over what became binary",
      (revision) => ({ action: "write", path: "a", revision, content: "x\n" }),
      "a\0b",
      "binary",
    ],
  ])("%s is a conflict, and nothing is written", async (_name, change, now, kind) => {
    const { workspace, storage, revision } = await stale("a", now);
    await using _closing = workspace;
    const before = storage.toJSON();
    const error = await refusalOf(workspace.apply(change(revision), rebase));
    expect(error.code).toBe("MERGE_CONFLICT");
    expect(error.details).toMatchObject({ conflicts: [{ path: "a", kind, base: { revision } }] });
    expect(storage.toJSON()).toEqual(before);
  });

  test("a destination that was replaced meanwhile is merged as what it is to become", async () => {
    await using opened = await testWorkspace({ a: "new\n", b: lines() });
    const { workspace, storage } = opened;
    const [a, b] = await Promise.all(["a", "b"].map(async (path) => (await workspace.read(path)).revision));
    storage.writeOutside("b", lines({ 2: "theirs" }));
    const move = {
      action: "move",
      path: "a",
      revision: a,
      destination: "b",
      destinationRevision: b,
    } as const;
    const error = await refusalOf(workspace.apply(move, rebase));
    expect(error.details).toMatchObject({ conflicts: [{ path: "b", kind: "content" }] });
    expect(storage.toJSON()).toEqual({ a: "new\n", b: lines({ 2: "theirs" }) });
  });

  needing("modes", "the mode is changed")("a mode goes with the lines that others changed", async () => {
    const { workspace, storage, revision } = await stale();
    await using _closing = workspace;
    const result = await workspace.apply({ action: "chmod", path: "a", revision, executable: true }, rebase);
    expect(result.files).toMatchObject([{ path: "a", operation: "modified", rebased: true }]);
    expect(await workspace.read("a")).toMatchObject({ text: lines({ 2: "theirs" }), executable: true });
    expect(storage.toJSON()["a"]).toBe(lines({ 2: "theirs" }));
  });

  test("an assertion holds or is refused, whatever the option says", async () => {
    const { workspace, revision } = await stale();
    await using _closing = workspace;
    const error = await refusalOf(workspace.apply({ action: "assert", path: "a", revision }, rebase));
    expect(error.code).toBe("REVISION_MISMATCH");
    expect(error.details).not.toHaveProperty("rebase");
  });

  test("a folder that changed meanwhile is refused: what it was is not known", async () => {
    await using opened = await testWorkspace({ "f/a": "1\n" });
    const { workspace, storage } = opened;
    const revision = (await workspace.stat("f", { revision: true }))?.revision ?? "";
    storage.writeOutside("f/b", "2\n");
    const error = await refusalOf(workspace.apply({ action: "deleteTree", path: "f", revision }, rebase));
    expect(error).toMatchObject({ code: "REVISION_MISMATCH", details: { rebase: "baseUnavailable" } });
  });

  test("a patch of many files and an update take the option and need it for nothing", async () => {
    await using opened = await testWorkspace({ a: lines() });
    const { workspace, storage } = opened;
    const patch = "*** Begin Patch\n*** Update File: a\n@@\n line 7\n-line 8\n+mine\n*** End Patch\n";
    const patched = await workspace.applyPatch(patch, rebase);
    expect(patched.files[0]?.rebased).toBeUndefined();
    await workspace.update("a", (file) => file?.text.replace("line 2", "two"), rebase);
    expect(storage.toJSON()["a"]).toBe(lines({ 2: "two", 8: "mine" }));
  });
});

describe("in a transaction", () => {
  test("a stale change is staged on what the transaction has, and a conflict stages nothing", async () => {
    await using opened = await testWorkspace({ a: lines() });
    const { workspace, storage } = opened;
    const transaction = await workspace.beginTransaction();
    const { revision } = await transaction.read("a");
    await transaction.edit("a", replace(2, "first"), { revision });
    const staged = await transaction.edit("a", replace(8, "second"), { revision, ...rebase });
    expect(staged.files).toMatchObject([{ path: "a", rebased: true, changedRanges: [{ startLine: 8 }] }]);
    const refused = await refusalOf(transaction.edit("a", replace(2, "third"), { revision, ...rebase }));
    expect(refused).toMatchObject({ code: "MERGE_CONFLICT", written: "no" });
    expect((await transaction.read("a")).text).toBe(lines({ 2: "first", 8: "second" }));
    await transaction.commit();
    expect(storage.toJSON()["a"]).toBe(lines({ 2: "first", 8: "second" }));
  });

  test("what an earlier step left is known as well", async () => {
    await using opened = await testWorkspace({ a: lines() });
    const transaction = await opened.workspace.beginTransaction();
    const { files } = await transaction.update("a", (file) => file?.text.replace("line 2", "first"));
    await transaction.update("a", (file) => file?.text.replace("line 4", "second"));
    const revision = files[0]?.revision;
    await transaction.edit("a", replace(8, "third"), { revision, ...rebase });
    expect((await transaction.read("a")).text).toBe(lines({ 2: "first", 4: "second", 8: "third" }));
    await transaction.rollback();
  });
});
