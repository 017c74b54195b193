import { expect, test } from "vitest";
import { eachBounded } from "../../../src/core/each-bounded.ts";

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

test("does the work for every item, some at a time", async () => {
  const done: number[] = [];
  let running = 0;
  let most = 0;
  await eachBounded(
    Array.from({ length: 100 }, (_, index) => index),
    async (item) => {
      running += 1;
      most = Math.max(most, running);
      await turn();
      running -= 1;
      done.push(item);
    },
  );
  expect(done.sort((a, b) => a - b)).toEqual(Array.from({ length: 100 }, (_, index) => index));
  expect(most).toBeGreaterThan(1);
  expect(most).toBeLessThanOrEqual(32);
});

test("begins no more after a failure, and rejects with the first when all that ran has ended", async () => {
  let begun = 0;
  let running = 0;
  const work = eachBounded(
    Array.from({ length: 100 }, (_, index) => index),
    async (item) => {
      begun += 1;
      running += 1;
      await turn();
      running -= 1;
      throw new Error(`item ${item}`);
    },
  );
  await expect(work).rejects.toThrow("item 0");
  expect(running).toBe(0);
  expect(begun).toBeLessThanOrEqual(32);
});

test("of nothing does nothing", async () => {
  await expect(eachBounded([], () => Promise.reject(new Error("called")))).resolves.toBeUndefined();
});
