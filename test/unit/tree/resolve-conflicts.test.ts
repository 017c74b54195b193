import { describe, expect, test } from "vitest";
import type { Resolution } from "../../../src/tree/resolution.ts";
import {
  conflictOf,
  lines,
  mergeWritten,
  resolveWritten,
  type WrittenTree,
} from "../../support/merge/tree-notation.ts";

type Trees = readonly [WrittenTree, WrittenTree, WrittenTree];

const base = lines();
const mine = lines({ 2: "mine", 8: "my eight" });
const theirs = lines({ 2: "theirs", 11: "their eleven" });
const content: Trees = [{ a: base }, { a: `x ${mine}` }, { a: theirs }];
const [region] = conflictOf(...content).regions ?? [];
const regionId = region?.id ?? "";

function treeOf(trees: Trees, resolutions: Record<string, Resolution>): WrittenTree {
  const resolved = resolveWritten(trees, resolutions);
  if (resolved.problems !== undefined) throw new Error(JSON.stringify(resolved.problems));
  expect(resolved.merge.conflicts).toEqual([]);
  return resolved.tree;
}

function problemsOf(trees: Trees, resolutions: Record<string, Resolution>) {
  const { problems = [] } = resolveWritten(trees, resolutions);
  return problems.map(({ code, path }) => [code, path]);
}

describe("a conflict of lines", () => {
  test.each<[string, Resolution, string]>([
    ["the current bytes, with the merged mode", { take: "current" }, `x ${mine}`],
    ["the incoming bytes, with the merged mode", { take: "incoming" }, `x ${theirs}`],
    ["the base", { take: "base" }, `x ${base}`],
    ["a text", { content: "given\n" }, "x given\n"],
    ["bytes", { content: new Uint8Array([0x67, 0x0a]) }, "x g\n"],
    [
      "a side of its region, and the merge around it",
      { regions: { [regionId]: "incoming" } },
      `x ${lines({ 2: "theirs", 8: "my eight", 11: "their eleven" })}`,
    ],
    [
      "other lines for its region",
      { regions: { [regionId]: { content: "one\ntwo" } } },
      `x ${lines({ 2: "one\ntwo", 8: "my eight", 11: "their eleven" })}`,
    ],
    [
      "no lines for its region",
      { regions: { [regionId]: { content: "" } } },
      `x ${lines({ 2: "-", 8: "my eight", 11: "their eleven" })}`,
    ],
  ])("is resolved by %s", (_name, resolution, text) => {
    expect(treeOf(content, { a: resolution })).toEqual({ a: text });
  });

  test("is resolved by deletion", () => {
    expect(treeOf(content, { a: { delete: true } })).toEqual({});
  });

  test("keeps its region's name as long as the lines of it stay", () => {
    const later: Trees = [{ a: base }, { a: mine }, { a: lines({ 2: "theirs", 12: "their twelve" }) }];
    expect(conflictOf(...later).regions?.[0]?.id).toBe(regionId);
    const other: Trees = [{ a: base }, { a: mine }, { a: lines({ 2: "theirs now" }) }];
    expect(conflictOf(...other).regions?.[0]?.id).not.toBe(regionId);
  });

  test("gives equal regions of a file names of their own", () => {
    const twice = (text: string) => lines({ 3: text, 9: text }).replaceAll(/line \d+/g, "line");
    const trees: Trees = [{ a: twice("b") }, { a: twice("c") }, { a: twice("i") }];
    const ids = conflictOf(...trees).regions?.map(({ id }) => id) ?? [];
    expect(new Set(ids).size).toBe(2);
    expect(
      treeOf(trees, { a: { regions: { [ids[0] ?? ""]: "current", [ids[1] ?? ""]: "incoming" } } }),
    ).toEqual({
      a: twice("c").replace(/c(?=[^c]*$)/, "i"),
    });
  });

  test("takes the line ends of its file, and its byte order mark, into what is given", () => {
    const crlf = (text: string) => `\u00ef\u00bb\u00bf${text.replaceAll("\n", "\r\n")}`;
    const trees: Trees = [{ a: crlf(base) }, { a: crlf(mine) }, { a: crlf(theirs) }];
    const [{ id } = { id: "" }] = conflictOf(...trees).regions ?? [];
    expect(treeOf(trees, { a: { content: "given\n" } })).toEqual({ a: crlf("given\n") });
    expect(treeOf(trees, { a: { regions: { [id]: { content: "one\ntwo" } } } })).toEqual({
      a: crlf(lines({ 2: "one\ntwo", 8: "my eight", 11: "their eleven" })),
    });
  });
});

describe("other conflicts", () => {
  const top = lines({ 2: "top" });
  const bottom = lines({ 11: "bottom" });
  const renamed: Trees = [{ a: base }, { b: `a < ${top}` }, { c: `a < ${bottom}` }];
  const meeting: Trees = [{ a: base }, { b: `a < ${base}` }, { a: bottom, b: "new\n" }];

  test.each<[string, Trees, Record<string, Resolution>, WrittenTree]>([
    ["modifyDelete, the edit", [{ a: base }, { a: top }, {}], { a: { take: "current" } }, { a: top }],
    ["modifyDelete, the deletion", [{ a: base }, { a: top }, {}], { a: { take: "incoming" } }, {}],
    ["modifyDelete, a text", [{ a: base }, {}, { a: top }], { a: { content: "t\n" } }, { a: "t\n" }],
    ["renameDelete, the new name", [{ a: base }, {}, { b: base }], { a: { take: "incoming" } }, { b: base }],
    ["renameDelete, the base", [{ a: base }, {}, { b: base }], { a: { take: "base" } }, { a: base }],
    ["renameDelete, the deletion", [{ a: base }, {}, { b: base }], { a: { take: "current" } }, {}],
    [
      "renameRename, one name with the edits of both",
      renamed,
      { a: { take: "incoming" } },
      { c: lines({ 2: "top", 11: "bottom" }) },
    ],
    ["renameRename, the base", renamed, { a: { take: "base" } }, { a: base }],
    ["addAdd, one", [{}, { a: "1\n" }, { a: "2\n" }], { a: { take: "incoming" } }, { a: "2\n" }],
    ["addAdd, none", [{}, { a: "1\n" }, { a: "2\n" }], { a: { take: "base" } }, {}],
    ["mode, one", [{}, { a: "x s\n" }, { a: "s\n" }], { a: { take: "incoming" } }, { a: "s\n" }],
    [
      "symlink, the link",
      [{ a: base }, { a: top }, { a: "-> b" }],
      { a: { take: "incoming" } },
      { a: "-> b" },
    ],
    ["symlink, a text", [{ a: base }, { a: top }, { a: "-> b" }], { a: { content: "t\n" } }, { a: "t\n" }],
    [
      "binary, one",
      [{ a: `\0${base}` }, { a: `\0${top}` }, { a: `\0${bottom}` }],
      { a: { take: "incoming" } },
      { a: `\0${bottom}` },
    ],
    [
      "fileDirectory, the folder",
      [{}, { a: "f\n" }, { "a/x": "x\n", "a/y": "y\n" }],
      { a: { take: "incoming" } },
      { "a/x": "x\n", "a/y": "y\n" },
    ],
    [
      "fileDirectory, the file",
      [{}, { a: "f\n" }, { "a/x": "x\n", "a/y": "y\n" }],
      { a: { take: "current" } },
      { a: "f\n" },
    ],
    [
      "pathCollision, one spelling",
      [{}, { A: "1\n" }, { a: "2\n" }],
      { A: { take: "incoming" } },
      { a: "2\n" },
    ],
    [
      "a meeting of files, as they are brought",
      meeting,
      { b: { take: "incoming" } },
      { a: bottom, b: "new\n" },
    ],
    ["a meeting of files, as they are now", meeting, { b: { take: "current" } }, { b: base }],
  ])("%s", (_name, trees, resolutions, tree) => {
    expect(treeOf(trees, resolutions)).toEqual(tree);
  });
});

describe("resolutions that are refused", () => {
  test("are told all at once, those that are missing too", () => {
    const trees: Trees = [
      { a: base, b: base, c: base },
      { a: mine, b: mine, c: "now\n" },
      { a: theirs, b: theirs, c: "brought\n" },
    ];
    const regionOfB = mergeWritten(...trees).merge.conflicts[1]?.regions?.[0]?.id ?? "";
    expect(
      problemsOf(trees, {
        b: { regions: { nothing: "current" } },
        c: { take: "current" },
        d: { delete: true },
        __proto__x: { take: "base" },
      }),
    ).toEqual([
      ["MERGE_CONFLICT", "a"],
      ["MERGE_CONFLICT", "b"],
      ["INVALID_ARGUMENT", "b"],
      ["INVALID_ARGUMENT", "d"],
      ["INVALID_ARGUMENT", "__proto__x"],
    ]);
    expect(regionOfB).not.toBe("");
  });

  test.each<[string, Trees, Record<string, Resolution>]>([
    ["regions where there are none", [{ a: base }, { a: mine }, {}], { a: { regions: {} } }],
    [
      "a content where the name is in conflict",
      [{ a: base }, { b: base }, { c: base }],
      { a: { content: "" } },
    ],
    ["a content where the mode is", [{}, { a: "x s\n" }, { a: "s\n" }], { a: { content: "" } }],
    ["a content for several files", [{}, { a: "f\n" }, { "a/x": "x\n" }], { a: { content: "" } }],
    ["the deletion of several files", [{}, { a: "f\n" }, { "a/x": "x\n" }], { a: { delete: true } }],
  ])("do not fit: %s", (_name, trees, resolutions) => {
    expect(problemsOf(trees, resolutions)).toEqual([["INVALID_ARGUMENT", "a"]]);
  });

  test("leave two files in each other's way", () => {
    const trees: Trees = [{ a: base }, { "a/in": `a < ${base}`, "a/new": "n\n" }, { b: `a < ${base}` }];
    expect(mergeWritten(...trees).merge.conflicts).toMatchObject([{ path: "a", kind: "renameRename" }]);
    expect(problemsOf(trees, { a: { take: "base" } })).toEqual([["INVALID_ARGUMENT", "a"]]);
  });

  test("write what the file's encoding cannot hold", () => {
    const latin = (text: string) => base.replace("line 2", text).replace("line 12", "caf\u00e9");
    const trees: Trees = [{ a: latin("line 2") }, { a: latin("mine") }, { a: latin("theirs") }];
    const conflict = conflictOf(...trees);
    expect(conflict.current).toMatchObject({ encoding: "latin1", text: latin("mine") });
    const id = conflict.regions?.[0]?.id ?? "";
    expect(problemsOf(trees, { a: { regions: { [id]: { content: "\u00e9" } } } })).toEqual([
      ["UNSUPPORTED_ENCODING", "a"],
    ]);
    expect(treeOf(trees, { a: { regions: { [id]: { content: "plain" } } } })).toEqual({ a: latin("plain") });
  });
});
