import { type ApplyOptions, type Change, type MoveChange, Workspace } from "holdfast";
import { expect, test } from "vitest";
import { testStorage } from "../support/grounds/test-storage.ts";
import { collect } from "../support/refusal.ts";

const turn: ApplyOptions = { source: "agent", sessionId: "session", exchange: 3 };
const names = Array.from({ length: 12 }, (_, index) => `file-${String(index).padStart(2, "0")}`);
const before = Object.fromEntries(
  names.map((name) => [name, Array.from({ length: 12 }, (_, line) => `${name} line ${line}\n`).join("")]),
);

/** Seven commits of one turn over twelve files: edits, some of the same lines twice, a creation, a deletion, a move and a patch. */
async function takeTurn(workspace: Workspace): Promise<readonly string[]> {
  const revision = async (path: string) => (await workspace.read(path)).revision;
  const edit = (path: string, line: number, to: string): Change => ({
    action: "edit",
    path,
    edits: [{ op: "replace_text", oldText: `${path} line ${line}\n`, newText: `${to}\n` }],
  });
  const calls: readonly (() => Promise<unknown>)[] = [
    () =>
      workspace.apply(
        names.slice(0, 5).map((name) => edit(name, 2, "first")),
        turn,
      ),
    () =>
      workspace.apply(
        [edit("file-00", 5, "second"), { action: "create", path: "made", content: "new\n" }],
        turn,
      ),
    () => workspace.edit("file-00", { op: "replace_text", oldText: "second", newText: "third" }, turn),
    async () =>
      workspace.apply({ action: "delete", path: "file-05", revision: await revision("file-05") }, turn),
    async () => {
      const move: MoveChange = {
        action: "move",
        path: "file-06",
        destination: "moved",
        revision: await revision("file-06"),
      };
      return await workspace.apply([move, edit("file-07", 1, "beside the move")], turn);
    },
    () =>
      workspace.applyPatch("--- a/file-08\n+++ b/file-08\n@@ -1 +1 @@\n-file-08 line 0\n+patched\n", turn),
    () =>
      workspace.apply(
        [...names.slice(9), "file-01"].map((name) => edit(name, 9, "last")),
        turn,
      ),
  ];
  for (const call of calls) {
    await call();
    // Others work as well, and that stays.
    await workspace.write(`other-${calls.indexOf(call)}`, "theirs\n", { source: "somebody" });
  }
  return names;
}

test("a turn of seven commits over twelve files is taken back in one commit, and that is taken back too", async () => {
  const storage = testStorage({ files: before });
  const workspace = await Workspace.open(storage);
  await takeTurn(workspace);
  const after = storage.toJSON();
  const revisions = await collect(workspace.history({ sessionId: "session", exchange: 3 }));
  expect(revisions).toHaveLength(7);

  const reverted = await workspace.revert({ sessionId: "session", exchange: 3 }, { reason: "not wanted" });
  expect(reverted).toMatchObject({ reverted: true, conflicts: [], mergedPaths: [] });
  expect(reverted.revisions).toEqual(revisions.map(({ id }) => id));
  const others = Object.fromEntries(Object.entries(after).filter(([name]) => name.startsWith("other-")));
  expect(storage.toJSON()).toEqual({ ...before, ...others });
  const [newest] = await collect(workspace.history({ limit: 1 }));
  expect(newest).toMatchObject({ id: reverted.workspaceRevision, cause: "revert", reason: "not wanted" });

  const again = await workspace.revert(reverted.workspaceRevision);
  expect(again.reverted).toBe(true);
  expect(storage.toJSON()).toEqual(after);
  await workspace.close();
});

test("where a file of the turn has moved on, the conflict comes back and nothing is written", async () => {
  const storage = testStorage({ files: before });
  const workspace = await Workspace.open(storage);
  await takeTurn(workspace);
  await workspace.edit("file-03", { op: "replace_text", oldText: "first", newText: "theirs" });
  const found = storage.toJSON();
  const { workspaceRevision } = await workspace.info();

  const result = await workspace.revert({ sessionId: "session", exchange: 3 });
  expect(result).toMatchObject({ reverted: false, files: [], workspaceRevision });
  expect(result.conflicts.map(({ path, kind }) => [path, kind])).toEqual([["file-03", "content"]]);
  expect(storage.toJSON()).toEqual(found);

  const decided = await workspace.revert(
    { sessionId: "session", exchange: 3 },
    { resolutions: { "file-03": { take: "current" } } },
  );
  expect(decided).toMatchObject({ reverted: true, conflicts: [] });
  expect((await workspace.read("file-03")).text).toContain("theirs");
  expect((await workspace.read("file-02")).text).toBe(before["file-02"]);
  await workspace.close();
});
