import { describe, expect, test } from "vitest";
import type { Change } from "../../../src/tree/change.ts";
import {
  codesOf,
  folderRevisionOf,
  type ModelFiles,
  planned,
  planOptions,
  refusals,
} from "../../support/planning-view.ts";

const files = {
  "src/a.ts": "a\n",
  "src/deep/b.ts": { content: "b\n", executable: true },
  "src/link": { content: "a.ts", kind: "symlink" as const },
  "srcs/other.ts": "o\n",
};
const revision = folderRevisionOf(files, "src") ?? "";
const moveTree = (
  destination = "lib",
  more: { path?: string; revision?: string | undefined } = {},
): Change => ({
  action: "moveTree",
  path: "src/",
  destination,
  revision,
  ...more,
});
const deleteTree = (more: { path?: string; revision?: string } = {}): Change => ({
  action: "deleteTree",
  path: "src",
  revision,
  ...more,
});

describe("moveTree", () => {
  test("becomes a move of every file below the folder, and of no other", () => {
    const plan = planned(files, [moveTree("lib/new")]);
    expect(plan.files.map(({ path, previousPath, operation }) => [previousPath, path, operation])).toEqual([
      ["src/a.ts", "lib/new/a.ts", "moved"],
      ["src/deep/b.ts", "lib/new/deep/b.ts", "moved"],
      ["src/link", "lib/new/link", "moved"],
    ]);
    expect(plan.delta.changes.get("lib/new/deep/b.ts")).toMatchObject({
      before: undefined,
      after: { executable: true },
      origin: { kind: "moved", path: "src/deep/b.ts" },
    });
    expect(plan.relies.size).toBe(6);
  });

  test.each<readonly [string, Change, string]>([
    ["onto itself", moveTree("src"), "INVALID_ARGUMENT"],
    ["into itself", moveTree("src/deep/x"), "INVALID_ARGUMENT"],
    ["to a folder that exists", moveTree("srcs"), "ALREADY_EXISTS"],
    ["to a file", moveTree("srcs/other.ts"), "ALREADY_EXISTS"],
    ["below a file", moveTree("srcs/other.ts/x"), "ALREADY_EXISTS"],
    ["to the root", moveTree(""), "INVALID_PATH"],
    ["of the root", moveTree("lib", { path: "." }), "INVALID_PATH"],
    ["without revision", moveTree("lib", { revision: undefined }), "REVISION_REQUIRED"],
    ["with another revision", moveTree("lib", { revision: "0".repeat(64) }), "REVISION_MISMATCH"],
    ["with a token that is none", moveTree("lib", { revision: "0123456789abcdef" }), "INVALID_ARGUMENT"],
    ["of no folder", moveTree("lib", { path: "none" }), "NOT_FOUND"],
    ["of a file", moveTree("lib", { path: "srcs/other.ts" }), "NOT_FOUND"],
    ["to a name that does not work everywhere", moveTree("aux/lib"), "INVALID_PATH"],
    ["to version control data", moveTree("x/.git"), "PROTECTED_PATH"],
    [
      "to where paths become too long",
      moveTree(`${"x".repeat(250)}/`.repeat(16).concat("y".repeat(75))),
      "INVALID_PATH",
    ],
  ])("%s is refused", (_what, change, code) => {
    const codes = codesOf(files, [change]);
    expect(new Set(codes)).toEqual(new Set([code]));
  });

  test("goes with new files in the old place and in the new one", () => {
    const plan = planned(files, [
      moveTree(),
      { action: "create", path: "src/a.txt", content: "new" },
      { action: "create", path: "lib/c.ts", content: "new" },
    ]);
    expect(plan.delta.changes.size).toBe(8);
    const swapped = planned(files, [moveTree(), { action: "create", path: "src", content: "a file" }]);
    expect(swapped.delta.changes.get("src")?.after).toBeDefined();
  });

  test("changes only the case of a folder where names fold", () => {
    const plan = planned(files, [moveTree("SRC")], planOptions({ folds: true }));
    expect([...plan.delta.changes.keys()]).toContain("SRC/deep/b.ts");
  });

  test("does not change only the case of a folder that keeps a file", () => {
    const tree = { "src/sub/a": "a", "src/b": "b" };
    const change: Change = {
      action: "moveTree",
      path: "src/sub",
      destination: "SRC/sub",
      revision: folderRevisionOf(tree, "src/sub"),
    };
    expect(codesOf(tree, [change], planOptions({ folds: true }))).toEqual(["PATH_COLLISION"]);
  });
});

describe("deleteTree", () => {
  test("becomes a deletion of every file below the folder, and of no other", () => {
    const plan = planned(files, [deleteTree()]);
    expect(plan.files.map(({ path, operation }) => [path, operation])).toEqual([
      ["src/a.ts", "deleted"],
      ["src/deep/b.ts", "deleted"],
      ["src/link", "deleted"],
    ]);
    expect(plan.delta.changes.has("srcs/other.ts")).toBe(false);
  });

  test.each<readonly [string, Change, string]>([
    ["of the root", deleteTree({ path: "" }), "INVALID_PATH"],
    ["of no folder", deleteTree({ path: "none" }), "NOT_FOUND"],
    ["with another revision", deleteTree({ revision: "0".repeat(64) }), "REVISION_MISMATCH"],
    ["with a token that is none", deleteTree({ revision: "x" }), "INVALID_ARGUMENT"],
  ])("%s is refused", (_what, change, code) => {
    expect(codesOf(files, [change])).toEqual([code]);
  });

  test("lets a file take the place of its folder", () => {
    const plan = planned(files, [deleteTree(), { action: "create", path: "src", content: "file" }]);
    expect(plan.delta.changes.size).toBe(4);
  });

  test("counts each of its paths as named", () => {
    const below: ModelFiles = files;
    const deep = folderRevisionOf(files, "src/deep") ?? "";
    const problems = refusals(below, [
      deleteTree(),
      { action: "create", path: "src/a.ts", content: "other" },
      deleteTree({ path: "src/deep", revision: deep }),
    ]);
    expect(problems.map(({ code, changeIndex, path }) => [code, changeIndex, path])).toEqual([
      ["DUPLICATE_PATH", 1, "src/a.ts"],
      ["ALREADY_EXISTS", 1, "src/a.ts"],
      ["DUPLICATE_PATH", 2, "src/deep/b.ts"],
    ]);
  });

  test("of many shared paths reports one duplicate a pair of changes", () => {
    const many = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`d/${index}`, "x"]));
    const change: Change = { action: "deleteTree", path: "d", revision: folderRevisionOf(many, "d") ?? "" };
    expect(codesOf(many, [change, change])).toEqual(["DUPLICATE_PATH"]);
  });

  test("refused for its revision brings no refusals of what counts on it", () => {
    const stale = deleteTree({ revision: "0".repeat(64) });
    expect(codesOf(files, [stale, { action: "create", path: "src", content: "file" }])).toEqual([
      "REVISION_MISMATCH",
    ]);
  });
});
