import { describe, expect, it } from "vitest";
import { callTool, refusalIn } from "../support/call-tool.ts";
import { testWorkspace } from "../support/grounds/test-workspace.ts";

const files = { "a.txt": "one\ntwo\n", "b.txt": "three\n" };

/** Where a problem is: `change` or `change.edit`, empty for the call as a whole; and what its message begins with. */
type Expected = readonly [place: string, code: string, message: string];

const edit = (...edits: readonly unknown[]) => ({ changes: [{ action: "edit", path: "a.txt", edits }] });
const change = (fields: object) => ({ changes: [{ path: "a.txt", ...fields }] });
const argument = "INVALID_ARGUMENT";

const changes: readonly (readonly [string, unknown, readonly Expected[]])[] = [
  ["nothing", undefined, [["", argument, '"changes" is missing']]],
  ["a text", "delete a.txt", [["", argument, '"input" must be an object']]],
  ["a list of changes without a name", [], [["", argument, '"input" must be an object']]],
  ["changes as a text", { changes: "[]" }, [["", argument, '"changes" must be an array, but is a string']]],
  [
    "an unknown field of the call",
    { changes: [], dry_runs: true },
    [["", argument, '"dry_runs" is not known; "dryRun" is meant']],
  ],
  [
    "a key that is too long",
    { changes: [], idempotencyKey: "k".repeat(257) },
    [["", argument, '"idempotencyKey" must be at most 256']],
  ],
  ["a change that is a text", { changes: ["a.txt"] }, [["0", argument, '"changes[0]" must be an object']]],
  [
    "no action",
    change({ content: "" }),
    [["0", argument, '"changes[0].action" is missing; it is one of "create"']],
  ],
  [
    "an unknown action",
    change({ action: "remove" }),
    [["0", argument, '"changes[0].action" must be one of']],
  ],
  [
    "a near action",
    change({ action: "Create", content: "" }),
    [
      [
        "0",
        argument,
        '"changes[0].action" must be one of "create", "write", "edit", "patch", "move", "copy", "delete", "chmod", "assert", but is "Create"; "create" is meant',
      ],
    ],
  ],
  [
    "an action of whole folders",
    change({ action: "deleteTree" }),
    [["0", argument, '"changes[0].action" must be one of']],
  ],
  [
    "a field of another action",
    change({ action: "delete", revision: "0123456789abcdef", content: "" }),
    [["0", argument, '"changes[0].content" does not belong to action "delete"']],
  ],
  [
    "a misspelled field",
    change({ action: "delete", revison: "0123456789abcdef" }),
    [["0", argument, '"changes[0].revison" is not known; "revision" is meant']],
  ],
  [
    "a field of another op",
    edit({ op: "append", content: "x", startLine: 1 }),
    [["0.0", argument, '"changes[0].edits[0].startLine" does not belong to op "append"']],
  ],
  [
    "a missing field",
    edit({ op: "replace", startLine: 1 }),
    [["0.0", argument, '"changes[0].edits[0].content" is missing']],
  ],
  [
    "a number as a text",
    edit({ op: "delete", startLine: "1" }),
    [["0.0", argument, '"changes[0].edits[0].startLine" must be a number, but is a string']],
  ],
  [
    "half a line",
    edit({ op: "delete", startLine: 1.5 }),
    [["0.0", argument, '"changes[0].edits[0].startLine" must be an integer, but is 1.5']],
  ],
  [
    "an unknown op",
    edit({ op: "str_replace", old_str: "a", new_str: "b" }),
    [["0.0", argument, '"changes[0].edits[0].op" must be one of']],
  ],
  [
    "two names that differ",
    edit({ op: "replace_text", oldText: "a", old_string: "b", newText: "c" }),
    [
      [
        "0.0",
        argument,
        '"changes[0].edits[0].oldText" and "changes[0].edits[0].old_string" are the same field',
      ],
    ],
  ],
  [
    "edits that are one object",
    { changes: [{ action: "edit", path: "a.txt", edits: { op: "append", content: "" } }] },
    [["0", argument, '"changes[0].edits" must be an array']],
  ],
  [
    "a path that is no text",
    change({ path: 7, action: "delete" }),
    [["0", argument, '"changes[0].path" must be a string, but is 7']],
  ],
  [
    "an absence that has a revision",
    change({ action: "assert", absent: true, revision: "0123456789abcdef" }),
    [["0", argument, '"changes[0]" has both "revision" and "absent"']],
  ],
  [
    "a malformed revision",
    change({ action: "delete", revision: "latest" }),
    [["0", argument, 'revision "latest"']],
  ],
  [
    "an absolute path",
    change({ path: "/etc/passwd", action: "create", content: "" }),
    [["0", "INVALID_PATH", ""]],
  ],
  [
    "a path that climbs",
    change({ path: "../x", action: "create", content: "" }),
    [["0", "INVALID_PATH", ""]],
  ],
  [
    "an empty text to replace",
    edit({ op: "replace_text", oldText: "", newText: "x" }),
    [["0.0", "EMPTY_OLD_TEXT", ""]],
  ],
  [
    "one path twice",
    {
      changes: [
        { action: "edit", path: "a.txt", edits: [{ op: "replace_text", oldText: "one", newText: "1" }] },
        { action: "create", path: "./a.txt", content: "" },
      ],
    },
    [
      ["1", "DUPLICATE_PATH", ""],
      ["1", "ALREADY_EXISTS", ""],
    ],
  ],
  [
    "five faults in three changes, all told at once",
    {
      changes: [
        {
          action: "edit",
          path: "a.txt",
          content: "x",
          edits: [{ op: "append" }, { op: "appendd", content: "" }],
        },
        { action: "move", path: "b.txt" },
        { action: "create", path: "c.txt", contentt: "x", content: "y" },
      ],
    },
    [
      ["0", argument, '"changes[0].content" does not belong to action "edit"'],
      ["0.1", argument, '"changes[0].edits[1].op" must be one of'],
      ["0.0", argument, '"changes[0].edits[0].content" is missing'],
      ["1", argument, '"changes[1].destination" is missing'],
      ["2", argument, '"changes[2].contentt" is not known; "content" is meant'],
    ],
  ],
];

const reads: readonly (readonly [string, unknown, readonly Expected[]])[] = [
  ["no path", {}, [["", argument, '"path" is missing']]],
  [
    "a line that is a text",
    { path: "a.txt", startLine: "2" },
    [["", argument, '"startLine" must be a number, but is a string']],
  ],
  ["no lines", { path: "a.txt", maxLines: 0 }, [["", argument, '"maxLines" must be at least 1']]],
  [
    "an unknown encoding",
    { path: "a.txt", encoding: "utf8" },
    [["", argument, '"encoding" must be "utf-8" or "latin1" or "escape"']],
  ],
  [
    "lines after the end",
    { path: "a.txt", start_line: 9 },
    [["", "LINE_OUT_OF_RANGE", '"a.txt" has 2 lines']],
  ],
  ["a folder of the library's own", { path: ".holdfast/log" }, [["", "PROTECTED_PATH", ""]]],
];

function placeOf({
  changeIndex,
  editIndex,
}: {
  readonly changeIndex?: number;
  readonly editIndex?: number;
}): string {
  return [changeIndex, editIndex].filter((index) => index !== undefined).join(".");
}

async function expectProblems(tool: string, input: unknown, expected: readonly Expected[]): Promise<void> {
  await using opened = await testWorkspace(files);
  const result = await callTool(opened.workspace, tool, input);
  const { code, problems, written } = refusalIn(result);
  expect(problems.map((problem) => [placeOf(problem), problem.code])).toEqual(
    expected.map(([place, expectedCode]) => [place, expectedCode]),
  );
  for (const [index, [, , message]] of expected.entries()) {
    expect(problems[index]?.message.slice(0, message.length)).toBe(message);
    expect(result.text).toContain(problems[index]?.message);
  }
  expect([code, written]).toEqual([expected[0]?.[1], "no"]);
  expect((await opened.workspace.read("a.txt")).text).toBe(files["a.txt"]);
  expect(result.text).toContain("Next: ");
}

describe("apply_changes refuses", () => {
  it.each(changes)("%s", async (_what, input, expected) => {
    await expectProblems("apply_changes", input, expected);
  });
});

describe("read_file refuses", () => {
  it.each(reads)("%s", async (_what, input, expected) => {
    await expectProblems("read_file", input, expected);
  });
});

describe("apply_changes understands", () => {
  it.each<[string, object, string]>([
    [
      "usual spellings",
      {
        changes: [
          {
            action: "edit",
            file_path: "a.txt",
            edits: [{ op: "replace_text", old_str: "one", new_str: "1", replace_all: true }],
          },
        ],
      },
      "1\ntwo\n",
    ],
    [
      "fields that are null",
      {
        changes: [
          {
            action: "edit",
            path: "a.txt",
            content: null,
            revision: null,
            edits: [{ op: "replace_text", oldText: "one", newText: "1", startLine: null }],
          },
        ],
        dryRun: null,
      },
      "1\ntwo\n",
    ],
    [
      "an absence",
      {
        changes: [
          { action: "assert", path: "c.txt", absent: true },
          { action: "edit", path: "a.txt", edits: [{ op: "replace_text", oldText: "one", newText: "1" }] },
        ],
      },
      "1\ntwo\n",
    ],
    [
      "an absence as the library says it",
      {
        changes: [
          { action: "assert", path: "c.txt", revision: null },
          { action: "edit", path: "a.txt", edits: [{ op: "replace_text", oldText: "one", newText: "1" }] },
        ],
      },
      "1\ntwo\n",
    ],
    [
      "a dry run",
      {
        changes: [
          { action: "edit", path: "a.txt", edits: [{ op: "replace_text", oldText: "one", newText: "1" }] },
        ],
        dry_run: true,
      },
      "one\ntwo\n",
    ],
  ])("%s", async (_what, input, text) => {
    await using opened = await testWorkspace(files);
    const result = await callTool(opened.workspace, "apply_changes", input);
    expect(result).toMatchObject({ ok: true });
    expect((await opened.workspace.read("a.txt")).text).toBe(text);
  });
});
