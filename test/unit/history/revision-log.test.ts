import { beforeEach, describe, expect, test } from "vitest";
import { runSteps } from "../../../src/base/steps.ts";
import { encodeRevisionEntry, type RevisionEntry } from "../../../src/history/revision-entry.ts";
import { describeRevision, RevisionLog } from "../../../src/history/revision-log.ts";
import { MemoryStorage } from "../../../src/storage/memory/memory-storage.ts";
import type { LogEntry, StorageAdapter } from "../../../src/storage/storage-adapter.ts";
import { makeDelta } from "../../../src/tree/delta.ts";
import { batchOf, openStorage } from "../../support/open-storage.ts";
import { collect, refusalOf } from "../../support/refusal.ts";

const state = { kind: "file", contentId: "a".repeat(64), byteLength: 3, executable: false } as const;
const result = {
  alreadyApplied: false,
  revisionAlgorithm: "xxh64",
  files: [],
  additions: 0,
  removals: 0,
  warnings: [],
} as const;

function entryOf(paths: readonly string[], parts: Partial<RevisionEntry> = {}): RevisionEntry {
  const delta = makeDelta(paths.map((path) => [path, { before: undefined, after: state }]));
  return { time: "2024-01-01T00:00:00.000Z", cause: "apply", operation: "apply", delta, result, ...parts };
}

let storage: StorageAdapter;
let log: RevisionLog;

beforeEach(async () => {
  storage = await openStorage(new MemoryStorage());
  log = new RevisionLog(storage);
});

async function append(entry: RevisionEntry): Promise<void> {
  const bytes = runSteps(encodeRevisionEntry(entry));
  await storage.commit([batchOf({ entry: () => bytes })], { flush: true });
}

/** The log with entries of the given numbers taken back. */
function withUndone(...undone: number[]): RevisionLog {
  const readLog: StorageAdapter["readLog"] = async function* (options) {
    for await (const entry of storage.readLog(options)) {
      const marked: LogEntry = undone.includes(entry.sequence) ? { ...entry, undone: true } : entry;
      yield marked;
    }
  };
  return new RevisionLog(
    new Proxy(storage, { get: (of, name) => (name === "readLog" ? readLog : Reflect.get(of, name)) }),
  );
}

const idsOf = async (options = {}) =>
  (await collect(log.find(options))).map(({ id }) => Number(id.split("-")[0]?.slice(1)));

describe("an empty log", () => {
  test("stands at r0 and lists nothing", async () => {
    expect(await log.head({})).toEqual({ sequence: 0, workspaceRevision: "r0" });
    expect(await idsOf()).toEqual([]);
    expect(await idsOf({ since: "r0", after: "r0" })).toEqual([]);
  });
});

describe("a log with commits", () => {
  beforeEach(async () => {
    await append(entryOf(["a/x"], { sessionId: "one", source: "p" }));
    await append(entryOf(["b"], { sessionId: "two", exchange: 4 }));
    await append(entryOf(["a/x", "ab"], { sessionId: "one" }));
    await append(entryOf([], { source: "p" }));
  });

  test("lists the newest first", async () => {
    expect(await idsOf()).toEqual([4, 3, 2, 1]);
  });

  test.each<[string, object, number[]]>([
    ["a file", { path: "a/x" }, [3, 1]],
    ["a folder, not names that only begin like it", { path: "a" }, [3, 1]],
    ["a source", { source: "p" }, [4, 1]],
    ["a session", { sessionId: "two" }, [2]],
    ["an exchange", { exchange: 4 }, [2]],
    ["a cause", { cause: "apply" }, [4, 3, 2, 1]],
    ["all of several filters", { sessionId: "one", source: "p" }, [1]],
    ["so many", { limit: 2 }, [4, 3]],
    ["so many of those that pass", { path: "a", limit: 1 }, [3]],
  ])("can be asked for %s", async (_name, options, expected) => {
    expect(await idsOf(options)).toEqual(expected);
  });

  test("goes on after a revision and stops at one", async () => {
    const [, third, second] = (await collect(log.find({}))).map(({ id }) => id);
    expect(await idsOf({ after: third })).toEqual([2, 1]);
    expect(await idsOf({ since: second })).toEqual([4, 3]);
    expect(await idsOf({ after: third, limit: 1 })).toEqual([2]);
  });

  test("knows only revisions that it made", async () => {
    const { workspaceRevision } = await log.head({});
    expect(await log.sequenceOf(workspaceRevision, {})).toBe(4);
    for (const foreign of ["r4-0000000000000000", "r5-0000000000000000", "nonsense"])
      expect((await refusalOf(log.sequenceOf(foreign, {}))).code).toBe("INVALID_ARGUMENT");
  });

  test("passes over commits that were taken back", async () => {
    const undone = withUndone(4, 2);
    expect((await undone.head({})).sequence).toBe(3);
    expect((await collect(undone.read({}))).map(({ sequence }) => sequence)).toEqual([1, 3]);
    expect(await collect(undone.find({}))).toHaveLength(2);
  });

  const parentsOf = async (of: RevisionLog) =>
    (await collect(of.find({}))).map(({ parent }) => parent?.split("-")[0]);

  test("names the commit before each, past those that were taken back, and r0 before the first", async () => {
    expect(await parentsOf(log)).toEqual(["r3", "r2", "r1", "r0"]);
    expect(await parentsOf(withUndone(2, 3))).toEqual(["r1", "r0"]);
    expect(await parentsOf(withUndone(1, 2))).toEqual(["r3", "r0"]);
    for (const undone of [[], [2, 3], [1, 2]]) {
      const of = withUndone(...undone);
      const forward = await collect(of.readAfter({ sequence: 0 }, {}));
      const back = (await collect(of.find({}))).reverse();
      expect(forward.map(({ id, parent }) => [id, parent])).toEqual(
        back.map(({ id, parent }) => [id, parent]),
      );
    }
    const [last] = await collect(withUndone(3).readAfter({ sequence: 3 }, {}));
    expect(last?.parent).toMatch(/^r2-/);
  });

  test("names none before the oldest that the log still has", async () => {
    await storage.prune({ before: 3, keep: new Set(), staged: [] });
    expect(await parentsOf(log)).toEqual(["r3", undefined]);
    const [oldest] = await collect(log.readAfter({ sequence: 2 }, {}));
    expect(oldest).toMatchObject({ sequence: 3, parent: undefined });
  });

  test("tells of each commit who, where and how many paths", async () => {
    const [newest] = (await collect(log.find({ path: "b" }))).map(describeRevision);
    expect(newest).toEqual({
      id: expect.stringMatching(/^r2-[0-9a-f]{16}$/),
      parent: expect.stringMatching(/^r1-[0-9a-f]{16}$/),
      time: "2024-01-01T00:00:00.000Z",
      cause: "apply",
      sessionId: "two",
      exchange: 4,
      paths: ["b"],
      pathCount: 1,
    });
  });

  test("names at most a thousand paths of a commit and counts all", async () => {
    await append(entryOf(Array.from({ length: 1500 }, (_, index) => `f${index}`)));
    const [newest] = (await collect(log.find({ limit: 1 }))).map(describeRevision);
    expect(newest?.paths).toHaveLength(1000);
    expect(newest?.pathCount).toBe(1500);
  });
});
