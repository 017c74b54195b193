import assert from "node:assert/strict";
import { isHoldfastError, MemoryStorage, numberLines, Workspace } from "holdfast";

const storage = new MemoryStorage({
  files: { "src/server.ts": "const host = 'localhost';\nconst port = 80;\nlisten(host, port);\n" },
});
const workspace = await Workspace.open(storage);

// Reading gives numbered lines for a model, and a revision that names the bytes.
const page = await workspace.readLines("src/server.ts", { startLine: 1, maxLines: 2 });
console.log(numberLines(page));
assert.equal(page.nextStartLine, 3);

// Located by its text, so no revision is needed.
const edited = await workspace.edit("src/server.ts", {
  op: "replace_text",
  oldText: "port = 80",
  newText: "port = 8080",
});
assert.deepEqual(edited.files[0]?.changedRanges, [{ startLine: 2, endLine: 2, added: 1, removed: 1 }]);

// Located by a line number, so the revision of the read is needed. It is an old one by now, and the edit is refused.
const stale = await workspace
  .edit(
    "src/server.ts",
    { op: "replace", startLine: 1, content: "const host = '0.0.0.0';" },
    { revision: page.revision },
  )
  .catch((error: unknown) => error);
assert.ok(isHoldfastError(stale, "REVISION_MISMATCH"));
assert.equal(stale.written, "no");
assert.equal(stale.continuation?.kind, "callTool");

// Read again, as the refusal says, and the edit is taken.
const { revision } = await workspace.read("src/server.ts");
await workspace.edit(
  "src/server.ts",
  { op: "replace", startLine: 1, content: "const host = '0.0.0.0';" },
  { revision },
);
const { text } = await workspace.read("src/server.ts");
assert.equal(text, "const host = '0.0.0.0';\nconst port = 8080;\nlisten(host, port);\n");
console.log(text);

await workspace.close();
