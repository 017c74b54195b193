import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { runSteps } from "../../../../src/base/steps.ts";
import { hashOfBytes } from "../../../../src/text/line-bytes.ts";
import { exactLineIds } from "../../../../src/text/patch/exact-line-ids.ts";
import { openDocument, type TextDocument } from "../../../../src/text/text-document.ts";

function opened(text: string | Uint8Array): TextDocument {
  const bytes = typeof text === "string" ? new TextEncoder().encode(text) : text;
  const document = runSteps(openDocument(bytes));
  if (document.kind !== "text") throw new Error("The text is binary.");
  return document;
}

const ids = (text: string | Uint8Array, sought: readonly string[]) => {
  const numbers = runSteps(exactLineIds(opened(text), sought));
  return numbers && [...numbers];
};

describe("lines that are numbered by their bytes", () => {
  test.each<[string, string, string[], number[]]>([
    ["lines of a file", "a\nb\nc\nb\n", ["b", "a"], [2, 1, 0, 1]],
    ["line ends of both kinds", "a\r\nb\nb\r\n", ["a", "b"], [1, 2, 2]],
    ["a last line without an end", "a\nb", ["b"], [0, 1]],
    ["a carriage return that is part of a line", "a\r\r\na\rb\na\r", ["a\r", "a"], [1, 0, 1]],
    ["empty lines", "\n\r\n\na\n", [""], [1, 1, 1, 0]],
    ["lines behind a byte order mark", "\ufeffa\nb\n", ["a", "b"], [1, 2]],
    ["a byte order mark that is part of a line", "a\n\ufeffa\n", ["\ufeffa"], [0, 1]],
    ["no line at all", "", ["a"], []],
    ["lines of more than one byte a character", "ä\n日本\n😀\n", ["😀", "ä", "日"], [2, 0, 1]],
    [
      "lines longer than those that are told apart by length",
      `${"x".repeat(3000)}\n${"x".repeat(3001)}\n`,
      ["x".repeat(3001)],
      [0, 1],
    ],
  ])("are found in %s", (_, text, sought, expected) => {
    expect(ids(text, sought)).toEqual(expected);
  });

  test.each<[string, string | Uint8Array, string[]]>([
    ["a file that is not UTF-8", new Uint8Array([0x61, 0xe9, 0x0a]), ["a"]],
    ["a text with half of a surrogate pair", "\ufffd\n", ["\ud800"]],
    ["a text with a NUL", "a\n", ["a\0"]],
  ])("are not numbered for %s", (_, text, sought) => {
    expect(ids(text, sought)).toBeUndefined();
  });

  test("are not numbered for texts that were made to meet in one place of the table", () => {
    const meeting: string[] = [];
    for (let count = 0; meeting.length < 128; count++) {
      const bytes = new TextEncoder().encode(`text ${count}`);
      if ((hashOfBytes(new DataView(bytes.buffer), 0, bytes.length) & 511) === 0)
        meeting.push(`text ${count}`);
    }
    expect(ids("text\n", meeting)).toBeUndefined();
    expect(ids("text\n", meeting.slice(0, 4))).toEqual([0]);
  });

  test("are numbered as they would be when they were compared as texts", () => {
    const line = fc.oneof(
      fc.constantFrom("", "a", "b", "\r", "a\r", "\ufeff", "\ufeffa", "äö", "\u0085", "\u2028", "}"),
      fc.string({ unit: "grapheme", maxLength: 12 }).map((text) => text.replace(/[\n\0]/g, "")),
    );
    const end = fc.constantFrom("\n", "\n", "\r\n");
    fc.assert(
      fc.property(
        fc.array(fc.tuple(line, end), { maxLength: 30 }),
        fc.uniqueArray(line, { maxLength: 8 }),
        (lines, others) => {
          const text = lines.map(([content, terminator]) => content + terminator).join("");
          const document = opened(text);
          const contents = lines.map(([content, terminator]) =>
            terminator === "\n" && content.endsWith("\r") ? content.slice(0, -1) : content,
          );
          if (document.bomLength > 0) contents[0] = (contents[0] as string).slice(1);
          const sought = [...new Set([...others, ...contents.filter((_, at) => at % 3 === 0)])];
          const expected = contents.map((content) => sought.indexOf(content) + 1);
          expect([...(runSteps(exactLineIds(document, sought)) ?? [])]).toEqual(expected);
        },
      ),
    );
  });
});
