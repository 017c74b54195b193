import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { expect, test } from "vitest";
import { seen } from "../support/mcp-hosts.ts";
import { testTarget } from "../support/test-target.ts";

test("a server in another process edits real files, and writes nothing but the protocol to its output", async () => {
  const root = await mkdtemp(join(tmpdir(), "holdfast-stdio-"));
  await writeFile(join(root, "a.txt"), "one\r\ntwo\r\n");
  const child = fileURLToPath(new URL(`../../temp/children/${testTarget}/stdio-server.mjs`, import.meta.url));
  const transport = new StdioClientTransport({ command: process.execPath, args: [child, root] });
  const client = new Client({ name: "test", version: "1.0.0" });
  const strays: unknown[] = [];
  client.onerror = (error) => strays.push(error);
  try {
    await client.connect(transport);
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(["read_file", "apply_changes"]);
    const edits = ["one", "two"].map((oldText) => ({
      op: "replace_text",
      old_string: oldText,
      new_string: `${oldText}!`,
    }));
    const results = await Promise.all(
      edits.map(async (edit) =>
        seen(
          await client.callTool({
            name: "apply_changes",
            arguments: { changes: [{ action: "edit", file_path: "a.txt", edits: [edit] }] },
          }),
        ),
      ),
    );
    expect(results.map(({ isError }) => isError)).toEqual([false, false]);
    expect(await readFile(join(root, "a.txt"), "latin1")).toBe("one!\r\ntwo!\r\n");
    expect(strays).toEqual([]);
  } finally {
    await client.close();
    await rm(root, { recursive: true, force: true });
  }
});
