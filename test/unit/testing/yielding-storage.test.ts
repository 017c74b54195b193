import { expect, test } from "vitest";
import { MemoryStorage } from "../../../src/storage/memory/memory-storage.ts";
import { yieldingStorage } from "../../../src/testing/yielding-storage.ts";
import { openStorage } from "../../support/open-storage.ts";

/** The order in which ten calls at the same time are answered. */
async function orderOf(seed: number): Promise<string> {
  const storage = await openStorage(yieldingStorage(new MemoryStorage(), seed));
  const order: number[] = [];
  const calls = Array.from({ length: 10 }, (_, index) => storage.stat("a", {}).then(() => order.push(index)));
  await Promise.all(calls);
  return order.join(" ");
}

test("calls at the same time are answered in the same order for the same seed", async () => {
  for (const seed of [1, 2, 3]) expect(await orderOf(seed)).toBe(await orderOf(seed));
});

test("different seeds give different orders", async () => {
  const orders = await Promise.all(Array.from({ length: 20 }, (_, seed) => orderOf(seed)));
  expect(new Set(orders).size).toBeGreaterThan(5);
});
