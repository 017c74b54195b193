import { describe, expect, test } from "vitest";
import type { Change, MoveChange } from "../../../src/tree/change.ts";
import { codesOf, planned, planOptions, refusals, revisionOf } from "../../support/planning-view.ts";

const link = (target: string) => ({ content: target, kind: "symlink" }) as const;
const move = (more: Partial<MoveChange> = {}): Change[] => [
  { action: "move", path: "a", destination: "b", revision: revisionOf("one\n"), ...more },
];
const files = { a: "one\n" };

describe("move", () => {
  test("takes the file along as it is", () => {
    const plan = planned({ a: { content: "one\n", executable: true } }, move());
    expect(plan.files).toEqual([
      {
        path: "b",
        previousPath: "a",
        operation: "moved",
        from: "a",
        changedRanges: [],
        lineShifts: [],
        additions: 0,
        removals: 0,
      },
    ]);
    const state = plan.delta.changes.get("a")?.before;
    expect([...plan.delta.changes]).toEqual([
      ["a", { before: state, after: undefined }],
      ["b", { before: undefined, after: state, origin: { kind: "moved", path: "a" } }],
    ]);
    expect(state?.executable).toBe(true);
    expect([...plan.relies].map(([path, file]) => [path, file?.revision])).toEqual([
      ["a", revisionOf("one\n")],
      ["b", undefined],
    ]);
  });

  test("may edit and set the mode on the way", () => {
    const edits = [{ op: "replace_text", oldText: "one", newText: "two" }] as const;
    const plan = planned(files, move({ edits, executable: true }));
    expect(plan.files[0]).toMatchObject({ operation: "moved", totalLines: 1, additions: 1, removals: 1 });
    expect(new TextDecoder().decode(plan.files[0]?.bytes)).toBe("two\n");
    expect(plan.delta.changes.get("b")?.after?.executable).toBe(true);
  });

  test("replaces a file whose revision is named", () => {
    const plan = planned({ a: "one\n", b: "old" }, move({ destinationRevision: revisionOf("old") }));
    expect(plan.delta.changes.get("b")?.before?.byteLength).toBe(3);
    expect(plan.relies.get("b")?.revision).toBe(revisionOf("old"));
  });

  test("needs a revision also when all its edits are located by text", () => {
    const edits = [{ op: "replace_text", oldText: "one", newText: "two" }] as const;
    expect(codesOf(files, move({ edits, revision: undefined }))).toEqual(["REVISION_REQUIRED"]);
  });

  test.each<readonly [string, Parameters<typeof codesOf>[0], Partial<MoveChange>, readonly string[]]>([
    ["of no file", {}, {}, ["NOT_FOUND"]],
    ["of a folder", { "a/x": "x" }, {}, ["IS_DIRECTORY"]],
    ["of a stale file", files, { revision: revisionOf("x") }, ["REVISION_MISMATCH"]],
    ["onto a file", { a: "one\n", b: "x" }, {}, ["ALREADY_EXISTS"]],
    [
      "onto a stale file",
      { a: "one\n", b: "x" },
      { destinationRevision: revisionOf("y") },
      ["REVISION_MISMATCH"],
    ],
    ["onto a file that is gone", files, { destinationRevision: revisionOf("y") }, ["REVISION_MISMATCH"]],
    ["with a token that is none", files, { destinationRevision: "y" }, ["INVALID_ARGUMENT"]],
    ["onto a folder", { a: "one\n", "b/x": "x" }, {}, ["IS_DIRECTORY"]],
    [
      "onto a link",
      { a: "one\n", b: link("x") },
      { destinationRevision: revisionOf("x") },
      ["SYMLINK_ESCAPE"],
    ],
    ["into itself as a folder", files, { destination: "a/b" }, []],
    ["of a stale file onto a file", { a: "x", b: "x" }, {}, ["ALREADY_EXISTS", "REVISION_MISMATCH"]],
  ])("%s: %s", (_what, tree, more, codes) => {
    if (codes.length === 0) expect(planned(tree, move(more)).delta.changes.size).toBe(2);
    else expect(codesOf(tree, move(more))).toEqual(codes);
  });

  test("takes a link along, but edits nothing through it", () => {
    const tree = { a: link("one\n") };
    expect(planned(tree, move()).delta.changes.get("b")?.after?.kind).toBe("symlink");
    const edits = [{ op: "append", content: "x" }] as const;
    expect(codesOf(tree, move({ edits }))).toEqual(["SYMLINK_ESCAPE"]);
    expect(codesOf(tree, move({ executable: true }))).toEqual(["SYMLINK_ESCAPE"]);
  });

  test("onto itself with edits is an edit, and the file is not deleted", () => {
    const edits = [{ op: "append", content: "two" }] as const;
    const plan = planned(files, move({ destination: "./a", edits }));
    expect(plan.files[0]).toMatchObject({ path: "a", operation: "modified", totalLines: 2 });
    expect([...plan.delta.changes.keys()]).toEqual(["a"]);
    expect(plan.delta.changes.get("a")?.after).toBeDefined();
  });

  test("onto itself without edits changes nothing, and is guarded like any move", () => {
    expect(planned(files, move({ destination: "a" })).files[0]?.operation).toBe("unchanged");
    expect(codesOf(files, move({ destination: "a", revision: undefined }))).toEqual(["REVISION_REQUIRED"]);
    expect(codesOf(files, move({ destination: "a", destinationRevision: revisionOf("x") }))).toEqual([
      "REVISION_MISMATCH",
    ]);
  });
});

describe("a move that changes only case", () => {
  const rename: Change[] = [
    { action: "move", path: "Readme.md", destination: "README.md", revision: revisionOf("r") },
  ];

  test.each([true, false])("is a move, where names fold (%s) or not", (folds) => {
    const plan = planned({ "Readme.md": "r" }, rename, planOptions({ folds }));
    expect(plan.files[0]).toMatchObject({ path: "README.md", operation: "moved", previousPath: "Readme.md" });
    expect([...plan.delta.changes.keys()]).toEqual(["README.md", "Readme.md"]);
  });

  test("is refused where both are files", () => {
    expect(codesOf({ "Readme.md": "r", "README.md": "R" }, rename)).toEqual(["ALREADY_EXISTS"]);
  });
});

describe("copy", () => {
  const copy = (more: Partial<MoveChange> = {}) => move({ action: "copy", ...more });

  test("leaves the source and relies on it", () => {
    const plan = planned(files, copy());
    expect(plan.files[0]).toMatchObject({ path: "b", previousPath: "a", operation: "copied", from: "a" });
    expect([...plan.delta.changes].map(([path, { origin }]) => [path, origin])).toEqual([
      ["b", { kind: "copied", path: "a" }],
    ]);
    expect(plan.relies.has("a")).toBe(true);
  });

  test("onto a file that is the same already changes nothing", () => {
    const plan = planned({ a: "one\n", b: "one\n" }, copy({ destinationRevision: revisionOf("one\n") }));
    expect(plan.files[0]?.operation).toBe("unchanged");
    expect(plan.delta.changes.size).toBe(0);
    expect([...plan.relies.keys()]).toEqual(["a", "b"]);
  });

  test("onto itself names one path twice", () => {
    expect(codesOf(files, copy({ destination: "a" }))).toContain("DUPLICATE_PATH");
  });

  test("of a link is refused, for it would make a link", () => {
    expect(codesOf({ a: link("one\n") }, copy())).toEqual(["SYMLINK_ESCAPE"]);
  });
});

test("moves that meet are told how files are swapped, other changes that meet are not", () => {
  const both = { a: "one\n", b: "two\n" };
  const back = move({ path: "b", destination: "a", revision: revisionOf("two\n") });
  const swap = refusals(both, [...move(), ...back]);
  expect(swap.map(({ code, changeIndex }) => [code, changeIndex])).toContainEqual(["DUPLICATE_PATH", 1]);
  const messages = (changes: Change[]) =>
    refusals(both, changes).flatMap(({ code, message }) => (code === "DUPLICATE_PATH" ? [message] : []));
  for (const message of messages([...move(), ...back]))
    expect(message).toContain("To swap files, write each");
  const removed: Change = { action: "delete", path: "a", revision: revisionOf("one\n") };
  expect(messages([...move(), removed])).toEqual([
    '"a" is named by change 0 too; one path may appear once in a call.',
  ]);
});

test("a move to a name that does not work everywhere is refused, one away from it is not", () => {
  expect(refusals(files, move({ destination: "con.txt" }))).toMatchObject([
    { code: "INVALID_PATH", path: "con.txt", changeIndex: 0 },
  ]);
  expect(
    planned(files, move({ destination: "con.txt" }), planOptions({ names: "posix" })).files,
  ).toHaveLength(1);
  expect(planned({ "aux.c": "one\n" }, move({ path: "aux.c" })).files).toHaveLength(1);
});
