import { expect, test } from "vitest";
import { numberLines } from "../../../src/core/number-lines.ts";
import type { TextPage } from "../../../src/schema/read-results.ts";

const page = (text: string, startLine: number, endLine: number): TextPage => ({
  path: "a",
  text,
  revision: "0".repeat(16),
  lineCount: 100,
  byteLength: 1,
  encoding: "utf-8",
  bom: false,
  lineEnding: "lf",
  executable: false,
  startLine,
  endLine,
});

test.each<[string, TextPage, string]>([
  ["lines with an end", page("a\nb\n", 1, 2), "1\ta\n2\tb"],
  ["a last line without an end", page("a\nb", 1, 2), "1\ta\n2\tb"],
  ["lines with CRLF", page("a\r\nb\r\n", 1, 2), "1\ta\n2\tb"],
  ["numbers of different width", page("a\nb\n", 9, 10), " 9\ta\n10\tb"],
  ["empty lines", page("\n\n", 3, 4), "3\t\n4\t"],
  ["a lone carriage return, which ends no line", page("a\rb\n", 1, 1), "1\ta\rb"],
  ["no lines", page("", 1, 0), ""],
])("numbers %s", (_name, given, expected) => {
  expect(numberLines(given)).toBe(expected);
});
