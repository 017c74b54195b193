import {
  createTools,
  type ToolCallContext,
  type ToolDefinition,
  type ToolResult,
  toJsonSchemas,
} from "holdfast/mcp";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { testWorkspace } from "../support/grounds/test-workspace.ts";
import { generations } from "../support/mcp-hosts.ts";

const files = { "src/app.ts": "one\ntwo\nthree\nfour\n" };

const editOf = (oldText: string) => ({
  changes: [
    {
      action: "edit",
      path: "src/app.ts",
      edits: [{ op: "replace_text", oldText, newText: oldText.toUpperCase() }],
    },
  ],
});

function withoutDraft({ $schema: _draft, ...schema }: { readonly $schema?: unknown }): object {
  return schema;
}

describe.each(generations)("with $sdk", ({ connect }) => {
  it("a client lists the schemas that are published everywhere else", async () => {
    await using opened = await testWorkspace(files);
    const tools = createTools(opened.workspace);
    await using client = await connect(tools);
    const listed = await client.listTools();
    expect(listed.map(({ name }) => name)).toEqual(["read_file", "apply_changes"]);
    expect(listed.map(({ inputSchema }) => withoutDraft(inputSchema))).toEqual(
      toJsonSchemas(tools).map(({ inputSchema }) => withoutDraft(inputSchema)),
    );
    expect(listed.map(({ outputSchema }) => withoutDraft(outputSchema ?? {}))).toEqual(
      tools.map(({ outputSchema }) =>
        withoutDraft(z.toJSONSchema(outputSchema as z.ZodObject, { io: "output" })),
      ),
    );
  });

  it("a client reads, changes a line by number with the revision it read, and reads the result", async () => {
    await using opened = await testWorkspace(files);
    await using client = await connect(createTools(opened.workspace));
    const read = await client.callTool("read_file", { path: "src/app.ts" });
    expect(read.isError).toBe(false);
    const changed = await client.callTool("apply_changes", {
      changes: [
        {
          action: "edit",
          path: "src/app.ts",
          revision: read.structured?.["revision"],
          edits: [{ op: "replace", startLine: 2, content: "zwei" }],
        },
      ],
    });
    expect(changed).toMatchObject({ isError: false, structured: { ok: true, additions: 1, removals: 1 } });
    const after = await client.callTool("read_file", { path: "src/app.ts" });
    expect(after.structured).toMatchObject({ text: "one\nzwei\nthree\nfour\n", lineCount: 4 });
  });

  it("four calls at once that change four lines of one file all survive", async () => {
    await using opened = await testWorkspace(files);
    await using client = await connect(createTools(opened.workspace));
    const results = await Promise.all(
      ["one", "two", "three", "four"].map((word) => client.callTool("apply_changes", editOf(word))),
    );
    expect(results.map(({ isError }) => isError)).toEqual([false, false, false, false]);
    expect((await opened.workspace.read("src/app.ts")).text).toBe("ONE\nTWO\nTHREE\nFOUR\n");
  });

  it("a refusal passes the client's check of the output schema, with its code and next step", async () => {
    await using opened = await testWorkspace(files);
    await using client = await connect(createTools(opened.workspace));
    await client.listTools();
    const refused = await client.callTool("apply_changes", editOf("five"));
    expect(refused).toMatchObject({
      isError: true,
      structured: {
        ok: false,
        error: { code: "TEXT_NOT_FOUND", written: "no", problems: [{ changeIndex: 0, editIndex: 0 }] },
        continuation: { kind: "callTool", tool: "read_file" },
      },
    });
  });

  it("wrong input reaches the tool, which answers with its own code and the nearest field", async () => {
    await using opened = await testWorkspace(files);
    await using client = await connect(createTools(opened.workspace));
    const refused = await client.callTool("read_file", { file_path: "src/app.ts", max_line: 1 });
    expect(refused).toMatchObject({ isError: true, structured: { error: { code: "INVALID_ARGUMENT" } } });
    expect(refused.text).toContain('"max_line" is not known; "maxLines" is meant, perhaps.');
  });

  it("a call with an idempotency key that is sent twice takes effect once", async () => {
    await using opened = await testWorkspace(files);
    await using client = await connect(createTools(opened.workspace));
    const call = { changes: [{ action: "create", path: "new.txt", content: "x" }], idempotencyKey: "k" };
    const first = await client.callTool("apply_changes", call);
    const second = await client.callTool("apply_changes", call);
    expect(second.structured).toEqual({ ...first.structured, idempotentReplay: true });
    expect(second.text).toContain("recorded result of an earlier call");
  });

  it("tools whose results are text alone publish no output schema and send no structure", async () => {
    await using opened = await testWorkspace(files);
    await using client = await connect(createTools(opened.workspace, { results: "text" }));
    expect((await client.listTools()).map(({ outputSchema }) => outputSchema)).toEqual([
      undefined,
      undefined,
    ]);
    const read = await client.callTool("read_file", { path: "src/app.ts" });
    expect(read.structured).toBeUndefined();
    expect(read.text).toContain("2\ttwo");
  });

  it("a client that cancels a call stops it", async () => {
    await using opened = await testWorkspace(files);
    const [read] = createTools(opened.workspace);
    const seen = new EventTarget();
    const begun = new Promise((resolve) => seen.addEventListener("begun", resolve));
    const stopped = new Promise((resolve) => seen.addEventListener("stopped", resolve));
    const slow: ToolDefinition = {
      ...(read as ToolDefinition),
      call: (_input: unknown, context: ToolCallContext = {}) =>
        new Promise<ToolResult>((_resolve, reject) => {
          context.signal?.addEventListener("abort", () => {
            seen.dispatchEvent(new Event("stopped"));
            reject(context.signal?.reason);
          });
          seen.dispatchEvent(new Event("begun"));
        }),
    };
    await using client = await connect([slow]);
    const controller = new AbortController();
    const call = client.callTool("read_file", { path: "src/app.ts" }, controller.signal);
    await begun;
    controller.abort(new Error("enough"));
    await expect(call).rejects.toThrow("enough");
    await expect(stopped).resolves.toBeInstanceOf(Event);
  });
});
