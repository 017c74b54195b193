import { expect, test } from "vitest";
import type { Change } from "../../../src/tree/change.ts";
import {
  codesOf,
  type ModelFiles,
  planned,
  planOptions,
  refusals,
  revisionOf,
} from "../../support/planning-view.ts";

const create = (path: string): Change => ({ action: "create", path, content: "new" });
const remove = (path: string): Change => ({ action: "delete", path, revision: revisionOf("x") });
const move = (path: string, destination: string): Change => ({
  action: "move",
  path,
  destination,
  revision: revisionOf("x"),
});
const link = { content: "elsewhere", kind: "symlink" } as const;

test.each<readonly [string, ModelFiles, readonly Change[]]>([
  ["a file gives way to a folder", { p: "x" }, [remove("p"), create("p/c")]],
  ["a file gives way to a folder, written the other way round", { p: "x" }, [create("p/c/d"), remove("p")]],
  ["a file moves into a folder of its own name", { p: "x" }, [move("p", "p/p")]],
  ["a folder gives way to a file", { "A/B": "x" }, [remove("A/B"), create("A")]],
  ["a folder's only file takes its place", { "A/B": "x" }, [move("A/B", "A")]],
  ["a deep folder gives way", { "A/b/c": "x", "A/d": "x" }, [remove("A/b/c"), move("A/d", "e"), create("A")]],
])("%s", (_what, files, changes) => {
  expect(planned(files, changes).delta.changes.size).toBeGreaterThan(1);
});

test.each<readonly [string, ModelFiles, readonly Change[], string, string]>([
  ["below a file that stays", { p: "x" }, [create("p/c")], "ALREADY_EXISTS", '"p"'],
  ["deep below a file", { "a/p": "x" }, [create("a/p/c/d")], "ALREADY_EXISTS", '"a/p"'],
  ["below a file of the same batch", {}, [create("p"), create("p/c")], "ALREADY_EXISTS", "change 0"],
  ["where a folder is", { "A/B": "x" }, [create("A")], "IS_DIRECTORY", '"A/B"'],
  [
    "where a folder keeps a file",
    { "A/B": "x", "A/C": "x" },
    [remove("A/B"), create("A")],
    "IS_DIRECTORY",
    '"A/C"',
  ],
  ["with a reserved name", {}, [create("src/nul.txt")], "INVALID_PATH", "nul.txt"],
  ["in a new folder with an odd name", {}, [create("a:b/x")], "INVALID_PATH", "drive"],
  ["in a new folder with a colon", {}, [create("ab:c/x")], "INVALID_PATH", "ab:c"],
  ["through a link", { l: link }, [create("l/x")], "SYMLINK_ESCAPE", '"l"'],
  [
    "through a link that goes away",
    { l: link },
    [{ action: "delete", path: "l", revision: revisionOf("elsewhere") }, create("l/x")],
    "SYMLINK_ESCAPE",
    '"l"',
  ],
])("a new file %s is refused", (_what, files, changes, code, words) => {
  const problems = refusals(files, changes);
  expect(problems.map((problem) => problem.code)).toEqual([code]);
  expect(problems[0]?.message).toContain(words);
  expect(problems[0]?.changeIndex).toBe(changes.length - 1);
});

test.each<readonly [string, Change]>([
  ["edit", { action: "edit", path: "l/x", edits: [{ op: "replace_text", oldText: "x", newText: "y" }] }],
  ["delete", remove("l/x")],
  ["move from", move("l/x", "y")],
  ["move to", move("x", "l/y")],
  ["chmod", { action: "chmod", path: "l/x", executable: true, revision: revisionOf("x") }],
  ["assert a file", { action: "assert", path: "l/x", revision: revisionOf("x") }],
  ["assert that nothing is there", { action: "assert", path: "l/y", revision: null }],
])("%s through a link is refused", (_what, change) => {
  expect(codesOf({ l: link, "l/x": "x", x: "x" }, [change])).toContain("SYMLINK_ESCAPE");
});

test("odd names that exist can be read, edited, moved away and deleted, and hold new files", () => {
  const files = { "aux/a.b.": "x", "nul.c": "x", "odd /x": "x" };
  const plan = planned(files, [
    create("aux/new"),
    { action: "edit", path: "nul.c", edits: [{ op: "replace_text", oldText: "x", newText: "y" }] },
    move("aux/a.b.", "plain"),
    remove("odd /x"),
  ]);
  expect(plan.files).toHaveLength(4);
  expect(codesOf(files, [create("aux/b.")])).toEqual(["INVALID_PATH"]);
  expect(planned({}, [create("nul.c")], planOptions({ names: "posix" })).files).toHaveLength(1);
});

test("a refused deletion brings no refusal of what is put in the place", () => {
  const stale: Change = { action: "delete", path: "p", revision: revisionOf("y") };
  expect(codesOf({ p: "x" }, [stale, create("p/c")])).toEqual(["REVISION_MISMATCH"]);
});
