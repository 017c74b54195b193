import assert from "node:assert/strict";
import { MemoryStorage, Workspace } from "holdfast";

const storage = new MemoryStorage({ files: { "app.ts": "const host = 'a';\n\n\n\n\nconst port = 80;\n" } });
const workspace = await Workspace.open(storage);

// Three steps are staged; nobody else sees them.
const tx = await workspace.beginTransaction({ label: "listen elsewhere" });
await tx.edit("app.ts", { op: "replace_text", oldText: "port = 80", newText: "port = 8080" });
await tx.savepoint("port");
await tx.apply({ action: "create", path: "draft.ts", content: "// an idea\n" });
await tx.edit("draft.ts", { op: "replace_text", oldText: "an idea", newText: "a bad idea" });
assert.equal((await tx.info()).revision, 3);
assert.equal(await workspace.stat("draft.ts"), undefined);

// Undo and redo go through the steps, and undoTo goes to the savepoint.
await tx.undo();
assert.equal((await tx.read("draft.ts")).text, "// an idea\n");
await tx.redo();
assert.deepEqual((await tx.undoTo("port")).changedPaths, ["app.ts"]);

// Another program changes the same file. Now the transaction is in conflict: it can be rebased or rolled back, and nothing else.
storage.writeOutside("app.ts", "const host = 'b';\n\n\n\n\nconst port = 80;\n");
const { state, conflictPaths } = await tx.info();
assert.deepEqual([state, conflictPaths], ["conflicted", ["app.ts"]]);

// Both changed other lines, so a rebase brings them together: one step, on what is there now.
const rebased = await tx.rebase();
assert.deepEqual([rebased.state, rebased.revision], ["active", 1]);
const { committed, mergedPaths } = await tx.commit({ reason: "listen elsewhere" });
assert.deepEqual([committed, mergedPaths], [true, ["app.ts"]]);
const { text } = await workspace.read("app.ts");
assert.equal(text, "const host = 'b';\n\n\n\n\nconst port = 8080;\n");
console.log(text);

await workspace.close();
