import { describe, expect, test } from "vitest";
import { keyValueStorage } from "../../examples/custom-adapter/key-value-storage.ts";
import { MemoryKeyValueStore } from "../../examples/custom-adapter/key-value-store.ts";
import { openStorage, readText, writeBatch, writeText } from "../support/open-storage.ts";
import { runContract } from "../support/run-contract.ts";

runContract("A storage over a key-value store", async () => {
  const store = new MemoryKeyValueStore();
  return { storage: keyValueStorage(store), reopen: async () => keyValueStorage(store) };
}, ["caseSensitive", "modes", "symlinks", "reopen"]);

const flush = { flush: true };

describe("Storages over one key-value store", () => {
  test("count one file up together without losing a step", async () => {
    const store = new MemoryKeyValueStore();
    const storages = await Promise.all([1, 2, 3].map(() => openStorage(keyValueStorage(store))));
    const [first] = storages;
    if (first === undefined) throw new Error("There is no storage.");
    await writeText(first, "counter", "0");
    await Promise.all(
      storages.map(async (storage) => {
        let counted = 0;
        for (let attempt = 0; attempt < 1_000 && counted < 10; attempt += 1) {
          const file = await storage.read("counter", {});
          const next = String(Number(new TextDecoder().decode(file?.bytes)) + 1);
          const [outcome] = await storage.commit([writeBatch("counter", next, file?.version ?? null)], flush);
          if (outcome?.committed) counted += 1;
        }
      }),
    );
    expect(await readText(first, "counter")).toBe("30");
  });

  test("answer that nobody knows when the conditional put gives no answer", async () => {
    const store = new MemoryKeyValueStore();
    const storage = await openStorage(keyValueStorage(store));
    const put = store.put.bind(store);
    store.put = async (key, value, etag) => {
      const written = await put(key, value, etag);
      if (key === "head") throw new Error("The connection broke.");
      return written;
    };
    const [outcome] = await storage.commit([writeBatch("a", "1")], flush);
    expect(outcome).toMatchObject({ committed: false, written: "unknown" });
    expect(await readText(storage, "a")).toBe("1");
  });
});
