import { expect, test } from "vitest";
import { KeyTimes, keyTimeRecord } from "../../../src/history/key-times.ts";
import { MemoryStorage } from "../../../src/storage/memory/memory-storage.ts";
import { batchOf, openStorage } from "../../support/open-storage.ts";

const key = (time: number) => ({ time, keyHash: String(time).padStart(64, "0") });

async function keyTimes(...times: number[]): Promise<KeyTimes> {
  const storage = await openStorage(new MemoryStorage());
  const putRecords = times.map((time) => ({ key: keyTimeRecord(key(time)), bytes: new Uint8Array(0) }));
  await storage.commit([batchOf({ putRecords })], { flush: true });
  const known = new KeyTimes(storage);
  await known.refresh({});
  return known;
}

test("names of records sort as their times do", () => {
  const names = [5, 40, 300, 1_700_000_000_000].map((time) => keyTimeRecord(key(time)));
  expect([...names].sort()).toEqual(names);
});

test("keys from before the cutoff are taken, oldest first, and only once", async () => {
  const known = await keyTimes(30, 10, 20, 40);
  expect(known.takeStale(30, 100)).toEqual([key(10), key(20)]);
  expect(known.takeStale(30, 100)).toEqual([]);
});

test("the oldest keys beyond the most that are kept are taken", async () => {
  const known = await keyTimes(10, 20, 30, 40);
  expect(known.takeStale(0, 3)).toEqual([key(10)]);
  known.add(key(50));
  expect(known.takeStale(0, 3)).toEqual([key(20)]);
});

test("keys whose removal was not committed are taken again", async () => {
  const known = await keyTimes(10, 20);
  known.putBack(known.takeStale(15, 100));
  expect(known.takeStale(15, 100)).toEqual([key(10)]);
});

test("a key with an earlier time than the last one, after a clock was set back, is kept in its place", async () => {
  const known = await keyTimes(10, 20);
  known.add(key(15));
  expect(known.takeStale(16, 100)).toEqual([key(10), key(15)]);
});

test("one commit removes at most a hundred keys", async () => {
  const known = await keyTimes(...Array.from({ length: 250 }, (_, index) => index));
  expect(known.takeStale(1000, 1000)).toHaveLength(100);
  expect(known.takeStale(1000, 1000)).toHaveLength(100);
  expect(known.takeStale(1000, 1000)).toHaveLength(50);
});

test("the oldest key bounds what is known only when no more are kept", async () => {
  const known = await keyTimes(10, 20);
  expect(known.oldestWhenFull(2)).toBe(10);
  expect(known.oldestWhenFull(3)).toBeUndefined();
});
