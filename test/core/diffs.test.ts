import {
  type ApplyOptions,
  type ApplyResult,
  type Change,
  MemoryStorage,
  type TreeDiff,
  Workspace,
} from "holdfast";
import { describe, expect, test } from "vitest";
import { needing } from "../support/grounds/needing.ts";
import { testWorkspace } from "../support/grounds/test-workspace.ts";
import { refusalOf } from "../support/refusal.ts";
import { WorkMeter } from "../support/work-meter.ts";

const lines = (...all: readonly string[]) => all.map((line) => `${line}\n`).join("");
const ten = lines("1", "2", "3", "4", "5", "6", "7", "8", "9", "10");

/** What is listed of each file. */
function shown(diff: TreeDiff | undefined) {
  return diff?.files.map(({ path, previousPath, status, hunks }) => [
    status,
    ...(previousPath === undefined ? [] : [previousPath]),
    path,
    hunks.map((hunk) => hunk.lines.join("|")).join("…"),
  ]);
}

async function revisionOf(workspace: Workspace, path: string): Promise<string> {
  return (await workspace.stat(path, { revision: true }))?.revision ?? "";
}

describe("a diff comes with the result", () => {
  const options: ApplyOptions = { includeDiff: true };
  test.each<[string, (workspace: Workspace, revision: string) => Promise<ApplyResult>]>([
    [
      "apply",
      (workspace, revision) =>
        workspace.apply({ action: "write", path: "a", content: "1\nB\n", revision }, options),
    ],
    [
      "a dry run",
      (workspace, revision) => workspace.write("a", "1\nB\n", { ...options, revision, dryRun: true }),
    ],
    ["write", (workspace, revision) => workspace.write("a", "1\nB\n", { ...options, revision })],
    ["edit", (workspace) => workspace.edit("a", { op: "replace_text", oldText: "2", newText: "B" }, options)],
    [
      "applyPatch",
      (workspace) => workspace.applyPatch("--- a/a\n+++ b/a\n@@ -1,2 +1,2 @@\n 1\n-2\n+B\n", options),
    ],
    ["update", (workspace) => workspace.update("a", (file) => file?.text.replace("2", "B"), options)],
  ])("of %s", async (_name, call) => {
    await using opened = await testWorkspace({ a: "1\n2\n" });
    const { workspace } = opened;
    const { diff } = await call(workspace, await revisionOf(workspace, "a"));
    expect(diff).toEqual({
      files: [
        {
          path: "a",
          status: "modified",
          binary: false,
          hunks: [
            {
              id: expect.stringMatching(/^[0-9a-f]{16}$/),
              oldStart: 1,
              oldLines: 2,
              newStart: 1,
              newLines: 2,
              lines: [" 1", "-2", "+B"],
            },
          ],
          unified: "diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1,2 +1,2 @@\n 1\n-2\n+B\n",
        },
      ],
      additions: 1,
      removals: 1,
      truncated: false,
    });
  });

  test("only when it is asked for", async () => {
    await using opened = await testWorkspace();
    expect(await opened.workspace.write("a", "1\n")).not.toHaveProperty("diff");
    expect(await opened.workspace.write("b", "1\n", { includeDiff: false })).not.toHaveProperty("diff");
  });

  test("with nothing in it when nothing changes", async () => {
    await using opened = await testWorkspace({ a: "1\n" });
    const result = await opened.workspace.apply({ action: "create", path: "a", content: "1\n" }, options);
    expect(result.diff).toEqual({ files: [], additions: 0, removals: 0, truncated: false });
  });
});

test("every kind of change is shown by path, also where planning keeps no bytes", async () => {
  const files = {
    edit: "x\n",
    gone: "g\n",
    from: "m\n",
    source: "c\n",
    "tree/a": "t\n",
    "tree/b": "u\n",
    old: "o\n",
    onto: "p\n",
  };
  await using opened = await testWorkspace(files);
  const { workspace } = opened;
  const at = (path: string) => revisionOf(workspace, path);
  const changes: readonly Change[] = [
    { action: "create", path: "new", content: "n\n" },
    { action: "edit", path: "edit", edits: [{ op: "replace_text", oldText: "x", newText: "y" }] },
    { action: "delete", path: "gone", revision: await at("gone") },
    { action: "move", path: "from", destination: "to", revision: await at("from") },
    {
      action: "copy",
      path: "source",
      destination: "twin",
      revision: await at("source"),
      edits: [{ op: "append", content: "d" }],
    },
    {
      action: "move",
      path: "old",
      destination: "onto",
      revision: await at("old"),
      destinationRevision: await at("onto"),
    },
    { action: "deleteTree", path: "tree", revision: await at("tree") },
  ];
  const dry = await workspace.apply(changes, { includeDiff: true, dryRun: true });
  const { diff } = await workspace.apply(changes, { includeDiff: true });
  expect(dry.diff).toEqual(diff);
  expect(shown(diff)).toEqual([
    ["modified", "edit", "-x|+y"],
    ["deleted", "gone", "-g"],
    ["added", "new", "+n"],
    ["deleted", "old", "-o"],
    ["modified", "onto", "-p|+o"],
    ["renamed", "from", "to", ""],
    ["deleted", "tree/a", "-t"],
    ["deleted", "tree/b", "-u"],
    ["copied", "source", "twin", " c|+d"],
  ]);
  expect(diff).toMatchObject({ additions: 4, removals: 6, truncated: false });
});

needing("modes", "a mode is kept")("a change of the mode alone is shown as such", async () => {
  await using opened = await testWorkspace({ a: "1\n" });
  const { workspace } = opened;
  const change = {
    action: "chmod",
    path: "a",
    executable: true,
    revision: await revisionOf(workspace, "a"),
  } as const;
  const { diff } = await workspace.apply(change, { includeDiff: true });
  expect(diff?.files).toEqual([
    {
      path: "a",
      status: "mode",
      binary: false,
      hunks: [],
      unified: "diff --git a/a b/a\nold mode 100644\nnew mode 100755\n",
    },
  ]);
});

describe("bounds of the diff", () => {
  const write = (workspace: Workspace, includeDiff: ApplyOptions["includeDiff"]) =>
    workspace.apply(
      [
        { action: "create", path: "long.txt", content: ten },
        { action: "create", path: "src/short.ts", content: "1\n" },
        {
          action: "edit",
          path: "ten.md",
          edits: [{ op: "replace_text", oldText: "5\n", newText: "five\n" }],
        },
      ],
      { includeDiff, dryRun: true },
    );

  test.each<[string, ApplyOptions["includeDiff"], unknown]>([
    ["no context", { contextLines: 0, paths: ["ten.md"] }, [["modified", "ten.md", "-5|+five"]]],
    [
      "one line of context",
      { contextLines: 1, paths: ["ten.md"] },
      [["modified", "ten.md", " 4|-5|+five| 6"]],
    ],
    [
      "three lines unless said",
      { paths: ["ten.md"] },
      [["modified", "ten.md", " 2| 3| 4|-5|+five| 6| 7| 8"]],
    ],
    ["a folder", { paths: ["src"] }, [["added", "src/short.ts", "+1"]]],
    ["a folder, spelled otherwise", { paths: ["./src/"] }, [["added", "src/short.ts", "+1"]]],
    ["a glob", { paths: ["*.ts"] }, [["added", "src/short.ts", "+1"]]],
    ["no path at all", { paths: [] }, []],
  ])("%s", async (_name, bounds, expected) => {
    await using opened = await testWorkspace({ "ten.md": ten });
    expect(shown((await write(opened.workspace, bounds)).diff)).toEqual(expected);
  });

  test("what does not fit is listed without its text, and what follows may fit", async () => {
    await using opened = await testWorkspace({ "ten.md": ten });
    const whole = (await write(opened.workspace, true)).diff;
    const [long, short] = whole?.files ?? [];
    const size = short?.unified.length ?? 0;
    const { diff } = await write(opened.workspace, { maxBytes: size });
    expect(diff?.files[0]).toEqual({ ...long, hunks: [], unified: "" });
    expect(shown(diff)).toEqual([
      ["added", "long.txt", ""],
      ["added", "src/short.ts", "+1"],
      ["modified", "ten.md", ""],
    ]);
    expect(diff).toMatchObject({ additions: 1, removals: 0, truncated: true });
    const none = await write(opened.workspace, { maxBytes: 60 });
    expect(none.diff?.files.map(({ unified }) => unified)).toEqual(["", "", ""]);
  });

  test.each<[unknown, string]>([
    [1, '"options.includeDiff" must be true, false, or an object of "paths", "contextLines" and "maxBytes".'],
    [{ contextLines: -1 }, '"options.includeDiff.contextLines" must be at least 0.'],
    [{ contextLine: 1 }, '"options.includeDiff.contextLine" is not known; "contextLines" is meant, perhaps.'],
    [{ paths: ["{"] }, "The glob"],
  ])("%j is refused before anything is written", async (includeDiff, message) => {
    await using opened = await testWorkspace();
    const options = { includeDiff } as ApplyOptions;
    const refusal = await refusalOf(opened.workspace.write("a", "1\n", options));
    expect(refusal).toMatchObject({ code: "INVALID_ARGUMENT", written: "no" });
    expect(refusal.message).toContain(message);
    expect(await opened.workspace.stat("a")).toBeUndefined();
  });
});

describe("an idempotency key", () => {
  test("is not bound to whether a diff was asked for, and its recorded result has none", async () => {
    await using opened = await testWorkspace();
    const { workspace } = opened;
    const write = (includeDiff: boolean) => workspace.write("a", "1\n", { includeDiff, idempotencyKey: "k" });
    const first = await write(true);
    const { diff, ...recorded } = first;
    expect(diff?.files).toHaveLength(1);
    for (const includeDiff of [true, false])
      expect(await write(includeDiff)).toEqual({ ...recorded, idempotentReplay: true });
    const outcome = await workspace.outcome("k");
    expect(outcome).toMatchObject({ known: true });
    expect(outcome.known && outcome.result).not.toHaveProperty("diff");
  });
});

test("a signal that fires once the commit has begun does not end the diff", async () => {
  const storage = new MemoryStorage();
  const abort = new AbortController();
  await using workspace = await Workspace.open(storage);
  const commit = storage.commit.bind(storage);
  storage.commit = (...given) => {
    abort.abort();
    return commit(...given);
  };
  const { signal } = abort;
  let result: ApplyResult | undefined;
  // Under this clock every pause of the diff waits for a turn, and would look at the signal.
  await new WorkMeter().most(async () => {
    result = await workspace.write("a", "1\n", { includeDiff: true, signal });
  });
  expect(signal.aborted).toBe(true);
  expect(shown(result?.diff)).toEqual([["added", "a", "+1"]]);
});
