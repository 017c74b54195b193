import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { concatBytes, utf8 } from "../../../../src/base/bytes.ts";
import {
  type CommitEntry,
  decodeEntry,
  encodeEntry,
  type PhysicalEntry,
} from "../../../../src/storage/log/physical-entry.ts";

const identity = {
  kind: "file",
  mode: 0o644,
  length: 3,
  xxh64: "0123456789abcdef",
  ino: "18446744073709551615",
  mtimeNs: "1700000000123456789",
} as const;
const after = { ...identity, sha256: "a".repeat(64), file: "tmp/0/x-1", blob: 0 };

function commit(paths: readonly string[], more: Partial<CommitEntry> = {}): CommitEntry {
  return {
    kind: "commit",
    ordinal: 1,
    boot: "boot",
    batch: "batch",
    paths: paths.map((path) => ({ path, before: null, after })),
    folders: [],
    putRecords: [],
    deleteRecords: [],
    appended: [],
    ...more,
  };
}

/** Writes an entry and reads it back from the middle of a larger buffer. */
function roundTrip(entry: PhysicalEntry, blobs: readonly Uint8Array[] = []) {
  const { parts, places } = encodeEntry(entry, blobs);
  const payload = concatBytes([new Uint8Array(5), ...parts]).subarray(5);
  const decoded = decodeEntry(payload);
  expect(decoded.blobs).toEqual(places);
  return {
    entry: decoded.entry,
    blobs: decoded.blobs.map(([offset, length]) => payload.slice(offset, offset + length)),
  };
}

const entries: Readonly<Record<string, PhysicalEntry>> = {
  "a commit with everything": commit(["a.txt"], {
    sequence: 9,
    hash: "f".repeat(64),
    opaque: 1,
    folders: ["x", "x/y"],
    putRecords: [["key", 2]],
    deleteRecords: ["gone"],
    appended: ["st_1"],
    paths: [
      { path: "a.txt", before: identity, after, pre: "1-0" },
      { path: "removed", before: { ...identity, kind: "symlink" }, after: null, pre: "1-1" },
      {
        path: "large",
        before: null,
        after: { ...identity, sha256: "b".repeat(64), file: "staged/s", staged: "staged/s" },
      },
    ],
  }),
  "the decision to take one back": { kind: "undo", ordinal: 5, of: 4 },
  "the note that it is done": { kind: "undone", ordinal: 6, of: 4 },
  "a pruning": { kind: "pruned", ordinal: 7, before: 100 },
  "the header of a segment": {
    kind: "segment",
    segment: 3,
    boot: "boot",
    ordinal: 7,
    sequence: 6,
    hash: "e".repeat(64),
  },
  "a sealed state": {
    kind: "state",
    segment: 3,
    ordinal: 7,
    sequence: 6,
    hash: "e".repeat(64),
    prunedBefore: 2,
    records: [
      ["key", "7"],
      ["__proto__", "3"],
    ],
  },
};

test.each(Object.entries(entries))("%s is read back as it was written", (_name, entry) => {
  expect(roundTrip(entry, [utf8("one"), utf8("two"), utf8("three")]).entry).toEqual(entry);
});

describe("Names that mean something to JavaScript or JSON", () => {
  const names = [
    "__proto__",
    "constructor/prototype",
    "toString",
    'quote".txt',
    "back\\slash",
    "sub\r",
    "\u2028\u2029",
    "é",
    "e\u0301",
    "😀",
  ];

  test.each(names)("stay plain paths, record keys and folders: %j", (name) => {
    const entry = commit([name], {
      folders: [name],
      putRecords: [[name, 0]],
      deleteRecords: [name],
      batch: name,
      boot: name,
    });
    expect(roundTrip(entry, [utf8("")]).entry).toEqual(entry);
    expect(({} as Record<string, unknown>)["path"]).toBeUndefined();
    expect(({} as Record<string, unknown>)["kind"]).toBeUndefined();
  });
});

test("blobs of any bytes and lengths come back, empty ones and none among them", () => {
  const anyBlobs = fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 8 });
  fc.assert(
    fc.property(anyBlobs, fc.string({ unit: "binary" }), (blobs, path) => {
      const entry = commit([path]);
      const back = roundTrip(entry, blobs);
      expect(back.blobs).toEqual(blobs);
      // Paths are well-formed text; the same goes for what an entry holds.
      expect(back.entry).toEqual(entry);
    }),
  );
});

test("the parts are the caller's own bytes, so that large blobs are not copied", () => {
  const blob = utf8("large");
  expect(encodeEntry(commit([]), [blob]).parts).toContain(blob);
});
