import { type Change, Workspace } from "holdfast";
import { type FaultPlan, faultyStorage } from "holdfast/testing";
import { describe, expect, test } from "vitest";
import { testStorage } from "../support/grounds/test-storage.ts";
import { collect, refusalOf } from "../support/refusal.ts";

const before = { a: "one\n", b: "two\n", c: "three\n" };
const after = { a: "ONE\n", "d/c": "three\n", n: "new\n" };

/** One call that edits, deletes, moves and creates. */
async function changesOf(workspace: Workspace): Promise<readonly Change[]> {
  const [b, c] = await Promise.all(["b", "c"].map(async (path) => (await workspace.read(path)).revision));
  return [
    { action: "edit", path: "a", edits: [{ op: "replace_text", oldText: "one", newText: "ONE" }] },
    { action: "delete", path: "b", revision: b },
    { action: "move", path: "c", revision: c, destination: "d/c" },
    { action: "create", path: "n", content: "new\n" },
  ];
}

async function start() {
  const storage = testStorage({ files: before });
  const sound = await Workspace.open(storage);
  return { storage, sound, changes: await changesOf(sound) };
}

/** How many calls a storage sees for one opening and one apply. */
async function countCalls(): Promise<number> {
  const { storage, changes } = await start();
  const counted = faultyStorage(storage, {});
  await (await Workspace.open(counted)).apply(changes, { idempotencyKey: "k" });
  return counted.calls;
}

const calls = await countCalls();
const plans: readonly FaultPlan[] = Array.from({ length: calls }, (_, index) => index + 1).flatMap((at) => [
  { failAt: at },
  { failAt: at, afterEffect: true },
  { crashAt: at },
  { crashAt: at, afterEffect: true },
]);

test("opening and one call take a handful of calls of the storage", () => {
  expect(calls).toBeGreaterThan(8);
  expect(calls).toBeLessThan(40);
});

describe.each(plans)("when the storage goes wrong as in %j", (plan) => {
  test("all of the call takes effect or nothing, and its repeat brings it to the end exactly once", async () => {
    const { storage, sound, changes } = await start();
    const options = { idempotencyKey: "k" };
    const told = await Workspace.open(faultyStorage(storage, plan)).then(
      (workspace) => workspace.apply(changes, options).catch((error: unknown) => error as Error),
      (error: unknown) => error as Error,
    );
    const left = storage.toJSON();
    expect([before, after]).toContainEqual(left);
    if (!(told instanceof Error)) expect(left).toEqual(after);
    const repeated = await sound.apply(changes, options);
    expect(repeated.idempotentReplay).toBe(JSON.stringify(left) === JSON.stringify(after));
    expect(storage.toJSON()).toEqual(after);
    expect(await collect(sound.history())).toHaveLength(1);
  });
});

test.each<FaultPlan>([
  { failAt: 1, method: "commit" },
  { failAt: 1, method: "read" },
  { failAt: 1, method: "list" },
])(
  "a refusal after a fault such as %j says that nothing was written, and the next call works",
  async (plan) => {
    const { storage, changes } = await start();
    const workspace = await Workspace.open(faultyStorage(storage, plan));
    expect(await refusalOf(workspace.apply(changes))).toMatchObject({
      code: "STORAGE_FAILED",
      written: "no",
    });
    expect(storage.toJSON()).toEqual(before);
    await workspace.apply(changes);
    expect(storage.toJSON()).toEqual(after);
  },
);

test("the storage's own error is the cause of the refusal", async () => {
  const { storage, changes } = await start();
  const error = new Error("disk full");
  const workspace = await Workspace.open(faultyStorage(storage, { failAt: 1, method: "commit", error }));
  expect((await refusalOf(workspace.apply(changes))).cause).toBe(error);
});

test("a signal that fires while the storage commits is not looked at: the call succeeds", async () => {
  const { storage, changes } = await start();
  const controller = new AbortController();
  const commit = storage.commit.bind(storage);
  const workspace = await Workspace.open(storage);
  storage.commit = async (batches, options) => {
    controller.abort(new Error("too late"));
    return await commit(batches, options);
  };
  expect(await workspace.apply(changes, { signal: controller.signal })).toMatchObject({
    alreadyApplied: false,
  });
  expect(storage.toJSON()).toEqual(after);
});

test("a signal that fires at any earlier call of the storage stops the call, and nothing is written", async () => {
  for (const method of ["read", "list", "readRecord", "readLog"] as const) {
    const { storage, changes } = await start();
    const workspace = await Workspace.open(storage);
    const controller = new AbortController();
    const reason = new Error("stop");
    const original = storage[method].bind(storage) as (...args: unknown[]) => unknown;
    const aborting = (...args: unknown[]) => {
      controller.abort(reason);
      return original(...args);
    };
    Object.assign(storage, { [method]: aborting });
    await expect(
      workspace.apply(changes, { signal: controller.signal, idempotencyKey: "k" }),
      method,
    ).rejects.toBe(reason);
    expect(storage.toJSON()).toEqual(before);
  }
});
