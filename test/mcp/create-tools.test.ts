import { isHoldfastError } from "holdfast";
import { createTools, registerTools, type ToolOptions } from "holdfast/mcp";
import { describe, expect, it } from "vitest";
import { callTool, refusalIn } from "../support/call-tool.ts";
import { testWorkspace } from "../support/grounds/test-workspace.ts";

async function namesWith(options: ToolOptions, mode?: "inspectionOnly"): Promise<readonly string[]> {
  await using opened = await testWorkspace({}, { mode });
  return createTools(opened.workspace, options).map(({ name }) => name);
}

describe("createTools", () => {
  it.each<[string, ToolOptions, readonly string[]]>([
    ["everything by default", {}, ["read_file", "apply_changes"]],
    ["only what is included", { include: ["read_file"] }, ["read_file"]],
    ["all but what is excluded", { exclude: ["read_file"] }, ["apply_changes"]],
    ["new names from a table", { names: { read_file: "look" } }, ["look", "apply_changes"]],
    ["new names from a function", { names: (name) => `my_${name}` }, ["my_read_file", "my_apply_changes"]],
  ])("lists %s", async (_what, options, names) => {
    expect(await namesWith(options)).toEqual(names);
  });

  it("lists no tool that could only be refused", async () => {
    expect(await namesWith({}, "inspectionOnly")).toEqual(["read_file"]);
  });

  it.each<[string, ToolOptions, string]>([
    ["a tool that does not exist", { include: ["readfile" as "read_file"] }, '"read_file" is meant, perhaps'],
    ["an excluded tool that does not exist", { exclude: ["write" as "read_file"] }, 'but is "write"'],
    ["two tools of one name", { names: () => "same" }, 'Two tools would have the name "same"'],
    ["a name that hosts refuse", { names: { read_file: "read file" } }, 'cannot be published as "read file"'],
    ["a limit of nothing", { limits: { changes: 0 } }, '"limits.changes" must be an integer of at least 1'],
  ])("refuses %s", async (_what, options, message) => {
    await using opened = await testWorkspace();
    let thrown: unknown;
    try {
      createTools(opened.workspace, options);
    } catch (error) {
      thrown = error;
    }
    expect(isHoldfastError(thrown, "INVALID_ARGUMENT") && thrown.message).toContain(message);
  });

  it("names only tools that are listed, under their published names", async () => {
    await using opened = await testWorkspace({ "a.txt": "a\n" });
    const stale = { changes: [{ action: "delete", path: "a.txt", revision: "0000000000000000" }] };
    const named = await callTool(opened.workspace, "apply_changes", stale, {
      tools: { names: { read_file: "look" } },
    });
    expect(named.text).toContain("Next: call look. Read the file again");
    expect(named.structured["continuation"]).toMatchObject({ kind: "callTool", tool: "look" });
    const alone = await callTool(opened.workspace, "apply_changes", stale, {
      tools: { exclude: ["read_file"] },
    });
    expect(alone.text).toContain("Next: Read the file again");
    expect(alone.structured["continuation"]).toMatchObject({ kind: "reviseRequest" });
    const [apply] = createTools(opened.workspace, { exclude: ["read_file"] });
    expect(apply?.description).not.toContain("read_file");
  });

  it("puts the structure into the text when results are structured", async () => {
    await using opened = await testWorkspace({ "a.txt": "a\n" });
    const tools = { results: "structured" } as const;
    const read = await callTool(opened.workspace, "read_file", { path: "a.txt" }, { tools });
    expect(JSON.parse(read.text)).toEqual(read.structured);
    const refused = await callTool(opened.workspace, "read_file", { path: "b.txt" }, { tools });
    expect(JSON.parse(refused.text)).toEqual(JSON.parse(JSON.stringify(refused.structured)));
  });

  it.each<[string, ToolOptions["limits"], string, object]>([
    [
      "requestBytes",
      { requestBytes: 40 },
      "requestBytes",
      { changes: [{ action: "create", path: "b", content: "x".repeat(40) }] },
    ],
    [
      "changes",
      { changes: 1 },
      "changes",
      {
        changes: [
          { action: "create", path: "b", content: "" },
          { action: "create", path: "c", content: "" },
        ],
      },
    ],
    [
      "edits",
      { editsPerChange: 1 },
      "editsPerChange",
      {
        changes: [
          {
            action: "edit",
            path: "a.txt",
            edits: [
              { op: "append", content: "b" },
              { op: "append", content: "c" },
            ],
          },
        ],
      },
    ],
  ])("holds the limit of %s", async (_what, limits, limit, input) => {
    await using opened = await testWorkspace({ "a.txt": "a\n" });
    const result = await callTool(opened.workspace, "apply_changes", input, { tools: { limits } });
    expect(refusalIn(result)).toMatchObject({ code: "LIMIT_EXCEEDED", details: { limit } });
  });

  it("hands the host's context to the history", async () => {
    await using opened = await testWorkspace();
    const context = { source: "agent", sessionId: "s1", exchange: 3, idempotencyKey: "k" };
    const input = { changes: [{ action: "create", path: "a.txt", content: "a" }], reason: "because" };
    await callTool(opened.workspace, "apply_changes", input, { context });
    for await (const revision of opened.workspace.history({ limit: 1 }))
      expect(revision).toMatchObject({ ...context, reason: "because" });
    const again = await callTool(opened.workspace, "apply_changes", input, { context });
    expect(again.structured).toMatchObject({ idempotentReplay: true });
    const other = await callTool(
      opened.workspace,
      "apply_changes",
      { ...input, idempotencyKey: "l" },
      { context },
    );
    expect(refusalIn(other).message).toContain("set by the host");
  });
});

describe("registerTools", () => {
  it("refuses a server that takes no tools", () => {
    expect(() => registerTools({} as never, [])).toThrow("must have a method registerTool");
  });
});
