import { expect, test } from "vitest";
import { nextMacrotask } from "../../../../src/base/clock.ts";
import { ReadBurst } from "../../../../src/storage/directory/read-burst.ts";
import type { RootFolder } from "../../../../src/storage/directory/root-folder.ts";

/** Counts the roots that are open. */
function countedRoots() {
  const counts = { open: 0, most: 0, opened: 0 };
  const openRoot = () => {
    counts.opened += 1;
    counts.open += 1;
    counts.most = Math.max(counts.most, counts.open);
    const close = () => {
      counts.open -= 1;
    };
    return { close } as RootFolder;
  };
  return { counts, openRoot };
}

test("readers that begin in one turn of the event loop share their folders", async () => {
  const { counts, openRoot } = countedRoots();
  const burst = new ReadBurst(openRoot);
  await Promise.all(Array.from({ length: 10 }, () => burst.run(async () => undefined)));
  await nextMacrotask();
  expect(counts).toEqual({ open: 0, most: 1, opened: 1 });
});

test("readers that are slow hold no more than two sets of folders open between them", async () => {
  const { counts, openRoot } = countedRoots();
  const burst = new ReadBurst(openRoot);
  const readers: Promise<void>[] = [];
  for (let reader = 0; reader < 60; reader += 1) {
    readers.push(
      burst.run(async () => {
        for (let turn = 0; turn <= reader % 7; turn += 1) await nextMacrotask();
      }),
    );
    await nextMacrotask();
  }
  await Promise.all(readers);
  await nextMacrotask();
  expect(counts.opened).toBeGreaterThan(5);
  expect(counts).toMatchObject({ open: 0, most: 2 });
});
