import fc from "fast-check";
import { expect, test } from "vitest";
import { shiftLine } from "../../../src/core/shift-line.ts";
import { Workspace } from "../../../src/core/workspace.ts";
import type { AppliedFile } from "../../../src/schema/apply-result.ts";
import { MemoryStorage } from "../../../src/storage/memory/memory-storage.ts";

const file = (parts: Partial<AppliedFile>): AppliedFile => ({
  path: "a",
  operation: "modified",
  changedRanges: [],
  lineShifts: [],
  ...parts,
});

test("without changes every line stays", () => {
  expect(shiftLine(file({}), 7)).toBe(7);
});

test("lines of a deleted file are nowhere", () => {
  expect(shiftLine(file({ operation: "deleted" }), 1)).toBeUndefined();
});

test("the line that was replaced is gone, those after it moved", () => {
  const changed = file({
    changedRanges: [{ startLine: 3, endLine: 4, added: 2, removed: 1 }],
    lineShifts: [{ fromLine: 4, by: 1 }],
  });
  expect([1, 2, 3, 4, 9].map((line) => shiftLine(changed, line))).toEqual([1, 2, undefined, 5, 10]);
});

test("for all edits of lines, each line that is still there is where it is said to be", async () => {
  const edit = fc.record({
    op: fc.constantFrom("replace", "delete", "insert_after"),
    line: fc.integer({ min: 1, max: 12 }),
    size: fc.integer({ min: 0, max: 3 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(edit, { selector: ({ line }) => line, maxLength: 5 }), async (edits) => {
      const lines = Array.from({ length: 12 }, (_, index) => `line ${index + 1}`);
      const storage = new MemoryStorage({ files: { a: `${lines.join("\n")}\n` } });
      const workspace = await Workspace.open(storage);
      const { revision } = await workspace.read("a");
      const list = edits.map(({ op, line, size }, number) => {
        const content = Array.from({ length: size + 1 }, (_, index) => `new ${number}.${index}`).join("\n");
        if (op === "delete") return { op, startLine: line } as const;
        return op === "replace"
          ? ({ op, startLine: line, content } as const)
          : ({ op: "insert_after", line, content } as const);
      });
      const result = await workspace.edit("a", list, { revision });
      const after = (await workspace.read("a")).text.split("\n");
      const touched = new Set(edits.filter(({ op }) => op !== "insert_after").map(({ line }) => line));
      lines.forEach((text, index) => {
        const now = shiftLine(result.files[0] as AppliedFile, index + 1);
        if (touched.has(index + 1)) expect(now).toBeUndefined();
        else expect(after[(now ?? 0) - 1]).toBe(text);
      });
    }),
  );
});
