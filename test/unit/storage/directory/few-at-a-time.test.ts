import { expect, test } from "vitest";
import { fewAtATime } from "../../../../src/storage/directory/few-at-a-time.ts";

/** Work that runs until it is told to end. */
function controlled() {
  let end = (_error?: Error) => {};
  const done = new Promise<void>((resolve, reject) => {
    end = (error) => (error === undefined ? resolve() : reject(error));
  });
  return { done, end };
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

test("no more run at once than were allowed, and all get their turn in order", async () => {
  const gate = fewAtATime(2);
  const works = Array.from({ length: 6 }, controlled);
  const begun: number[] = [];
  const all = works.map(({ done }, index) =>
    gate(async () => {
      begun.push(index);
      await done;
      return index;
    }),
  );
  for (let ended = 0; ended < works.length; ended++) {
    await turn();
    expect(begun).toEqual([0, 1, 2, 3, 4, 5].slice(0, ended + 2));
    works[ended]?.end();
  }
  expect(await Promise.all(all)).toEqual([0, 1, 2, 3, 4, 5]);
});

test("work that fails gives its place on", async () => {
  const gate = fewAtATime(1);
  const failing = gate(() => Promise.reject(new Error("failed")));
  const next = gate(async () => "next");
  await expect(failing).rejects.toThrow("failed");
  expect(await next).toBe("next");
  expect(await gate(async () => "later")).toBe("later");
});
