import { describe, expect, it } from "vitest";
import type { ReplaceTextEdit } from "../../../src/text/edit.ts";
import { edit, editedText, fromLatin1, latin1, problemCodes } from "../../support/edit-text.ts";

const swap = (oldText: string, newText: string, count: Partial<ReplaceTextEdit> = {}): ReplaceTextEdit => ({
  op: "replace_text",
  oldText,
  newText,
  ...count,
});
const all = { replaceAll: true };

describe("text edits", () => {
  it.each<[string, string, ReplaceTextEdit, string]>([
    ["one text", "port = 80\n", swap("80", "8080"), "port = 8080\n"],
    ["a part of a word", "foo   bar baz", swap("foo   bar", "XY"), "XY baz"],
    ["text after an emoji", "🟢 ALPHA", swap("ALPHA", "BETA"), "🟢 BETA"],
    ["an emoji", "a🟢b", swap("🟢", "é"), "aéb"],
    [
      "text after a byte order mark",
      "\ufeffViewChild",
      swap("ViewChild", "ContentChild"),
      "\ufeffContentChild",
    ],
    ["a mark inside the text", "a\ufeffb", swap("\ufeff", ""), "ab"],
    ["with a dollar, literally", "a", swap("a", "$& $1 $$ $`"), "$& $1 $$ $`"],
    ["with a backslash, literally", "a", swap("a", "\\n\\t\\u0041"), "\\n\\t\\u0041"],
    ["a pattern, literally", "a.c abc", swap("a.c", "x"), "x abc"],
    ["a backslash and an n", 'print("a\\n")', swap("a\\n", "b\\n"), 'print("b\\n")'],
    ["one word between curly quotes", "“Hello” – you", swap("Hello", "Bye"), "“Bye” – you"],
    ["the whole file by nothing", "a\n", swap("a\n", ""), ""],
    ["the final newline", "a\n", swap("a\n", "a"), "a"],
    ["the end of a file by a final newline", "a", swap("a", "a\n"), "a\n"],
    ["a lone carriage return", "a\rb", swap("\r", "\n"), "a\nb"],
    ["every occurrence", "a b a", swap("a", "c", all), "c b c"],
    ["as many as were said", "a b a", swap("a", "c", { occurrences: 2 }), "c b c"],
    ["every occurrence by one that contains it", "aaa", swap("a", "aa", all), "aaaaaa"],
    ["overlapping occurrences from left to right", "a\na\na", swap("a\na", "X", all), "X\na"],
  ])("replace %s", (_, text, textEdit, expected) => {
    expect(editedText(text, textEdit)).toBe(expected);
  });

  it.each<[string, ReplaceTextEdit, string]>([
    ["a\r\nb\r\nc\r\n", swap("a\nb", "A\nx\nB"), "A\r\nx\r\nB\r\nc\r\n"],
    ["a\nb\nc\n", swap("a\r\nb", "A\r\nB"), "A\nB\nc\n"],
    ["a\r\nb\nc\r\n", swap("a\nb\nc\n", "a\nB\nc\n"), "a\r\nB\nc\r\n"],
    ["a\r\nb\nc\r\nd\n", swap("b\nc\n", "b\nnew\nc\n"), "a\r\nb\nnew\nc\r\nd\n"],
    ["a\nb\r\nc\nd\r\n", swap("a\nb\nc\nd\n", "x\na\nc\nd\ny\n"), "x\na\nc\nd\r\ny\r\n"],
    ["a b\r\nc\n", swap("a b", "a\nb"), "a\r\nb\r\nc\n"],
    ["x", swap("x", "a\r\nb"), "a\nb"],
    ["x\r\ny", swap("\ny", ""), "x"],
    ["a\r\n\r\nb", swap("\n\n", "\n"), "a\r\nb"],
    ["a\r\r\nb", swap("a\r\r\nb", "c"), "c"],
  ])("match whatever the kind of line end and keep the file's: %j", (text, textEdit, expected) => {
    expect(editedText(text, textEdit)).toBe(expected);
  });

  it.each<[string, string, ReplaceTextEdit, string]>([
    ["an empty text", "a", swap("", "x"), "EMPTY_OLD_TEXT"],
    ["an empty text for every occurrence", "a", swap("", "x", all), "EMPTY_OLD_TEXT"],
    ["an empty text in an empty file", "", swap("", "x"), "EMPTY_OLD_TEXT"],
    ["text that is not there", "a", swap("b", "x"), "TEXT_NOT_FOUND"],
    ["text that is not there, all of it", "a", swap("b", "x", all), "TEXT_NOT_FOUND"],
    ["text in an empty file", "", swap("a", "x"), "TEXT_NOT_FOUND"],
    ["text that is there twice", "a a", swap("a", "x"), "TEXT_AMBIGUOUS"],
    ["fewer than were said", "a a", swap("a", "x", { occurrences: 3 }), "TEXT_NOT_FOUND"],
    ["more than were said", "a a a", swap("a", "x", { occurrences: 2 }), "TEXT_AMBIGUOUS"],
    ["occurrences that overlap", "foo\nfoo\nfoo\n", swap("foo\nfoo\n", "x"), "TEXT_AMBIGUOUS"],
    ["overlapping ones as many as were said", "aaa", swap("aa", "x", { occurrences: 2 }), "TEXT_AMBIGUOUS"],
    ["half a line end", "a\r\nb", swap("a\r", "x"), "TEXT_NOT_FOUND"],
    ["a byte order mark", "\ufeffa", swap("\ufeff", ""), "TEXT_NOT_FOUND"],
    ["no occurrence", "a", swap("a", "x", { occurrences: 0 }), "INVALID_ARGUMENT"],
    ["half an occurrence", "a", swap("a", "x", { occurrences: 1.5 }), "INVALID_ARGUMENT"],
    ["a number and all", "a", swap("a", "x", { occurrences: 1, replaceAll: true }), "INVALID_ARGUMENT"],
    ["half a surrogate pair to write", "a", swap("a", "\ud83d"), "INVALID_ARGUMENT"],
    ["half a surrogate pair to find", "🟢", swap("\ud83d", "x"), "INVALID_ARGUMENT"],
    ["a NUL", "a", swap("a", "\0"), "INVALID_ARGUMENT"],
  ])("are refused for %s", (_, text, textEdit, code) => {
    expect(problemCodes(text, textEdit)).toEqual([code]);
  });

  it("say how often and where an ambiguous text occurs, the first eight lines", () => {
    const { problems } = edit("x\n".repeat(20), [swap("x", "y")]);
    expect(problems).toMatchObject([
      { code: "TEXT_AMBIGUOUS", editIndex: 0, details: { occurrences: 20, lines: [1, 2, 3, 4, 5, 6, 7, 8] } },
    ]);
    expect(problems?.[0]?.message).toContain(
      "occurs 20 times (lines 1, 2, 3, 4, 5, 6, 7, 8 and more), not 1 time",
    );
    expect(edit("foo\nfoo\nfoo\n", [swap("foo\nfoo\n", "x")]).problems).toMatchObject([
      { details: { occurrences: 2, lines: [1, 2] } },
    ]);
  });

  it("work on the bytes of 8-bit text", () => {
    const file = latin1("caf\xe9 \xa9 x\n");
    const ascii = edit(file, [swap("x", "y")]);
    expect("bytes" in ascii && fromLatin1(ascii.bytes)).toBe("caf\xe9 \xa9 y\n");
    const named = edit(file, [swap("caf\xe9", "th\xe9")], "latin1");
    expect("bytes" in named && fromLatin1(named.bytes)).toBe("th\xe9 \xa9 x\n");
    expect(edit(file, [swap("x", "é")]).problems).toMatchObject([{ code: "UNSUPPORTED_ENCODING" }]);
    expect(edit(file, [swap("€", "x")], "latin1").problems).toMatchObject([{ code: "UNSUPPORTED_ENCODING" }]);
  });

  it("tell what they changed, line by line, and nothing when the text stays", () => {
    expect(edit("a\nb\nc\nd\n", [swap("b\nc\n", "b\nx\nc\n")])).toMatchObject({
      changedRanges: [{ startLine: 3, endLine: 3, added: 1, removed: 0 }],
      lineShifts: [{ fromLine: 3, by: 1 }],
      totalLines: 5,
    });
    expect(edit("a b\nb\n", [swap("b", "c", all)])).toMatchObject({
      changedRanges: [{ startLine: 1, endLine: 2, added: 2, removed: 2 }],
    });
    expect(edit("a\nb\nc\n", [swap("b\n", "b ")])).toMatchObject({
      changedRanges: [{ startLine: 2, endLine: 2, added: 1, removed: 2 }],
      totalLines: 2,
    });
    expect(edit("a\r\n", [swap("a\n", "a\n")])).toMatchObject({
      changedRanges: [],
      additions: 0,
      totalLines: 1,
    });
  });
});
