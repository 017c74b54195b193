import { describe, expect, it } from "vitest";
import type { Steps } from "../../../src/base/steps.ts";
import type { Edit } from "../../../src/text/edit.ts";
import type { FoundText } from "../../../src/text/find-text.ts";
import { planEdits } from "../../../src/text/plan-edits.ts";
import { openTextSearch, searchText, type TextSearch } from "../../../src/text/search-text.ts";
import { openText } from "../../support/edit-text.ts";

const mebibyte = 1024 * 1024;
/** Steps that reading a mebibyte once takes at most. */
const readSteps = 24;
const encode = (text: string) => new TextEncoder().encode(text);

function count<T>(steps: Steps<T>): { readonly result: T; readonly steps: number } {
  for (let taken = 1; ; taken++) {
    const next = steps.next();
    if (next.done === true) return { result: next.value, steps: taken };
  }
}

/** A search that has read the file often enough to index it. */
function openRead(text: string): TextSearch {
  const search = openTextSearch(encode(text), 0);
  for (const sought of ["no such text", "nor this one"]) count(searchText(search, encode(sought)));
  return search;
}

function find(search: TextSearch, sought: string): { readonly result: FoundText; readonly steps: number } {
  return count(searchText(search, encode(sought)));
}

const lines = Array.from(
  { length: 20_000 },
  (_, line) => `  const value_${line} = compute(${line * 7});\r\n`,
);

describe("searchText", () => {
  it("reads the whole file for the first texts, then indexes it once and reads it no more", () => {
    const search = openRead(lines.join(""));
    expect(search.indexes).toEqual([]);
    const first = find(search, "value_777 ");
    expect(first.result.overlapping).toBe(1);
    const [index] = search.indexes;
    expect(index).toBeDefined();
    for (let line = 0; line < 20_000; line += 1000) {
      const { result, steps } = find(search, `value_${line} = compute(${line * 7});\n  const`);
      expect(result.overlapping).toBe(1);
      expect(steps).toBe(1);
    }
    expect(search.indexes).toHaveLength(1);
    expect(search.indexes[0]).toBe(index);
  });

  it("finds the texts that an index is too short for", () => {
    const search = openRead("ab\r\nab\r\n");
    expect(find(search, "b\n").result).toEqual({
      spans: [
        { start: 1, end: 4 },
        { start: 5, end: 8 },
      ],
      overlapping: 2,
      firstStarts: [1, 5],
    });
  });

  it("indexes longer grams when short ones are everywhere", () => {
    let state = 1;
    const letters = (length: number) =>
      Array.from({ length }, () => {
        state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
        return state >>> 31 === 0 ? "a" : "b";
      }).join("");
    const text = letters(mebibyte);
    const search = openRead(text);
    for (let at = 0; at < 3; at++) find(search, letters(60));
    expect(search.indexes.map(({ gramLength }) => gramLength)).toEqual([3, 8]);
    for (let at = 0; at < 20; at++) {
      const missing = find(search, letters(60));
      expect(missing.result.overlapping).toBe(0);
      const present = find(search, text.slice(at * 1000, at * 1000 + 60));
      expect(present.result.firstStarts).toEqual([at * 1000]);
      expect(Math.max(missing.steps, present.steps)).toBeLessThanOrEqual(4);
    }
  });

  it.each([
    ["one letter, and it lacks the last", "a".repeat(mebibyte), `${"a".repeat(300)}b`, 0],
    ["one letter, and it lacks the first", "a".repeat(mebibyte), `b${"a".repeat(300)}`, 0],
    ["one letter, and it is everywhere", "a".repeat(mebibyte), "a".repeat(300), mebibyte - 299],
    ["line ends, and they are everywhere", "\r\n".repeat(mebibyte / 2), "\n".repeat(300), mebibyte / 2 - 299],
    ["a long period, and it nearly occurs", `${"ab".repeat(40)}c`.repeat(12_945), `${"ab".repeat(40)}cb`, 0],
    [
      "a long period, and each place nearly has all of it",
      `${`${"abcdefgh".repeat(32)}|`.repeat(16)}#`.repeat(255),
      `${"abcdefgh".repeat(32)}|`.repeat(17),
      0,
    ],
    [
      "parts that all occur but never so",
      `${"abcdefgh".repeat(32)}|`.repeat(4080),
      `${"abcdefgh".repeat(33)}|`,
      0,
    ],
  ])("needs no more than a few readings of the file when that is %s", (_, text, sought, overlapping) => {
    const search = openRead(text);
    const first = find(search, sought);
    expect(first.result.overlapping).toBe(overlapping);
    expect(first.steps).toBeLessThanOrEqual(3 * readSteps);
    const second = find(search, sought);
    expect(second.result.overlapping).toBe(overlapping);
    expect(second.steps).toBeLessThanOrEqual(2 * readSteps);
  });
});

describe("many texts edited in one file", () => {
  const replace = (oldText: string): Edit => ({ op: "replace_text", oldText, newText: "x" });

  it("take a few steps each, however large the file", () => {
    const edits = Array.from({ length: 2000 }, (_, at) => replace(`value_${at * 10} `));
    const { result, steps } = count(planEdits(openText(lines.join("")), edits));
    expect(result.problems).toBeUndefined();
    expect(steps).toBeLessThan(6 * edits.length);
  });

  it("take a few steps each also when they are missing", () => {
    const edits = Array.from({ length: 2000 }, (_, at) => replace(`no text ${at}, value_`));
    const { result, steps } = count(planEdits(openText(lines.join("")), edits));
    expect(result.problems).toHaveLength(2000);
    expect(steps).toBeLessThan(6 * edits.length);
  });

  it("say at most eight lines of an ambiguous text, the first ones, also by the index", () => {
    const search = Array.from({ length: 4 }, () => replace("const value_1999"));
    const { problems = [] } = count(planEdits(openText(lines.join("")), search)).result;
    expect(problems).toHaveLength(4);
    for (const { code, details } of problems) {
      expect(code).toBe("TEXT_AMBIGUOUS");
      expect(details).toEqual({
        occurrences: 11,
        lines: [2000, 19_991, 19_992, 19_993, 19_994, 19_995, 19_996, 19_997],
      });
    }
  });
});
