import { expect, test } from "vitest";
import { inProcessQueue } from "../../../../src/storage/directory/in-process-queue.ts";

const symbol = Symbol.for("holdfast.directory-queues");
const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** A second copy of the module, as another installed copy of the package would be. */
async function secondCopy(): Promise<typeof inProcessQueue> {
  const url = new URL("../../../../src/storage/directory/in-process-queue.ts?second", import.meta.url);
  const module = (await import(/* @vite-ignore */ url.href)) as {
    readonly inProcessQueue: typeof inProcessQueue;
  };
  return module.inProcessQueue;
}

function waiting(): number {
  return (globalThis as unknown as Record<symbol, Map<string, unknown> | undefined>)[symbol]?.size ?? 0;
}

/** Work that notes when it begins and ends. */
function noting(log: string[], name: string) {
  return async () => {
    log.push(`${name} begins`);
    await turn();
    log.push(`${name} ends`);
    return name;
  };
}

const inTurn = (names: readonly string[]) => names.flatMap((name) => [`${name} begins`, `${name} ends`]);

test("work of one root runs one after the other, in the order in which it came", async () => {
  const log: string[] = [];
  const names = ["a", "b", "c"];
  expect(await Promise.all(names.map((name) => inProcessQueue("root", noting(log, name))))).toEqual(names);
  expect(log).toEqual(inTurn(names));
});

test("work of different roots runs side by side", async () => {
  const log: string[] = [];
  await Promise.all(["one", "other"].map((root) => inProcessQueue(root, noting(log, root))));
  expect(log).toEqual(["one begins", "other begins", "one ends", "other ends"]);
});

test("work that fails is told to its caller alone, and the next runs", async () => {
  const log: string[] = [];
  const failing = inProcessQueue("root", async () => {
    await turn();
    throw new Error("failed");
  });
  const throwing = inProcessQueue("root", () => {
    throw new Error("threw");
  });
  const next = inProcessQueue("root", noting(log, "next"));
  await expect(failing).rejects.toThrow("failed");
  await expect(throwing).rejects.toThrow("threw");
  expect(await next).toBe("next");
});

test("two copies of the package queue up together", async () => {
  const other = await secondCopy();
  expect(other).not.toBe(inProcessQueue);
  const log: string[] = [];
  await Promise.all(
    ["a", "b", "c", "d"].map((name, index) =>
      (index % 2 === 0 ? inProcessQueue : other)("root", noting(log, name)),
    ),
  );
  expect(log).toEqual(inTurn(["a", "b", "c", "d"]));
});

test("nothing is kept of a root whose work is done", async () => {
  await Promise.all(Array.from({ length: 50 }, (_, index) => inProcessQueue(`root ${index % 5}`, turn)));
  await expect(inProcessQueue("root", () => Promise.reject(new Error("failed")))).rejects.toThrow();
  expect(waiting()).toBe(0);
});
