import * as fs from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { timeSlice } from "../../../../src/base/clock.ts";
import {
  encodeLockRecord,
  type LockRecord,
  readLockFile,
} from "../../../../src/storage/directory/lock-record.ts";
import { nodeFileSystem } from "../../../../src/storage/directory/node-file-system.ts";
import { loadNodeHashing } from "../../../../src/storage/directory/node-hashing.ts";
import { someProcess } from "../../../support/lock-handles.ts";
import { temporaryFolder } from "../../../support/temporary-folder.ts";

const hashing = await loadNodeHashing();
const record: LockRecord = {
  owner: someProcess,
  token: "0123",
  position: { segment: 12, end: 3456, flushed: 3000, applied: 78 },
};

let folder: ReturnType<typeof temporaryFolder>;
let path: string;
beforeEach(() => {
  folder = temporaryFolder("quick");
  path = join(folder.path, "1");
});
afterEach(() => folder.remove());

function read(bytes: Uint8Array, fileSystem = nodeFileSystem) {
  fs.writeFileSync(path, bytes);
  return readLockFile(fileSystem, hashing, path, timeSlice());
}

test.each(["H", "R"] as const)(
  "a record with the letter %s is read back, with the time of its writing",
  async (letter) => {
    const found = await read(encodeLockRecord(hashing, letter, record));
    expect(found).toEqual({ letter, record, modifiedAt: Math.floor(fs.statSync(path).mtimeMs) });
  },
);

test("records are as long as each other, so that one can be written over the other, whatever they say", () => {
  const long = {
    ...record,
    position: { segment: 99_999_999, end: 2 ** 40, flushed: 2 ** 40, applied: 2 ** 50 },
  };
  const lengths = [encodeLockRecord(hashing, "H", record), encodeLockRecord(hashing, "R", long)].map(
    (bytes) => bytes.byteLength,
  );
  expect(lengths).toEqual([1024, 1024]);
});

test("a record that is longer than usual is read back", async () => {
  const long = { ...record, owner: { ...someProcess, machine: "ü".repeat(1200) } };
  expect(await read(encodeLockRecord(hashing, "R", long))).toMatchObject({ letter: "R", record: long });
});

test("the letter alone decides whether a lock is held: nothing else differs", () => {
  const held = encodeLockRecord(hashing, "H", record);
  const released = encodeLockRecord(hashing, "R", record);
  expect(held.subarray(1)).toEqual(released.subarray(1));
  expect([held[0], released[0]]).toEqual([72, 82]);
});

test("of a lock that is gone there is nothing", async () => {
  expect(await readLockFile(nodeFileSystem, hashing, path, timeSlice())).toBeUndefined();
});

describe("A write in place that was cut", () => {
  const before = encodeLockRecord(hashing, "H", record);
  const after = encodeLockRecord(hashing, "R", { ...record, position: { ...record.position, applied: 99 } });

  test("never shows a record that nobody wrote, nor the letter without one", async () => {
    for (let length = 1; length < after.byteLength; length++) {
      // The letter is written last.
      const bytes = before.slice();
      bytes.set(after.subarray(1, length), 1);
      const found = await read(bytes);
      const shown = found?.record?.position.applied;
      expect([78, 99, undefined], `after ${length} bytes`).toContain(shown);
      expect(found?.letter, `after ${length} bytes`).toBe(shown === undefined ? undefined : "H");
    }
  }, 60_000);

  test("is waited for", async () => {
    const torn = before.slice();
    torn.set(after.subarray(1, 60), 1);
    let reads = 0;
    const slow = {
      ...nodeFileSystem,
      close: (descriptor: number) => {
        nodeFileSystem.close(descriptor);
        reads += 1;
        if (reads === 2) fs.writeFileSync(path, after);
      },
    };
    expect(await read(torn, slow)).toMatchObject({ letter: "R", record: { position: { applied: 99 } } });
  });
});

describe("What is no record", () => {
  const whole = encodeLockRecord(hashing, "H", record);
  const changed = (index: number, byte: number) => {
    const bytes = whole.slice();
    bytes[index] = byte;
    return bytes;
  };

  test.each([
    ["nothing", new Uint8Array()],
    ["zeros", new Uint8Array(1024)],
    ["another letter", changed(0, 88)],
    ["a wrong checksum", changed(3, whole[3] === 48 ? 49 : 48)],
    ["a changed record", changed(30, 42)],
    ["a cut record", whole.slice(0, -1)],
    ["a letter and a blank", whole.slice(0, 2)],
    ["bytes that are no text", new Uint8Array(1024).fill(0xff)],
  ])("is neither held nor released: %s", async (_name, bytes) => {
    expect(await read(bytes)).toMatchObject({ letter: undefined, record: undefined });
  });
});
