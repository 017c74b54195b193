import { expect, test } from "vitest";
import * as z from "zod";
import { isHoldfastError } from "../../../src/base/holdfast-error.ts";
import { applyOptionsSchema } from "../../../src/schema/apply-options.ts";
import { changesSchema } from "../../../src/schema/change.ts";
import { checkInput, parseInput } from "../../../src/schema/check-input.ts";
import { openOptionsSchema } from "../../../src/schema/open-options.ts";
import { readLinesOptionsSchema } from "../../../src/schema/read-options.ts";

const edit = { op: "replace", startLine: 1, content: "x" };

/** Checks changes and gives the message and the place of each problem. */
function problemsIn(changes: unknown, single = false): unknown {
  const checked = checkInput(changesSchema, changes, { name: "changes", listsChanges: true, single });
  return checked.problems?.map(({ code: _code, ...problem }) => problem);
}

test.each<[string, unknown, unknown]>([
  [
    "a missing field",
    [{ action: "edit", path: "a" }],
    [{ changeIndex: 0, path: "a", message: '"changes[0].edits" is missing.' }],
  ],
  [
    "a field of the wrong kind",
    [{ action: "delete", path: 5 }],
    [{ changeIndex: 0, message: '"changes[0].path" must be a string, but is 5.' }],
  ],
  [
    "a fraction where a line is meant",
    [{ action: "edit", path: "a", edits: [{ ...edit, startLine: 1.5 }] }],
    [
      {
        changeIndex: 0,
        editIndex: 0,
        path: "a",
        message: '"changes[0].edits[0].startLine" must be an integer, but is 1.5.',
      },
    ],
  ],
  [
    "an unknown action",
    [{ action: "erase", path: "a" }],
    [{ changeIndex: 0, path: "a", message: '"changes[0].action" "erase" is none of its known values.' }],
  ],
  [
    "an unknown field, naming the nearest of that action",
    [{ action: "move", path: "a", destnation: "b", destination: "b" }],
    [
      {
        changeIndex: 0,
        path: "a",
        message: '"changes[0].destnation" is not known; "destination" is meant, perhaps.',
      },
    ],
  ],
  [
    "an unknown field of an edit, naming the known ones when none is near",
    [{ action: "edit", path: "a", edits: [{ op: "append", content: "x", bananas: 1 }] }],
    [
      {
        changeIndex: 0,
        editIndex: 0,
        path: "a",
        message: '"changes[0].edits[0].bananas" is not known; known are "op", "content".',
      },
    ],
  ],
  [
    "a change that is none",
    [null],
    [{ changeIndex: 0, message: '"changes[0]" must be an object, but is null.' }],
  ],
  [
    "content that is neither text nor bytes",
    [{ action: "write", path: "a", content: [1] }],
    [{ changeIndex: 0, path: "a", message: '"changes[0].content" must be a string or a Uint8Array.' }],
  ],
])("tells %s with its place", (_name, changes, expected) => {
  expect(problemsIn(changes)).toEqual(expected);
});

test("all problems of all changes come back at once, each with its own indexes", () => {
  const changes = [
    { action: "edit", path: "a", edits: [edit, { op: "replace", startLine: "1", content: "x" }] },
    { action: "create", path: "b" },
    { action: "chmod", path: "c", executable: "yes", extra: true },
  ];
  expect(problemsIn(changes)).toMatchObject([
    { changeIndex: 0, editIndex: 1, path: "a" },
    { changeIndex: 1, path: "b" },
    { changeIndex: 2, path: "c" },
    { changeIndex: 2, path: "c" },
  ]);
});

test("a single change is spoken of without its index", () => {
  expect(problemsIn([{ action: "edit", path: "a", edits: [{ ...edit, content: 1 }] }], true)).toEqual([
    { changeIndex: 0, editIndex: 0, path: "a", message: '"edits[0].content" must be a string, but is 1.' },
  ]);
});

test("no message quotes long content", () => {
  const secret = "s3cret".repeat(100);
  expect(JSON.stringify(problemsIn([{ action: secret, path: "a" }]))).not.toContain("s3cret");
});

test("bytes of another realm and subclasses of Uint8Array are bytes", () => {
  const changes = [{ action: "create", path: "a", content: Buffer.from("x") }];
  expect(problemsIn(changes)).toBeUndefined();
});

test.each([
  [
    { mode: "transactional" },
    '"options.mode" must be "inspectionOnly" or "autonomousTrusted", but is "transactional".',
  ],
  [{ limits: { changes: 0 } }, '"options.limits.changes" must be at least 1.'],
  [{ clock: { now: 5 } }, '"options.clock" must have now and sleep.'],
  [{ lockTimeout: 5 }, '"options.lockTimeout" is not known; "lockTimeoutMs" is meant, perhaps.'],
  [{ signal: "now" }, '"options.signal" must be an AbortSignal.'],
  [null, '"options" must be an object, but is null.'],
])("options of open such as %j are refused", (options, message) => {
  const { problems } = checkInput(openOptionsSchema, options, { name: "options" });
  expect(problems?.map((problem) => problem.message)).toEqual([message]);
});

test.each<[string, object]>([
  ["an empty key", { idempotencyKey: "" }],
  ["a key that is too long", { idempotencyKey: "x".repeat(257) }],
  ["a key that is no text", { idempotencyKey: "\ud800" }],
  ["an exchange before the first", { exchange: -1 }],
  ["metadata that is no text", { metadata: { k: 5 } }],
  [
    "too much metadata",
    { metadata: Object.fromEntries(Array.from({ length: 65 }, (_, index) => [`k${index}`, ""])) },
  ],
])("options of apply with %s are refused", (_name, options) => {
  expect(checkInput(applyOptionsSchema, options, { name: "options" }).problems).toHaveLength(1);
});

test.each([
  { last: 3, startLine: 1 },
  { last: 3, endLine: 1 },
  { last: 0 },
  { maxLines: 0 },
  { maxBytes: -1 },
])("a range of lines such as %j is refused", (range) => {
  expect(checkInput(readLinesOptionsSchema, range, { name: "options" }).problems).toHaveLength(1);
});

test("parseInput throws INVALID_ARGUMENT with every problem, and else gives a copy", () => {
  const schema = z.strictObject({ a: z.string(), b: z.string() });
  const input = { a: "x", b: "y" };
  expect(parseInput(schema, input, "input")).toEqual(input);
  expect(parseInput(schema, input, "input")).not.toBe(input);
  try {
    parseInput(schema, {}, "input");
    expect.unreachable();
  } catch (error) {
    expect(isHoldfastError(error, "INVALID_ARGUMENT") && error.problems).toHaveLength(2);
  }
});
