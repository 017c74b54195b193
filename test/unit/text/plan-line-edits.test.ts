import { describe, expect, it } from "vitest";
import type { Edit } from "../../../src/text/edit.ts";
import { edit, editedText, fromLatin1, latin1, problemCodes } from "../../support/edit-text.ts";

const replace = (startLine: number, content: string, endLine?: number): Edit => ({
  op: "replace",
  startLine,
  endLine,
  content,
});
const remove = (startLine: number, endLine?: number): Edit => ({ op: "delete", startLine, endLine });
const insertAfter = (line: number, content: string): Edit => ({ op: "insert_after", line, content });
const insertBefore = (line: number, content: string): Edit => ({ op: "insert_before", line, content });
const append = (content: string): Edit => ({ op: "append", content });

const numbers = Array.from({ length: 10 }, (_, index) => `${index + 1}\n`).join("");

describe("line edits", () => {
  it.each<[string, string, Edit[], string]>([
    ["replace a line", "a\nb\nc\n", [replace(2, "B")], "a\nB\nc\n"],
    ["replace lines by more", "a\nb\nc\n", [replace(1, "x\ny\nz", 2)], "x\ny\nz\nc\n"],
    ["replace a line by none", "a\nb\nc\n", [replace(2, "")], "a\nc\n"],
    ["delete lines", "a\nb\nc\n", [remove(1, 2)], "c\n"],
    ["delete everything", "a\nb\n", [remove(1, 2)], ""],
    ["delete everything after a byte order mark", "\ufeffa\n", [remove(1)], "\ufeff"],
    ["insert at the start", "a\n", [insertAfter(0, "x")], "x\na\n"],
    [
      "insert at the start of a file with a byte order mark",
      "\ufeffa\n",
      [insertBefore(1, "x")],
      "\ufeffx\na\n",
    ],
    ["insert before the line after the last", "a\n", [insertBefore(2, "x")], "a\nx\n"],
    ["append", "a\nb\n", [append("c")], "a\nb\nc\n"],
    ["insert nothing", "a\n", [insertAfter(1, "")], "a\n"],
    ["insert one empty line", "a\nb\n", [insertAfter(1, "\n")], "a\n\nb\n"],
    ["insert two empty lines", "a\nb\n", [insertAfter(1, "\r\n\n")], "a\n\n\nb\n"],
    ["insert an empty line at the end of a content", "a\nb\n", [insertAfter(1, "x\n")], "a\nx\n\nb\n"],
    [
      "replace the first line after a byte order mark",
      "\ufeffimport os\n",
      [replace(1, "import sys")],
      "\ufeffimport sys\n",
    ],
    [
      "count lines by LF and CRLF alone",
      "a\u2028b\x0b\x0c\u0085\nc\rd\ne",
      [replace(3, "E")],
      "a\u2028b\x0b\x0c\u0085\nc\rd\nE",
    ],
    ["leave lone carriage returns alone", "a\rb\rc", [replace(1, "x\ry")], "x\ry"],
    ["take a backslash and an n as they are", "a\n", [replace(1, 'print("a\\n")')], 'print("a\\n")\n'],
    ["keep curly quotes elsewhere", "‘a’ – b\u00a0 \nx\n", [replace(2, "y")], "‘a’ – b\u00a0 \ny\n"],
  ])("%s", (_, text, edits, expected) => {
    expect(editedText(text, ...edits)).toBe(expected);
  });

  it.each<[string, Edit[], string]>([
    ["delete 1-3 and replace 10", [remove(1, 3), replace(10, "ten")], "4\n5\n6\n7\n8\n9\nten\n"],
    [
      "three inserts",
      [insertAfter(1, "x"), insertAfter(2, "y"), insertAfter(3, "z")],
      "1\nx\n2\ny\n3\nz\n4\n5\n6\n7\n8\n9\n10\n",
    ],
    [
      "inserts at both ends of removed lines",
      [remove(3, 8), insertBefore(3, "x"), insertAfter(8, "y")],
      "1\n2\nx\ny\n9\n10\n",
    ],
    [
      "an insertion before a replaced line",
      [replace(1, "one"), insertBefore(1, "zero"), remove(2, 10)],
      "zero\none\n",
    ],
    ["neighbours", [replace(1, "A"), remove(2), replace(3, "C"), remove(4, 10)], "A\nC\n"],
  ])("refer to the file as it was read, in any order: %s", (_, edits, expected) => {
    expect(editedText(numbers, ...edits)).toBe(expected);
    expect(editedText(numbers, ...edits.toReversed())).toBe(expected);
  });

  it.each<[string, Edit[], string]>([
    ["a\nb", [replace(2, "c")], "a\nc"],
    ["a\nb\n", [replace(2, "c")], "a\nc\n"],
    ["a\nb", [append("c")], "a\nb\nc"],
    ["a\r\nb", [append("c")], "a\r\nb\r\nc"],
    ["a", [append("b")], "a\nb"],
    ["a\nb", [remove(2)], "a"],
    ["a\r\nb", [remove(2)], "a"],
    ["a\nb\nc", [remove(2), remove(3)], "a"],
    ["a\nb", [remove(2), append("c")], "a\nc"],
    ["a\nb", [replace(2, "c"), append("d")], "a\nc\nd"],
    ["a\nb", [remove(1)], "b"],
    ["a\nb", [remove(1, 2)], ""],
    ["", [append("x")], "x"],
    ["", [insertAfter(0, "x\r\ny")], "x\ny"],
    ["\ufeff", [append("x")], "\ufeffx"],
    ["a\n\nb", [remove(3)], "a\n\n"],
    ["", [append("\n")], "\n"],
  ])("neither invent nor lose a final newline: %j", (text, edits, expected) => {
    expect(editedText(text, ...edits)).toBe(expected);
  });

  it.each<[string, Edit[], string]>([
    ["a\r\nb\r\n", [replace(2, "B")], "a\r\nB\r\n"],
    ["a\r\nb\r\n", [insertAfter(1, "x\ny")], "a\r\nx\r\ny\r\nb\r\n"],
    ["a\nb\n", [insertAfter(1, "x\r\ny")], "a\nx\ny\nb\n"],
    ["a\r\nb\nc\r\n", [replace(2, "B")], "a\r\nB\nc\r\n"],
    ["a\r\nb\nc\r\n", [replace(2, "B\nBB")], "a\r\nB\nBB\nc\r\n"],
    ["a\r\nb\nc\r\n", [insertAfter(2, "x")], "a\r\nb\nx\nc\r\n"],
    ["a\r\nb\nc\r\n", [insertAfter(0, "x")], "x\r\na\r\nb\nc\r\n"],
    ["a\r\nb\nc\r\n", [replace(1, "a\nnew\nb\nc", 3)], "a\r\nnew\r\nb\nc\r\n"],
    ["a\nb\r\nc\nd", [append("x")], "a\nb\r\nc\nd\nx"],
    ["a\r\nb\r\nc\nd", [append("x")], "a\r\nb\r\nc\nd\nx"],
    ["a\nb\nc\r\nd", [replace(4, "x\ny")], "a\nb\nc\r\nx\r\ny"],
  ])("take the terminator of the replaced line, else of the neighbour: %j", (text, edits, expected) => {
    expect(editedText(text, ...edits)).toBe(expected);
  });

  it.each<[string, string, Edit[], string[]]>([
    ["line 0", "a\n", [replace(0, "x")], ["LINE_OUT_OF_RANGE"]],
    ["a line after the last", "a\n", [remove(2)], ["LINE_OUT_OF_RANGE"]],
    ["an end after the last line", "a\n", [remove(1, 2)], ["LINE_OUT_OF_RANGE"]],
    [
      "an insertion past the end",
      "a\n",
      [insertAfter(2, "x"), insertBefore(3, "x")],
      ["LINE_OUT_OF_RANGE", "LINE_OUT_OF_RANGE"],
    ],
    [
      "an insertion before line 0",
      "a\n",
      [insertBefore(0, "x"), insertAfter(-1, "x")],
      ["LINE_OUT_OF_RANGE", "LINE_OUT_OF_RANGE"],
    ],
    ["a line of an empty file", "", [replace(1, "x")], ["LINE_OUT_OF_RANGE"]],
    ["an end before the start", "a\nb\n", [replace(2, "x", 1)], ["INVALID_ARGUMENT"]],
    [
      "half a line number",
      "a\nb\n",
      [replace(1.5, "x"), remove(1, Number.NaN), insertAfter(0.5, "x")],
      ["INVALID_ARGUMENT", "INVALID_ARGUMENT", "INVALID_ARGUMENT"],
    ],
    ["half a surrogate pair", "a\n", [append("\ud83d")], ["INVALID_ARGUMENT"]],
    ["a NUL", "a\n", [append("\0")], ["INVALID_ARGUMENT"]],
    [
      "a bad line and a bad content",
      "a\n",
      [replace(9, "\udfe2")],
      ["LINE_OUT_OF_RANGE", "INVALID_ARGUMENT"],
    ],
  ])("are refused for %s", (_, text, edits, codes) => {
    expect(problemCodes(text, ...edits)).toEqual(codes);
  });

  it("report every problem, each with the index of its edit", () => {
    const result = edit("a\nb\n", [replace(9, "x"), append("y"), remove(2, 1), replace(1, "A"), remove(1)]);
    expect(result.problems?.map(({ code, editIndex }) => [editIndex, code])).toEqual([
      [0, "LINE_OUT_OF_RANGE"],
      [2, "INVALID_ARGUMENT"],
      [4, "OVERLAPPING_EDITS"],
    ]);
    expect(result.problems?.[0]?.message).toContain("startLine 9 is outside the file, which has 2 lines");
    expect(result.problems?.[2]?.message).toContain("Edits 3 and 4 overlap");
  });

  it("warn of a trailing newline that adds a line, but not of empty lines that are meant", () => {
    const result = edit("a\n", [insertAfter(0, "x\n"), append("\n")]);
    expect(result).toMatchObject({
      warnings: [{ code: "TRAILING_BLANK_LINE", message: expect.stringContaining("edit 0") }],
    });
  });

  it("leave the bytes of 8-bit text alone and take ASCII for it, or latin1 when named", () => {
    const file = latin1("\xa9 2020\r\ncaf\xe9\r\nx\r\n");
    expect(edit(file, [replace(3, "caf\xe9")]).problems).toMatchObject([
      { code: "UNSUPPORTED_ENCODING", editIndex: 0 },
    ]);
    const ascii = edit(file, [replace(3, "y")]);
    const named = edit(file, [replace(3, "th\xe9")], "latin1");
    expect("bytes" in ascii && fromLatin1(ascii.bytes)).toBe("\xa9 2020\r\ncaf\xe9\r\ny\r\n");
    expect("bytes" in named && fromLatin1(named.bytes)).toBe("\xa9 2020\r\ncaf\xe9\r\nth\xe9\r\n");
    expect(edit(file, [replace(3, "€")], "latin1").problems).toMatchObject([
      { code: "UNSUPPORTED_ENCODING" },
    ]);
  });

  it("write UTF-8 into UTF-8 files whatever encoding is named", () => {
    const result = edit("é\n", [append("ü")], "latin1");
    expect("bytes" in result && new TextDecoder().decode(result.bytes)).toBe("é\nü\n");
  });
});

describe("the account of line edits", () => {
  it.each<[string, string, Edit[], object]>([
    [
      "a replaced line",
      "a\nb\nc\n",
      [replace(2, "B")],
      {
        changedRanges: [{ startLine: 2, endLine: 2, added: 1, removed: 1 }],
        lineShifts: [],
        additions: 1,
        removals: 1,
        totalLines: 3,
      },
    ],
    [
      "an insertion",
      "a\nb\n",
      [insertAfter(1, "x\ny")],
      {
        changedRanges: [{ startLine: 2, endLine: 3, added: 2, removed: 0 }],
        lineShifts: [{ fromLine: 2, by: 2 }],
        totalLines: 4,
      },
    ],
    [
      "a deletion",
      "a\nb\nc\n",
      [remove(1, 2)],
      {
        changedRanges: [{ startLine: 1, endLine: 0, added: 0, removed: 2 }],
        lineShifts: [{ fromLine: 3, by: -2 }],
        totalLines: 1,
      },
    ],
    [
      "shifts that cancel out",
      numbers,
      [insertAfter(1, "x"), remove(5)],
      {
        changedRanges: [
          { startLine: 2, endLine: 2, added: 1, removed: 0 },
          { startLine: 6, endLine: 5, added: 0, removed: 1 },
        ],
        lineShifts: [
          { fromLine: 2, by: 1 },
          { fromLine: 6, by: 0 },
        ],
        totalLines: 10,
      },
    ],
    [
      "an append, which shifts no line",
      "a\n",
      [append("b")],
      { changedRanges: [{ startLine: 2, endLine: 2, added: 1, removed: 0 }], lineShifts: [], totalLines: 2 },
    ],
    [
      "edits that touch, as one place",
      numbers,
      [remove(2), replace(3, "x"), insertBefore(2, "y")],
      { changedRanges: [{ startLine: 2, endLine: 3, added: 2, removed: 2 }], lineShifts: [], totalLines: 10 },
    ],
    [
      "only the lines that differ",
      numbers,
      [replace(2, "2\nx\n4", 4)],
      { changedRanges: [{ startLine: 3, endLine: 3, added: 1, removed: 1 }], additions: 1, removals: 1 },
    ],
    [
      "a line put before its like",
      "a\nb\n",
      [replace(1, "a\na")],
      { changedRanges: [{ startLine: 2, endLine: 2, added: 1, removed: 0 }], totalLines: 3 },
    ],
    [
      "the terminator that an old last line gets",
      "a\nb",
      [append("c")],
      { changedRanges: [{ startLine: 2, endLine: 3, added: 2, removed: 1 }], totalLines: 3 },
    ],
    [
      "the terminator that a new last line loses",
      "a\nb",
      [remove(2)],
      { changedRanges: [{ startLine: 1, endLine: 1, added: 1, removed: 2 }], totalLines: 1 },
    ],
    [
      "nothing for lines that stay",
      "a\r\nb\n",
      [replace(1, "a\nb", 2)],
      { changedRanges: [], lineShifts: [], additions: 0, removals: 0, totalLines: 2 },
    ],
  ])("tells of %s", (_, text, edits, account) => {
    expect(edit(text, edits)).toMatchObject(account);
  });
});
