import assert from "node:assert/strict";
import { MemoryStorage, Workspace } from "holdfast";

const storage = new MemoryStorage({ files: { "notes.md": "# Notes\n" } });
const workspace = await Workspace.open(storage);

// Two turns of an agent, and an edit by a person in between. Each says whose it is.
const agent = (exchange: number) => ({ source: "agent", sessionId: "chat", exchange });
await workspace.apply({ action: "create", path: "todo.md", content: "- read\n" }, agent(1));
await workspace.update("notes.md", () => "# Notes\n\nMine.\n", { source: "person" });
await workspace.edit(
  "todo.md",
  { op: "replace_text", oldText: "- read\n", newText: "- read\n- write\n" },
  agent(2),
);
await workspace.apply({ action: "create", path: "junk.md", content: "junk\n" }, agent(2));
const after = storage.toJSON();

// The last turn is taken back as a whole, in one commit; the first turn and the person's edit stay.
const undone = await workspace.revert({ sessionId: "chat", exchange: 2 });
assert.equal(undone.reverted, true);
assert.equal(undone.revisions.length, 2);
assert.deepEqual(storage.toJSON(), { "notes.md": "# Notes\n\nMine.\n", "todo.md": "- read\n" });

// A revert is a commit like any other, so that it can be reverted.
const redone = await workspace.revert(undone.workspaceRevision);
assert.equal(redone.reverted, true);
assert.deepEqual(storage.toJSON(), after);

for await (const { cause, paths } of workspace.history()) console.log(cause.padEnd(8), paths.join(", "));

await workspace.close();
