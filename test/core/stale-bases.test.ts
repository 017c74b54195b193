import { Workspace } from "holdfast";
import { describe, expect, test } from "vitest";
import { sameGround } from "../support/grounds/test-storage.ts";
import { testWorkspace } from "../support/grounds/test-workspace.ts";
import { refusalOf } from "../support/refusal.ts";
import { lines, rebase, replace } from "../support/stale-file.ts";

describe("the bytes that a change is based on", () => {
  const edit = async (workspace: Workspace, revision: string) =>
    await workspace.edit("a", replace(8, "mine"), { revision, ...rebase });

  test("are known when another handle left them in the history", async () => {
    await using opened = await testWorkspace({ a: "first\n" });
    const { workspace, storage } = opened;
    const first = (await workspace.read("a")).revision;
    const { files } = await workspace.write("a", lines(), { revision: first });
    const written = files[0]?.revision ?? "";
    storage.writeOutside("a", lines({ 2: "theirs" }));
    await workspace.close();
    await using other = await Workspace.open(sameGround(storage));
    await edit(other, written);
    expect(storage.toJSON()["a"]).toBe(lines({ 2: "theirs", 8: "mine" }));
  });

  test("are known when a commit found them there, though no commit had left them", async () => {
    await using opened = await testWorkspace({ a: "first\n" });
    const { workspace, storage } = opened;
    await workspace.update("a", () => "second\n");
    storage.writeOutside("a", lines());
    const { revision } = await workspace.read("a");
    await workspace.update("a", () => lines({ 2: "theirs" }));
    await workspace.update("a", () => lines({ 2: "theirs", 3: "theirs" }));
    await workspace.close();
    await using other = await Workspace.open(sameGround(storage));
    await edit(other, revision);
    expect(storage.toJSON()["a"]).toBe(lines({ 2: "theirs", 3: "theirs", 8: "mine" }));
  });

  test("are not guessed: what nobody knows is refused, and the call says so", async () => {
    await using opened = await testWorkspace({ a: lines() });
    const { storage, workspace } = opened;
    const { revision } = await workspace.read("a");
    await workspace.close();
    storage.writeOutside("a", lines({ 2: "theirs" }));
    await using other = await Workspace.open(sameGround(storage));
    const error = await refusalOf(edit(other, revision));
    expect(error).toMatchObject({
      code: "REVISION_MISMATCH",
      details: { path: "a", expectedRevision: revision, rebase: "baseUnavailable" },
    });
    expect(storage.toJSON()["a"]).toBe(lines({ 2: "theirs" }));
  });

  test.each(["readLines", "readBytes", "stat"] as const)("are known after %s", async (method) => {
    await using opened = await testWorkspace({ a: lines() });
    const { workspace, storage } = opened;
    const read =
      method === "readBytes"
        ? await workspace.readBytes("a")
        : method === "stat"
          ? await workspace.stat("a", { revision: true })
          : await workspace.readLines("a", { startLine: 3, endLine: 4 });
    if (read !== undefined && "bytes" in read) read.bytes.fill(0);
    storage.writeOutside("a", lines({ 2: "theirs" }));
    await edit(workspace, read?.revision ?? "");
    expect(storage.toJSON()["a"]).toBe(lines({ 2: "theirs", 8: "mine" }));
  });

  test("of several stale edits in a row each begin from what the one before left", async () => {
    await using opened = await testWorkspace({ a: lines() });
    const { workspace, storage } = opened;
    const { revision } = await workspace.read("a");
    for (const line of [2, 4, 6, 8, 10, 12])
      await workspace.edit("a", replace(line, `mine ${line}`), { revision, ...rebase });
    const all = Object.fromEntries([2, 4, 6, 8, 10, 12].map((line) => [line, `mine ${line}`]));
    expect(storage.toJSON()["a"]).toBe(lines(all));
  });
});
