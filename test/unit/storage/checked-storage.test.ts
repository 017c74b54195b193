import { describe, expect, test } from "vitest";
import { nextMacrotask } from "../../../src/base/clock.ts";
import { checkedStorage } from "../../../src/storage/checked-storage.ts";
import { MemoryStorage } from "../../../src/storage/memory/memory-storage.ts";
import type { StorageAdapter } from "../../../src/storage/storage-adapter.ts";
import { storageContract } from "../../../src/testing/storage-contract.ts";
import { batchOf, openStorage, readText, writeBatch, writeText } from "../../support/open-storage.ts";

const flush = { flush: true };

describe("Through a second wrapper", () => {
  const cases = storageContract(async () => {
    const storage = new MemoryStorage();
    return {
      storage: checkedStorage(storage),
      reopen: async () => checkedStorage(storage),
      writeOutside: async (path, bytes) => storage.writeOutside(path, bytes),
    };
  });
  for (const { name, needs, run } of cases) if (!needs.includes("caseInsensitive")) test(name, run);
});

/** A storage in memory with some methods replaced. */
function memoryWith(methods: Partial<StorageAdapter>): StorageAdapter {
  return Object.assign(new MemoryStorage({ files: { a: "1" } }), methods);
}

describe("A handle", () => {
  test("refuses calls before it is opened", async () => {
    const storage = checkedStorage(new MemoryStorage());
    await expect(storage.stat("a", {})).rejects.toMatchObject({ code: "WORKSPACE_CLOSED" });
    await expect(storage.list({})[Symbol.asyncIterator]().next()).rejects.toMatchObject({
      code: "WORKSPACE_CLOSED",
    });
  });

  test("is opened once, and not after it was closed", async () => {
    const storage = await openStorage(checkedStorage(new MemoryStorage()));
    await expect(openStorage(storage)).rejects.toMatchObject({ code: "INTERNAL" });
    await storage.close();
    await expect(openStorage(storage)).rejects.toMatchObject({ code: "WORKSPACE_CLOSED" });
  });

  test("can be opened again when opening failed", async () => {
    let failing = true;
    const memory = new MemoryStorage();
    const open = memory.open.bind(memory);
    memory.open = (options) => (failing ? Promise.reject(new Error("not now")) : open(options));
    const storage = checkedStorage(memory);
    await expect(openStorage(storage)).rejects.toMatchObject({ code: "STORAGE_FAILED" });
    failing = false;
    await openStorage(storage);
    expect(await storage.stat("a", {})).toBeUndefined();
  });

  test("closes while others on the same storage stay open", async () => {
    const memory = new MemoryStorage();
    const one = await openStorage(checkedStorage(memory));
    const two = await openStorage(checkedStorage(memory));
    await one.close();
    await writeText(two, "a", "1");
    expect(await readText(two, "a")).toBe("1");
    await expect(one.stat("a", {})).rejects.toMatchObject({ code: "WORKSPACE_CLOSED" });
  });

  test("does not close what was never opened", async () => {
    let closed = 0;
    const close = async () => {
      closed += 1;
    };
    await checkedStorage(memoryWith({ close })).close();
    expect(closed).toBe(0);
  });

  test("waits for running calls before it closes, and refuses new ones meanwhile", async () => {
    const events: string[] = [];
    let answer = () => {};
    const stat = () =>
      new Promise<undefined>((resolve) => {
        answer = () => {
          events.push("answered");
          resolve(undefined);
        };
      });
    const storage = await openStorage(
      checkedStorage(memoryWith({ stat, close: async () => void events.push("closed") })),
    );
    const running = storage.stat("a", {});
    const closing = storage.close();
    await expect(storage.stat("a", {})).rejects.toMatchObject({ code: "WORKSPACE_CLOSED" });
    answer();
    await Promise.all([running, closing]);
    expect(events).toEqual(["answered", "closed"]);
  });

  test("ends iterations that were left standing when it closes", async () => {
    let ended = 0;
    async function* list() {
      try {
        for (;;) yield { path: "a", kind: "file", byteLength: 1 } as const;
      } finally {
        ended += 1;
      }
    }
    const storage = await openStorage(checkedStorage(memoryWith({ list })));
    const iterator = storage.list({})[Symbol.asyncIterator]();
    await iterator.next();
    await storage.close();
    expect(ended).toBe(1);
    await expect(iterator.next()).rejects.toMatchObject({ code: "WORKSPACE_CLOSED" });
  });

  test("ends an iteration whose signal fires between two steps, for its reader will not return it", async () => {
    let ended = 0;
    async function* list() {
      try {
        for (;;) yield { path: "a", kind: "file", byteLength: 1 } as const;
      } finally {
        ended += 1;
      }
    }
    const storage = await openStorage(checkedStorage(memoryWith({ list })));
    const controller = new AbortController();
    const iterator = storage.list({ signal: controller.signal })[Symbol.asyncIterator]();
    await iterator.next();
    controller.abort(new Error("enough"));
    await expect(iterator.next()).rejects.toThrow("enough");
    expect(ended).toBe(1);
  });
});

describe("A watch", () => {
  const watched = async (storage: StorageAdapter) => {
    const calls: unknown[] = [];
    const stop = new AbortController();
    storage.watch?.((paths) => calls.push(paths), { signal: stop.signal });
    return { calls, stop };
  };

  test("ends when its handle closes, and others on the same storage go on", async () => {
    const memory = new MemoryStorage();
    const one = await openStorage(checkedStorage(memory));
    const two = await openStorage(checkedStorage(memory));
    const [first, second] = [await watched(one), await watched(two)];
    memory.writeOutside("a", "1");
    await one.close();
    await nextMacrotask();
    expect([first.calls, second.calls]).toEqual([[], [["a"]]]);
  });

  test("is refused before opening, after closing, and with an aborted signal", async () => {
    const storage = checkedStorage(new MemoryStorage());
    const watch = (signal: AbortSignal) => () => storage.watch?.(() => undefined, { signal });
    const { signal } = new AbortController();
    expect(watch(signal)).toThrow(expect.objectContaining({ code: "WORKSPACE_CLOSED" }));
    await openStorage(storage);
    const reason = new Error("The caller has left.");
    expect(watch(AbortSignal.abort(reason))).toThrow(reason);
    await storage.close();
    expect(watch(signal)).toThrow(expect.objectContaining({ code: "WORKSPACE_CLOSED" }));
  });

  test("hands its signal on", async () => {
    const signals: AbortSignal[] = [];
    const storage = memoryWith({ watch: (_listener, { signal }) => void signals.push(signal) });
    const { stop } = await watched(await openStorage(checkedStorage(storage)));
    expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
    stop.abort();
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  });

  test("that an adapter cannot begin is STORAGE_FAILED", async () => {
    const failing = memoryWith({
      watch: () => {
        throw new Error("no more");
      },
    });
    const storage = await openStorage(checkedStorage(failing));
    await expect(watched(storage)).rejects.toMatchObject({ code: "STORAGE_FAILED" });
  });

  test("is not there where the adapter has none", () => {
    const storage = memoryWith({});
    Object.assign(storage, { watch: undefined });
    expect(checkedStorage(storage).watch).toBeUndefined();
  });
});

describe("Errors", () => {
  test("of an adapter become STORAGE_FAILED with their cause, in calls and in iterations", async () => {
    const cause = new Error("disk full");
    const failing = () => Promise.reject(cause);
    const list = () => ({ [Symbol.asyncIterator]: () => ({ next: failing }) });
    const storage = await openStorage(checkedStorage(memoryWith({ stat: failing, commit: failing, list })));
    const wanted = { code: "STORAGE_FAILED", cause, written: "no" };
    await expect(storage.stat("a", {})).rejects.toMatchObject(wanted);
    await expect(storage.commit([writeBatch("b", "1")], flush)).rejects.toMatchObject(wanted);
    await expect(storage.list({})[Symbol.asyncIterator]().next()).rejects.toMatchObject(wanted);
  });

  test("in outcomes are turned likewise and keep what is known of the write", async () => {
    const cause = new Error("disk full");
    const commit = async () => [{ committed: false, error: cause, written: "unknown" } as const];
    const storage = await openStorage(checkedStorage(memoryWith({ commit })));
    const [outcome] = await storage.commit([writeBatch("b", "1")], flush);
    expect(outcome).toMatchObject({
      written: "unknown",
      error: { code: "STORAGE_FAILED", cause, written: "unknown" },
    });
  });

  test("of a later round become outcomes, for an earlier one has taken effect", async () => {
    const memory = new MemoryStorage();
    const commit = memory.commit.bind(memory);
    let calls = 0;
    memory.commit = (...call) => (++calls === 2 ? Promise.reject(new Error("gone")) : commit(...call));
    const storage = await openStorage(checkedStorage(memory));
    const outcomes = await storage.commit(
      [writeBatch("a", "1"), writeBatch("a", "2"), writeBatch("b", "1")],
      flush,
    );
    expect(outcomes.map(({ committed }) => committed)).toEqual([true, false, true]);
    expect(outcomes[1]).toMatchObject({ written: "no", error: { code: "STORAGE_FAILED" } });
  });

  test("an aborted signal between two rounds leaves the later ones unwritten", async () => {
    const memory = new MemoryStorage();
    const controller = new AbortController();
    const commit = memory.commit.bind(memory);
    memory.commit = (...call) => commit(...call).finally(() => controller.abort());
    const storage = await openStorage(checkedStorage(memory));
    const options = { ...flush, signal: controller.signal };
    const outcomes = await storage.commit([writeBatch("a", "1"), writeBatch("a", "2")], options);
    expect(outcomes[0]).toMatchObject({ committed: true });
    expect(outcomes[1]).toMatchObject({ committed: false, written: "no", error: controller.signal.reason });
  });

  test("a wrong number of outcomes is told, and that nobody knows what was written", async () => {
    const storage = await openStorage(checkedStorage(memoryWith({ commit: async () => [] })));
    const call = storage.commit([writeBatch("b", "1")], flush);
    await expect(call).rejects.toMatchObject({ code: "STORAGE_FAILED", written: "unknown" });
  });
});

describe("Bytes given to a commit", () => {
  test("are the adapter's own from then on: large ones are not copied on the way", async () => {
    const memory = new MemoryStorage();
    const given: Uint8Array[] = [];
    const commit = memory.commit.bind(memory);
    memory.commit = async (batches, options) => {
      for (const { putFiles } of batches)
        for (const { content } of putFiles) if ("bytes" in content) given.push(content.bytes);
      return await commit(batches, options);
    };
    const storage = await openStorage(checkedStorage(memory));
    const bytes = new TextEncoder().encode("kept");
    await storage.commit(
      [
        batchOf({
          expect: [{ space: "files", key: "a", version: null }],
          putFiles: [{ path: "a", kind: "file", executable: false, content: { bytes } }],
          entry: () => new Uint8Array(1),
        }),
      ],
      flush,
    );
    expect(given[0]).toBe(bytes);
    expect(await readText(storage, "a")).toBe("kept");
  });
});
