import { expect, test } from "vitest";
import { fixedClock } from "../../../src/testing/fixed-clock.ts";
import { sequentialIds } from "../../../src/testing/sequential-ids.ts";

test("the time stands still until it is moved", async () => {
  const clock = fixedClock("2024-05-01T12:00:00Z");
  expect(new Date(clock.now()).toISOString()).toBe("2024-05-01T12:00:00.000Z");
  await clock.advance(1_500);
  expect(new Date(clock.now()).toISOString()).toBe("2024-05-01T12:00:01.500Z");
  clock.set(5);
  expect(clock.now()).toBe(5);
  expect(() => clock.set("yesterday")).toThrow(RangeError);
});

test("sleepers wake in the order of their times, also those who lie down on the way", async () => {
  const clock = fixedClock(0);
  const woken: string[] = [];
  const sleep = async (name: string, ms: number, again?: number): Promise<void> => {
    await clock.sleep(ms);
    woken.push(`${name} ${clock.now()}`);
    if (again !== undefined) await sleep(`${name}'`, again);
  };
  const sleeping = [sleep("late", 30), sleep("early", 10, 15), sleep("never", 1_000)];
  await clock.advance(40);
  expect(woken).toEqual(["early 10", "early' 25", "late 30"]);
  expect(clock.now()).toBe(40);
  await clock.advance(1_000);
  await Promise.all(sleeping);
});

test("a signal ends a sleep with its reason", async () => {
  const clock = fixedClock();
  const controller = new AbortController();
  const sleeping = clock.sleep(10, { signal: controller.signal });
  controller.abort(new Error("enough"));
  await expect(sleeping).rejects.toThrow("enough");
  await expect(clock.sleep(10, { signal: controller.signal })).rejects.toThrow("enough");
});

test("ids count from 1 for each prefix and source", () => {
  const ids = sequentialIds();
  expect([ids("tx"), ids("tx"), ids("rev"), ids("tx"), sequentialIds()("tx")]).toEqual([
    "tx_1",
    "tx_2",
    "rev_1",
    "tx_3",
    "tx_1",
  ]);
});
