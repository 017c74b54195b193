import fc from "fast-check";
import { expect, test } from "vitest";
import { runSteps } from "../../../src/base/steps.ts";
import { splitBatches } from "../../../src/storage/split-batches.ts";
import type { StorageBatch } from "../../../src/storage/storage-adapter.ts";
import { batchOf } from "../../support/open-storage.ts";

const split = (...args: Parameters<typeof splitBatches>) => runSteps(splitBatches(...args));

const bytes = new Uint8Array(0);
const file = (key: string) => ({ space: "files", key, version: null }) as const;
const writes = (...paths: readonly string[]) =>
  batchOf({
    expect: paths.map(file),
    putFiles: paths.map((path) => ({ path, kind: "file", executable: false, content: { bytes } })),
  });
const reads = (...paths: readonly string[]) => batchOf({ expect: paths.map(file) });
const record = (key: string) => batchOf({ putRecords: [{ key, bytes }] });
const expectsRecord = (key: string) => batchOf({ expect: [{ space: "records", key, version: null }] });
const appends = (staged: string) => batchOf({ appendContent: [{ staged, at: 0, bytes }] });

test.each<[string, readonly StorageBatch[], readonly (readonly number[])[]]>([
  ["different paths", [writes("a"), writes("b"), writes("c/d")], [[0, 1, 2]]],
  ["one path", [writes("a"), writes("a"), writes("a")], [[0], [1], [2]]],
  ["files of one folder", [writes("a/b"), writes("a/c")], [[0, 1]]],
  ["a file and what is below it", [writes("a"), writes("a/b/c"), writes("x")], [[0, 2], [1]]],
  ["a file and what is above it", [writes("a/b/c"), writes("a")], [[0], [1]]],
  ["a path that is only expected by both", [reads("a"), reads("a")], [[0, 1]]],
  ["a path that one writes and the next expects", [writes("a"), reads("a")], [[0], [1]]],
  ["a path that one expects and the next writes", [reads("a"), writes("a")], [[0], [1]]],
  ["folders that are expected to be absent", [reads("a"), writes("a/b"), reads("a")], [[0, 1, 2]]],
  ["one record", [record("r"), record("r"), record("s")], [[0, 2], [1]]],
  ["a record and its expectation", [record("r"), expectsRecord("r")], [[0], [1]]],
  ["a record and a path of one name", [record("a"), writes("a")], [[0, 1]]],
  ["one staged content", [appends("st_1"), appends("st_1"), appends("st_2")], [[0, 2], [1]]],
  [
    "a chain",
    [writes("a"), writes("a", "b"), writes("b", "c"), writes("c"), writes("d")],
    [[0, 4], [1], [2], [3]],
  ],
])("batches that share %s go into the right rounds", (_name, batches, rounds) => {
  expect(split(batches, true)).toEqual(rounds);
});

test("where names fold, spellings of one name are one path", () => {
  expect(split([writes("a"), writes("A")], true)).toEqual([[0, 1]]);
  expect(split([writes("a"), writes("A")], false)).toEqual([[0], [1]]);
});

test("whatever the batches, each has one place, batches that write one path never meet, and they keep their order", () => {
  const path = fc.constantFrom("a", "a/b", "a/b/c", "d", "d/e", "f");
  const batch = fc.uniqueArray(path, { minLength: 1, maxLength: 3 });
  fc.assert(
    fc.property(fc.array(batch, { minLength: 1, maxLength: 12 }), (lists) => {
      const rounds = split(
        lists.map((paths) => writes(...paths)),
        true,
      );
      const roundOf = new Map(
        rounds.flatMap((members, round) => members.map((member) => [member, round] as const)),
      );
      expect([...roundOf.keys()].sort((a, b) => a - b)).toEqual(lists.map((_, index) => index));
      const meet = (a: string, b: string) => a === b || a.startsWith(`${b}/`) || b.startsWith(`${a}/`);
      lists.forEach((paths, later) => {
        lists.slice(0, later).forEach((others, earlier) => {
          if (!paths.some((one) => others.some((other) => meet(one, other)))) return;
          expect(roundOf.get(earlier)).toBeLessThan(roundOf.get(later) ?? -1);
        });
      });
    }),
  );
});
