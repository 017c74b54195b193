import { describe, expect, it } from "vitest";
import type { Edit } from "../../../src/text/edit.ts";
import { edit, editedText } from "../../support/edit-text.ts";

const text = "one\ntwo\nthree\nfour";
const replace = (startLine: number, endLine = startLine): Edit => ({
  op: "replace",
  startLine,
  endLine,
  content: "X",
});
const insertAfter = (line: number): Edit => ({ op: "insert_after", line, content: "I" });
const insertBefore = (line: number): Edit => ({ op: "insert_before", line, content: "I" });
const append: Edit = { op: "append", content: "I" };
const swap = (oldText: string, newText = "S"): Edit => ({ op: "replace_text", oldText, newText });

describe("edits that overlap", () => {
  it.each<[string, Edit, Edit]>([
    ["replace the same line", replace(2), replace(2)],
    ["share a line at an end", replace(1, 2), { op: "delete", startLine: 2, endLine: 3 }],
    ["lie in one another", replace(1, 4), replace(2)],
    ["insert at one point", insertAfter(2), insertAfter(2)],
    ["insert at one point, said in two ways", insertAfter(2), insertBefore(3)],
    ["insert at the end in two ways", append, insertAfter(4)],
    ["insert at the end in two other ways", append, insertBefore(5)],
    ["insert inside replaced lines", replace(2, 3), insertAfter(2)],
    ["replace text that shares bytes", swap("one\ntw"), swap("two")],
    ["replace the same text", swap("two"), swap("two", "T")],
    ["replace a line and text in it", replace(2), swap("wo")],
    ["replace a line and text that ends in it", replace(2), swap("one\nt")],
    ["insert inside text that is replaced", insertAfter(1), swap("one\nt")],
    ["replace a line that text of the line before is joined to", replace(2), swap("one\n", "one ")],
    ["insert between lines that are joined", insertAfter(1), swap("ne\n", "")],
  ])("are refused when they %s", (_, first, second) => {
    for (const edits of [
      [first, second],
      [second, first],
    ]) {
      const { problems } = edit(text, edits);
      expect(problems).toMatchObject([{ code: "OVERLAPPING_EDITS", editIndex: 1 }]);
      expect(problems?.[0]?.message).toContain("Edits 0 and 1 overlap");
    }
  });

  it("are found beyond the nearest neighbour, and each pair is told once", () => {
    const { problems } = edit(text, [replace(1, 4), swap("one"), swap("two"), swap("o", "0")]);
    expect(problems?.map(({ code, editIndex }) => `${editIndex} ${code}`)).toEqual([
      "1 OVERLAPPING_EDITS",
      "2 OVERLAPPING_EDITS",
      "3 TEXT_AMBIGUOUS",
    ]);
    const all: Edit = { op: "replace_text", oldText: "o", newText: "0", replaceAll: true };
    expect(edit(text, [replace(1, 4), all]).problems).toHaveLength(1);
  });
});

describe("edits that only touch", () => {
  it.each<[string, Edit[], string]>([
    ["replace neighbouring lines", [replace(1), replace(2)], "X\nX\nthree\nfour"],
    ["insert at the start of replaced lines", [replace(2, 3), insertBefore(2)], "one\nI\nX\nfour"],
    ["insert at the end of replaced lines", [replace(2, 3), insertAfter(3)], "one\nX\nI\nfour"],
    ["replace texts side by side", [swap("on", "1"), swap("e\nt", "2\nt")], "12\ntwo\nthree\nfour"],
    ["replace two texts on one line", [swap("th", "T"), swap("ee", "E")], "one\ntwo\nTrE\nfour"],
    ["replace text and insert before its line", [swap("two"), insertBefore(2)], "one\nI\nS\nthree\nfour"],
    ["replace text and insert after its line", [swap("two"), insertAfter(2)], "one\nS\nI\nthree\nfour"],
    ["replace the end of the last line and append", [swap("our", "ive"), append], "one\ntwo\nthree\nfive\nI"],
    [
      "replace a whole line as text and the next as a line",
      [swap("one\n", "S\n"), replace(2)],
      "S\nX\nthree\nfour",
    ],
    ["delete a whole line as text and replace the next", [swap("one\n", ""), replace(2)], "X\nthree\nfour"],
  ])("land when they %s", (_, edits, expected) => {
    expect(editedText(text, ...edits)).toBe(expected);
    expect(editedText(text, ...edits.toReversed())).toBe(expected);
  });

  it("append a whole line also when a text edit takes the final newline", () => {
    expect(editedText("a\nb\n", swap("b\n", "b"), append)).toBe("a\nb\nI\n");
  });

  it("keep a final newline that a text edit gives beside an insertion of nothing", () => {
    expect(editedText("a\nb", swap("b", "b\n"), { op: "append", content: "" })).toBe("a\nb\n");
  });
});
