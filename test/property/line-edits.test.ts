import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runSteps } from "../../src/base/steps.ts";
import type { Edit } from "../../src/text/edit.ts";
import type { EditedText } from "../../src/text/edit-result.ts";
import { planEdits } from "../../src/text/plan-edits.ts";
import { openDocument, type TextDocument } from "../../src/text/text-document.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function open(text: string): TextDocument {
  const document = runSteps(openDocument(encoder.encode(text)));
  if (document.kind !== "text") throw new Error("binary");
  return document;
}

function plan(document: TextDocument, edits: readonly Edit[]): EditedText {
  const result = runSteps(planEdits(document, edits));
  if (result.problems !== undefined) throw new Error(JSON.stringify(result.problems));
  return result;
}

/** The lines of a document, terminators included. */
function linesOf(document: TextDocument): string[] {
  const lines: string[] = [];
  for (let line = 0; line < document.lineCount; line++)
    lines.push(
      decoder.decode(document.bytes.subarray(document.lineStarts[line], document.lineStarts[line + 1])),
    );
  return lines;
}

const withoutTerminator = (line: string) => line.replace(/\r?\n$/, "");

const line = fc.constantFrom("", "a", "b", "x\ry", "é", "\u2028", "🟢", "aa");
const terminator = fc.constantFrom("\n", "\r\n");
const text = fc
  .tuple(fc.constantFrom("", "\ufeff"), fc.array(fc.tuple(line, terminator), { maxLength: 8 }), line)
  .map(([bom, lines, last]) => bom + lines.map(([content, end]) => content + end).join("") + last);

const content = fc.array(line, { maxLength: 3 });

/** For each gap between lines whether lines are inserted there, and for each line whether it goes. */
interface Script {
  readonly text: string;
  readonly inserts: readonly (readonly string[])[];
  readonly fates: readonly ("keep" | "delete" | readonly string[])[];
  readonly order: readonly number[];
}

const script: fc.Arbitrary<Script> = text.chain((sample) => {
  const count = open(sample).lineCount;
  return fc.record({
    text: fc.constant(sample),
    inserts: fc.array(fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, content), {
      minLength: count + 1,
      maxLength: count + 1,
    }),
    fates: fc.array(
      fc.oneof(
        { weight: 3, arbitrary: fc.constant("keep" as const) },
        fc.constant("delete" as const),
        fc.array(line, { minLength: 1, maxLength: 3 }),
      ),
      { minLength: count, maxLength: count },
    ),
    order: fc.array(fc.nat(), { minLength: 30, maxLength: 30 }),
  });
});

/** Writes lines so that content splitting gives exactly these lines. */
function asContent(lines: readonly string[]): string {
  return lines.every((one) => one === "") ? "\n".repeat(lines.length) : lines.join("\n");
}

function editsOf({ inserts, fates, order }: Script): Edit[] {
  const edits: Edit[] = [];
  for (const [gap, lines] of inserts.entries())
    if (lines.length > 0) {
      const inserted = asContent(lines);
      if (gap === inserts.length - 1) edits.push({ op: "append", content: inserted });
      else if (gap % 2 === 0) edits.push({ op: "insert_after", line: gap, content: inserted });
      else edits.push({ op: "insert_before", line: gap + 1, content: inserted });
    }
  for (const [index, fate] of fates.entries()) {
    if (fate === "delete") edits.push({ op: "delete", startLine: index + 1 });
    else if (fate !== "keep") edits.push({ op: "replace", startLine: index + 1, content: asContent(fate) });
  }
  return edits
    .map((edit, index) => ({ edit, key: order[index % order.length] as number }))
    .sort((a, b) => a.key - b.key)
    .map(({ edit }) => edit);
}

/** What the script makes of an array of lines without terminators. */
function modelOf({ inserts, fates }: Script, before: readonly string[]): string[] {
  const after = [...(inserts[0] ?? [])];
  for (const [index, fate] of fates.entries()) {
    if (fate === "keep") after.push(before[index] as string);
    else if (fate !== "delete") after.push(...fate);
    after.push(...(inserts[index + 1] ?? []));
  }
  return after;
}

describe("line edits", () => {
  it("planned together equal the same edits on an array of lines", () => {
    fc.assert(
      fc.property(script, (sample) => {
        const document = open(sample.text);
        const edited = plan(document, editsOf(sample));
        const after = open(decoder.decode(edited.bytes));
        const expected = modelOf(sample, linesOf(document).map(withoutTerminator));
        expect(linesOf(after).map(withoutTerminator)).toEqual(expected);
        expect(edited.totalLines).toBe(expected.length);
        expect(after.bomLength).toBe(document.bomLength);
      }),
      { numRuns: 2000 },
    );
  });

  it("keep the state of the final newline, unless the new last line is empty and would be lost", () => {
    fc.assert(
      fc.property(script, (sample) => {
        const document = open(sample.text);
        const edited = plan(document, editsOf(sample));
        const after = open(decoder.decode(edited.bytes));
        if (document.lineCount === 0 || after.lineCount === 0) return;
        const had = linesOf(document).at(-1)?.endsWith("\n");
        const last = linesOf(after).at(-1) as string;
        expect(last.endsWith("\n")).toBe(had === true || withoutTerminator(last) === "");
      }),
      { numRuns: 1000 },
    );
  });

  it("shift every untouched line to a line with the same bytes, and count what they changed", () => {
    fc.assert(
      fc.property(script, (sample) => {
        const document = open(sample.text);
        const edited = plan(document, editsOf(sample));
        checkLineNumbers(document, edited);
      }),
      { numRuns: 2000 },
    );
  });

  it("use the terminators of a file that has one kind only", () => {
    fc.assert(
      fc.property(script, terminator, (sample, end) => {
        const uniform = { ...sample, text: sample.text.replace(/\r?\n/g, end) };
        const edited = plan(open(uniform.text), editsOf(uniform));
        const rest = decoder.decode(edited.bytes).replaceAll(end, "");
        expect(rest.includes("\n") && open(uniform.text).lineEnding !== "none").toBe(false);
      }),
    );
  });
});

/** Holds ranges and shifts against the bytes: what lies outside the ranges is the same, moved by the shift. */
function checkLineNumbers(document: TextDocument, edited: EditedText): void {
  const before = linesOf(document);
  const after = linesOf(open(decoder.decode(edited.bytes)));
  const touched = new Set<number>();
  let shift = 0;
  for (const { startLine, endLine, added, removed } of edited.changedRanges) {
    expect(endLine).toBe(startLine + added - 1);
    const oldStart = startLine - shift;
    for (let old = oldStart; old < oldStart + removed; old++) touched.add(old);
    shift += added - removed;
  }
  expect(edited.additions - edited.removals).toBe(shift);
  expect(after.length - before.length).toBe(shift);
  for (let old = 1; old <= before.length; old++) {
    if (touched.has(old)) continue;
    const by = edited.lineShifts.findLast(({ fromLine }) => fromLine <= old)?.by ?? 0;
    expect(after[old + by - 1]).toBe(before[old - 1]);
  }
}

describe("text edits", () => {
  const piece = fc.array(fc.constantFrom("a", "b", "\n", "é", " "), { minLength: 1, maxLength: 4 });

  it("replace what a plain search finds, whatever the line ends, and touch nothing else", () => {
    fc.assert(
      fc.property(
        text,
        piece,
        fc.array(fc.constantFrom("a", "c", "\n"), { maxLength: 4 }),
        (sample, old, now) => {
          const document = open(sample);
          const oldText = old.join("");
          const newText = now.join("");
          const plain = sample.replaceAll("\r\n", "\n");
          const expected = plain.split(oldText);
          const result = runSteps(
            planEdits(document, [{ op: "replace_text", oldText, newText, replaceAll: true }]),
          );
          if (expected.length === 1) {
            expect(result.problems?.map(({ code }) => code)).toEqual(["TEXT_NOT_FOUND"]);
            return;
          }
          if (result.problems !== undefined) throw new Error(JSON.stringify(result.problems));
          expect(decoder.decode(result.bytes).replaceAll("\r\n", "\n")).toBe(expected.join(newText));
          checkLineNumbers(document, result);
        },
      ),
      { numRuns: 3000 },
    );
  });

  it("that put back the text they replace change no byte, also with the other kind of line end", () => {
    fc.assert(
      fc.property(text, piece, terminator, (sample, old, end) => {
        const document = open(sample);
        const oldText = old.join("");
        const newText = oldText.replaceAll("\n", end);
        const result = runSteps(
          planEdits(document, [{ op: "replace_text", oldText, newText, replaceAll: true }]),
        );
        if (result.problems !== undefined) return;
        expect(result.bytes).toEqual(document.bytes);
        expect(result.changedRanges).toEqual([]);
      }),
      { numRuns: 2000 },
    );
  });
});
