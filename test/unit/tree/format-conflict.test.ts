import { describe, expect, test } from "vitest";
import { formatConflict } from "../../../src/tree/format-conflict.ts";
import { conflictOf, lines, mergeWritten, type WrittenTree } from "../../support/merge/tree-notation.ts";

type Trees = readonly [WrittenTree, WrittenTree, WrittenTree];

const base = lines();
const content: Trees = [
  { a: base },
  { a: lines({ 2: "same\nmine", 8: "my eight" }) },
  { a: lines({ 2: "same\ntheirs", 11: "their eleven" }) },
];

describe("a conflict of lines is shown in the merged text", () => {
  const conflict = conflictOf(...content);
  const around = (marked: string) => lines({ 2: marked, 8: "my eight", 11: "their eleven" });

  test("with both sides", () => {
    expect(formatConflict(conflict)).toBe(
      around("same\n<<<<<<< current\nmine\n=======\ntheirs\n>>>>>>> incoming"),
    );
  });

  test("with the base, as diff3 and zdiff3", () => {
    expect(formatConflict(conflict, { style: "diff3" })).toBe(
      around("<<<<<<< current\nsame\nmine\n||||||| base\nline 2\n=======\nsame\ntheirs\n>>>>>>> incoming"),
    );
    expect(formatConflict(conflict, { style: "zdiff3" })).toBe(
      around("same\n<<<<<<< current\nmine\n||||||| base\nline 2\n=======\ntheirs\n>>>>>>> incoming"),
    );
  });

  test("with the names that are given for the sides, on one line each", () => {
    const shown = formatConflict(conflict, {
      labels: { current: "main\n<<<<<<<", incoming: undefined } as never,
    });
    expect(shown).toContain("\n<<<<<<< main <<<<<<<\n");
    expect(shown).toContain("\n>>>>>>> incoming\n");
  });

  test("with what could drive a terminal spelled out", () => {
    const shown = formatConflict(
      conflictOf({ a: base }, { a: lines({ 2: "\x1b[2Jmine\rx" }) }, { a: lines({ 2: "theirs\x07" }) }),
    );
    expect(shown).toContain("\\x1b[2Jmine\\x0dx\n");
    expect(shown).toContain("theirs\\x07\n");
    expect(shown).not.toMatch(/(?!\n)\p{Cc}/u);
  });

  test("also when its files are not UTF-8, or have a byte order mark", () => {
    const latin = (text: string) => lines({ 2: text, 12: "caf\u00e9" });
    expect(formatConflict(conflictOf({ a: latin("b") }, { a: latin("m") }, { a: latin("t") }))).toContain(
      "caf\u00e9\n",
    );
    const marked = (text: string) => `\u00ef\u00bb\u00bf${lines({ 1: text })}`;
    const conflictOfFirst = conflictOf({ a: marked("b") }, { a: marked("m") }, { a: marked("t") });
    expect(conflictOfFirst.current).toMatchObject({ bom: true, text: lines({ 1: "m" }) });
    expect(formatConflict(conflictOfFirst)).toContain("<<<<<<< current\nm\n=======\nt\n>>>>>>> incoming\n");
  });
});

test.each<[Trees, string]>([
  [[{ a: base }, { a: "now\n" }, {}], 'current changes "a", and incoming deletes it.'],
  [[{ a: base }, {}, { b: base }], 'incoming moves "a" to "b", and current deletes it.'],
  [
    [{ a: base }, { b: base }, { c: base }],
    'current moves "a" to "b", and incoming to "c". The changes of both go together in the suggested text.',
  ],
  [[{}, { a: "x s\n" }, { a: "s\n" }], 'current and incoming both add "a"; only that of current may be run.'],
  [[{ a: "\0b" }, { a: "\0c" }, { a: "\0i" }], 'current and incoming both change "a", which is binary.'],
  [
    [{ l: "-> a" }, { l: "-> b" }, { l: "-> c\x1b" }],
    '"l" cannot be both: current has the link "l" to "b", and incoming the link "l" to "c\\u001b".',
  ],
  [
    [{}, { a: "f\n" }, { "a/x": "x\n", "a/y": "y\n" }],
    '"a" cannot be both: current has the file "a", and incoming the folder "a" with 2 files.',
  ],
  [
    [{}, { A: "1\n" }, { a: "2\n" }],
    'Some file systems take two names for one: current has the file "A", and incoming the file "a".',
  ],
])("a conflict without lines is told in a sentence: %#", (trees, sentence) => {
  expect(formatConflict(conflictOf(...trees))).toBe(sentence);
});

test("a conflict by policy, or with bytes that nobody knows, says so", () => {
  const { merge } = mergeWritten(
    { a: base },
    { a: lines({ 2: "m" }) },
    { a: lines({ 11: "t" }) },
    {
      mergePolicy: "path",
    },
  );
  const [conflict] = merge.conflicts;
  if (conflict === undefined) throw new Error("no conflict");
  expect(formatConflict(conflict, { labels: { current: "yours" } })).toBe(
    'yours and incoming both change "a". The changes of both go together in the suggested text.',
  );
  const { suggestion: _suggestion, ...rest } = conflict;
  expect(formatConflict({ ...rest, unmerged: "bytesUnknown" })).toBe(
    'current and incoming both change "a". It was not merged: bytes of a side are not known any more.',
  );
});
