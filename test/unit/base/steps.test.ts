import { describe, expect, it } from "vitest";
import { driveSteps, runSteps, type Steps } from "../../../src/base/steps.ts";

function* countTo(end: number, seen: number[]): Steps<string> {
  for (let step = 1; step <= end; step++) {
    seen.push(step);
    yield;
  }
  return "done";
}

describe("runSteps", () => {
  it("runs to the end and gives the result", () => {
    const seen: number[] = [];
    expect(runSteps(countTo(3, seen))).toBe("done");
    expect(seen).toEqual([1, 2, 3]);
  });
});

describe("driveSteps", () => {
  it("waits for each pause that is a promise before the next piece", async () => {
    const seen: number[] = [];
    const pauses: (() => void)[] = [];
    const pause = () =>
      seen.length === 2 ? new Promise<void>((resolve) => pauses.push(resolve)) : undefined;
    const result = driveSteps(countTo(3, seen), pause);
    expect(seen).toEqual([1, 2]);
    pauses[0]?.();
    expect(await result).toBe("done");
    expect(seen).toEqual([1, 2, 3]);
  });

  it("stops where a pause rejects", async () => {
    const seen: number[] = [];
    const stopped = driveSteps(countTo(3, seen), () =>
      seen.length === 1 ? Promise.reject(new Error("cancelled")) : undefined,
    );
    await expect(stopped).rejects.toThrow("cancelled");
    expect(seen).toEqual([1]);
  });

  it("pauses before the first piece too, so that many short computations let others run", async () => {
    const seen: number[] = [];
    let go = () => {};
    const result = driveSteps(countTo(0, seen), () => new Promise<void>((resolve) => (go = resolve)));
    let ended = false;
    void result.then(() => {
      ended = true;
    });
    await Promise.resolve();
    expect(ended).toBe(false);
    go();
    expect(await result).toBe("done");
  });
});
