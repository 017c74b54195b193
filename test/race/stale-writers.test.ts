import { type HoldfastError, isHoldfastError, MemoryStorage, Workspace } from "holdfast";
import { yieldingStorage } from "holdfast/testing";
import { describe, expect, test } from "vitest";
import { lines, rebase, replace } from "../support/stale-file.ts";

const seeds = Array.from({ length: 12 }, (_, index) => 2000 + index);

/** Opens handles on one storage, each of whose calls is cut up as the seed says. */
async function open(files: Record<string, string>, seed: number, handles: number) {
  const storage = new MemoryStorage({ files });
  const opened = Array.from({ length: handles }, (_, index) =>
    Workspace.open(yieldingStorage(storage, seed + index)),
  );
  return { storage, workspaces: await Promise.all(opened) };
}

/** Waits for calls; gives what was refused, by index. */
async function refusals(calls: readonly Promise<unknown>[]): Promise<ReadonlyMap<number, HoldfastError>> {
  const refused = new Map<number, HoldfastError>();
  for (const [index, result] of (await Promise.allSettled(calls)).entries()) {
    if (result.status === "fulfilled") continue;
    if (!isHoldfastError(result.reason)) throw result.reason;
    refused.set(index, result.reason);
  }
  return refused;
}

describe.each(seeds)("with the interleaving of seed %i", (seed) => {
  test.each([1, 2, 3])("stale edits of lines apart all land, through %i handles", async (handles) => {
    const { storage, workspaces } = await open({ a: lines() }, seed, handles);
    const revisions = await Promise.all(workspaces.map(async (one) => (await one.read("a")).revision));
    const apart = [2, 4, 6, 8, 10, 12];
    const calls = apart.map((line, index) => {
      const at = index % handles;
      const options = { revision: revisions[at], ...rebase };
      return (workspaces[at] as Workspace).edit("a", replace(line, `by ${line}`), options);
    });
    expect([...(await refusals(calls)).keys()]).toEqual([]);
    expect(storage.toJSON()["a"]).toBe(lines(Object.fromEntries(apart.map((line) => [line, `by ${line}`]))));
  });

  test("of stale edits of one line exactly one wins, and the others are conflicts that hold both sides", async () => {
    const { storage, workspaces } = await open({ a: lines() }, seed, 2);
    const { revision } = await (workspaces[0] as Workspace).read("a");
    await (workspaces[1] as Workspace).read("a");
    const calls = Array.from({ length: 6 }, (_, index) =>
      (workspaces[index % 2] as Workspace).edit("a", replace(2, `by ${index}`), { revision, ...rebase }),
    );
    const refused = await refusals(calls);
    expect(refused.size).toBe(5);
    const winner = calls.findIndex((_call, index) => !refused.has(index));
    expect(storage.toJSON()["a"]).toBe(lines({ 2: `by ${winner}` }));
    for (const [index, error] of refused)
      expect(error).toMatchObject({
        code: "MERGE_CONFLICT",
        details: {
          conflicts: [
            {
              current: { text: lines({ 2: `by ${winner}` }) },
              incoming: { text: lines({ 2: `by ${index}` }) },
            },
          ],
        },
      });
  });

  test("a stale batch and a stale deletion of one of its files never come half", async () => {
    const { storage, workspaces } = await open({ a: lines(), b: lines() }, seed, 2);
    const [one, two] = workspaces as [Workspace, Workspace];
    const { revision } = await one.read("a");
    await Promise.all([one.read("b"), two.read("a"), two.read("b")]);
    const edits = (["a", "b"] as const).map(
      (path) => ({ action: "edit", path, revision, edits: [replace(2, "mine")] }) as const,
    );
    const refused = await refusals([
      one.apply(edits, rebase),
      two.apply({ action: "delete", path: "b", revision }, rebase),
    ]);
    const both = { a: lines({ 2: "mine" }), b: lines({ 2: "mine" }) };
    expect(refused.size).toBe(1);
    expect([...refused.values()][0]?.code).toBe("MERGE_CONFLICT");
    expect(storage.toJSON()).toEqual(refused.has(0) ? { a: lines() } : both);
  });
});
