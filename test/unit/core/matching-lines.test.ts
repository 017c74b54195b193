import { expect, test } from "vitest";
import { matchingLines, textFinder } from "../../../src/core/matching-lines.ts";

function search(text: string, wanted: string, { ignoreCase = false, context = 0 } = {}) {
  return [...matchingLines(text, textFinder(wanted, ignoreCase), context)].filter(
    (match) => match !== undefined,
  );
}

const placesOf = (...args: Parameters<typeof search>) =>
  search(...args).map(({ line, column }) => [line, column]);

test.each<[string, string, string, readonly (readonly number[])[]]>([
  ["at the start", "abc", "a", [[1, 1]]],
  [
    "in later lines",
    "x\nxa\nx\nab",
    "a",
    [
      [2, 2],
      [4, 1],
    ],
  ],
  [
    "once for each line",
    "aaa\na",
    "a",
    [
      [1, 1],
      [2, 1],
    ],
  ],
  ["in the last line without an end", "x\na", "a", [[2, 1]]],
  ["after empty lines", "\n\n\na", "a", [[4, 1]]],
  ["nowhere", "x\ny", "a", []],
  ["nowhere in nothing", "", "a", []],
  ["literally", "a.c\nabc\n$&", "a.c", [[1, 1]]],
  ["by UTF-16 code units", "😀a", "a", [[1, 3]]],
  ["not across a lone carriage return", "x\ra", "a", [[1, 3]]],
])("finds text %s", (_name, text, wanted, expected) => {
  expect(placesOf(text, wanted)).toEqual(expected);
});

test.each<[string, string]>([
  ["ÄRGER", "ärger"],
  ["straße.*", "STRAßE.*"],
  ["a/b", "A/B"],
  ["[x]{1}(y)|z^$\\", "[X]{1}(Y)|Z^$\\"],
])("with capitals ignored, %s is found as %s", (text, wanted) => {
  expect(placesOf(`-\n--${text}`, wanted, { ignoreCase: true })).toEqual([[2, 3]]);
  expect(placesOf(`-\n--${text}`, wanted)).toEqual(text === wanted ? [[2, 3]] : []);
});

test("characters whose small form is longer do not move the column", () => {
  expect(placesOf("İİx", "X", { ignoreCase: true })).toEqual([[1, 3]]);
});

test("lines come without their ends, also with CRLF", () => {
  expect(search("x\r\nab\r\ny\r", "a", { context: 9 })).toEqual([
    { line: 2, column: 1, text: "ab", before: ["x"], after: ["y\r"] },
  ]);
});

test("context stops at the ends of the text", () => {
  const [match] = search("1\n2\na\n4\n5\n", "a", { context: 1 });
  expect([match?.before, match?.after]).toEqual([["2"], ["4"]]);
  const [whole] = search("1\n2\na\n4\n5\n", "a", { context: 5 });
  expect([whole?.before, whole?.after]).toEqual([
    ["1", "2"],
    ["4", "5"],
  ]);
});

test("a long text is searched in pieces", () => {
  const pieces = [...matchingLines(`${"x\n".repeat(50_000)}a`, textFinder("a", false), 0)];
  expect(pieces.filter((piece) => piece === undefined).length).toBeGreaterThan(10);
  expect(pieces.at(-1)).toMatchObject({ line: 50_001, column: 1 });
});
