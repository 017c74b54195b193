import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { equalBytes } from "../../src/base/bytes.ts";
import { runSteps } from "../../src/base/steps.ts";
import type { Edit } from "../../src/text/edit.ts";
import { planEdits } from "../../src/text/plan-edits.ts";
import { openDocument, type TextDocument } from "../../src/text/text-document.ts";

/** Lines of any bytes but NUL and LF, each with its own terminator, the last perhaps without one. */
const file = fc
  .record({
    bom: fc.boolean(),
    lines: fc.array(
      fc.record({
        content: fc.array(fc.constantFrom(0x0d, 0x20, 0x61, 0x62, 0xc3, 0xa9, 0xff, 0x85), { maxLength: 4 }),
        end: fc.constantFrom([0x0a], [0x0d, 0x0a]),
      }),
      { maxLength: 8 },
    ),
    last: fc.constantFrom([], [0x7a], [0xe9, 0x0d]),
  })
  .map(({ bom, lines, last }) =>
    Uint8Array.from([
      ...(bom ? [0xef, 0xbb, 0xbf] : []),
      ...lines.flatMap(({ content, end }) => [...content, ...end]),
      ...last,
    ]),
  );

const newText = fc
  .array(fc.constantFrom("a", "b", "\n", "\r\n", "x y"), { maxLength: 5 })
  .map((parts) => parts.join(""));

/** One edit that names lines that may or may not be there. */
const anyEdit: fc.Arbitrary<Edit> = fc.oneof(
  fc.record({
    op: fc.constant("replace" as const),
    startLine: fc.integer({ min: 1, max: 9 }),
    content: newText,
  }),
  fc.record({ op: fc.constant("delete" as const), startLine: fc.integer({ min: 1, max: 9 }) }),
  fc.record({
    op: fc.constantFrom("insert_after" as const, "insert_before" as const),
    line: fc.integer({ min: 0, max: 9 }),
    content: newText,
  }),
  fc.record({ op: fc.constant("append" as const), content: newText }),
  fc.record({
    op: fc.constant("replace_text" as const),
    oldText: fc.constantFrom("a", "b", "ab", "a\nb", "\n", " ", "z"),
    newText,
    replaceAll: fc.boolean(),
  }),
);

function open(bytes: Uint8Array): TextDocument {
  const document = runSteps(openDocument(bytes));
  if (document.kind !== "text") throw new Error("binary");
  return document;
}

const lineBytes = (document: TextDocument, line: number) =>
  document.bytes.subarray(document.lineStarts[line - 1], document.lineStarts[line]);

describe("edits of any bytes", () => {
  it("leave every line outside the changed ranges with its bytes, at the number that the shifts say", () => {
    fc.assert(
      fc.property(file, fc.array(anyEdit, { minLength: 1, maxLength: 4 }), (bytes, edits) => {
        const document = open(bytes);
        const result = runSteps(planEdits(document, edits));
        if (result.problems !== undefined) {
          expect(
            result.problems.every(({ editIndex }) => editIndex !== undefined && editIndex < edits.length),
          ).toBe(true);
          return;
        }
        const after = open(result.bytes);
        expect(after.lineCount).toBe(result.totalLines);
        expect(after.bomLength).toBe(document.bomLength);
        let old = 1;
        let now = 1;
        const compareUpTo = (end: number) => {
          for (; now < end; now++, old++) {
            const by = result.lineShifts.findLast(({ fromLine }) => fromLine <= old)?.by ?? 0;
            expect(now - old).toBe(by);
            expect(equalBytes(lineBytes(after, now), lineBytes(document, old))).toBe(true);
          }
        };
        for (const { startLine, added, removed } of result.changedRanges) {
          compareUpTo(startLine);
          now += added;
          old += removed;
        }
        compareUpTo(after.lineCount + 1);
        expect(old).toBe(document.lineCount + 1);
      }),
      { numRuns: 5000 },
    );
  });

  it("give the same bytes, or are refused, in whatever order the edits come", () => {
    fc.assert(
      fc.property(file, fc.uniqueArray(anyEdit, { minLength: 2, maxLength: 4 }), (bytes, edits) => {
        const document = open(bytes);
        const result = runSteps(planEdits(document, edits));
        const reversed = runSteps(planEdits(document, edits.toReversed()));
        expect(reversed.problems === undefined).toBe(result.problems === undefined);
        if (result.problems === undefined && reversed.problems === undefined)
          expect(equalBytes(reversed.bytes, result.bytes)).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  it("never change the bytes they were given", () => {
    fc.assert(
      fc.property(file, fc.array(anyEdit, { minLength: 1, maxLength: 3 }), (bytes, edits) => {
        const copy = bytes.slice();
        runSteps(planEdits(open(bytes), edits));
        expect(equalBytes(bytes, copy)).toBe(true);
      }),
    );
  });

  it("write no replacement character that nobody gave", () => {
    fc.assert(
      fc.property(file, anyEdit, (bytes, edit) => {
        const result = runSteps(planEdits(open(bytes), [edit], { encoding: "latin1" }));
        if (result.problems !== undefined) return;
        expect(String.fromCharCode(...result.bytes)).not.toContain("\xef\xbf\xbd");
      }),
    );
  });
});
