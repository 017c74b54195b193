import { type Change, type ErrorCode, errorCodes, type OpenOptions, Workspace } from "holdfast";
import { faultyStorage } from "holdfast/testing";
import { describe, expect, test } from "vitest";
import { needing } from "../support/grounds/needing.ts";
import { sameGround, type TestStorage, testStorage } from "../support/grounds/test-storage.ts";
import { refusalOf } from "../support/refusal.ts";

const files = {
  a: "one\ntwo\ntwo\n",
  "d/x": "x",
  bin: new Uint8Array([0, 1]),
  locked: "x",
  odd: new Uint8Array([0xe9, 0x0a]),
};

type Open = (options?: OpenOptions) => Promise<Workspace>;
type Call = (workspace: Workspace, storage: TestStorage, open: Open) => Promise<unknown>;

const stale = "0".repeat(16);
const edit = (edits: readonly object[], revision?: string) =>
  ({ action: "edit", path: "a", edits, revision }) as unknown as Change;
const current = async (workspace: Workspace, path = "a") => (await workspace.readBytes(path)).revision;

/** For each code that calls on a storage in memory can be refused with: one call that is. */
const cases: readonly (readonly [ErrorCode, string, Call])[] = [
  ["PROTECTED_PATH", "writing data of version control", (workspace) => workspace.write(".GIT/config", "x")],
  ["PROTECTED_PATH", "writing the library's own state", (workspace) => workspace.write(".holdfast/x", "x")],
  [
    "MUTATION_DISABLED",
    "changing what is open for inspection",
    async (_workspace, _storage, open) => (await open({ mode: "inspectionOnly" })).write("n", "x"),
  ],
  [
    "READ_ONLY",
    "changing a file that may not be written",
    async (workspace) => workspace.write("locked", "y", { revision: await current(workspace, "locked") }),
  ],
  [
    "INVALID_ARGUMENT",
    "an unknown action",
    (workspace) => workspace.apply({ action: "erase", path: "a" } as never),
  ],
  [
    "INVALID_ARGUMENT",
    "a revision that is none",
    (workspace) => workspace.apply(edit([{ op: "delete", startLine: 1 }], "latest")),
  ],
  ["INVALID_ARGUMENT", "half a surrogate pair", (workspace) => workspace.write("n", "\ud800")],
  ["INVALID_PATH", "a path out of the root", (workspace) => workspace.write("../n", "x")],
  [
    "INVALID_PATH",
    "a new name that some platforms cannot hold",
    (workspace) => workspace.write("con.txt", "x"),
  ],
  [
    "DUPLICATE_PATH",
    "one path twice",
    (workspace) =>
      workspace.apply([
        { action: "create", path: "n", content: "1" },
        { action: "create", path: "./n", content: "2" },
      ]),
  ],
  [
    "PATH_COLLISION",
    "two new paths that differ in case only",
    (workspace) =>
      workspace.apply([
        { action: "create", path: "n", content: "1" },
        { action: "create", path: "N", content: "2" },
      ]),
  ],
  [
    "LINE_OUT_OF_RANGE",
    "a line beyond the end",
    async (workspace) => workspace.apply(edit([{ op: "delete", startLine: 9 }], await current(workspace))),
  ],
  [
    "OVERLAPPING_EDITS",
    "two edits of one line",
    async (workspace) =>
      workspace.apply(
        edit(
          [
            { op: "delete", startLine: 1, endLine: 2 },
            { op: "replace", startLine: 2, content: "x" },
          ],
          await current(workspace),
        ),
      ),
  ],
  [
    "EMPTY_OLD_TEXT",
    "an empty text to replace",
    (workspace) => workspace.apply(edit([{ op: "replace_text", oldText: "", newText: "x" }])),
  ],
  [
    "TEXT_NOT_FOUND",
    "a text that is not there",
    (workspace) => workspace.apply(edit([{ op: "replace_text", oldText: "three", newText: "x" }])),
  ],
  [
    "TEXT_AMBIGUOUS",
    "a text that is there twice",
    (workspace) => workspace.apply(edit([{ op: "replace_text", oldText: "two", newText: "x" }])),
  ],
  ["REVISION_REQUIRED", "writing over a file without its revision", (workspace) => workspace.write("a", "x")],
  [
    "REVISION_REQUIRED",
    "an edit by line without a revision",
    (workspace) => workspace.apply(edit([{ op: "delete", startLine: 1 }])),
  ],
  [
    "IDEMPOTENCY_KEY_REUSED",
    "a key of another call",
    async (workspace) => {
      await workspace.write("n", "1", { idempotencyKey: "k" });
      await workspace.write("n", "2", { idempotencyKey: "k" });
    },
  ],
  [
    "BINARY_FILE",
    "editing lines of a binary file",
    async (workspace) =>
      workspace.edit("bin", { op: "delete", startLine: 1 }, { revision: await current(workspace, "bin") }),
  ],
  ["UNSUPPORTED_ENCODING", "reading what is not UTF-8", (workspace) => workspace.read("odd")],
  [
    "UNSUPPORTED_ENCODING",
    "new text that is not ASCII in a file of unknown encoding",
    async (workspace) =>
      workspace.edit("odd", { op: "append", content: "ü" }, { revision: await current(workspace, "odd") }),
  ],
  [
    "NOT_FOUND",
    "deleting what is not there",
    (workspace) => workspace.apply({ action: "delete", path: "n", revision: stale }),
  ],
  ["IS_DIRECTORY", "writing where a folder is", (workspace) => workspace.write("d", "x")],
  [
    "ALREADY_EXISTS",
    "creating what is there",
    (workspace) => workspace.apply({ action: "create", path: "a", content: "x" }),
  ],
  ["ALREADY_EXISTS", "writing below a file", (workspace) => workspace.write("a/b", "x")],
  [
    "REVISION_MISMATCH",
    "a change based on old bytes",
    (workspace) => workspace.write("a", "x", { revision: stale }),
  ],
  [
    "REVISION_MISMATCH",
    "writing over a file that is gone",
    (workspace) => workspace.write("n", "x", { revision: stale }),
  ],
  [
    "REVISION_MISMATCH",
    "asserting what does not hold",
    (workspace) => workspace.apply({ action: "assert", path: "a", revision: stale }),
  ],
  [
    "LIMIT_EXCEEDED",
    "too many changes",
    async (_workspace, _storage, open) =>
      (await open({ limits: { changes: 1 } })).apply([
        { action: "create", path: "n", content: "" },
        { action: "create", path: "m", content: "" },
      ]),
  ],
  [
    "LIMIT_EXCEEDED",
    "too large a request",
    async (_workspace, _storage, open) =>
      (await open({ limits: { requestBytes: 10 } })).write("n", "x".repeat(11)),
  ],
  [
    "WORKSPACE_CLOSED",
    "a call after closing",
    async (workspace) => {
      await workspace.close();
      await workspace.info();
    },
  ],
  [
    "TARGET_BUSY",
    "losing every race",
    (workspace, storage) => {
      let count = 0;
      return workspace.update("a", () => {
        storage.writeOutside("a", `${++count}`);
        return "mine";
      });
    },
  ],
  [
    "STORAGE_FAILED",
    "a storage that fails",
    async (_workspace, storage) =>
      (await Workspace.open(faultyStorage(storage, { failAt: 1, method: "read" }))).read("a"),
  ],
];

const testOf = (code: ErrorCode) =>
  code === "READ_ONLY" ? needing("modes", "without them no file is read-only") : test;

describe.each(cases)("%s", (code, what, call) => {
  testOf(code)(`refuses ${what}, says what to do next and leaves the files as they were`, async () => {
    const storage = testStorage({ files, readOnlyFiles: ["locked"] });
    const open: Open = (options) => Workspace.open(sameGround(storage), options);
    const before = storage.toJSON();
    const refusal = await refusalOf(call(await Workspace.open(storage), storage, open));
    expect(refusal).toMatchObject({
      code,
      category: errorCodes[code].category,
      retry: errorCodes[code].retry,
      written: "no",
      continuation: { instruction: expect.stringMatching(/\.$/) },
    });
    expect(refusal.problems.length).toBeGreaterThan(0);
    expect(refusal.message).not.toBe("");
    if (code !== "TARGET_BUSY" && code !== "IDEMPOTENCY_KEY_REUSED") expect(storage.toJSON()).toEqual(before);
  });
});

test("problems of a batch are told with the place of each in the call", async () => {
  const workspace = await Workspace.open(testStorage({ files }));
  const refusal = await refusalOf(
    workspace.apply([
      { action: "create", path: "fine", content: "" },
      edit([
        { op: "replace_text", oldText: "one", newText: "1" },
        { op: "replace_text", oldText: "three", newText: "3" },
        { op: "replace_text", oldText: "two", newText: "2" },
      ]),
    ]),
  );
  expect(
    refusal.problems.map(({ code, changeIndex, editIndex, path }) => [code, changeIndex, editIndex, path]),
  ).toEqual([
    ["TEXT_NOT_FOUND", 1, 1, "a"],
    ["TEXT_AMBIGUOUS", 1, 2, "a"],
  ]);
});
