import { describe, expect, test } from "vitest";
import { runSteps } from "../../../src/base/steps.ts";
import {
  checkBatch,
  checkPath,
  checkRecordKey,
  checkRecordPrefix,
} from "../../../src/storage/check-batch.ts";
import type { StorageBatch } from "../../../src/storage/storage-adapter.ts";
import { batchOf } from "../../support/open-storage.ts";

const check = (...args: Parameters<typeof checkBatch>) => runSteps(checkBatch(...args));

const strict = { flush: true, caseSensitive: true };
const entry = () => new Uint8Array(0);
const bytes = new Uint8Array(0);
const put = (path: string, content: StorageBatch["putFiles"][number]["content"] = { bytes }) =>
  ({ path, kind: "file", executable: false, content }) as const;
const file = (key: string, version: string | null = null) => ({ space: "files", key, version }) as const;

describe("A batch is a fault of the library when", () => {
  test.each<[string, Partial<StorageBatch>, RegExp]>([
    ["it has no id", { id: "" }, /no id/],
    [
      "it writes files without an entry",
      { entry: undefined as never, expect: [file("a")], putFiles: [put("a")] },
      /without a log entry/,
    ],
    [
      "it deletes files without an entry",
      { entry: undefined as never, expect: [file("a", "v")], deleteFiles: ["a"] },
      /without a log entry/,
    ],
    ["it expects one path twice", { expect: [file("a"), file("a", "v")] }, /twice/],
    ["it puts one path twice", { expect: [file("a")], putFiles: [put("a"), put("a")] }, /twice/],
    [
      "it puts and deletes one path",
      { expect: [file("a", "v")], putFiles: [put("a")], deleteFiles: ["a"] },
      /twice/,
    ],
    [
      "it puts below a file that it puts",
      { expect: [file("a"), file("a/b/c")], putFiles: [put("a"), put("a/b/c")] },
      /below a file/,
    ],
    ["it puts what it does not expect", { putFiles: [put("a")] }, /without expecting/],
    ["it deletes what it does not expect", { deleteFiles: ["a"] }, /without expecting/],
    ["it deletes what it expects to be absent", { expect: [file("a")], deleteFiles: ["a"] }, /to be absent/],
    [
      "it takes bytes from what it does not expect",
      { expect: [file("b")], putFiles: [put("b", { from: "a" })] },
      /takes bytes/,
    ],
    [
      "it takes bytes from what it expects to be absent",
      { expect: [file("a"), file("b")], putFiles: [put("b", { from: "a" })] },
      /takes bytes/,
    ],
    [
      "it puts and deletes one record",
      { putRecords: [{ key: "r", bytes }], deleteRecords: ["r"] },
      /record twice/,
    ],
    ["it has an empty record key", { deleteRecords: [""] }, /empty key/],
    ["it appends before the beginning", { appendContent: [{ staged: "st_1", at: -1, bytes }] }, /no offset/],
    ["it has a path in a second spelling", { expect: [file("./a")] }, /plain form/],
  ])("%s", (_name, parts, message) => {
    const batch = batchOf({ entry, ...parts });
    if (batch.entry === undefined) delete (batch as { entry?: unknown }).entry;
    expect(() => check(batch, strict)).toThrow(message);
    expect(() => check(batch, strict)).toThrow(expect.objectContaining({ code: "INTERNAL" }));
  });

  test("it has an entry and is not flushed", () => {
    expect(() => check(batchOf({ entry }), { ...strict, flush: false })).toThrow(/must be flushed/);
    expect(() => check(batchOf({}), { ...strict, flush: false })).not.toThrow();
  });

  test("it puts two spellings of one name where names fold", () => {
    const batch = batchOf({ entry, expect: [file("a"), file("A")], putFiles: [put("a"), put("A")] });
    expect(() => check(batch, strict)).not.toThrow();
    expect(() => check(batch, { flush: true, caseSensitive: false })).toThrow(/two spellings/);
  });
});

test("a rename to another spelling is fine where names fold", () => {
  const expected = [file("a", "v"), file("A")];
  const batch = batchOf({ entry, expect: expected, putFiles: [put("A", { from: "a" })], deleteFiles: ["a"] });
  expect(() => check(batch, { flush: true, caseSensitive: false })).not.toThrow();
});

test.each([
  ["/a", "INVALID_PATH"],
  ["a/../b", "INVALID_PATH"],
  ["", "INVALID_PATH"],
  [".git/config", "PROTECTED_PATH"],
])("the path %j is refused with %s", (path, code) => {
  expect(() => checkPath(path)).toThrow(expect.objectContaining({ code }));
});

test("a record key has 1 to 512 bytes of well-formed text without control characters", () => {
  for (const key of ["k".repeat(512), "é".repeat(256), "a/b", "\u{1f600}"])
    expect(() => checkRecordKey(key)).not.toThrow();
  for (const key of ["", "k".repeat(513), "é".repeat(257), "a\nb", "\u0085", "\ud800"])
    expect(() => checkRecordKey(key)).toThrow();
  expect(() => checkRecordPrefix("")).not.toThrow();
});
