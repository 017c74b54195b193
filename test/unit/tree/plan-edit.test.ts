import { describe, expect, test } from "vitest";
import type { Edit } from "../../../src/text/edit.ts";
import type { Change } from "../../../src/tree/change.ts";
import { codesOf, planned, planOptions, refusals, revisionOf } from "../../support/planning-view.ts";

const old = "one\ntwo\nthree\n";
const replaceText: Edit = { op: "replace_text", oldText: "two", newText: "2" };
const replaceLine: Edit = { op: "replace", startLine: 1, content: "ONE" };
const edit = (edits: readonly Edit[], more: { revision?: string; executable?: boolean } = {}): Change[] => [
  { action: "edit", path: "f", edits, ...more },
];

describe("edit", () => {
  test("changes the named lines and tells what moved", () => {
    const edits: Edit[] = [replaceLine, { op: "insert_after", line: 2, content: "2a\n2b" }];
    const plan = planned({ f: old }, edit(edits, { revision: revisionOf(old) }));
    expect(new TextDecoder().decode(plan.files[0]?.bytes)).toBe("ONE\ntwo\n2a\n2b\nthree\n");
    expect(plan.files[0]).toMatchObject({
      operation: "modified",
      totalLines: 5,
      additions: 3,
      removals: 1,
      lineShifts: [{ fromLine: 3, by: 2 }],
    });
    expect(plan.located.size).toBe(0);
  });

  test("of text alone needs no revision, and is noted as located by text", () => {
    const plan = planned({ f: old }, edit([replaceText]));
    expect(new TextDecoder().decode(plan.files[0]?.bytes)).toBe("one\n2\nthree\n");
    expect([...plan.located]).toEqual(["f"]);
    expect(plan.relies.get("f")?.revision).toBe(revisionOf(old));
  });

  test("of text with a revision is guarded by the revision", () => {
    expect(planned({ f: old }, edit([replaceText], { revision: revisionOf(old) })).located.size).toBe(0);
    expect(codesOf({ f: old }, edit([replaceText], { revision: revisionOf("older") }))).toEqual([
      "REVISION_MISMATCH",
    ]);
  });

  test.each<readonly [string, readonly Edit[]]>([
    ["of lines", [replaceLine]],
    ["of lines and text", [replaceText, replaceLine]],
    ["of nothing", []],
  ])("%s without revision is refused", (_what, edits) => {
    expect(codesOf({ f: old }, edit(edits))).toEqual(["REVISION_REQUIRED"]);
  });

  test("of a stale file tells neither the present revision nor problems of its lines", () => {
    const problems = refusals(
      { f: old },
      edit([{ op: "delete", startLine: 99 }], { revision: revisionOf("x") }),
    );
    expect(problems.map(({ code }) => code)).toEqual(["REVISION_MISMATCH"]);
    expect(problems[0]?.details).toMatchObject({ totalLines: 3 });
    expect(JSON.stringify(problems)).not.toContain(revisionOf(old));
  });

  test("finds every problem of its edits, with their index and the path", () => {
    const problems = refusals(
      { f: old },
      edit(
        [
          { op: "delete", startLine: 99 },
          { op: "replace_text", oldText: "", newText: "x" },
          { op: "replace_text", oldText: "absent", newText: "x" },
          { op: "replace_text", oldText: "e", newText: "x" },
        ],
        { revision: revisionOf(old) },
      ),
    );
    expect(
      problems.map(({ code, editIndex, changeIndex, path }) => [code, editIndex, changeIndex, path]),
    ).toEqual([
      ["LINE_OUT_OF_RANGE", 0, 0, "f"],
      ["EMPTY_OLD_TEXT", 1, 0, "f"],
      ["TEXT_NOT_FOUND", 2, 0, "f"],
      ["TEXT_AMBIGUOUS", 3, 0, "f"],
    ]);
    expect(problems[2]?.details).toMatchObject({ path: "f" });
    expect(problems[3]?.details).toMatchObject({ path: "f", occurrences: 3 });
  });

  test("that changes nothing leaves no trace in the delta and still relies on the file", () => {
    const plan = planned({ f: old }, edit([{ op: "replace_text", oldText: "two", newText: "two" }]));
    expect(plan.files[0]).toMatchObject({ operation: "unchanged", totalLines: 3, additions: 0, removals: 0 });
    expect(plan.delta.changes.size).toBe(0);
    expect(plan.relies.get("f")?.revision).toBe(revisionOf(old));
  });

  test("passes warnings on with the path", () => {
    const plan = planned({ f: old }, edit([{ op: "append", content: "x\n" }], { revision: revisionOf(old) }));
    expect(plan.warnings).toMatchObject([{ code: "TRAILING_BLANK_LINE", path: "f" }]);
  });

  test("may set the mode on the way", () => {
    const plan = planned({ f: old }, edit([replaceText], { executable: true }));
    expect(plan.delta.changes.get("f")?.after?.executable).toBe(true);
  });

  test("keeps bytes that are not UTF-8", () => {
    const bytes = new Uint8Array([0xe9, 0x0a, 0x61, 0x0a]);
    const plan = planned({ f: bytes }, edit([{ op: "replace_text", oldText: "a", newText: "b" }]));
    expect(plan.files[0]?.bytes).toEqual(new Uint8Array([0xe9, 0x0a, 0x62, 0x0a]));
  });

  test.each<readonly [string, Parameters<typeof codesOf>[0], string]>([
    ["is not there", {}, "NOT_FOUND"],
    ["is a folder", { "f/x": "x" }, "IS_DIRECTORY"],
    ["is binary", { f: new Uint8Array([0x74, 0x77, 0x6f, 0]) }, "BINARY_FILE"],
    ["is a link", { f: { content: "two", kind: "symlink" } }, "SYMLINK_ESCAPE"],
    ["goes through a file", { "f.txt": "x" }, "NOT_FOUND"],
  ])("of a path that %s is refused", (_what, files, code) => {
    expect(codesOf(files, edit([replaceText]))).toEqual([code]);
  });

  test("of a path that exists in another spelling names that one", () => {
    const options = planOptions({ folds: true });
    const [problem] = refusals({ F: old }, edit([replaceText]), options);
    expect(problem).toMatchObject({ code: "NOT_FOUND", details: { path: "f", similar: ["F"] } });
  });

  test("beyond the limits is refused", () => {
    const few = planOptions({ limits: { editsPerChange: 1 } });
    expect(refusals({ f: old }, edit([replaceText, replaceText]), few)).toMatchObject([
      { code: "LIMIT_EXCEEDED", changeIndex: 0, details: { limit: "editsPerChange", maximum: 1, actual: 2 } },
    ]);
    const small = planOptions({ limits: { textBytes: old.length } });
    expect(planned({ f: old }, edit([replaceText]), small).files).toHaveLength(1);
    expect(refusals({ f: `${old}x` }, edit([replaceText]), small)).toMatchObject([
      { code: "LIMIT_EXCEEDED", details: { limit: "textBytes" } },
    ]);
    expect(codesOf({ f: old }, edit([{ ...replaceText, newText: "twoo" }]), small)).toEqual([
      "LIMIT_EXCEEDED",
    ]);
  });
});

describe("chmod", () => {
  const chmod = (executable: boolean, revision?: string): Change[] => [
    { action: "chmod", path: "f", executable, revision },
  ];

  test("changes the mode and not the bytes", () => {
    const plan = planned({ f: old }, chmod(true, revisionOf(old)));
    expect(plan.files[0]).toMatchObject({ operation: "modified", from: "f", changedRanges: [] });
    const { before, after } = plan.delta.changes.get("f") ?? {};
    expect(after).toEqual({ ...before, executable: true });
  });

  test("to the mode that it has changes nothing", () => {
    const plan = planned({ f: old }, chmod(false, revisionOf(old)));
    expect(plan.files[0]).toMatchObject({ operation: "unchanged" });
    expect([...plan.relies.keys()]).toEqual(["f"]);
    expect(plan.delta.changes.size).toBe(0);
  });

  test.each<readonly [string, Parameters<typeof codesOf>[0], string | undefined, string]>([
    ["without revision", { f: old }, undefined, "REVISION_REQUIRED"],
    ["of a stale file", { f: old }, revisionOf("x"), "REVISION_MISMATCH"],
    ["of no file", {}, revisionOf("x"), "NOT_FOUND"],
    ["of a link", { f: { content: "x", kind: "symlink" } }, revisionOf("x"), "SYMLINK_ESCAPE"],
    ["of a folder", { "f/x": "x" }, revisionOf("x"), "IS_DIRECTORY"],
  ])("%s is refused", (_what, files, revision, code) => {
    expect(codesOf(files, chmod(true, revision))).toEqual([code]);
  });
});
