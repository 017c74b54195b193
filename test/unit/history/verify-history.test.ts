import { beforeEach, describe, expect, test } from "vitest";
import { systemClock } from "../../../src/base/clock.ts";
import { loadPortableHashing } from "../../../src/base/hashing.ts";
import { HistoryPruner } from "../../../src/core/history-pruner.ts";
import { openWorkspace, type WorkspaceParts } from "../../../src/core/open-workspace.ts";
import { anchorBatch, readAnchors } from "../../../src/history/history-anchor.ts";
import { verifyHistory } from "../../../src/history/verify-history.ts";
import { MemoryStorage } from "../../../src/storage/memory/memory-storage.ts";
import type { LogEntry, StorageAdapter } from "../../../src/storage/storage-adapter.ts";
import { contentNotFound } from "../../../src/storage/storage-errors.ts";

let parts: WorkspaceParts;

async function write(path: string, content: string, revision?: string): Promise<string> {
  const result = await parts.changeFiles.apply([{ action: "write", path, content, revision }], {});
  return result.files[0]?.revision ?? "";
}

beforeEach(async () => {
  parts = await openWorkspace(new MemoryStorage(), { retention: false });
  let revision: string | undefined;
  for (const text of ["one", "two", "three", "four"]) revision = await write("a", text, revision);
});

/** The storage with a log, or contents, that somebody has meddled with. */
function meddled(change: {
  readonly log?: (entries: LogEntry[]) => readonly LogEntry[];
  readonly content?: (bytes: Uint8Array) => Uint8Array | undefined;
}): StorageAdapter {
  const { storage } = parts.context;
  const { log = (entries) => entries, content = (bytes) => bytes } = change;
  return Object.assign(Object.create(storage) as StorageAdapter, {
    readRecord: storage.readRecord.bind(storage),
    async *readLog(options: Parameters<StorageAdapter["readLog"]>[0]) {
      const entries: LogEntry[] = [];
      for await (const entry of storage.readLog(options)) entries.push(entry);
      yield* log(entries);
    },
    async *readChunks(...[source, options]: Parameters<StorageAdapter["readChunks"]>) {
      for await (const chunk of storage.readChunks(source, options)) {
        const found = content(chunk);
        if (found === undefined) throw contentNotFound(source);
        yield found;
      }
    },
  });
}

async function problemsOf(storage: StorageAdapter): Promise<readonly string[]> {
  const { ok, problems } = await verifyHistory(storage, await loadPortableHashing(), {});
  expect(ok).toBe(problems.length === 0);
  return problems;
}

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

describe("checking a history", () => {
  test("finds nothing in one that nobody meddled with", async () => {
    expect(await problemsOf(meddled({}))).toEqual([]);
  });

  test("finds changed bytes of an entry, and the entry that does not follow a changed hash", async () => {
    const bytes = (entry: LogEntry) => new TextEncoder().encode(text(entry.bytes).replace("apply", "patch"));
    const log = (entries: LogEntry[]) =>
      entries.map((entry) => (entry.sequence === 2 ? { ...entry, bytes: bytes(entry) } : entry));
    expect(await problemsOf(meddled({ log }))).toEqual([
      "The hash of entry 2 does not follow from its bytes and the entry before it.",
    ]);
    const hashes = (entries: LogEntry[]) =>
      entries.map((entry) => (entry.sequence === 2 ? { ...entry, hash: "f".repeat(64) } : entry));
    expect(await problemsOf(meddled({ log: hashes }))).toEqual([
      "The hash of entry 2 does not follow from its bytes and the entry before it.",
      "The hash of entry 3 does not follow from its bytes and the entry before it.",
    ]);
  });

  test("finds entries that are missing, in the middle and at the beginning", async () => {
    const without = (number: number) => (entries: LogEntry[]) =>
      entries.filter(({ sequence }) => sequence !== number);
    expect(await problemsOf(meddled({ log: without(3) }))).toEqual([
      "Entry 3 is missing: entry 4 comes after entry 2.",
    ]);
    expect(await problemsOf(meddled({ log: without(1) }))).toEqual([
      "The history begins at entry 2, and the hash of the entry before it is not kept.",
    ]);
  });

  test("finds entries that cannot be read", async () => {
    const log = (entries: LogEntry[]) =>
      entries.map((entry) =>
        entry.sequence === 4 ? { ...entry, bytes: new TextEncoder().encode("{") } : entry,
      );
    expect(await problemsOf(meddled({ log }))).toContain("Entry 4 cannot be read.");
  });

  test("finds contents that are gone or are not what they were, each told once", async () => {
    const gone = (bytes: Uint8Array) => (text(bytes) === "two" ? undefined : bytes);
    expect(await problemsOf(meddled({ content: gone }))).toEqual([
      'The content of "a" that entry 2 names is gone.',
    ]);
    const changed = (bytes: Uint8Array) =>
      text(bytes) === "three" ? new TextEncoder().encode("3hree") : bytes;
    expect(await problemsOf(meddled({ content: changed }))).toEqual([
      'The content of "a" that entry 3 names is not what it was.',
    ]);
  });

  test("finds a beginning that does not follow the last entry that was removed", async () => {
    const { storage } = parts.context;
    await parts.pruner.prune({ maxRevisions: 2 }, {});
    expect(await problemsOf(storage)).toEqual([]);
    const { anchors, version } = await readAnchors(storage, {});
    expect(anchors).toMatchObject([{ sequence: 2 }]);
    const forged = anchors.map((anchor) => ({ ...anchor, hash: "0".repeat(64) }));
    await storage.commit([anchorBatch("b", forged, version)], { flush: true });
    expect(await problemsOf(storage)).toEqual([
      "The hash of entry 3 does not follow from its bytes and the entry before it.",
    ]);
  });

  test("can be done when removing old revisions has ended before anything was removed", async () => {
    const { storage } = parts.context;
    await parts.pruner.prune({ maxRevisions: 3 }, {});
    const { context, idempotency } = parts;
    const stopped = Object.assign(Object.create(storage) as StorageAdapter, {
      readLog: storage.readLog.bind(storage),
      readRecord: storage.readRecord.bind(storage),
      listRecords: storage.listRecords.bind(storage),
      commit: storage.commit.bind(storage),
      prune: async () => await Promise.reject(new Error("killed")),
    });
    const pruner = new HistoryPruner({
      context: { ...context, storage: stopped, clock: systemClock },
      idempotency,
      retention: false,
      whenIdle: () => undefined,
    });
    await expect(pruner.prune({ maxRevisions: 1 }, {})).rejects.toThrow("killed");
    expect(await problemsOf(storage)).toEqual([]);
    await parts.pruner.prune({ maxRevisions: 2 }, {});
    expect(await problemsOf(storage)).toEqual([]);
  });
});

describe("removing old revisions", () => {
  test("leaves what somebody has pinned: entries, and contents of those that go", async () => {
    const { storage } = parts.context;
    const hashing = await loadPortableHashing();
    const state = hashing.sha256();
    state.update(new TextEncoder().encode("one"));
    const contentId = state.digest();
    parts.pruner.addPins(async () => ({ oldestSequence: 3, contents: [contentId] }));
    expect((await parts.pruner.prune({ maxRevisions: 1 }, {})).revisionsRemoved).toBe(2);
    const sequences: number[] = [];
    for await (const { sequence } of storage.readLog({})) sequences.push(sequence);
    expect(sequences).toEqual([3, 4]);
    const chunks: string[] = [];
    for await (const chunk of storage.readChunks({ sha256: contentId }, {})) chunks.push(text(chunk));
    expect(chunks).toEqual(["one"]);
  });
});
