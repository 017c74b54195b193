import * as fs from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { utf8 } from "../../../../src/base/bytes.ts";
import { DirectoryAdapter } from "../../../../src/storage/directory/directory-adapter.ts";
import { loadNodeHashing } from "../../../../src/storage/directory/node-hashing.ts";
import type { StorageBatch } from "../../../../src/storage/storage-adapter.ts";
import { fixedClock } from "../../../../src/testing/fixed-clock.ts";
import { countingFileSystem, simulatedHost } from "../../../support/crashing-host.ts";
import { temporaryFolder } from "../../../support/temporary-folder.ts";

const hashing = await loadNodeHashing();
const idleMs = 1000;

let folder: ReturnType<typeof temporaryFolder>;
let counting: ReturnType<typeof countingFileSystem>;
beforeEach(() => {
  folder = temporaryFolder("quick");
  counting = countingFileSystem();
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
});
afterEach(() => {
  vi.useRealTimers();
  folder.remove();
});

async function open(
  idle: number | undefined,
  readOnly = false,
  durability: "power" | "process" = "process",
): Promise<DirectoryAdapter> {
  const storage = new DirectoryAdapter(
    { ...simulatedHost(counting.fileSystem), idleMs: idle },
    { root: folder.path, durability },
  );
  await storage.open({ hashing, clock: fixedClock(), ids: () => "id", readOnly, lockTimeoutMs: 0 });
  return storage;
}

let made = 0;

/** Batches that put one record each. */
function batches(count: number, bytes = 1): readonly StorageBatch[] {
  return Array.from({ length: count }, () => {
    made += 1;
    const putRecords = [{ key: `key ${made}`, bytes: new Uint8Array(bytes) }];
    return {
      id: `batch ${made}`,
      expect: [],
      putFiles: [],
      deleteFiles: [],
      appendContent: [],
      putRecords,
      deleteRecords: [],
    };
  });
}

const commit = (storage: DirectoryAdapter, count = 1, bytes = 1) =>
  storage.commit(batches(count, bytes), { flush: true });
const sealed = () =>
  fs.readdirSync(join(folder.path, ".holdfast/log")).filter((name) => name.endsWith(".state"));

const segments = () =>
  fs.readdirSync(join(folder.path, ".holdfast/log")).filter((name) => name.endsWith(".log"));

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Lets everything begin that waits for nothing but its turn. */
async function settle(): Promise<void> {
  for (let turns = 0; turns < 100; turns++) await turn();
}

async function untilSealed(): Promise<void> {
  while (sealed().length === 0) await turn();
}

describe("A log that nobody adds to", () => {
  test("is sealed after the time of idleness, not before", async () => {
    const storage = await open(idleMs);
    await commit(storage);
    vi.advanceTimersByTime(idleMs - 1);
    await settle();
    expect(sealed()).toEqual([]);
    vi.advanceTimersByTime(1);
    await untilSealed();
    expect(sealed()).toEqual(["00000001.state"]);
    await storage.close();
  });

  test("is idle from the last commit on", async () => {
    const storage = await open(idleMs);
    for (let round = 0; round < 5; round++) {
      await commit(storage);
      vi.advanceTimersByTime(idleMs - 1);
    }
    await settle();
    expect(sealed()).toEqual([]);
    await storage.close();
  });

  test("is left as it is where no time was given, and by closing when it is short", async () => {
    const storage = await open(undefined);
    await commit(storage, 15);
    vi.advanceTimersByTime(1_000_000);
    await storage.close();
    expect(sealed()).toEqual([]);
    expect(vi.getTimerCount()).toBe(0);
  });

  test("is not waited for once the storage is closed", async () => {
    const storage = await open(idleMs);
    await commit(storage);
    expect(vi.getTimerCount()).toBe(1);
    await storage.close();
    expect(vi.getTimerCount()).toBe(0);
    expect(sealed()).toEqual([]);
  });
});

describe("A log that has grown", () => {
  test("is sealed after a thousand entries, though one commit follows the other", async () => {
    vi.useRealTimers();
    const storage = await open(idleMs, false, "power");
    await commit(storage, 999);
    await settle();
    expect(sealed()).toEqual([]);
    let more = 0;
    for (; more < 500 && sealed().length === 0; more++) await commit(storage);
    expect(more).toBeLessThan(500);
    expect(await storage.readRecord(`key ${made}`, {})).toBeDefined();
    await storage.close();
  });

  test.each([
    ["16 entries", 16, 1],
    ["a mebibyte", 1, 1024 * 1024],
  ])("is sealed at closing from %s on", async (_size, count, bytes) => {
    const storage = await open(undefined);
    await commit(storage, count, bytes);
    expect(sealed()).toEqual([]);
    await storage.close();
    expect(sealed()).toEqual(["00000001.state"]);
    const next = await open(undefined);
    expect(await next.readRecord(`key ${made}`, {})).toMatchObject({ bytes: { byteLength: bytes } });
    await next.close();
  });

  test("is not sealed by who only reads", async () => {
    const storage = await open(undefined);
    await commit(storage, 100);
    counting.arm({ failAt: 1, errorNumber: "EIO", sticky: true });
    await storage.close().catch(() => undefined);
    counting.arm({});
    const reader = await open(idleMs, true);
    expect(await reader.readRecord(`key ${made}`, {})).toBeDefined();
    await reader.close();
    expect(sealed()).toEqual([]);
  });
});

describe("What is sealed", () => {
  const packed = () =>
    fs.readdirSync(join(folder.path, ".holdfast/log")).filter((name) => /-\d+\.log$/.test(name));
  const untilIdle = async (done: () => boolean) => {
    vi.advanceTimersByTime(idleMs);
    for (let turns = 0; turns < 5000 && !done(); turns++) await turn();
  };

  test("is packed when nothing comes for a while, from eight segments on", async () => {
    const storage = await open(idleMs);
    for (let round = 1; round <= 8; round++) {
      await commit(storage);
      await untilIdle(() => sealed().includes(`${String(round).padStart(8, "0")}.state`));
      await settle();
      if (round < 8) expect(segments(), `round ${round}`).toHaveLength(round + 1);
    }
    await untilIdle(() => segments().length === 1);
    // The batches of this test have no revision, so nothing is left of them but their records.
    expect(segments()).toHaveLength(1);
    expect(sealed()).toHaveLength(1);
    expect(await storage.readRecord(`key ${made}`, {})).toBeDefined();
    await storage.close();
  });

  test("at closing is packed when it was much", async () => {
    const storage = await open(undefined);
    const revision = (index: number): StorageBatch => ({
      ...(batches(1)[0] as StorageBatch),
      entry: () => new Uint8Array(20_000).fill(index),
    });
    for (let index = 0; index < 64; index++) await storage.commit([revision(index)], { flush: true });
    await storage.close();
    expect(packed()).toHaveLength(1);
    const next = await open(undefined);
    let count = 0;
    for await (const { bytes } of next.readLog({})) {
      expect(bytes[0]).toBe(count);
      count += 1;
    }
    expect(count).toBe(64);
    await next.close();
  });

  test("at closing is left as it is when it was few entries, however large", async () => {
    const storage = await open(undefined);
    await commit(storage, 2, 8 * 1024 * 1024);
    await storage.close();
    expect(sealed()).toHaveLength(1);
    expect(segments()).toHaveLength(2);
  });
});

test("a sealing in the background that the disk refuses disturbs nobody, and the next one does its work", async () => {
  const storage = await open(idleMs);
  await commit(storage);
  counting.arm({ only: ["rename"], failAt: 1, errorNumber: "EIO", sticky: true });
  vi.advanceTimersByTime(idleMs);
  while (counting.calls() === 0) await turn();
  await settle();
  expect(sealed()).toEqual([]);
  counting.arm({});
  expect((await commit(storage))[0]).toMatchObject({ committed: true });
  vi.advanceTimersByTime(idleMs);
  await untilSealed();
  await storage.close();
});

test("a record that a sealed state holds has the version that it had", async () => {
  const storage = await open(idleMs);
  const [batch] = batches(1);
  const [outcome] = await storage.commit(
    [{ ...(batch as StorageBatch), putRecords: [{ key: "__proto__", bytes: utf8("text") }] }],
    { flush: true },
  );
  vi.advanceTimersByTime(idleMs);
  await untilSealed();
  await storage.close();
  const next = await open(undefined);
  const version = outcome?.committed === true ? outcome.recordVersions.get("__proto__") : undefined;
  expect(await next.readRecord("__proto__", {})).toEqual({ bytes: utf8("text"), version });
  await next.close();
});
