import { describe, expect, test } from "vitest";
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
const edit = (path: string): Change => ({
  action: "edit",
  path,
  edits: [{ op: "replace_text", oldText: "x", newText: "y" }],
});
const move = (path: string, destination: string): Change => ({
  action: "move",
  path,
  destination,
  revision: revisionOf("x"),
});
const folding = planOptions({ folds: true });

describe.each([
  ["folds", folding],
  ["does not fold", planOptions()],
])("within a batch, on a storage that %s", (_storage, options) => {
  test.each<readonly [string, ModelFiles, readonly Change[]]>([
    ["two new files in two cases", {}, [create("FOO"), create("foo")]],
    ["two new files in two Unicode forms", {}, [create("é"), create("e\u0301")]],
    ["ß and ss", {}, [create("straße"), create("strasse")]],
    ["a new file beside one that is edited", { foo: "x" }, [edit("foo"), create("Foo")]],
    [
      "a new file beside one that is asserted",
      { foo: "x" },
      [{ action: "assert", path: "foo", revision: revisionOf("x") }, create("Foo")],
    ],
    ["a new file in place of one that is deleted", { foo: "x" }, [remove("foo"), create("Foo")]],
    ["a file moved to another's spelling", { foo: "x", bar: "x" }, [remove("foo"), move("bar", "Foo")]],
    ["a new file and a new folder", {}, [create("a"), create("A/hooks/x")]],
    ["files in two spellings of a new folder", {}, [create("Lib/a"), create("lib/b")]],
    ["a new folder beside one that gets a new file", { "lib/a": "x" }, [create("lib/b"), create("Lib/c")]],
  ])("%s collide", (_what, files, changes) => {
    const problems = refusals(files, changes, options);
    expect(problems.map(({ code, changeIndex }) => [code, changeIndex])).toEqual([["PATH_COLLISION", 1]]);
  });

  test.each<readonly [string, ModelFiles, readonly Change[]]>([
    ["a file renamed in case only", { foo: "x" }, [move("foo", "FOO")]],
    ["a file renamed in Unicode form only", { é: "x" }, [move("é", "e\u0301")]],
    [
      "all files of a folder moved to its other spelling",
      { "lib/a": "x", "lib/b": "x" },
      [move("lib/a", "Lib/a"), move("lib/b", "Lib/b")],
    ],
    [
      "a claim that the other spelling is absent",
      {},
      [{ action: "assert", path: "FOO", revision: null }, create("foo")],
    ],
  ])("%s does not collide", (_what, files, changes) => {
    expect(planned(files, changes, options).files).toHaveLength(changes.length);
  });
});

describe("against the tree, on a storage that folds", () => {
  test.each<readonly [string, ModelFiles, readonly Change[], string]>([
    ["a file in another case", { "Read.md": "x" }, [create("read.md")], '"Read.md"'],
    ["a file in another Unicode form", { "e\u0301": "x" }, [create("é")], "e\u0301"],
    ["a folder in another case", { "Src/a": "x" }, [create("src/new")], '"Src"'],
    ["a folder where the file is to be", { "Src/a": "x" }, [create("src")], '"Src"'],
    ["a file where a folder is needed", { Src: "x" }, [create("src/a")], '"Src"'],
    [
      "a new folder beside one that is edited in",
      { "lib/a": "x" },
      [edit("lib/a"), create("Lib/b")],
      '"lib"',
    ],
    ["a folder that keeps files", { "src/a": "x", "src/b": "x" }, [move("src/a", "SRC/a")], '"src"'],
    ["a move to another's spelling", { foo: "x", bar: "x" }, [move("bar", "FOO")], '"foo"'],
    ["a write", { foo: "x" }, [{ action: "write", path: "FOO", content: "" }], '"foo"'],
  ])("%s collides with what is new, and is named", (_what, files, changes, named) => {
    const problems = refusals(files, changes, folding);
    expect(problems.map((problem) => problem.code)).toEqual(["PATH_COLLISION"]);
    expect(problems[0]?.message).toContain(named);
    expect(planned(files, changes, planOptions()).files).toHaveLength(changes.length);
  });
});

test("on a storage that does not fold, twins that exist can be changed side by side", () => {
  const files = { "src/a": "x", "SRC/a": "x", "src/b": "x", "SRC/b": "x" };
  expect(planned(files, [edit("src/a"), edit("SRC/a"), remove("src/b"), remove("SRC/b")]).files).toHaveLength(
    4,
  );
  expect(planned(files, [create("src/new1"), create("SRC/new2")]).files).toHaveLength(2);
  expect(codesOf(files, [create("src/new"), create("SRC/new")])).toEqual(["PATH_COLLISION"]);
});

test("it does not matter which of two spellings comes first", () => {
  const problems = refusals({ "lib/a": "x" }, [create("Lib/c"), create("lib/b")]);
  expect(problems.map(({ code, changeIndex, path }) => [code, changeIndex, path])).toEqual([
    ["PATH_COLLISION", 0, "Lib"],
  ]);
  expect(codesOf({ foo: "x" }, [create("Foo"), edit("foo")])).toEqual(["PATH_COLLISION"]);
});

test("one change of many paths reports one collision", () => {
  const problems = refusals({}, [create("a/b/c/d"), create("A/B/C/D")]);
  expect(problems).toHaveLength(1);
  expect(problems[0]?.path).toBe("A");
});
