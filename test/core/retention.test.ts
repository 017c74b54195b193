import { Workspace } from "holdfast";
import { fixedClock } from "holdfast/testing";
import { describe, expect, test } from "vitest";
import { sameGround } from "../support/grounds/test-storage.ts";
import { testWorkspace } from "../support/grounds/test-workspace.ts";
import { collect, refusalOf } from "../support/refusal.ts";

async function write(workspace: Workspace, path: string, content: string): Promise<string> {
  const revision = (await workspace.stat(path)) && (await workspace.readBytes(path)).revision;
  return (await workspace.write(path, content, { revision })).workspaceRevision;
}

async function historyOf(workspace: Workspace): Promise<string[]> {
  return (await collect(workspace.history())).map(({ id }) => id).reverse();
}

describe("prune", () => {
  test("keeps the newest revisions, and the history can still be checked and gone on with", async () => {
    const { workspace, storage } = await testWorkspace();
    const ids: string[] = [];
    for (let index = 0; index < 6; index += 1) ids.push(await write(workspace, "a", `${index}\n`));
    const { revisionsRemoved, bytesFreed } = await workspace.prune({ maxRevisions: 3 });
    expect(revisionsRemoved).toBe(3);
    expect(bytesFreed).toBeGreaterThanOrEqual(0);
    expect(await historyOf(workspace)).toEqual(ids.slice(3));
    expect(await workspace.verifyHistory()).toEqual({ ok: true, problems: [] });
    await workspace.prune({ maxRevisions: 2 });
    await write(workspace, "a", "7\n");
    expect(await workspace.verifyHistory()).toEqual({ ok: true, problems: [] });
    await workspace.close();
    const again = await Workspace.open(sameGround(storage));
    expect(await again.verifyHistory()).toEqual({ ok: true, problems: [] });
    expect((await again.read("a")).text).toBe("7\n");
    await again.close();
  });

  test("leaves of what it removed nothing to go back to, and says so", async () => {
    const { workspace } = await testWorkspace({ a: "first\n" });
    const ids: string[] = [];
    for (let index = 0; index < 4; index += 1) ids.push(await write(workspace, "a", `${index}\n`));
    const [first = "", , third = "", fourth = ""] = ids;
    const early = workspace.at(first);
    await workspace.prune({ maxRevisions: 2 });
    for (const revision of [first, "r0"]) {
      expect((await refusalOf(workspace.at(revision).read("a"))).code).toBe("REVISION_NOT_FOUND");
      expect((await refusalOf(workspace.diff({ from: revision }))).code).toBe("REVISION_NOT_FOUND");
    }
    expect((await refusalOf(early.read("a"))).code).toBe("REVISION_NOT_FOUND");
    expect((await refusalOf(workspace.revert([fourth, first]))).code).toBe("REVISION_NOT_FOUND");
    expect((await workspace.at(third).read("a")).text).toBe("2\n");
    await workspace.revert([third, fourth]);
    expect((await workspace.read("a")).text).toBe("1\n");
  });

  test("goes by age, and never removes the newest revision", async () => {
    const clock = fixedClock("2024-05-02T10:00:00Z");
    const { workspace } = await testWorkspace({}, { clock, retention: false });
    const ids: string[] = [];
    for (let index = 0; index < 4; index += 1) {
      ids.push(await write(workspace, "a", `${index}\n`));
      await clock.advance(60_000);
    }
    expect(await workspace.prune()).toEqual({ revisionsRemoved: 0, bytesFreed: 0 });
    expect((await workspace.prune({ maxAgeMs: 150_000 })).revisionsRemoved).toBe(2);
    expect(await historyOf(workspace)).toEqual(ids.slice(2));
    await workspace.prune({ maxAgeMs: 1 });
    expect(await historyOf(workspace)).toEqual(ids.slice(3));
    expect((await workspace.prune({ maxRevisions: 1 })).revisionsRemoved).toBe(0);
  });

  test("goes by bytes", async () => {
    const { workspace } = await testWorkspace();
    const ids: string[] = [];
    for (let index = 0; index < 5; index += 1)
      ids.push(await write(workspace, "a", `${index}`.repeat(10_000)));
    await workspace.prune({ maxBytes: 35_000 });
    expect(await historyOf(workspace)).toEqual(ids.slice(3));
  });

  test("leaves what a kept key needs", async () => {
    const clock = fixedClock("2024-05-02T10:00:00Z");
    const { workspace } = await testWorkspace({}, { clock, idempotency: { maxAgeMs: 1000 } });
    await write(workspace, "before", "1\n");
    const first = await workspace.write("a", "1\n", { idempotencyKey: "k" });
    for (let index = 0; index < 3; index += 1) await write(workspace, "b", `${index}\n`);
    expect((await workspace.prune({ maxRevisions: 1 })).revisionsRemoved).toBe(1);
    expect(await workspace.write("a", "1\n", { idempotencyKey: "k" })).toEqual({
      ...first,
      idempotentReplay: true,
    });
    await clock.advance(1001);
    expect((await workspace.prune({ maxRevisions: 1 })).revisionsRemoved).toBe(3);
  });

  test("refuses what is no retention, and handles that may only look", async () => {
    const { workspace, storage } = await testWorkspace();
    await write(workspace, "a", "1\n");
    expect((await refusalOf(workspace.prune({ maxRevisions: 0 }))).code).toBe("INVALID_ARGUMENT");
    expect((await refusalOf(workspace.prune({ newest: 3 } as never))).code).toBe("INVALID_ARGUMENT");
    const other = await Workspace.open(sameGround(storage), { mode: "inspectionOnly" });
    expect((await refusalOf(other.prune({ maxRevisions: 1 }))).code).toBe("MUTATION_DISABLED");
    expect((await other.verifyHistory()).ok).toBe(true);
    await other.close();
  });
});

describe("retention", () => {
  test.each([
    [{ maxRevisions: 20 }, 20],
    [false, 256],
    [undefined, 256],
  ] as const)("of %j leaves %i of 256 revisions once the handle is closed", async (retention, left) => {
    const { workspace, storage } = await testWorkspace({}, { retention });
    for (let index = 0; index < 256; index += 1) await workspace.write(`f${index}`, "");
    await workspace.close();
    const again = await Workspace.open(sameGround(storage), { mode: "inspectionOnly" });
    expect(await historyOf(again)).toHaveLength(left);
    expect((await again.verifyHistory()).ok).toBe(true);
    await again.close();
  });
});
