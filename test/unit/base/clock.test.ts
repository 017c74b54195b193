import { afterEach, describe, expect, it, vi } from "vitest";
import { nextMacrotask, randomIds, systemClock, timeSlice } from "../../../src/base/clock.ts";

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

describe("timeSlice", () => {
  it("pauses only once the slice is used up, and begins anew after the pause", async () => {
    let now = 0;
    vi.spyOn(performance, "now").mockImplementation(() => now);
    const pause = timeSlice({ sliceMs: 8 });
    now = 7.9;
    expect(pause()).toBeUndefined();
    now = 8;
    const waiting = pause();
    expect(waiting).toBeInstanceOf(Promise);
    now = 20;
    await waiting;
    now = 27.9;
    expect(pause()).toBeUndefined();
    now = 28;
    expect(pause()).toBeInstanceOf(Promise);
  });

  it("ends the work in the pause after its signal has fired", async () => {
    const controller = new AbortController();
    const pause = timeSlice({ sliceMs: 0, signal: controller.signal });
    await expect(pause()).resolves.toBeUndefined();
    controller.abort(new Error("not needed any more"));
    await expect(pause()).rejects.toThrow("not needed any more");
  });
});

describe("nextMacrotask", () => {
  it("lets promise callbacks run first", async () => {
    const order: string[] = [];
    const waiting = nextMacrotask().then(() => order.push("macrotask"));
    void Promise.resolve()
      .then(() => undefined)
      .then(() => order.push("microtask"));
    await waiting;
    expect(order).toEqual(["microtask", "macrotask"]);
  });
});

describe("systemClock", () => {
  it("waits as long as it was told", async () => {
    vi.useFakeTimers();
    let done = false;
    const waiting = systemClock.sleep(50).then(() => {
      done = true;
    });
    await vi.advanceTimersByTimeAsync(49);
    expect(done).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    await waiting;
    expect(done).toBe(true);
  });

  it("rejects with the signal's reason, before and during the wait, and leaves no timer", async () => {
    vi.useFakeTimers();
    const reason = new Error("enough");
    await expect(systemClock.sleep(1000, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    const controller = new AbortController();
    const waiting = systemClock.sleep(1000, { signal: controller.signal });
    controller.abort(reason);
    await expect(waiting).rejects.toBe(reason);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("tells the machine's time", () => {
    vi.useFakeTimers({ now: 1234 });
    expect(systemClock.now()).toBe(1234);
  });
});

describe("randomIds", () => {
  it("gives the prefix and 96 bits that do not repeat", () => {
    const ids = Array.from({ length: 1000 }, () => randomIds("rev"));
    expect(ids.every((id) => /^rev_[0-9a-f]{24}$/.test(id))).toBe(true);
    expect(new Set(ids).size).toBe(1000);
  });
});
