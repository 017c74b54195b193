import { expect, test } from "vitest";
import { runSteps } from "../../../src/base/steps.ts";
import { RecordedStates } from "../../../src/history/recorded-states.ts";
import { encodeRevisionEntry } from "../../../src/history/revision-entry.ts";
import type { LogEntry, ReadLogOptions, StorageAdapter } from "../../../src/storage/storage-adapter.ts";
import { type Delta, makeDelta } from "../../../src/tree/delta.ts";
import type { FileState } from "../../../src/tree/file-state.ts";

const state = (digit: number): FileState => ({
  kind: "file",
  contentId: String(digit % 10).repeat(64),
  byteLength: 1,
  executable: false,
});

/** A commit that leaves a state at a path. */
const leaving = (path: string, digit: number): Delta =>
  makeDelta([[path, { before: undefined, after: state(digit) }]]);

/** A storage with a log alone, which counts the entries that it gives. */
function logOf(deltas: readonly Delta[]): { storage: StorageAdapter; given: () => number; deltas: Delta[] } {
  const log = [...deltas];
  let given = 0;
  const result = { alreadyApplied: false, files: [], additions: 0, removals: 0, warnings: [] };
  const entryOf = (delta: Delta, index: number): LogEntry => ({
    sequence: index + 1,
    hash: "",
    bytes: runSteps(
      encodeRevisionEntry({
        time: "2024-05-02T10:00:00Z",
        cause: "apply",
        operation: "apply",
        delta,
        result: { ...result, revisionAlgorithm: "xxh64" },
      }),
    ),
  });
  async function* readLog({ from, reverse }: ReadLogOptions) {
    const step = reverse === true ? -1 : 1;
    for (let at = (from ?? 1) - 1; log[at] !== undefined; at += step) {
      given += 1;
      yield entryOf(log[at] as Delta, at);
    }
  }
  return { storage: { readLog } as unknown as StorageAdapter, given: () => given, deltas: log };
}

test("older entries are read until the paths are found, each entry once", async () => {
  const { storage, given } = logOf([leaving("a", 1), leaving("b", 2), leaving("a", 3), leaving("c", 4)]);
  const recorded = new RecordedStates(storage, 4);
  expect(recorded.has("a")).toBe(false);
  await recorded.lookBack(["a"], {});
  expect([recorded.get("a"), given()]).toEqual([state(3), 2]);
  await recorded.lookBack(["c", "a"], {});
  expect(given()).toBe(2);
  await recorded.lookBack(["never"], {});
  expect([recorded.has("never"), given()]).toEqual([false, 4]);
  await recorded.lookBack(["never"], {});
  expect([recorded.get("a"), recorded.get("b"), given()]).toEqual([state(3), state(2), 4]);
});

test("each call reads no more than 32 older entries, and all together a thousand", async () => {
  const { storage, given } = logOf(Array.from({ length: 1500 }, (_, index) => leaving(`f${index}`, index)));
  const recorded = new RecordedStates(storage, 1500);
  await recorded.lookBack(["f1"], {});
  expect([given(), recorded.has("f1468"), recorded.has("f1467")]).toEqual([32, true, false]);
  for (let call = 0; call < 40; call += 1) await recorded.lookBack(["f1"], {});
  expect([given(), recorded.has("f500"), recorded.has("f499")]).toEqual([1000, true, false]);
});

test("own commits are taken in without reading, in whatever order they are told", async () => {
  const { storage, given } = logOf([]);
  const recorded = new RecordedStates(storage, 0);
  recorded.add(2, leaving("a", 2));
  expect(recorded.has("a")).toBe(false);
  recorded.add(1, leaving("a", 1));
  recorded.add(3, leaving("b", 3));
  expect([recorded.get("a"), recorded.get("b"), given()]).toEqual([state(2), state(3), 0]);
});

test("commits of others are read when somebody asks, and each once", async () => {
  const { storage, given } = logOf([leaving("a", 1), leaving("a", 2), leaving("b", 3)]);
  const recorded = new RecordedStates(storage, 0);
  recorded.add(1, leaving("a", 1));
  recorded.add(3, leaving("b", 3));
  expect(recorded.get("a")).toEqual(state(1));
  await recorded.readOn({});
  expect([recorded.get("a"), recorded.get("b"), given()]).toEqual([state(2), state(3), 2]);
  await recorded.readOn({});
  expect(given()).toBe(2);
});

test("when others commit very much, it begins anew and remembers nothing that may be wrong", () => {
  const recorded = new RecordedStates(logOf([]).storage, 0);
  recorded.add(1, leaving("a", 1));
  for (let sequence = 3; sequence < 600; sequence += 2) recorded.add(sequence, leaving("b", 1));
  expect(recorded.has("a")).toBe(false);
});
