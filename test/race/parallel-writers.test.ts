import { isHoldfastError, MemoryStorage, Workspace } from "holdfast";
import { yieldingStorage } from "holdfast/testing";
import { describe, expect, test } from "vitest";
import { collect } from "../support/refusal.ts";

const seeds = Array.from({ length: 12 }, (_, index) => 1000 + index);

/** Opens handles on one storage, each of whose calls is cut up as the seed says. */
async function open(files: Record<string, string>, seed: number, handles = 1) {
  const storage = new MemoryStorage({ files });
  const workspaces = await Promise.all(
    Array.from({ length: handles }, (_, index) => Workspace.open(yieldingStorage(storage, seed + index))),
  );
  return { storage, workspaces, workspace: workspaces[0] as Workspace };
}

const lines = (count: number) => Array.from({ length: count }, (_, index) => `line ${index}.`);

describe.each(seeds)("with the interleaving of seed %i", (seed) => {
  test.each([1, 2, 4])(
    "four edits located by text of four lines all land, through %i handles",
    async (handles) => {
      const { storage, workspaces } = await open({ a: lines(4).join("\n") }, seed, handles);
      await Promise.all(
        lines(4).map((line, index) =>
          (workspaces[index % handles] as Workspace).edit("a", {
            op: "replace_text",
            oldText: line,
            newText: `new ${index}`,
          }),
        ),
      );
      expect(storage.toJSON()).toEqual({ a: "new 0\nnew 1\nnew 2\nnew 3" });
    },
  );

  test("of many edits by line that were made from one reading exactly one wins, and the others are told so", async () => {
    const { storage, workspaces } = await open({ a: "1\n2\n3\n" }, seed, 2);
    const { revision } = await (workspaces[0] as Workspace).read("a");
    const results = await Promise.allSettled(
      Array.from({ length: 10 }, (_, index) =>
        (workspaces[index % 2] as Workspace).edit(
          "a",
          { op: "replace", startLine: 2, content: `by ${index}` },
          { revision },
        ),
      ),
    );
    const winners = results.flatMap((result, index) => (result.status === "fulfilled" ? [index] : []));
    expect(winners).toHaveLength(1);
    expect(storage.toJSON()).toEqual({ a: `1\nby ${winners[0]}\n3\n` });
    for (const result of results)
      if (result.status === "rejected")
        expect(isHoldfastError(result.reason, "REVISION_MISMATCH")).toBe(true);
  });

  test("of many creations of one path exactly one wins", async () => {
    const { storage, workspaces } = await open({}, seed, 2);
    const results = await Promise.allSettled(
      Array.from({ length: 6 }, (_, index) =>
        (workspaces[index % 2] as Workspace).apply({ action: "create", path: "a", content: `by ${index}` }),
      ),
    );
    const winners = results.flatMap((result, index) => (result.status === "fulfilled" ? [index] : []));
    expect(winners).toHaveLength(1);
    expect(storage.toJSON()).toEqual({ a: `by ${winners[0]}` });
    for (const result of results)
      if (result.status === "rejected") expect(isHoldfastError(result.reason, "ALREADY_EXISTS")).toBe(true);
  });

  test("updates by functions lose nothing, through two handles", async () => {
    const { storage, workspaces } = await open({ n: "0" }, seed, 2);
    await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        (workspaces[index % 2] as Workspace).update("n", (current) => `${Number(current?.text) + 1}`, {
          attempts: 50,
        }),
      ),
    );
    expect(storage.toJSON()).toEqual({ n: "12" });
  });

  test("batches over the same paths in different order are each whole", async () => {
    const { storage, workspaces } = await open({ a: "0", b: "0", c: "0" }, seed, 2);
    const swap = async (workspace: Workspace, paths: readonly string[], mark: string) => {
      const revisions = await Promise.all(paths.map(async (path) => (await workspace.read(path)).revision));
      await workspace.apply(
        paths.map((path, index) => ({ action: "write", path, content: mark, revision: revisions[index] })),
      );
    };
    await Promise.allSettled([
      swap(workspaces[0] as Workspace, ["a", "b", "c"], "1"),
      swap(workspaces[1] as Workspace, ["c", "b", "a"], "2"),
      swap(workspaces[0] as Workspace, ["b", "a", "c"], "3"),
    ]);
    expect(new Set(Object.values(storage.toJSON())).size).toBe(1);
  });

  test("an outside write between reading and commit is never written over", async () => {
    const { storage, workspace } = await open({ a: "one\ntwo\n" }, seed);
    const editing = workspace.edit("a", { op: "replace_text", oldText: "one", newText: "ONE" });
    for (let turn = 0; turn < seed % 7; turn++) await new Promise<void>((resolve) => setImmediate(resolve));
    storage.writeOutside("a", "zero\none\ntwo\n");
    const edited = await editing.then(
      () => true,
      () => false,
    );
    expect(edited).toBe(true);
    expect(storage.toJSON()).toSatisfy(
      ({ a }: Record<string, string>) => a === "zero\nONE\ntwo\n" || a === "zero\none\ntwo\n",
    );
    if (storage.toJSON()["a"] === "zero\none\ntwo\n")
      // Then the edit was committed before the outside program replaced the whole file.
      expect(await collect(workspace.history())).toHaveLength(1);
  });

  test("one key in many calls at once through two handles has one effect", async () => {
    const { storage, workspaces } = await open({ n: "0" }, seed, 2);
    const results = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        (workspaces[index % 2] as Workspace).update("n", (current) => `${Number(current?.text) + 1}`, {
          idempotencyKey: "k",
          attempts: 50,
        }),
      ),
    );
    expect(storage.toJSON()).toEqual({ n: "1" });
    expect(results.filter(({ idempotentReplay }) => !idempotentReplay)).toHaveLength(1);
  });
});

test("fifty edits of one file at once all land", async () => {
  const { storage, workspace } = await open({ a: lines(50).join("\n") }, 1);
  await Promise.all(
    lines(50).map((line, index) =>
      workspace.edit("a", { op: "replace_text", oldText: line, newText: `new ${index}` }),
    ),
  );
  expect(storage.toJSON()["a"]).toBe(Array.from({ length: 50 }, (_, index) => `new ${index}`).join("\n"));
});

test("calls on disjoint paths that come together go to the storage together", async () => {
  const storage = new MemoryStorage();
  const workspace = await Workspace.open(storage);
  const commit = storage.commit.bind(storage);
  const lengths: number[] = [];
  storage.commit = (batches, options) => {
    lengths.push(batches.length);
    return commit(batches, options);
  };
  await Promise.all(Array.from({ length: 64 }, (_, index) => workspace.write(`d${index}/f`, "1")));
  expect(lengths.reduce((sum, length) => sum + length, 0)).toBe(64);
  expect(lengths.length).toBeLessThanOrEqual(8);
});

test("a change that keeps losing to others is told that the file is busy", async () => {
  const storage = new MemoryStorage({ files: { a: "x 0" } });
  const workspace = await Workspace.open(storage);
  const commit = storage.commit.bind(storage);
  let tries = 0;
  storage.commit = (batches, options) => {
    storage.writeOutside("a", `x ${++tries}`);
    return commit(batches, options);
  };
  const editing = workspace.edit("a", { op: "replace_text", oldText: "x", newText: "y" });
  await expect(editing).rejects.toMatchObject({ code: "TARGET_BUSY", retry: "same", written: "no" });
  expect([tries, storage.toJSON()]).toEqual([8, { a: "x 8" }]);
});

test("a change whose text is gone after it lost a race is refused for that", async () => {
  const storage = new MemoryStorage({ files: { a: "x" } });
  const workspace = await Workspace.open(storage);
  const commit = storage.commit.bind(storage);
  storage.commit = (batches, options) => {
    storage.writeOutside("a", "gone");
    return commit(batches, options);
  };
  const editing = workspace.edit("a", { op: "replace_text", oldText: "x", newText: "y" });
  await expect(editing).rejects.toMatchObject({ code: "TEXT_NOT_FOUND" });
});
