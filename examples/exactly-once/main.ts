import assert from "node:assert/strict";
import { type Change, isHoldfastError, MemoryStorage, Workspace } from "holdfast";

const storage = new MemoryStorage({ files: { "changes.md": "# Changes\n" } });
const workspace = await Workspace.open(storage);
const addLine: Change = {
  action: "edit",
  path: "changes.md",
  revision: (await workspace.read("changes.md")).revision,
  edits: [{ op: "append", content: "- faster" }],
};

// The answer of the first call is lost, so the caller sends it again. The file has the line once.
const first = await workspace.apply(addLine, { idempotencyKey: "task-17" });
const second = await workspace.apply(addLine, { idempotencyKey: "task-17" });
assert.deepEqual(second, { ...first, idempotentReplay: true });
assert.equal((await workspace.read("changes.md")).text, "# Changes\n- faster\n");

// The key belongs to that call: another call may not use it.
const reused = await workspace
  .apply({ action: "create", path: "b.md", content: "" }, { idempotencyKey: "task-17" })
  .catch((error: unknown) => error);
assert.ok(isHoldfastError(reused, "IDEMPOTENCY_KEY_REUSED"));

// A program that was restarted does not know its arguments any more; it asks, or lets `once` ask.
const outcome = await workspace.outcome("task-17");
assert.ok(outcome.known);
let runs = 0;
const third = await workspace.once("task-17", async (options) => {
  runs += 1;
  return await workspace.edit("changes.md", { op: "append", content: "- faster" }, options);
});
assert.equal(runs, 0);
assert.equal(third.workspaceRevision, first.workspaceRevision);

console.log(`"task-17" took effect at ${outcome.workspaceRevision}, and once only.`);
await workspace.close();
