import { expect, test } from "vitest";
import type { Change } from "../../../src/tree/change.ts";
import { planChanges } from "../../../src/tree/plan-changes.ts";
import {
  codesOf,
  planned,
  planOptions,
  refusals,
  revisionOf,
  strictView,
} from "../../support/planning-view.ts";

test("a batch that is in order becomes one delta with one file a change", () => {
  const files = { "a.txt": "one\ntwo\n", "b.txt": "b\n", "old.txt": "o\n" };
  const plan = planned(files, [
    { action: "edit", path: "./a.txt", edits: [{ op: "replace_text", oldText: "two", newText: "2" }] },
    { action: "create", path: "new/c.txt", content: "c\n" },
    { action: "move", path: "b.txt", destination: "d.txt", revision: revisionOf("b\n") },
    { action: "delete", path: "old.txt", revision: revisionOf("o\n") },
    { action: "assert", path: "none.txt", revision: null },
  ]);
  expect(plan.files.map((file) => [file.path, file.operation])).toEqual([
    ["a.txt", "modified"],
    ["new/c.txt", "created"],
    ["d.txt", "moved"],
    ["old.txt", "deleted"],
    ["none.txt", "unchanged"],
  ]);
  expect([...plan.delta.changes.keys()]).toEqual(["a.txt", "b.txt", "d.txt", "new/c.txt", "old.txt"]);
  expect([...plan.relies.keys()].sort()).toEqual([
    "a.txt",
    "b.txt",
    "d.txt",
    "new/c.txt",
    "none.txt",
    "old.txt",
  ]);
  expect([...plan.located]).toEqual(["a.txt"]);
});

test("ten different problems of one batch are found at once, in the order of its changes", () => {
  const files = {
    "a.txt": "one\n",
    "b.txt": "b\n",
    "f/x.txt": "x\n",
    "bin.dat": new Uint8Array([0]),
    "Read.md": "r",
  };
  const problems = refusals(
    files,
    [
      { action: "create", path: "../out.txt", content: "" },
      { action: "create", path: ".git/config", content: "" },
      { action: "edit", path: "none.txt", edits: [{ op: "replace_text", oldText: "a", newText: "b" }] },
      { action: "delete", path: "a.txt" },
      { action: "delete", path: "b.txt", revision: revisionOf("other") },
      { action: "create", path: "a.txt", content: "another" },
      { action: "delete", path: "f", revision: revisionOf("x") },
      { action: "edit", path: "bin.dat", edits: [{ op: "replace_text", oldText: "a", newText: "b" }] },
      { action: "create", path: "read.md", content: "" },
      { action: "delete", path: "f/x.txt", revision: "nonsense" },
    ],
    planOptions({ folds: true }),
  );
  expect(problems.map(({ changeIndex, code }) => [changeIndex, code])).toEqual([
    [0, "INVALID_PATH"],
    [1, "PROTECTED_PATH"],
    [2, "NOT_FOUND"],
    [3, "REVISION_REQUIRED"],
    [4, "REVISION_MISMATCH"],
    [5, "DUPLICATE_PATH"],
    [5, "ALREADY_EXISTS"],
    [6, "IS_DIRECTORY"],
    [7, "BINARY_FILE"],
    [8, "PATH_COLLISION"],
    [9, "INVALID_ARGUMENT"],
  ]);
});

test("files and folders take each other's place within one batch", () => {
  expect(
    planned({ p: "file" }, [
      { action: "delete", path: "p", revision: revisionOf("file") },
      { action: "create", path: "p/c", content: "c" },
    ]).delta.changes.size,
  ).toBe(2);
  expect(
    planned({ "A/B": "b" }, [
      { action: "delete", path: "A/B", revision: revisionOf("b") },
      { action: "create", path: "A", content: "a" },
    ]).delta.changes.size,
  ).toBe(2);
  expect(codesOf({ p: "file" }, [{ action: "create", path: "p/c", content: "c" }])).toEqual([
    "ALREADY_EXISTS",
  ]);
  expect(codesOf({ "A/B": "b" }, [{ action: "create", path: "A", content: "a" }])).toEqual(["IS_DIRECTORY"]);
});

test("a large batch is planned in many short pieces", () => {
  const changes = Array.from(
    { length: 10_000 },
    (_, index): Change => ({
      action: "create",
      path: `folder-${index % 100}/file-${index}`,
      content: "x",
    }),
  );
  const steps = planChanges(changes, strictView({}, changes), planOptions());
  let pieces = 0;
  for (;;) {
    const step = steps.next();
    pieces++;
    if (step.done !== true) continue;
    const paths = [...(step.value.plan?.delta.changes.keys() ?? [])];
    expect(paths).toHaveLength(10_000);
    expect(paths).toEqual([...paths].sort());
    break;
  }
  // Each file is a piece of its own, and what concerns the whole batch is done in at least a piece for 256 of them.
  expect(pieces).toBeGreaterThan(10_000 + 4 * (10_000 / 256));
});

test("very many problems are all found", () => {
  const changes = Array.from(
    { length: 100_000 },
    (): Change => ({ action: "move", path: "/a", destination: "/b" }),
  );
  expect(refusals({}, changes).length).toBeGreaterThanOrEqual(200_000);
});
