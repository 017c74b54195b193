import { describe, expect, it } from "vitest";
import { runSteps } from "../../../src/base/steps.ts";
import {
  hasFinalNewline,
  lineAt,
  lineContentEnd,
  lineStart,
  openDocument,
  terminatorOf,
} from "../../../src/text/text-document.ts";
import { latin1, openText } from "../../support/edit-text.ts";

describe("openDocument", () => {
  it.each([
    ["", 0, "none", undefined],
    ["\ufeff", 0, "none", undefined],
    ["a", 1, "none", undefined],
    ["\n", 1, "lf", "\n"],
    ["a\nb", 2, "lf", "\n"],
    ["a\nb\n", 2, "lf", "\n"],
    ["a\r\nb\r\n", 2, "crlf", "\r\n"],
    ["\ufeffa\r\n", 1, "crlf", "\r\n"],
    ["a\r\nb\nc\r\n", 3, "mixed", "\r\n"],
    ["a\r\nb\n", 2, "mixed", "\n"],
    ["a\rb\rc", 1, "none", undefined],
    ["a\r\r\nb", 2, "crlf", "\r\n"],
    ["\n\r", 2, "lf", "\n"],
    ["a\fb\vc\u0085d\u2028e\u2029f", 1, "none", undefined],
    ["gcc\n\f\nx\n", 3, "lf", "\n"],
    ["a\u2028b\nc\nd", 3, "lf", "\n"],
  ])("gives %j %i lines with line ends %s", (text, lineCount, lineEnding, mainTerminator) => {
    const document = openText(text);
    expect(document).toMatchObject({ lineCount, lineEnding, encoding: "utf-8" });
    expect(document.mainTerminator).toBe(mainTerminator);
    expect(document.bomLength).toBe(text.startsWith("\ufeff") ? 3 : 0);
  });

  it.each([
    ["a NUL", latin1("a\0b"), "nul"],
    ["the beginning of a ZIP", latin1("PK\x03\x04\x14\0\0\0"), "nul"],
    ["a UTF-16 mark, little end first", latin1("\xff\xfea\0"), "utf-16"],
    ["a UTF-16 mark, big end first", latin1("\xfe\xff\0a"), "utf-16"],
    ["a UTF-16 mark and no more", latin1("\xff\xfe"), "utf-16"],
    ["a NUL late in a long file", latin1(`${"a\n".repeat(300_000)}\0`), "nul"],
  ])("calls bytes with %s binary", (_, bytes, binary) => {
    expect(runSteps(openDocument(bytes))).toEqual({ kind: "binary", binary });
  });

  it.each([
    ["a Latin-1 letter", "const x = 1;\n// caf\xe9\n", 19],
    ["a lone continuation byte", "a\x80", 1],
    ["an overlong slash", "\xc0\xaf", 0],
    ["an overlong three-byte form", "ab\xe0\x9f\xbf", 2],
    ["an encoded surrogate", "\xed\xa0\x80", 0],
    ["a value above U+10FFFF", "\xf4\x90\x80\x80", 0],
    ["an overlong four-byte form", "\xf0\x8f\xbf\xbf", 0],
    ["a code point cut by the end", "a\xf0\x9f\x9f", 1],
    ["a byte that begins nothing", "\xf5", 0],
    ["a bad byte after a byte order mark", "\xef\xbb\xbfa\xff", 4],
  ])("calls bytes with %s 8-bit text and says where", (_, bytes, firstInvalid) => {
    expect(openText(latin1(bytes))).toMatchObject({ encoding: "unknown-8bit", firstInvalid });
  });

  it.each(["\u00e9", "\u0800", "\ud7ff", "\ue000", "\uffff", "\u{10000}", "\u{10ffff}", "\ufffd"])(
    "takes %j for UTF-8, also where a piece of work ends in the middle of it",
    (character) => {
      const filler = "x".repeat(256 * 1024 - 1);
      expect(openText(`${filler}${character}${filler}${character}`).encoding).toBe("utf-8");
    },
  );

  it("finds the first bad byte also when it lies in a later piece of work", () => {
    const bytes = latin1(`${"\xc3\xa9".repeat(200_000)}\xff\xfe`);
    expect(openText(bytes).firstInvalid).toBe(400_000);
  });

  it("keeps every line start of a file with very many lines", () => {
    const document = openText("\n".repeat(200_000));
    expect(document.lineCount).toBe(200_000);
    expect([1, 65_536, 65_537, 200_000].map((line) => lineStart(document, line))).toEqual([
      0, 65_535, 65_536, 199_999,
    ]);
  });
});

describe("the lines of a document", () => {
  const document = openText("\ufeffa\r\nbc\n\nd\r");

  it("have starts, ends and terminators in bytes of the whole file", () => {
    expect([1, 2, 3, 4, 5].map((line) => lineStart(document, line))).toEqual([3, 6, 9, 10, 12]);
    expect([1, 2, 3, 4].map((line) => lineContentEnd(document, line))).toEqual([4, 8, 9, 12]);
    expect([1, 2, 3, 4].map((line) => terminatorOf(document, line))).toEqual(["\r\n", "\n", "\n", undefined]);
  });

  it("are found from any offset in them", () => {
    expect([3, 4, 5, 6, 8, 9, 10, 11, 12].map((offset) => lineAt(document, offset))).toEqual([
      1, 1, 1, 2, 2, 3, 4, 4, 4,
    ]);
  });

  it.each([
    ["", false],
    ["a", false],
    ["a\n", true],
    ["a\r\n", true],
    ["a\r", false],
  ])("say for %j whether the last has a terminator: %s", (text, has) => {
    expect(hasFinalNewline(openText(text))).toBe(has);
  });
});
