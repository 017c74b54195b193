import { beforeEach, describe, expect, test } from "vitest";
import { HoldfastError } from "../../../src/base/holdfast-error.ts";
import { CommitQueue } from "../../../src/core/commit-queue.ts";
import type { CommitOutcome, StorageAdapter, StorageBatch } from "../../../src/storage/storage-adapter.ts";
import { batchOf } from "../../support/open-storage.ts";

interface Given {
  readonly ids: readonly string[];
  readonly flush: boolean;
  answer(outcomes?: readonly CommitOutcome[]): void;
  fail(error: unknown): void;
}

let given: Given[];
let queue: CommitQueue;

const done: CommitOutcome = {
  committed: true,
  sequence: 1,
  hash: "0".repeat(64),
  fileVersions: new Map(),
  recordVersions: new Map(),
};
const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

beforeEach(() => {
  given = [];
  const commit: StorageAdapter["commit"] = (batches, { flush }) =>
    new Promise((resolve, reject) => {
      const answer = (outcomes: readonly CommitOutcome[] = batches.map(() => done)) => resolve(outcomes);
      given.push({ ids: batches.map(({ id }) => id), flush, answer, fail: reject });
    });
  queue = new CommitQueue({ commit } as StorageAdapter);
});

const entry = () => new Uint8Array([1]);
const batch = (id: string, parts: Partial<StorageBatch> = { entry }) => batchOf({ id, ...parts });
const commit = (id: string, parts?: Partial<StorageBatch>) => queue.announce().commit(batch(id, parts), {});
const listsGiven = () => given.map(({ ids }) => ids);

test("batches that come together go together", async () => {
  const all = ["a", "b", "c"].map((id) => commit(id));
  await settle();
  expect(listsGiven()).toEqual([["a", "b", "c"]]);
  given[0]?.answer();
  expect(await Promise.all(all)).toEqual([done, done, done]);
});

test("one commit runs at a time, and those that come meanwhile go together in the next", async () => {
  void commit("a");
  await settle();
  void commit("b");
  void commit("c");
  await settle();
  expect(listsGiven()).toEqual([["a"]]);
  given[0]?.answer();
  await settle();
  expect(listsGiven()).toEqual([["a"], ["b", "c"]]);
});

describe("batches that are still being planned", () => {
  /** Plans for so many turns of the event loop, then commits. */
  const planned = async (id: string, turns: number) => {
    const place = queue.announce();
    for (let turn = 0; turn < turns; turn++) await settle();
    return await place.commit(batch(id), {});
  };
  const turnsPass = async (turns: number) => {
    for (let turn = 0; turn < turns; turn++) await settle();
  };

  test("are waited for while each turn brings one", async () => {
    void planned("a", 1);
    void planned("b", 2);
    void planned("c", 3);
    await turnsPass(8);
    expect(listsGiven()).toEqual([["a", "b", "c"]]);
  });

  test("are not waited for when a turn brings none", async () => {
    void planned("a", 1);
    void planned("slow", 6);
    await turnsPass(4);
    expect(listsGiven()).toEqual([["a"]]);
  });

  test("hold nobody up for ever, however many come", async () => {
    for (let turns = 1; turns < 40; turns++) void planned(String(turns), turns);
    await turnsPass(20);
    expect(listsGiven()[0]?.length).toBeLessThan(20);
  });

  test("are not waited for once they have left", async () => {
    const place = queue.announce();
    place.leave();
    place.leave();
    void commit("a");
    await Promise.resolve();
    await Promise.resolve();
    expect(listsGiven()).toEqual([["a"]]);
  });
});

test("each member gets its own outcome", async () => {
  const failed: CommitOutcome = { committed: false, failed: [{ space: "files", key: "b", version: null }] };
  const [a, b] = [commit("a"), commit("b")];
  await settle();
  given[0]?.answer([done, failed]);
  expect(await a).toBe(done);
  expect(await b).toBe(failed);
});

test("many batches are given in lists of bounded length, in their order", async () => {
  for (let index = 0; index < 2500; index++) void commit(String(index));
  for (let list = 0; list < 3; list++) {
    await settle();
    given[list]?.answer();
  }
  const lists = listsGiven();
  expect(lists.map(({ length }) => length)).toEqual([1024, 1024, 452]);
  expect(lists.flat()).toEqual(Array.from({ length: 2500 }, (_, index) => String(index)));
});

describe("when the storage refuses a whole list", () => {
  test("a refusal of the storage as such is that of every member", async () => {
    const all = [commit("a"), commit("b")];
    await settle();
    given[0]?.fail(new HoldfastError("LOCKED"));
    for (const one of all) await expect(one).rejects.toMatchObject({ code: "LOCKED" });
    expect(listsGiven()).toEqual([["a", "b"]]);
  });

  test("a refusal that concerns one member does not fail the others", async () => {
    const [a, b] = [commit("a"), commit("b")];
    await settle();
    given[0]?.fail(new HoldfastError("SYMLINK_ESCAPE"));
    await settle();
    given[1]?.fail(new HoldfastError("SYMLINK_ESCAPE"));
    await expect(a).rejects.toMatchObject({ code: "SYMLINK_ESCAPE" });
    await settle();
    given[2]?.answer();
    expect(await b).toBe(done);
    expect(listsGiven()).toEqual([["a", "b"], ["a"], ["b"]]);
  });

  test("nothing is tried again when it may have been written", async () => {
    const all = [commit("a"), commit("b")];
    await settle();
    given[0]?.fail(new HoldfastError("INVALID_PATH", { written: "unknown" }));
    for (const one of all) await expect(one).rejects.toMatchObject({ written: "unknown" });
    expect(given).toHaveLength(1);
  });

  test("the queue goes on", async () => {
    const a = commit("a");
    await settle();
    given[0]?.fail(new Error("disk"));
    await expect(a).rejects.toThrow("disk");
    const b = commit("b");
    await settle();
    given[1]?.answer();
    expect(await b).toBe(done);
  });
});

test("a batch whose signal fires while it waits is not given to the storage", async () => {
  const controller = new AbortController();
  void commit("a");
  await settle();
  const b = queue.announce().commit(batch("b"), { signal: controller.signal });
  const c = commit("c");
  controller.abort(new Error("stop"));
  given[0]?.answer();
  await expect(b).rejects.toThrow("stop");
  await settle();
  expect(listsGiven()).toEqual([["a"], ["c"]]);
  given[1]?.answer();
  expect(await c).toBe(done);
});

test("once the storage has a batch, its signal is not looked at", async () => {
  const controller = new AbortController();
  const a = queue.announce().commit(batch("a"), { signal: controller.signal });
  await settle();
  controller.abort(new Error("stop"));
  given[0]?.answer();
  expect(await a).toBe(done);
});

test("expectations alone need no flush, entries and records do", async () => {
  for (const parts of [{}, { entry }, { putRecords: [{ key: "k", bytes: new Uint8Array(0) }] }]) {
    void commit("a", parts);
    await settle();
    given.at(-1)?.answer();
    await settle();
  }
  expect(given.map(({ flush }) => flush)).toEqual([false, true, true]);
});

test("a storage that gives too few outcomes is told as a failure whose effect is not known", async () => {
  const a = commit("a");
  await settle();
  given[0]?.answer([]);
  await expect(a).rejects.toMatchObject({ code: "STORAGE_FAILED", written: "unknown" });
});
