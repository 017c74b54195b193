import * as fs from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { utf8 } from "../../../../src/base/bytes.ts";
import { timeSlice } from "../../../../src/base/clock.ts";
import { loadNodeHashing } from "../../../../src/storage/directory/node-hashing.ts";
import { usualDisk } from "../../../../src/storage/directory/probe-disk.ts";
import { SegmentLog } from "../../../../src/storage/directory/segment-log.ts";
import type { CommitEntry } from "../../../../src/storage/log/physical-entry.ts";
import { countingFileSystem } from "../../../support/crashing-host.ts";
import { temporaryFolder } from "../../../support/temporary-folder.ts";

const hashing = await loadNodeHashing();

let folder: ReturnType<typeof temporaryFolder>;
let counting: ReturnType<typeof countingFileSystem>;
const opened: SegmentLog[] = [];
beforeEach(() => {
  folder = temporaryFolder("quick");
  counting = countingFileSystem();
  for (const name of ["log", "tmp"]) fs.mkdirSync(join(folder.path, name));
});
afterEach(() => {
  for (const log of opened.splice(0)) log.close();
  folder.remove();
});

let names = 0;

/** A handle on the log, as each process has one. */
function openLog(): SegmentLog {
  const state = { path: folder.path, device: 0n, ...usualDisk };
  const nextName = () => `name-${++names}`;
  const log = new SegmentLog({
    assertHeld: () => undefined,
    fileSystem: counting.fileSystem,
    state,
    hashing,
    pause: timeSlice(),
    boot: "boot",
    nextName,
    durable: true,
  });
  opened.push(log);
  return log;
}

function entry(
  log: SegmentLog,
  key: string,
  text: string,
): { readonly entry: CommitEntry; readonly blobs: readonly Uint8Array[] } {
  const ordinal = log.head.ordinal + 1;
  const commit = {
    kind: "commit",
    ordinal,
    boot: "boot",
    batch: `batch ${ordinal}`,
    paths: [],
    folders: [],
    putRecords: [[key, 0]],
    deleteRecords: [],
    appended: [],
  } as const;
  return { entry: commit, blobs: [utf8(text)] };
}

async function add(log: SegmentLog, key: string, text: string): Promise<void> {
  await log.append([entry(log, key, text)]);
  await log.flush();
  log.settle();
}

const textsOf = (log: SegmentLog) =>
  Object.fromEntries(
    [...log.state.records].map(([key, { bytes }]) => [key, new TextDecoder().decode(bytes)]),
  );

async function textsOnDisk(): Promise<Record<string, string>> {
  const log = openLog();
  await log.load();
  return textsOf(log);
}

test("entries count once they are settled, and are there for the next process once they are appended", async () => {
  const log = openLog();
  await log.load();
  await log.append([entry(log, "a", "1")]);
  expect(textsOf(log)).toEqual({});
  expect(log.head.ordinal).toBe(1);
  expect(log.state.ordinal).toBe(0);
  await log.flush();
  log.settle();
  expect(textsOf(log)).toEqual({ a: "1" });
  expect(log.position.flushed).toBe(log.position.end);
  expect(await textsOnDisk()).toEqual({ a: "1" });
});

test("two processes that add in turn see each other's entries, past the length that the file had at first", async () => {
  const logs = [openLog(), openLog()];
  for (const log of logs) await log.load();
  const expected: Record<string, string> = {};
  let position = logs[0]?.position;
  for (let round = 0; round < 60; round++) {
    const log = logs[round % 2] as SegmentLog;
    if (position !== undefined) await log.catchUp(position);
    expected[`key ${round}`] = `${round} `.repeat(1000);
    await add(log, `key ${round}`, expected[`key ${round}`] ?? "");
    position = log.position;
    expect(textsOf(log)).toEqual(expected);
  }
  expect(await textsOnDisk()).toEqual(expected);
});

describe("What was appended and taken back", () => {
  test("is seen by nobody, and the next entry has its number", async () => {
    const log = openLog();
    await log.load();
    await add(log, "a", "1");
    await log.append([
      entry(log, "b", "never"),
      { ...entry(log, "c", "never"), entry: { ...entry(log, "c", "never").entry, ordinal: 3 } },
    ]);
    await log.retract();
    expect(log.head.ordinal).toBe(1);
    expect(await textsOnDisk()).toEqual({ a: "1" });
    await add(log, "d", "2");
    expect(log.state.ordinal).toBe(2);
    expect(await textsOnDisk()).toEqual({ a: "1", d: "2" });
  });

  test("does not come back behind an entry as long as the first of it", async () => {
    const log = openLog();
    await log.load();
    await add(log, "a", "1");
    const second = entry(log, "c", "never");
    await log.append([
      entry(log, "b", "never"),
      { ...second, entry: { ...second.entry, ordinal: second.entry.ordinal + 1 } },
    ]);
    await log.retract();
    await add(log, "d", "other");
    expect(await textsOnDisk()).toEqual({ a: "1", d: "other" });
  });

  test("with a shorter entry over it does not come back", async () => {
    const log = openLog();
    await log.load();
    await add(log, "a", "1");
    await log.append([entry(log, "b", "never ".repeat(500))]);
    await log.retract();
    await add(log, "c", "2");
    expect(await textsOnDisk()).toEqual({ a: "1", c: "2" });
  });
});

describe("A disk that fails", () => {
  test("once a new segment has its name has nothing more written to the one before, which would be void", async () => {
    const log = openLog();
    await log.load();
    await add(log, "a", "1");
    counting.arm({ only: ["flush"], failAt: 2, errorNumber: "EIO" });
    await expect(log.startSegment()).rejects.toMatchObject({ code: "EIO" });
    counting.arm({});
    expect(log.isPassed).toBe(true);
    await add(log, "b", "2");
    expect(log.isPassed).toBe(false);
    expect(await textsOnDisk()).toEqual({ a: "1", b: "2" });
  });

  test("at the flush has the segment left: what was in doubt is void, and the number is given again", async () => {
    const log = openLog();
    await log.load();
    await add(log, "a", "1");
    await log.append([entry(log, "b", "in doubt")]);
    counting.arm({ only: ["flush"], failAt: 1, errorNumber: "EIO" });
    await expect(log.flush()).rejects.toMatchObject({ code: "EIO" });
    counting.arm({});
    log.settle();
    expect(log.isBroken).toBe(false);
    expect(textsOf(log)).toEqual({ a: "1" });
    expect(log.position.segment).toBe(2);
    expect(await textsOnDisk()).toEqual({ a: "1" });
    await add(log, "c", "2");
    expect(log.state.ordinal).toBe(2);
    expect(await textsOnDisk()).toEqual({ a: "1", c: "2" });
  });

  test("at the flush and at leaving the segment breaks the handle", async () => {
    const log = openLog();
    await log.load();
    await add(log, "a", "1");
    await log.append([entry(log, "b", "in doubt")]);
    counting.arm({ failAt: 1, errorNumber: "EIO", sticky: true });
    await expect(log.flush()).rejects.toMatchObject({ code: "EIO" });
    counting.arm({});
    expect(log.isBroken).toBe(true);
  });

  test.each(["ENOSPC", "EIO"])("with %s at any write leaves nothing of the entry", async (errorNumber) => {
    const log = openLog();
    await log.load();
    const expected: Record<string, string> = {};
    for (let failAt = 1; failAt <= 3; failAt++) {
      counting.arm({ only: ["write"], failAt, errorNumber });
      const text = "long ".repeat(20_000);
      const failed = await log.append([entry(log, `key ${failAt}`, text)]).then(
        () => false,
        () => true,
      );
      counting.arm({});
      if (failed) expect(log.isBroken).toBe(false);
      else {
        await log.flush();
        log.settle();
        expected[`key ${failAt}`] = text;
      }
      expect(await textsOnDisk(), `write ${failAt}`).toEqual(expected);
      await add(log, `next ${failAt}`, "works");
      expected[`next ${failAt}`] = "works";
      expect(await textsOnDisk(), `after write ${failAt}`).toEqual(expected);
    }
  });
});

test("a segment that lost its name is noticed", async () => {
  const log = openLog();
  await log.load();
  await add(log, "a", "1");
  expect(log.isLinked()).toBe(true);
  fs.rmSync(join(folder.path, "log/00000001.log"));
  expect(log.isLinked()).toBe(false);
});

test("a log of which a segment in the middle is gone is refused", async () => {
  const log = openLog();
  await log.load();
  for (const key of ["a", "b", "c"]) {
    await add(log, key, key);
    await log.startSegment();
  }
  log.close();
  fs.rmSync(join(folder.path, "log/00000002.log"));
  await expect(openLog().load()).rejects.toMatchObject({
    code: "STORAGE_FAILED",
    message: expect.stringContaining("damaged in segment 2"),
  });
});

test("zeros always follow the last entry, so that taking back needs no space", async () => {
  const log = openLog();
  await log.load();
  for (let round = 0; round < 40; round++) {
    await add(log, `key ${round}`, "x".repeat(3000));
    expect(fs.statSync(join(folder.path, "log/00000001.log")).size).toBeGreaterThanOrEqual(
      log.position.end + 4096,
    );
  }
});
