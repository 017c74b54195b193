import { Workspace, type WorkspaceEvent } from "holdfast";
import { describe, expect, test } from "vitest";
import { sameGround } from "../support/grounds/test-storage.ts";
import { testWorkspace } from "../support/grounds/test-workspace.ts";
import { collect, refusalOf } from "../support/refusal.ts";

async function write(workspace: Workspace, path: string, content: string, source?: string): Promise<string> {
  const revision = (await workspace.stat(path)) && (await workspace.readBytes(path)).revision;
  return (await workspace.write(path, content, { revision, source })).workspaceRevision;
}

async function causesOf(workspace: Workspace): Promise<string[]> {
  const all = await collect(workspace.history());
  return all.map(({ cause, paths, bytes }) => [cause, ...paths, bytes ?? ""].join(" ").trim()).reverse();
}

describe("a commit over what another program changed", () => {
  test("is preceded by a revision that records that change", async () => {
    const { workspace, storage } = await testWorkspace({ a: "0\n", b: "0\n" });
    await write(workspace, "a", "1\n");
    storage.writeOutside("a", "theirs\n");
    storage.writeOutside("b", "theirs\n");
    const last = await write(workspace, "a", "2\n");
    expect(await causesOf(workspace)).toEqual(["apply a", "external a", "apply a"]);
    const [newest, external] = await collect(workspace.history());
    expect([newest?.id, newest?.parent]).toEqual([last, external?.id]);
    expect((await workspace.at(external?.id ?? "").read("a")).text).toBe("theirs\n");
    expect((await workspace.at(external?.parent ?? "").read("a")).text).toBe("1\n");
    const diff = await workspace.at(external?.id ?? "").diff({ from: external?.parent });
    expect(diff.files[0]?.hunks[0]?.lines).toEqual(["-1", "+theirs"]);
    expect(await workspace.verifyHistory()).toEqual({ ok: true, problems: [] });
  });

  test("records what was deleted, made and replaced outside, and can be taken back", async () => {
    const { workspace, storage } = await testWorkspace();
    await workspace.apply(["a", "b", "c"].map((path) => ({ action: "create", path, content: "ours\n" })));
    await workspace.apply({ action: "delete", path: "c", revision: (await workspace.read("c")).revision });
    storage.writeOutside("a", null);
    storage.writeOutside("b", "theirs\n");
    storage.writeOutside("c", "theirs\n");
    const id = await workspace.apply([
      { action: "create", path: "a", content: "new\n" },
      { action: "write", path: "b", content: "new\n", revision: (await workspace.read("b")).revision },
      { action: "write", path: "c", content: "new\n", revision: (await workspace.read("c")).revision },
    ]);
    const [, external] = await collect(workspace.history());
    expect(external).toMatchObject({ cause: "external", paths: ["a", "b", "c"] });
    await workspace.revert(id.workspaceRevision);
    expect(storage.toJSON()).toEqual({ b: "theirs\n", c: "theirs\n" });
    await workspace.revert({ cause: "external" });
    expect(storage.toJSON()).toEqual({ a: "ours\n", b: "ours\n" });
  });

  test("is told as an event of its own, and as who changed a file", async () => {
    const { workspace, storage } = await testWorkspace();
    const events = workspace.events()[Symbol.asyncIterator]();
    await write(workspace, "a", "1\n", "agent");
    storage.writeOutside("a", "theirs\n");
    const { revision } = await workspace.read("a");
    await workspace.reload();
    const told: WorkspaceEvent[] = [];
    for (let count = 0; count < 2; count += 1) told.push((await events.next()).value as WorkspaceEvent);
    expect(told.map(({ type }) => type)).toEqual(["committed", "external"]);
    const stale = workspace.write("a", "2\n", {
      revision: revision.replace(/./, (digit) => (digit === "0" ? "1" : "0")),
      source: "agent",
    });
    expect((await refusalOf(stale)).details).toMatchObject({ changedBy: "outside" });
  });

  test("takes nothing for a change from outside that another handle committed", async () => {
    const { workspace, storage } = await testWorkspace({ a: "0\n" });
    const other = await Workspace.open(sameGround(storage));
    for (const [index, handle] of [workspace, other, other, workspace, other].entries())
      await write(handle, "a", `${index}\n`);
    await other.close();
    expect(new Set(await causesOf(workspace))).toEqual(new Set(["apply a"]));
  });

  test("knows what earlier handles recorded", async () => {
    const { workspace, storage } = await testWorkspace({ a: "0\n" });
    await write(workspace, "a", "1\n");
    await write(workspace, "b", "1\n");
    await workspace.close();
    storage.writeOutside("a", "theirs\n");
    const later = await Workspace.open(sameGround(storage));
    await write(later, "a", "2\n");
    expect(await causesOf(later)).toEqual(["apply a", "apply b", "external a", "apply a"]);
    await later.close();
  });

  test("records no change of a call that is refused or dry", async () => {
    const { workspace, storage } = await testWorkspace();
    const id = await write(workspace, "a", "1\n");
    storage.writeOutside("a", "theirs\n");
    const { revision } = await workspace.read("a");
    await workspace.write("a", "2\n", { revision, dryRun: true });
    await refusalOf(workspace.write("a", "2\n"));
    expect((await workspace.info()).workspaceRevision).toBe(id);
  });
});

describe("reload", () => {
  test("records all that others changed at paths of the history in one revision, and nothing twice", async () => {
    const { workspace, storage } = await testWorkspace({ never: "0\n" });
    for (const path of ["a", "b", "c", "d"]) await write(workspace, path, "1\n");
    const { workspaceRevision: before } = await workspace.info();
    storage.writeOutside("a", "theirs\n");
    storage.writeOutside("b", null);
    storage.writeOutside("never", "theirs\n");
    const info = await workspace.reload();
    expect(info).toEqual(await workspace.info());
    expect((await causesOf(workspace)).slice(4)).toEqual(["external a b"]);
    expect((await workspace.reload()).workspaceRevision).toBe(info.workspaceRevision);
    expect((await workspace.at(before).read("b")).text).toBe("1\n");
    await workspace.revert(info.workspaceRevision);
    expect(storage.toJSON()).toMatchObject({ a: "1\n", b: "1\n", never: "theirs\n" });
  });

  test("lists bytes that nobody kept as unknown, and finds their change in conflict when it is taken back", async () => {
    const { workspace, storage } = await testWorkspace();
    await write(workspace, "a", "1\n");
    storage.writeOutside("a", "lost\n");
    const { workspaceRevision } = await workspace.reload();
    expect((await causesOf(workspace)).at(-1)).toBe("external a");
    storage.writeOutside("a", "later\n");
    expect((await causesOf(workspace)).at(-1)).toBe("external a unknown");
    await workspace.reload();
    expect((await refusalOf(workspace.at(workspaceRevision).read("a"))).code).toBe("REVISION_NOT_FOUND");
    const { conflicts, reverted } = await workspace.revert(workspaceRevision);
    expect(reverted).toBe(false);
    expect(conflicts).toMatchObject([{ path: "a", unmerged: "bytesUnknown" }]);
    expect(await workspace.verifyHistory()).toEqual({ ok: true, problems: [] });
  });

  test("only looks where it may not write", async () => {
    const { workspace, storage } = await testWorkspace();
    const id = await write(workspace, "a", "1\n");
    storage.writeOutside("a", "theirs\n");
    const other = await Workspace.open(sameGround(storage), { mode: "inspectionOnly" });
    expect((await other.reload()).workspaceRevision).toBe(id);
    await other.close();
  });
});
