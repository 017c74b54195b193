import { describe, expect, test } from "vitest";
import type { Change } from "../../../src/tree/change.ts";
import {
  codesOf,
  contentIdOf,
  planned,
  planOptions,
  refusals,
  revisionOf,
} from "../../support/planning-view.ts";

const text = (bytes: Uint8Array | undefined) => new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);

describe("create", () => {
  test("makes a file with the bytes given, and nothing besides", () => {
    const plan = planned({}, [
      { action: "create", path: "a/b.txt", content: "one\r\ntwo", executable: true },
    ]);
    const [file] = plan.files;
    expect(text(file?.bytes)).toBe("one\r\ntwo");
    expect(file).toMatchObject({
      path: "a/b.txt",
      operation: "created",
      totalLines: 2,
      changedRanges: [{ startLine: 1, endLine: 2, added: 2, removed: 0 }],
      lineShifts: [],
      additions: 2,
      removals: 0,
    });
    expect([...plan.delta.changes]).toEqual([
      [
        "a/b.txt",
        {
          before: undefined,
          after: { kind: "file", contentId: contentIdOf("one\r\ntwo"), byteLength: 8, executable: true },
        },
      ],
    ]);
    expect([...plan.relies]).toEqual([["a/b.txt", undefined]]);
  });

  test("of an empty file has no lines", () => {
    const [file] = planned({}, [{ action: "create", path: "a", content: "" }]).files;
    expect(file).toMatchObject({ operation: "created", totalLines: 0, changedRanges: [], additions: 0 });
  });

  test("of bytes with a NUL tells nothing about lines", () => {
    const content = new Uint8Array([0, 10, 10]);
    const plan = planned({}, [{ action: "create", path: "a", content }]);
    expect(plan.files[0]).toMatchObject({ bytes: content, additions: 0, changedRanges: [] });
    expect(plan.files[0]).not.toHaveProperty("totalLines");
    expect(plan.warnings).toEqual([]);
  });

  test("of what is there already changes nothing, and still relies on it", () => {
    const plan = planned({ a: "same\n" }, [{ action: "create", path: "a", content: "same\n" }]);
    expect(plan.files[0]).toMatchObject({ operation: "unchanged", totalLines: 1, additions: 0, removals: 0 });
    expect(plan.files[0]).not.toHaveProperty("bytes");
    expect(plan.delta.changes.size).toBe(0);
    expect(plan.relies.get("a")?.revision).toBe(revisionOf("same\n"));
  });

  test.each([
    ["other bytes", { a: "other" }],
    ["another mode", { a: { content: "same", executable: true } }],
  ])("is refused where a file with %s is", (_what, files) => {
    expect(codesOf(files, [{ action: "create", path: "a", content: "same" }])).toEqual(["ALREADY_EXISTS"]);
  });

  test("writes one byte a character when latin1 is named", () => {
    const [file] = planned({}, [{ action: "create", path: "a", content: "é", encoding: "latin1" }]).files;
    expect(file?.bytes).toEqual(new Uint8Array([0xe9]));
    expect(refusals({}, [{ action: "create", path: "a", content: "€", encoding: "latin1" }])).toMatchObject([
      { code: "UNSUPPORTED_ENCODING", path: "a", details: { path: "a" } },
    ]);
  });

  test("of half a surrogate pair is refused, for no encoding can hold it", () => {
    expect(codesOf({}, [{ action: "create", path: "a", content: "\ud83d" }])).toEqual(["INVALID_ARGUMENT"]);
  });

  test("of text with a NUL writes it and warns", () => {
    const plan = planned({}, [{ action: "create", path: "a.ts", content: "x\0é\0" }]);
    expect(plan.files[0]?.bytes).toEqual(new TextEncoder().encode("x\0é\0"));
    expect(plan.warnings).toEqual([
      { code: "NUL_IN_TEXT", path: "a.ts", message: expect.stringContaining('"a.ts"') },
    ]);
    expect(codesOf({}, [{ action: "create", path: "a", content: "x\0\ud83d" }])).toEqual([
      "INVALID_ARGUMENT",
    ]);
  });
});

describe("write", () => {
  test("makes a file that is absent when it names no revision", () => {
    const plan = planned({}, [{ action: "write", path: "a", content: "x\n" }]);
    expect(plan.files[0]).toMatchObject({ operation: "created", totalLines: 1 });
  });

  test("replaces a file at its revision and tells where lines changed", () => {
    const old = "a\nb\nc\nd\n";
    const content = "a\nB\nB2\nc\nd\n";
    const plan = planned({ f: old }, [{ action: "write", path: "f", content, revision: revisionOf(old) }]);
    expect(plan.files[0]).toMatchObject({
      operation: "modified",
      totalLines: 5,
      changedRanges: [{ startLine: 2, endLine: 3, added: 2, removed: 1 }],
      lineShifts: [{ fromLine: 3, by: 1 }],
      additions: 2,
      removals: 1,
    });
    expect(text(plan.files[0]?.bytes)).toBe(content);
  });

  test.each<readonly [string, string, Partial<Change & { action: "write" }>, string]>([
    ["without revision over a file", "old", {}, "REVISION_REQUIRED"],
    ["with the revision of other bytes", "old", { revision: revisionOf("older") }, "REVISION_MISMATCH"],
    ["with a token that is none", "old", { revision: "latest" }, "INVALID_ARGUMENT"],
  ])("%s is refused", (_what, old, more, code) => {
    expect(codesOf({ f: old }, [{ action: "write", path: "f", content: "new", ...more }])).toEqual([code]);
  });

  test("with a revision, of a file that is gone, is refused", () => {
    const [problem] = refusals({}, [
      { action: "write", path: "f", content: "new", revision: revisionOf("old") },
    ]);
    expect(problem).toMatchObject({ code: "REVISION_MISMATCH", path: "f", changeIndex: 0 });
    expect(problem?.message).toContain("gone");
  });

  test("refused for its revision does not tell the present one, but how many lines there are", () => {
    const now = "a\nb\nc\n";
    const [problem] = refusals({ f: now }, [
      { action: "write", path: "f", content: "x", revision: revisionOf("old") },
    ]);
    expect(problem?.details).toEqual({
      path: "f",
      expectedRevision: revisionOf("old"),
      totalLines: 3,
      changedBy: "unknown",
    });
    expect(JSON.stringify(problem)).not.toContain(revisionOf(now));
  });

  test.each([
    ["LF", "a\nb\n"],
    ["CRLF", "a\r\nb\r\n"],
    ["a byte order mark", "\ufeffa\r\nb"],
    ["mixed line ends and a lone CR", "a\rb\nc\r\n"],
    ["an empty file", ""],
  ])("of the text that was read changes nothing: %s", (_what, content) => {
    const read = content.replace(/^\ufeff/, "");
    const plan = planned({ f: content }, [
      { action: "write", path: "f", content: read, revision: revisionOf(content) },
    ]);
    expect(plan.files[0]).toMatchObject({ operation: "unchanged", changedRanges: [], lineShifts: [] });
    expect(plan.delta.changes.size).toBe(0);
    expect([...plan.relies.keys()]).toEqual(["f"]);
  });

  test("keeps the mode unless told otherwise, and a new mode alone is a change", () => {
    const files = { run: { content: "x\n", executable: true } };
    const write = { action: "write", path: "run", revision: revisionOf("x\n") } as const;
    const kept = planned(files, [{ ...write, content: "y\n" }]);
    expect(kept.delta.changes.get("run")?.after?.executable).toBe(true);
    const dropped = planned(files, [{ ...write, content: "x\n", executable: false }]);
    expect(dropped.files[0]).toMatchObject({ operation: "modified", changedRanges: [] });
    expect(dropped.delta.changes.get("run")?.after?.executable).toBe(false);
  });

  test("of new text into a file of unknown encoding must be ASCII unless the encoding is named", () => {
    const old = new Uint8Array([0x63, 0xe9, 0x0a]);
    const write = { action: "write", path: "f", revision: revisionOf(old) } as const;
    expect(codesOf({ f: old }, [{ ...write, content: "é" }])).toEqual(["UNSUPPORTED_ENCODING"]);
    const plan = planned({ f: old }, [{ ...write, content: "cé\n", encoding: "latin1" }]);
    expect(plan.files[0]?.operation).toBe("unchanged");
  });
});

test.each<readonly [string, Change, string]>([
  ["create", { action: "create", path: "l", content: "x" }, "SYMLINK_ESCAPE"],
  ["write", { action: "write", path: "l", content: "x", revision: revisionOf("target") }, "SYMLINK_ESCAPE"],
])("%s through a link is refused", (_action, change, code) => {
  expect(codesOf({ l: { content: "target", kind: "symlink" } }, [change])).toEqual([code]);
});

test("sizes beyond a limit are refused with the limit, its value and the size", () => {
  const options = planOptions({ limits: { textBytes: 4, binaryBytes: 6 } });
  const create = (content: string | Uint8Array): Change[] => [{ action: "create", path: "a", content }];
  expect(refusals({}, create("ééé"), options)[0]).toMatchObject({
    code: "LIMIT_EXCEEDED",
    details: { limit: "textBytes", maximum: 4, actual: 6 },
  });
  expect(refusals({}, create(new Uint8Array(7)), options)[0]).toMatchObject({
    details: { limit: "binaryBytes", maximum: 6, actual: 7 },
  });
  expect(planned({}, create(new Uint8Array(6)), options).files).toHaveLength(1);
});
