import { expect, test } from "vitest";
import { MemoryStorage } from "../../../src/storage/memory/memory-storage.ts";
import { faultyStorage } from "../../../src/testing/faulty-storage.ts";
import { openStorage, writeBatch } from "../../support/open-storage.ts";

const flush = { flush: true };

test("one call fails, and those after it work again", async () => {
  const storage = await openStorage(faultyStorage(new MemoryStorage(), { failAt: 2, method: "stat" }));
  await storage.stat("a", {});
  await expect(storage.stat("a", {})).rejects.toThrow("Injected fault in stat, call 2.");
  expect(await storage.stat("a", {})).toBeUndefined();
});

test("calls of other methods are not counted", async () => {
  const storage = faultyStorage(new MemoryStorage(), { method: "commit" });
  await openStorage(storage);
  await storage.stat("a", {});
  expect(storage.calls).toBe(0);
  await storage.commit([writeBatch("a", "1")], flush);
  expect(storage.calls).toBe(1);
});

test("an iteration counts as one call", async () => {
  const memory = new MemoryStorage({ files: { a: "1", b: "2", c: "3" } });
  const storage = faultyStorage(memory, {});
  await openStorage(storage);
  for await (const _file of storage.list({}));
  expect(storage.calls).toBe(2);
});

test("a commit that fails before its effect is rejected and writes nothing", async () => {
  const memory = new MemoryStorage();
  const error = new Error("mine");
  const storage = await openStorage(faultyStorage(memory, { failAt: 1, method: "commit", error }));
  await expect(storage.commit([writeBatch("a", "1")], flush)).rejects.toBe(error);
  expect(memory.toJSON()).toEqual({});
});

test("a commit that fails after its effect answers that nobody knows", async () => {
  const memory = new MemoryStorage();
  const plan = { failAt: 1, method: "commit", afterEffect: true } as const;
  const storage = await openStorage(faultyStorage(memory, plan));
  const outcomes = await storage.commit([writeBatch("a", "1"), writeBatch("b", "1")], flush);
  expect(outcomes).toMatchObject([
    { committed: false, written: "unknown" },
    { committed: false, written: "unknown" },
  ]);
  expect(memory.toJSON()).toEqual({ a: "1", b: "1" });
});

test.each([
  [false, {}],
  [true, { a: "1" }],
])("after a crash every call is rejected (after the effect: %s)", async (afterEffect, left) => {
  const memory = new MemoryStorage();
  const storage = await openStorage(faultyStorage(memory, { crashAt: 1, method: "commit", afterEffect }));
  await expect(storage.commit([writeBatch("a", "1")], flush)).rejects.toThrow("Injected fault");
  await expect(storage.stat("a", {})).rejects.toThrow("The process is gone.");
  await expect(storage.list({})[Symbol.asyncIterator]().next()).rejects.toThrow("The process is gone.");
  await expect(storage.close()).rejects.toThrow("The process is gone.");
  expect(memory.toJSON()).toEqual(left);
});
