import { describe, expect, it } from "vitest";
import { runSteps } from "../../../src/base/steps.ts";
import { contentForWrite } from "../../../src/text/content-for-write.ts";
import { encodeText } from "../../../src/text/encode-text.ts";
import { fromLatin1, latin1, openText } from "../../support/edit-text.ts";

const utf8Bytes = (text: string) => fromLatin1(new TextEncoder().encode(text));

function write(existing: string | undefined, text: string, encoding?: "latin1"): string {
  const document = existing === undefined ? undefined : openText(latin1(existing));
  const { bytes, problem } = runSteps(contentForWrite(document, text, { encoding }));
  return bytes === undefined ? problem.code : fromLatin1(bytes);
}

describe("contentForWrite", () => {
  it.each([
    ["a new file", undefined, "abc", "abc"],
    ["nothing over a file", "a\n", "", ""],
    ["LF text over a CRLF file", "a\r\nb\r\n", "x\ny\n", "x\r\ny\r\n"],
    ["CRLF text over a CRLF file", "a\r\n", "x\r\ny\r\n", "x\r\ny\r\n"],
    ["text with both ends over a CRLF file", "a\r\n", "x\r\ny\n", "x\r\ny\n"],
    ["LF text over a file with both ends", "a\r\nb\n", "x\ny\n", "x\ny\n"],
    ["CRLF text over an LF file", "a\n", "x\r\n", "x\r\n"],
    ["text without a mark over a file with one", "\xef\xbb\xbfa", "b", "\xef\xbb\xbfb"],
    ["text with a mark over a file with one", "\xef\xbb\xbfa", "\ufeffb", "\xef\xbb\xbfb"],
    [
      "text with a mark over a file with two",
      "\xef\xbb\xbf\xef\xbb\xbfa",
      "\ufeffb",
      "\xef\xbb\xbf\xef\xbb\xbfb",
    ],
    ["text with a mark into a new file", undefined, "\ufeffb", "\xef\xbb\xbfb"],
    ["curly quotes as they are", "x", "“Hello” – it’s", utf8Bytes("“Hello” – it’s")],
    ["a backslash and an n as they are", "x", 'print("a\\n")', 'print("a\\n")'],
    ["ASCII over 8-bit text", "caf\xe9\n", "tea\n", "tea\n"],
  ])("writes %s", (_, existing, text, expected) => {
    expect(write(existing, text)).toBe(expected);
  });

  it("writes one byte a character when latin1 is named, over and without a file", () => {
    expect(write("caf\xe9", "th\xe9\x80", "latin1")).toBe("th\xe9\x80");
    expect(write(undefined, "\xff", "latin1")).toBe("\xff");
  });

  it.each([
    ["text that is not ASCII over 8-bit text", "caf\xe9", "é", undefined, "UNSUPPORTED_ENCODING"],
    ["a character above U+00FF as latin1", "caf\xe9", "€", "latin1", "UNSUPPORTED_ENCODING"],
    ["half a surrogate pair", "a", "x\ud83d", undefined, "INVALID_ARGUMENT"],
    ["the other half", undefined, "\udfe2x", undefined, "INVALID_ARGUMENT"],
    ["a NUL", "a", "x\0y", undefined, "INVALID_ARGUMENT"],
  ] as const)("refuses %s", (_, existing, text, encoding, code) => {
    expect(write(existing, text, encoding)).toBe(code);
  });
});

describe("encodeText", () => {
  it("keeps surrogate pairs whole where a piece of work ends, and says where a bad character stands", () => {
    const filler = "x".repeat(256 * 1024 - 1);
    const text = `${filler}🟢${filler}`;
    const { bytes } = runSteps(encodeText(text, "utf-8"));
    expect(new TextDecoder("utf-8", { fatal: true }).decode(bytes) === text).toBe(true);
    const { problem } = runSteps(encodeText(`${text}\ud800`, "utf-8"));
    expect(problem?.message).toContain(`at character ${text.length + 1}`);
  });

  it("gives no bytes for no text", () => {
    expect(runSteps(encodeText("", "utf-8")).bytes?.byteLength).toBe(0);
  });
});
