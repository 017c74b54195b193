import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runSteps } from "../../src/base/steps.ts";
import { type FoundText, findText } from "../../src/text/find-text.ts";
import { openTextSearch, searchText, type TextSearch } from "../../src/text/search-text.ts";

const encode = (text: string) => new TextEncoder().encode(text);
const asLf = (text: string) => text.replaceAll("\r\n", "\n");

/** Compares the text at every offset of the file, with no CRLF cut. */
function searchNaively(bytes: Uint8Array, from: number, sought: Uint8Array): FoundText {
  const isCutCrlf = (at: number) => bytes[at] === 13 && bytes[at + 1] === 10;
  const spans: { start: number; end: number }[] = [];
  const starts: number[] = [];
  for (let start = from; start < bytes.byteLength; start++) {
    if (start > from && isCutCrlf(start - 1)) continue;
    let at = start;
    let matched = 0;
    for (; at < bytes.byteLength && matched < sought.byteLength; at++) {
      if (isCutCrlf(at)) continue;
      if (bytes[at] !== sought[matched]) break;
      matched++;
    }
    if (matched < sought.byteLength) continue;
    starts.push(start);
    if (start >= (spans.at(-1)?.end ?? from)) spans.push({ start, end: at });
  }
  return { spans, overlapping: starts.length, firstStarts: starts.slice(0, 8) };
}

/** A search that has read the file often enough to use its index. */
function openIndexed(bytes: Uint8Array, from: number): TextSearch {
  return { ...openTextSearch(bytes, from), reads: 1000 };
}

/** Texts of one small alphabet, so that most texts that are sought occur, overlap and nearly occur. */
const alphabets = [
  ["a", "\n", "\r\n"],
  ["a", "b", "\n", "\r\n", "\r"],
  ["a", "é", "\r\n", "ab", "b"],
  ["\n", "\r\n", "\r", "\r\r\n"],
  [..."abcdefgh", "\n", "\r\n"],
];

const texts = fc.constantFrom(...alphabets).chain((alphabet) =>
  fc.record({
    text: fc
      .array(fc.constantFrom(...alphabet), { maxLength: 400, size: "max" })
      .map((parts) => parts.join("")),
    soughtTexts: fc.array(
      fc.oneof(
        fc
          .array(fc.constantFrom(...alphabet), { minLength: 1, maxLength: 12 })
          .map((parts) => ({ fresh: parts.join("") })),
        fc.record({ at: fc.nat(400), length: fc.integer({ min: 1, max: 60 }) }),
      ),
      { minLength: 1, maxLength: 8 },
    ),
  }),
);

describe("texts that are searched in one file", () => {
  it("are found where comparing at every offset finds them", () => {
    fc.assert(
      fc.property(texts, fc.constantFrom(0, 1, 3), ({ text, soughtTexts }, lead) => {
        const bytes = encode("x".repeat(lead) + text);
        const inOrder = openTextSearch(bytes, lead);
        const indexed = openIndexed(bytes, lead);
        for (const one of soughtTexts) {
          const sought = encode(asLf("fresh" in one ? one.fresh : text.slice(one.at, one.at + one.length)));
          if (sought.byteLength === 0) continue;
          const expected = searchNaively(bytes, lead, sought);
          expect(runSteps(findText(bytes, lead, sought))).toEqual(expected);
          expect(runSteps(searchText(inOrder, sought))).toEqual(expected);
          expect(runSteps(searchText(indexed, sought))).toEqual(expected);
        }
      }),
      { numRuns: 1500 },
    );
  });

  it("are found in bytes that are no UTF-8", () => {
    const few = fc.constantFrom(0x61, 0x80, 0x8d, 0xff, 10, 13);
    fc.assert(
      fc.property(
        fc.array(few, { maxLength: 300, size: "max" }),
        fc.nat(300),
        fc.integer({ min: 3, max: 20 }),
        (numbers, at, length) => {
          const bytes = Uint8Array.from(numbers);
          const kept = numbers.filter((byte, index) => byte !== 13 || numbers[index + 1] !== 10);
          const sought = Uint8Array.from(kept.slice(at, at + length));
          if (sought.byteLength === 0) return;
          const expected = searchNaively(bytes, 0, sought);
          expect(expected.overlapping).toBeGreaterThan(0);
          expect(runSteps(searchText(openIndexed(bytes, 0), sought))).toEqual(expected);
        },
      ),
      { numRuns: 1500 },
    );
  });
});
