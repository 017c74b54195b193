import { afterEach, describe, expect, it, vi } from "vitest";
import { afterOthers, nextMacrotask, randomIds, systemClock, timeSlice } from "../../../src/base/clock.ts";

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

describe("timeSlice", () => {
  /** Begins a turn of the loop in which no work was done yet, at a time that the test sets. */
  async function freshTurn(): Promise<{ now: number }> {
    await nextMacrotask();
    await nextMacrotask();
    const time = { now: 0 };
    vi.spyOn(performance, "now").mockImplementation(() => time.now);
    return time;
  }

  it("pauses only once the work of a turn has lasted a slice, and begins anew after the pause", async () => {
    const time = await freshTurn();
    const pause = timeSlice({ sliceMs: 8 });
    expect(pause()).toBeUndefined();
    time.now = 7.9;
    expect(pause()).toBeUndefined();
    time.now = 8;
    const waiting = pause();
    expect(waiting).toBeInstanceOf(Promise);
    time.now = 20;
    await waiting;
    time.now = 27.9;
    expect(pause()).toBeUndefined();
    time.now = 28;
    expect(pause()).toBeInstanceOf(Promise);
  });

  it("counts the work of all calls of a turn together", async () => {
    const time = await freshTurn();
    expect(timeSlice()()).toBeUndefined();
    time.now = 8;
    expect(timeSlice()()).toBeInstanceOf(Promise);
  });

  it("begins anew when the loop has turned by itself", async () => {
    const time = await freshTurn();
    const pause = timeSlice();
    expect(pause()).toBeUndefined();
    await nextMacrotask();
    time.now = 100;
    expect(pause()).toBeUndefined();
  });

  it("lets those that wait go on in the order of their coming, in each turn as many as it has time for", async () => {
    const time = await freshTurn();
    let turn = 0;
    const seen: (readonly [number, number])[] = [];
    const work = async (name: number) => {
      await timeSlice()();
      seen.push([turn, name]);
      time.now += 4;
    };
    void timeSlice()();
    time.now = 8;
    const works = [0, 1, 2, 3, 4].map(work);
    const count = () => {
      turn += 1;
      if (seen.length < works.length) setImmediate(count);
    };
    setImmediate(count);
    await Promise.all(works);
    expect(seen.map(([, name]) => name)).toEqual([0, 1, 2, 3, 4]);
    const [first = 0] = seen[0] ?? [];
    expect(seen.map(([at]) => at - first)).toEqual([0, 0, 1, 1, 2]);
  });

  it("tells who comes last when all others have gone on", async () => {
    const time = await freshTurn();
    expect(afterOthers()).toBeUndefined();
    void timeSlice()();
    time.now = 8;
    const order: string[] = [];
    const waiting = ["a", "b", "c"].map((name) => timeSlice()()?.then(() => order.push(name)));
    await afterOthers();
    expect(order).toEqual(["a", "b", "c"]);
    await Promise.all(waiting);
  });

  it("goes on where timers are held still", async () => {
    await freshTurn();
    vi.useFakeTimers();
    const pause = timeSlice({ sliceMs: 0 });
    void pause();
    await expect(pause()).resolves.toBeUndefined();
  });

  it("ends the work in the pause after its signal has fired", async () => {
    const controller = new AbortController();
    const pause = timeSlice({ sliceMs: 0, signal: controller.signal });
    void pause();
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
