import { describe, expect, test } from "vitest";
import { utf8 } from "../../../../src/base/bytes.ts";
import { firstPreviousHash } from "../../../../src/storage/log/chain-hash.ts";
import { deadOrdinals, type LocatedEntry, LogState } from "../../../../src/storage/log/log-state.ts";
import type { AfterIdentity, PhysicalEntry } from "../../../../src/storage/log/physical-entry.ts";

/** How a commit of these tests differs from an empty one. */
interface Wanted {
  /** Takes a number in the log of revisions. */
  readonly sequence?: number;
  /** SHA-256 of the file that it writes, kept as a blob. */
  readonly content?: string;
  /** SHA-256 of a file that the log does not hold. */
  readonly large?: string;
  readonly put?: Readonly<Record<string, string>>;
  readonly delete?: readonly string[];
}

function afterOf(sha256: string, more: Partial<AfterIdentity>): AfterIdentity {
  return {
    kind: "file",
    mode: 0o644,
    length: 1,
    xxh64: sha256,
    ino: "1",
    mtimeNs: "1",
    sha256,
    file: `tmp/${sha256}`,
    ...more,
  };
}

function located(entry: PhysicalEntry, segment: number, texts: readonly string[] = []): LocatedEntry {
  return {
    entry,
    file: `${segment}.log`,
    offset: entry.ordinal * 1000,
    blobs: texts.map((text, index) => ({
      file: `${segment}.log`,
      offset: entry.ordinal * 1000 + index,
      length: text.length,
    })),
    bytesOf: (blob) => utf8(texts[blob] ?? ""),
  };
}

function commit(ordinal: number, wanted: Wanted, segment = 1): LocatedEntry {
  const { sequence, content, large, put = {} } = wanted;
  const texts = ["opaque", "content", ...Object.values(put)];
  const paths = [
    ...(content === undefined ? [] : [{ path: "file", before: null, after: afterOf(content, { blob: 1 }) }]),
    ...(large === undefined
      ? []
      : [{ path: "large", before: null, after: afterOf(large, { staged: `staged/${large}` }) }]),
    { path: "removed", before: null, after: null },
  ];
  const numbered = sequence === undefined ? {} : { sequence, hash: `hash ${sequence}`, opaque: 0 };
  const putRecords = Object.keys(put).map((key, index) => [key, index + 2] as const);
  const entry = {
    kind: "commit",
    ordinal,
    boot: "",
    batch: "",
    ...numbered,
    paths,
    folders: [],
    putRecords,
    deleteRecords: wanted.delete ?? [],
    appended: [],
  } as const;
  return located(entry, segment, texts);
}

const undo = (ordinal: number, of: number) => located({ kind: "undo", ordinal, of }, 1);
const undone = (ordinal: number, of: number) => located({ kind: "undone", ordinal, of }, 1);
const pruned = (ordinal: number, before: number) => located({ kind: "pruned", ordinal, before }, 1);

function stateOf(...entries: readonly LocatedEntry[]): LogState {
  const state = new LogState();
  state.take(entries);
  return state;
}

const textOf = (state: LogState, key: string) => {
  const record = state.records.get(key);
  return record === undefined ? undefined : new TextDecoder().decode(record.bytes);
};

test("before the first entry there is nothing, and the chain begins", () => {
  expect(new LogState()).toMatchObject({ ordinal: 0, sequence: 0, hash: firstPreviousHash, prunedBefore: 1 });
  expect(new LogState().place(1)).toBeUndefined();
  expect(new LogState().keys("", undefined)).toEqual([]);
});

describe("Records", () => {
  test("are put, replaced with a new version, and removed", () => {
    const state = stateOf(
      commit(1, { put: { a: "1", b: "2" } }),
      commit(2, { put: { a: "3" }, delete: ["b", "never"] }),
    );
    expect(textOf(state, "a")).toBe("3");
    expect(state.records.get("a")?.version).toBe("2");
    expect(state.keys("", undefined)).toEqual(["a"]);
  });

  test("are listed in order, after a key, with a prefix, also when the listing has been asked for before", () => {
    const state = stateOf(commit(1, { put: { "b/2": "", "b/10": "", a: "", ["__proto__"]: "", é: "" } }));
    expect(state.keys("", undefined)).toEqual(["__proto__", "a", "b/10", "b/2", "é"]);
    expect(state.keys("b/", undefined)).toEqual(["b/10", "b/2"]);
    expect(state.keys("b/", "b/10")).toEqual(["b/2"]);
    expect(state.keys("", "b")).toEqual(["b/10", "b/2", "é"]);
    state.take([commit(2, { put: { "b/11": "" }, delete: ["b/2"] })]);
    expect(state.keys("b/", undefined)).toEqual(["b/10", "b/11"]);
  });
});

describe("An entry that was taken back", () => {
  const state = stateOf(
    commit(1, { sequence: 1, content: "first", put: { a: "kept" } }),
    commit(2, {
      sequence: 2,
      content: "second",
      large: "third",
      put: { a: "never", b: "never" },
      delete: ["a"],
    }),
    undo(3, 2),
    undone(4, 2),
  );

  test("keeps its number and its place in the chain, marked", () => {
    expect(state).toMatchObject({ ordinal: 4, sequence: 2, hash: "hash 2" });
    expect(state.place(2)).toMatchObject({ sequence: 2, hash: "hash 2", undone: true });
    expect(state.place(1)).toMatchObject({ undone: false });
  });

  test("leaves no record and no content", () => {
    expect(textOf(state, "a")).toBe("kept");
    expect(state.records.has("b")).toBe(false);
    expect([...state.contents.keys()]).toEqual(["first"]);
    expect(state.elsewhere.size).toBe(0);
  });

  test("is named by its undo alone", () => {
    expect(deadOrdinals([commit(1, {}), undo(3, 2), undone(4, 1), undo(5, 1)])).toEqual(new Set([2, 1]));
  });
});

describe("Places", () => {
  const numbers = [1, 2, 3, 5, 8];
  const state = stateOf(
    ...numbers.map((sequence, index) => commit(index + 1, { sequence })),
    commit(9, { put: { a: "1" } }),
  );

  test("are found for each number that was read, and for no other", () => {
    for (let sequence = 0; sequence <= 10; sequence++)
      expect(state.place(sequence)?.sequence).toBe(numbers.includes(sequence) ? sequence : undefined);
  });

  test("name the bytes of the entry's own part", () => {
    expect(state.place(5)).toEqual({
      sequence: 5,
      hash: "hash 5",
      undone: false,
      file: "1.log",
      offset: 4000,
      length: 6,
    });
  });

  test("of a batch without a number do not exist, and the chain does not move", () => {
    expect(state).toMatchObject({ ordinal: 9, sequence: 8, hash: "hash 8" });
  });
});

describe("Pruning", () => {
  test("drops places and contents of older entries, and never goes back", () => {
    const state = stateOf(
      commit(1, { sequence: 1, content: "one" }),
      commit(2, { sequence: 2, content: "two", large: "two large", put: { a: "stays" } }),
      commit(3, { sequence: 3, content: "three" }),
      pruned(4, 3),
      pruned(5, 2),
    );
    expect(state.prunedBefore).toBe(3);
    expect([1, 2, 3].map((sequence) => state.place(sequence)?.sequence)).toEqual([undefined, undefined, 3]);
    expect([...state.contents.keys(), ...state.elsewhere.keys()]).toEqual(["three"]);
    expect(textOf(state, "a")).toBe("stays");
  });

  test("of everything leaves the head of the chain", () => {
    const state = stateOf(commit(1, { sequence: 1 }), pruned(2, 2));
    expect(state.places).toEqual([]);
    expect(state).toMatchObject({ sequence: 1, hash: "hash 1", ordinal: 2 });
  });

  test("keeps a content that a kept entry left too", () => {
    const state = stateOf(
      commit(1, { sequence: 1, content: "same" }),
      commit(2, { sequence: 2, content: "same" }),
      pruned(3, 2),
    );
    expect(state.contents.get("same")).toMatchObject({ sequence: 2 });
  });
});

describe("Older entries that are read later", () => {
  const older = () => [
    commit(1, { sequence: 1, content: "one", put: { old: "1" } }),
    commit(2, { sequence: 2, content: "two", large: "large" }),
  ];
  const none = () => false;

  test("add their places in front and their contents, and no record", () => {
    const state = stateOf(commit(3, { sequence: 3, content: "three" }, 2));
    state.takeOlder(older(), none);
    expect(state.places.map(({ sequence }) => sequence)).toEqual([1, 2, 3]);
    expect([...state.contents.keys()].sort()).toEqual(["one", "three", "two"]);
    expect(state.elsewhere.get("large")).toMatchObject({ path: "large", file: "staged/large" });
    expect(state.records.size).toBe(0);
    expect(state.ordinal).toBe(3);
  });

  test("give nothing twice when they are read twice", () => {
    const state = stateOf(commit(3, { sequence: 3 }, 2));
    state.takeOlder(older(), none);
    state.takeOlder(older(), none);
    expect(state.places.map(({ sequence }) => sequence)).toEqual([1, 2, 3]);
  });

  test("stay out of sight when they were pruned", () => {
    const state = stateOf(commit(3, { sequence: 3 }, 2), pruned(4, 2));
    state.takeOlder(older(), none);
    expect(state.places.map(({ sequence }) => sequence)).toEqual([2, 3]);
    expect([...state.contents.keys()]).toEqual(["two"]);
  });

  test("that were taken back have a place, marked, and leave no content", () => {
    const state = stateOf(commit(3, { sequence: 3 }, 2));
    state.takeOlder(older(), ({ ordinal }) => ordinal === 1);
    expect(state.places.map(({ undone }) => undone)).toEqual([true, false, false]);
    expect([...state.contents.keys()]).toEqual(["two"]);
  });

  test("are forgotten with their contents, and those behind them are not", () => {
    const state = stateOf(commit(3, { sequence: 3, content: "three" }, 2));
    state.takeOlder(older(), none);
    state.forgetPlaces(2);
    expect(state.places.map(({ sequence }) => sequence)).toEqual([3]);
    expect([...state.contents.keys()]).toEqual(["three"]);
    expect(state.elsewhere.size).toBe(0);
    state.takeOlder(older(), none);
    expect(state.places.map(({ sequence }) => sequence)).toEqual([1, 2, 3]);
  });
});

describe("A content that a numbered entry left and one without a number wrote again", () => {
  test("can be found after older entries were pruned", () => {
    const state = stateOf(
      commit(1, { sequence: 1 }),
      commit(2, { sequence: 2, content: "same" }),
      commit(3, { content: "same" }),
      pruned(4, 2),
    );
    expect(state.contents.get("same")).toMatchObject({ sequence: 2, offset: 2001 });
  });

  test("can be found after older entries were read", () => {
    const state = stateOf(commit(3, { content: "same" }, 2));
    state.takeOlder([commit(1, { sequence: 1 }), commit(2, { sequence: 2, content: "same" })], () => false);
    expect(state.contents.get("same")).toMatchObject({ sequence: 2, file: "1.log" });
  });
});
