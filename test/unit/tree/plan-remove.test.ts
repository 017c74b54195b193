import { describe, expect, test } from "vitest";
import type { Change } from "../../../src/tree/change.ts";
import { codesOf, planned, revisionOf } from "../../support/planning-view.ts";

describe("delete", () => {
  const remove = (revision?: string): Change[] => [{ action: "delete", path: "a", revision }];

  test("removes the file and counts its lines", () => {
    const plan = planned({ a: "1\n2\n" }, remove(revisionOf("1\n2\n")));
    expect(plan.files).toEqual([
      { path: "a", operation: "deleted", changedRanges: [], lineShifts: [], additions: 0, removals: 2 },
    ]);
    expect(plan.delta.changes.get("a")?.after).toBeUndefined();
    expect(plan.relies.get("a")?.revision).toBe(revisionOf("1\n2\n"));
  });

  test("removes a link itself", () => {
    const plan = planned({ a: { content: "target", kind: "symlink" } }, remove(revisionOf("target")));
    expect(plan.delta.changes.get("a")?.before?.kind).toBe("symlink");
  });

  test.each<readonly [string, Parameters<typeof codesOf>[0], string | undefined, string]>([
    ["without revision", { a: "x" }, undefined, "REVISION_REQUIRED"],
    ["of a stale file", { a: "x" }, revisionOf("y"), "REVISION_MISMATCH"],
    ["with a token that is none", { a: "x" }, "HEAD", "INVALID_ARGUMENT"],
    ["of no file", {}, revisionOf("x"), "NOT_FOUND"],
    ["of a folder", { "a/b": "x" }, revisionOf("x"), "IS_DIRECTORY"],
  ])("%s is refused", (_what, files, revision, code) => {
    expect(codesOf(files, remove(revision))).toEqual([code]);
  });
});

describe("assert", () => {
  const assertion = (revision: string | null): Change[] => [{ action: "assert", path: "a", revision }];

  test("changes nothing and relies on what it names", () => {
    const there = planned({ a: "x" }, assertion(revisionOf("x")));
    expect(there.files).toMatchObject([{ path: "a", operation: "unchanged" }]);
    expect(there.delta.changes.size).toBe(0);
    expect(there.relies.get("a")?.revision).toBe(revisionOf("x"));
    const absent = planned({}, assertion(null));
    expect([...absent.relies]).toEqual([["a", undefined]]);
  });

  test.each<readonly [string, Parameters<typeof codesOf>[0], string | null, string]>([
    ["absence of a file that is there", { a: "x" }, null, "ALREADY_EXISTS"],
    ["the revision of other bytes", { a: "x" }, revisionOf("y"), "REVISION_MISMATCH"],
    ["the revision of a file that is gone", {}, revisionOf("y"), "REVISION_MISMATCH"],
    ["a token that is none", { a: "x" }, "y", "INVALID_ARGUMENT"],
  ])("of %s is refused", (_what, files, revision, code) => {
    expect(codesOf(files, assertion(revision))).toEqual([code]);
  });
});
