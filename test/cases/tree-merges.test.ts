import { expect, test } from "vitest";
import { conflictOf, lines, mergeWritten } from "../support/merge/tree-notation.ts";

const base = lines();
const changed = (text: string) => lines({ 2: `${text} 2`, 6: `${text} 6`, 11: `${text} 11` });

test("#154 three conflicts of one cause are told as three, the first too", () => {
  const { regions } = conflictOf({ a: base }, { a: changed("mine") }, { a: changed("theirs") });
  expect(regions?.map(({ current }) => current)).toEqual([
    [2, 2],
    [6, 6],
    [11, 11],
  ]);
});

test("#158 a file that both sides delete is gone, and no conflict", () => {
  for (const mergePolicy of ["content", "path"] as const) {
    const { merge, tree } = mergeWritten({ a: base, b: base }, { b: base }, { b: base }, { mergePolicy });
    expect(merge.conflicts).toEqual([]);
    expect(merge.verdicts.get("a")).toBe("same");
    expect(tree).toEqual({ b: base });
  }
});

test("#160 what one side edits and the other deletes is listed with its kind and both sides", () => {
  const edited = changed("mine");
  expect(conflictOf({ a: base }, { a: edited }, {})).toMatchObject({
    path: "a",
    kind: "modifyDelete",
    base: { text: base },
    current: { text: edited },
  });
  expect(conflictOf({ a: base }, {}, { a: edited })).toMatchObject({
    path: "a",
    kind: "modifyDelete",
    incoming: { text: edited },
  });
});

/** Lines that tools which go through strings lose, one character a byte. */
const oddLines = {
  "a lone carriage return": "one\rtwo",
  "a line separator": "one\u00e2\u0080\u00a8two",
  "bytes that are not UTF-8": "caf\u00e9 \u00ff",
  CRLF: "one\r",
  "a form feed and white space at the end": "\f one \t ",
};

test.each(Object.entries(oddLines))("#172 a merge keeps every byte: %s", (_name, odd) => {
  const text = (at2: string, at11: string) => lines({ 2: at2, 5: odd, 11: at11 });
  const { merge, tree } = mergeWritten(
    { a: text("b", "b") },
    { a: text(odd, "b") },
    { a: text("b", `${odd}!`) },
  );
  expect(merge.conflicts).toEqual([]);
  expect(tree).toEqual({ a: text(odd, `${odd}!`) });
});

test("#172 binary files are merged whole or not at all", () => {
  const bytes = (text: string) => `\0\u00ff${text}`;
  const trees = [
    { a: bytes(base) },
    { a: bytes(lines({ 2: "mine" })) },
    { a: bytes(lines({ 11: "theirs" })) },
  ] as const;
  expect(conflictOf(...trees)).toMatchObject({ path: "a", kind: "binary" });
  expect(conflictOf(...trees).current).not.toHaveProperty("text");
  expect(mergeWritten(trees[0], trees[0], trees[2]).tree).toEqual(trees[2]);
});
