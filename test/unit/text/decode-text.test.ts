import { describe, expect, it } from "vitest";
import { runSteps } from "../../../src/base/steps.ts";
import { decodeLines, decodeText } from "../../../src/text/decode-text.ts";
import { latin1, openText } from "../../support/edit-text.ts";

const everyByte = latin1(Array.from({ length: 255 }, (_, index) => String.fromCharCode(index + 1)).join(""));

describe("decodeText", () => {
  it.each([
    ["\ufeffimport os\n", "import os\n"],
    ["\ufeff\ufeffx", "\ufeffx"],
    ["a\ufeffb", "a\ufeffb"],
    ["🟢 é\r\n", "🟢 é\r\n"],
  ])("hides the byte order mark of %j and nothing else", (content, text) => {
    expect(runSteps(decodeText(openText(content), "utf-8"))).toEqual({ text });
  });

  it("refuses 8-bit text as UTF-8 with the offset of the bad byte", () => {
    const { problem } = runSteps(decodeText(openText(latin1("caf\xe9")), "utf-8"));
    expect(problem).toMatchObject({ code: "UNSUPPORTED_ENCODING", details: { offset: 3 } });
  });

  it("gives one character a byte as latin1, also where windows-1252 differs", () => {
    const { text = "" } = runSteps(decodeText(openText(everyByte), "latin1"));
    expect(Array.from(text, (character) => character.charCodeAt(0))).toEqual([...everyByte]);
  });

  it.each([
    ["caf\xe9\n", "caf\\xe9\n"],
    ["\xc3\xa9\xff\x80", "é\\xff\\x80"],
    ["a\xf0\x9f", "a\\xf0\\x9f"],
    ["\\x41", "\\x41"],
  ])("shows %j escaped as %j", (content, text) => {
    expect(runSteps(decodeText(openText(latin1(content)), "escape"))).toEqual({ text });
  });

  it("joins pieces of a long text at code points", () => {
    const long = `x${"🟢é\r\n".repeat(100_000)}`;
    for (const encoding of ["utf-8", "escape"] as const)
      expect(runSteps(decodeText(openText(long), encoding)).text === long).toBe(true);
  });
});

describe("decodeLines", () => {
  const lines = (
    content: string | Uint8Array,
    startLine: number,
    endLine: number,
    maxBytes?: number,
    encoding = "utf-8",
  ) =>
    runSteps(
      decodeLines(openText(content), {
        startLine,
        endLine,
        maxBytes,
        encoding: encoding as "utf-8" | "latin1" | "escape",
      }),
    );

  it.each([
    [1, 2, "a\nb\r\n"],
    [2, 3, "b\r\nc"],
    [3, 3, "c"],
  ])("gives lines %i to %i with their terminators", (startLine, endLine, text) => {
    expect(lines("\ufeffa\nb\r\nc", startLine, endLine)).toEqual({ text, endLine, cutInLine: false });
  });

  it("gives nothing of a file without lines", () => {
    expect(lines("", 1, 0)).toEqual({ text: "", endLine: 0, cutInLine: false });
  });

  it.each([
    [4, "a\nb\n", 2],
    [5, "a\nb\n", 2],
    [2, "a\n", 1],
  ])("ends at a whole line within %i bytes", (maxBytes, text, endLine) => {
    expect(lines("a\nb\nccc\n", 1, 3, maxBytes)).toEqual({ text, endLine, cutInLine: false });
  });

  it.each([
    [1, "é"],
    [2, "é"],
    [3, "éx"],
    [4, "éx"],
    [6, "éx"],
    [7, "éx🟢"],
    [8, "éx🟢"],
    [9, "éx🟢é"],
  ])("cuts a line that is longer than %i bytes at a code point", (maxBytes, text) => {
    expect(lines("éx🟢é\n", 1, 1, maxBytes)).toEqual({ text, endLine: 1, cutInLine: true });
  });

  it("cuts at any byte as latin1, and never inside a code point as escape", () => {
    const bytes = latin1("\xff\xc3\xa9\xff\n");
    expect(lines(bytes, 1, 1, 2, "latin1")).toEqual({ text: "\xff\xc3", endLine: 1, cutInLine: true });
    expect(lines(bytes, 1, 1, 2, "escape")).toEqual({ text: "\\xff", endLine: 1, cutInLine: true });
    expect(lines(bytes, 1, 1, 3, "escape")).toEqual({ text: "\\xffé", endLine: 1, cutInLine: true });
    expect(lines(bytes, 1, 1, 2).problem?.code).toBe("UNSUPPORTED_ENCODING");
  });
});
