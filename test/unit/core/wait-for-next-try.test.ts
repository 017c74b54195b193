import { describe, expect, test } from "vitest";
import { systemClock } from "../../../src/base/clock.ts";
import { waitForNextTry } from "../../../src/core/wait-for-next-try.ts";

async function waitsOf(lost: number, times: number): Promise<readonly number[]> {
  const waits: number[] = [];
  const clock = { now: () => 0, sleep: async (ms: number) => void waits.push(ms) };
  for (let time = 0; time < times; time++) await waitForNextTry(lost, clock, {});
  return waits;
}

describe("after a lost race", () => {
  test("the first new try is made at once", async () => {
    expect(await waitsOf(0, 3)).toEqual([]);
  });

  test.each([
    [1, 16],
    [2, 32],
    [6, 512],
    [7, 512],
    [5000, 512],
  ])("after %d more the wait is up to %d ms, and at least half of that", async (lost, longest) => {
    const waits = await waitsOf(lost, 20);
    for (const wait of waits) {
      expect(wait).toBeGreaterThanOrEqual(longest / 2);
      expect(wait).toBeLessThan(longest);
    }
    expect(new Set(waits).size).toBeGreaterThan(1);
  });

  test("the wait ends when the signal fires", async () => {
    const controller = new AbortController();
    const waiting = waitForNextTry(9, systemClock, { signal: controller.signal });
    controller.abort(new Error("enough"));
    await expect(waiting).rejects.toThrow("enough");
  });
});
