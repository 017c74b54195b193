import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";

const root = await mkdtemp(join(tmpdir(), "mcp-stdio-server-"));
await writeFile(join(root, "list.txt"), "one\ntwo\nthree\nfour\n");

const server = fileURLToPath(new URL("./server.ts", import.meta.url));
const client = new Client({ name: "example", version: "1.0.0" });
await client.connect(
  new StdioClientTransport({ command: process.execPath, args: ["--import", "tsx", server, root] }),
);
const { tools } = await client.listTools();
assert.deepEqual(
  tools.map(({ name }) => name),
  ["read_file", "apply_changes"],
);

// Four calls at once, in the spelling that many models use.
await Promise.all(
  ["one", "two", "three", "four"].map((word) =>
    call("apply_changes", {
      changes: [
        {
          action: "edit",
          file_path: "list.txt",
          edits: [{ op: "replace_text", old_string: word, new_string: word.toUpperCase() }],
        },
      ],
    }),
  ),
);
console.log(await call("read_file", { path: "list.txt" }));
assert.equal(await readFile(join(root, "list.txt"), "utf8"), "ONE\nTWO\nTHREE\nFOUR\n");

// A refusal says what is wrong, that nothing was written, and what to do.
const refusal = await call("apply_changes", {
  changes: [{ action: "edit", path: "list.txt", edits: [{ op: "replace", startLine: 1, content: "1" }] }],
});
console.log(refusal);
assert.match(refusal, /^REVISION_REQUIRED: .*\n(.*\n)*Next: call read_file\. /);

await client.close();
await rm(root, { recursive: true });

async function call(name: string, input: Record<string, unknown>): Promise<string> {
  const { content } = await client.callTool({ name, arguments: input });
  return (content as [{ readonly text: string }])[0].text;
}
