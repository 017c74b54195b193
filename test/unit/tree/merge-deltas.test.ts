import { describe, expect, test } from "vitest";
import { runSteps } from "../../../src/base/steps.ts";
import { mergeDeltas } from "../../../src/tree/merge-deltas.ts";
import { inputOf, mergeOptions } from "../../support/merge/merge-triple.ts";
import {
  conflictOf,
  lines,
  mergeWritten,
  tripleOf,
  type WrittenTree,
} from "../../support/merge/tree-notation.ts";

const base = lines();
const top = lines({ 2: "top" });
const bottom = lines({ 11: "bottom" });
const both = lines({ 2: "top", 11: "bottom" });

interface CleanCase {
  readonly name: string;
  readonly trees: readonly [WrittenTree, WrittenTree, WrittenTree];
  readonly tree: WrittenTree;
  readonly merged?: readonly string[];
  readonly taken?: readonly string[];
}

const clean: readonly CleanCase[] = [
  {
    name: "#158 a file that both sides delete is gone",
    trees: [{ a: base, b: "b\n" }, { b: "b\n" }, { b: "b\n" }],
    tree: { b: "b\n" },
  },
  {
    name: "the same change on both sides is that change",
    trees: [{ a: base }, { a: top }, { a: top }],
    tree: { a: top },
  },
  {
    name: "a change of one side is taken whole",
    trees: [
      { a: base, b: base },
      { a: top, b: base },
      { a: base, b: bottom },
    ],
    tree: { a: top, b: bottom },
    taken: ["b"],
  },
  {
    name: "changes at different lines of one file go together",
    trees: [{ a: base }, { a: top }, { a: bottom }],
    tree: { a: both },
    merged: ["a"],
  },
  {
    name: "a mode goes with the other side's text",
    trees: [{ a: base }, { a: `x ${base}` }, { a: bottom }],
    tree: { a: `x ${bottom}` },
    merged: ["a"],
  },
  {
    name: "a told move carries the other side's edit to the new name",
    trees: [{ a: base }, { b: `a < ${base}` }, { a: bottom }],
    tree: { b: bottom },
    merged: ["b"],
  },
  {
    name: "a move of what is brought carries the present edit, and its own",
    trees: [{ a: base }, { a: top }, { "d/b": `a < ${bottom}` }],
    tree: { "d/b": both },
    merged: ["d/b"],
    taken: ["a"],
  },
  {
    name: "a move is known by equal bytes where nobody tells of it",
    trees: [{ a: base }, { b: base }, { a: bottom }],
    tree: { b: bottom },
    merged: ["b"],
  },
  {
    name: "both move a file to one name, and edit it",
    trees: [{ a: base }, { b: `a < ${top}` }, { b: `a < ${bottom}` }],
    tree: { b: both },
    merged: ["b"],
  },
  {
    name: "a file makes room for a folder, where the other side left it alone",
    trees: [
      { a: base, b: "b\n" },
      { "a/in": "in\n", b: "b\n" },
      { a: base, b: "new\n" },
    ],
    tree: { "a/in": "in\n", b: "new\n" },
    taken: ["b"],
  },
  {
    name: "a link that only one side turned elsewhere goes there",
    trees: [
      { l: "-> a", a: base },
      { l: "-> a", a: top },
      { l: "-> b", a: base },
    ],
    tree: { l: "-> b", a: top },
    taken: ["l"],
  },
];

test.each(clean)("$name", ({ trees, tree, merged = [], taken = [] }) => {
  for (const swapped of [false, true]) {
    const [first, mine, theirs] = trees;
    const seen = swapped ? mergeWritten(first, theirs, mine) : mergeWritten(first, mine, theirs);
    expect(seen.merge.conflicts).toEqual([]);
    expect(seen.tree).toEqual(tree);
    expect(seen.merge.mergedPaths).toEqual(merged);
    if (!swapped && taken.length > 0) expect(seen.merge.takenPaths).toEqual(taken);
  }
});

const conflicts: readonly {
  readonly name: string;
  readonly trees: readonly [WrittenTree, WrittenTree, WrittenTree];
  readonly conflict: object;
}[] = [
  {
    name: "content: one line in two ways",
    trees: [{ a: base }, { a: top }, { a: lines({ 2: "other" }) }],
    conflict: {
      path: "a",
      kind: "content",
      base: { path: "a", text: base },
      current: { path: "a", text: top },
      incoming: { path: "a", text: lines({ 2: "other" }) },
      regions: [{ base: [2, 2], current: [2, 2], incoming: [2, 2] }],
    },
  },
  {
    name: "addAdd: two new files at one path",
    trees: [{}, { a: "one\n" }, { a: "two\n" }],
    conflict: { path: "a", kind: "addAdd", regions: [{ base: [1, 0], current: [1, 1], incoming: [1, 1] }] },
  },
  {
    name: "#160 modifyDelete: one side edits what the other deletes",
    trees: [{ a: base }, { a: top }, {}],
    conflict: { path: "a", kind: "modifyDelete", base: { text: base }, current: { text: top } },
  },
  {
    name: "renameRename: two names for one file",
    trees: [{ a: base }, { b: base }, { c: base }],
    conflict: { path: "a", kind: "renameRename", current: { path: "b" }, incoming: { path: "c" } },
  },
  {
    name: "renameRename: two names, with edits that go together",
    trees: [{ a: base }, { b: `a < ${top}` }, { c: `a < ${bottom}` }],
    conflict: { path: "a", kind: "renameRename", suggestion: both },
  },
  {
    name: "renameDelete: one side moves what the other deletes",
    trees: [{ a: base }, { b: base }, {}],
    conflict: { path: "a", kind: "renameDelete", base: { path: "a" }, current: { path: "b" } },
  },
  {
    name: "fileDirectory: a file where the other side has a folder",
    trees: [{}, { a: "file\n" }, { "a/x": "x\n", "a/y": "y\n" }],
    conflict: {
      path: "a",
      kind: "fileDirectory",
      current: { path: "a", kind: "file", text: "file\n" },
      incoming: { path: "a", kind: "directory", files: [{ path: "a/x" }, { path: "a/y" }] },
    },
  },
  {
    name: "fileDirectory: a folder that a file replaced gets a new file",
    trees: [{ "a/x": "x\n" }, { a: "file\n" }, { "a/x": "x\n", "a/y": "y\n" }],
    conflict: { path: "a", kind: "fileDirectory" },
  },
  {
    name: "mode: one new file, to be run and not",
    trees: [{}, { a: `x ${base}` }, { a: base }],
    conflict: {
      path: "a",
      kind: "mode",
      current: { executable: true },
      incoming: { executable: false },
    },
  },
  {
    name: "symlink: a file that one side edits and the other makes a link",
    trees: [{ a: base }, { a: top }, { a: "-> b" }],
    conflict: { path: "a", kind: "symlink", incoming: { kind: "symlink", text: "b" } },
  },
  {
    name: "symlink: a link that both make the same file, to be run and not",
    trees: [{ a: "-> b" }, { a: `x ${base}` }, { a: base }],
    conflict: { path: "a", kind: "symlink" },
  },
  {
    name: "symlink: a link to two places",
    trees: [{ a: "-> x" }, { a: "-> y" }, { a: "-> z" }],
    conflict: { path: "a", kind: "symlink", base: { text: "x" } },
  },
  {
    name: "binary: bytes that both sides changed",
    trees: [{ a: `\0${base}` }, { a: `\0${top}` }, { a: `\0${bottom}` }],
    conflict: { path: "a", kind: "binary" },
  },
  {
    name: "#170 pathCollision: two spellings of one name",
    trees: [{}, { "Read me": "one\n" }, { "READ ME": "two\n" }],
    conflict: {
      path: "READ ME",
      kind: "pathCollision",
      current: { path: "Read me" },
      incoming: { path: "READ ME" },
    },
  },
  {
    name: "pathCollision: two spellings of one folder",
    trees: [{}, { "Src/a": "a\n", "Src/b": "b\n" }, { "src/c": "c\n" }],
    conflict: {
      path: "Src/a",
      kind: "pathCollision",
      current: { path: "Src", kind: "directory", files: [{ path: "Src/a" }, { path: "Src/b" }] },
      incoming: { path: "src/c" },
    },
  },
  {
    name: "addAdd: a moved file meets a new one",
    trees: [{ a: base }, { b: `a < ${base}` }, { a: bottom, b: "new\n" }],
    conflict: {
      path: "b",
      kind: "addAdd",
      base: { path: "a" },
      current: { path: "b", text: base },
      incoming: { path: "b", files: [{ path: "a" }, { path: "b" }] },
    },
  },
];

describe("conflicts", () => {
  test.each(conflicts)("$name", ({ trees, conflict }) => {
    expect(conflictOf(...trees)).toMatchObject(conflict);
    const { merge, tree } = mergeWritten(...trees);
    expect(tree).toEqual(
      Object.fromEntries(Object.entries(trees[1]).map(([path, text]) => [path, text.replace(/^\S+ < /, "")])),
    );
    expect(merge.delta.changes.size).toBe(0);
    expect(new Set(merge.verdicts.values())).toContain("conflict");
  });

  test("are found one by one, each with its regions", () => {
    const changed = (text: string) => lines({ 2: text, 6: text, 11: text });
    const { regions } = conflictOf({ a: base }, { a: changed("mine") }, { a: changed("theirs") });
    // #154: three conflicts are three.
    expect(regions?.map(({ base: [from, to] }) => [from, to])).toEqual([
      [2, 2],
      [6, 6],
      [11, 11],
    ]);
    expect(new Set(regions?.map(({ id }) => id)).size).toBe(3);
  });

  test("of a moved file are named by the name that it had, and its lines still merge", () => {
    const trees = [{ a: base }, { b: `a < ${top}` }, { a: lines({ 2: "other" }) }] as const;
    expect(conflictOf(...trees)).toMatchObject({
      path: "a",
      kind: "content",
      current: { path: "b" },
      incoming: { path: "a" },
    });
  });

  test("do not stop what goes together elsewhere", () => {
    const { merge, tree } = mergeWritten(
      { a: base, b: base },
      { a: top, b: top },
      { a: lines({ 2: "other" }), b: bottom, c: "new\n" },
    );
    expect(tree).toEqual({ a: top, b: both, c: "new\n" });
    expect([...merge.verdicts]).toEqual([
      ["a", "conflict"],
      ["b", "merged"],
      ["c", "incoming"],
    ]);
  });
});

describe("what is not known", () => {
  const triple = tripleOf({ a: base }, { a: top }, { a: bottom });

  test("is a conflict that says so", () => {
    const input = inputOf(triple);
    for (const id of input.contents.keys()) {
      const contents = new Map([...input.contents].filter(([other]) => other !== id));
      const { conflicts: found } = runSteps(mergeDeltas({ ...input, contents }, mergeOptions()));
      expect(found).toMatchObject([{ path: "a", kind: "content", unmerged: "bytesUnknown" }]);
      expect(found[0]).not.toHaveProperty("regions");
    }
  });

  test("or is longer than texts may be, is not merged by lines", () => {
    const options = mergeOptions({ textBytes: 20 });
    const input = inputOf(triple, options);
    expect(input.contents.size).toBe(0);
    expect(runSteps(mergeDeltas(input, options)).conflicts).toMatchObject([
      { path: "a", kind: "content", unmerged: "tooLong" },
    ]);
  });
});

describe("the policy of paths", () => {
  const byPath = { mergePolicy: "path" } as const;

  test("makes a conflict of what both sides touched, with the merge as a suggestion", () => {
    const { merge, tree } = mergeWritten({ a: base }, { a: top }, { a: bottom }, byPath);
    expect(merge.conflicts).toMatchObject([{ path: "a", kind: "content", suggestion: both }]);
    expect(merge.mergedPaths).toEqual([]);
    expect(tree).toEqual({ a: top });
  });

  test("does so for a move of one side and an edit of the other, for modes, and for binary files", () => {
    const moved = mergeWritten({ a: base }, { b: `a < ${base}` }, { a: bottom }, byPath);
    expect(moved.merge.conflicts).toMatchObject([{ path: "a", kind: "content", suggestion: bottom }]);
    const mode = mergeWritten({ a: base }, { a: `x ${base}` }, { a: bottom }, byPath);
    expect(mode.merge.conflicts).toMatchObject([{ path: "a", kind: "content", suggestion: bottom }]);
    const binary = mergeWritten({ a: `\0${base}` }, { a: `x \0${base}` }, { a: `\0${top}` }, byPath);
    expect(binary.merge.conflicts).toMatchObject([{ path: "a", kind: "binary" }]);
  });

  test("leaves the same change of both sides alone", () => {
    expect(mergeWritten({ a: base }, { a: top }, { a: top }, byPath).merge.conflicts).toEqual([]);
  });
});
