import fc from "fast-check";
import { runSteps } from "../../../src/base/steps.ts";
import { openDocument, type TextDocument } from "../../../src/text/text-document.ts";

/** Opens bytes that are known to be text. */
export function openBytes(bytes: Uint8Array): TextDocument {
  const document = runSteps(openDocument(bytes));
  if (document.kind !== "text") throw new Error("The bytes are binary.");
  return document;
}

/** The lines of a document as strings of one character a byte, the byte order mark in the first. */
export function linesOf({ bytes, lineStarts, lineCount }: TextDocument): string[] {
  return Array.from({ length: lineCount }, (_, line) =>
    Buffer.from(bytes.subarray(line === 0 ? 0 : lineStarts[line], lineStarts[line + 1])).toString("latin1"),
  );
}

/** Bytes with line ends of all kinds, byte order marks and bytes that are no UTF-8, but no NUL. */
export const byteText: fc.Arbitrary<Uint8Array> = fc
  .array(
    fc.oneof(
      fc.constantFrom("a", "b", "\n", "\n", "\r\n", "\r", "\xef\xbb\xbf", "\xe9", "\xff\xfe", "\u0085", "}"),
      fc.integer({ min: 1, max: 255 }).map((byte) => String.fromCharCode(byte)),
    ),
    { maxLength: 40 },
  )
  .map((parts) => new Uint8Array(Buffer.from(parts.join(""), "latin1")))
  .filter((bytes) => !(bytes[0] === 0xff && bytes[1] === 0xfe) && !(bytes[0] === 0xfe && bytes[1] === 0xff));

/** Lines of few kinds, so that they repeat. */
export const lineText: fc.Arbitrary<readonly string[]> = fc
  .array(fc.constantFrom("a\n", "b\n", "}\n", "\n", "c\r\n"), { maxLength: 25 })
  .chain((lines) => fc.constantFrom(lines, [...lines, "end"]));

/** Lines with some of them gone and some others between them. */
export function editedText(lines: readonly string[]): fc.Arbitrary<readonly string[]> {
  const fate = fc.oneof(
    { weight: 6, arbitrary: fc.constant("keep") },
    fc.constantFrom("drop", "a\n", "}\n", "new\n"),
  );
  return fc
    .array(fate, { minLength: lines.length + 1, maxLength: lines.length + 1 })
    .map((fates) =>
      fates.flatMap((what, at) => {
        const line = at < lines.length ? [lines[at] as string] : [];
        return what === "keep" ? line : what === "drop" ? [] : [what, ...line];
      }),
    )
    .map((edited) =>
      edited.map((line, at) => (at < edited.length - 1 && !line.endsWith("\n") ? `${line}\n` : line)),
    );
}

/** The number of lines that a shortest edit removes and adds, by the textbook table. */
export function shortestEdit(before: readonly string[], after: readonly string[]): number {
  let row = Array.from({ length: after.length + 1 }, (_, column) => column);
  for (const [index, line] of before.entries()) {
    const next = [index + 1];
    for (const [column, other] of after.entries())
      next.push(
        line === other
          ? (row[column] as number)
          : 1 + Math.min(next[column] as number, row[column + 1] as number),
      );
    row = next;
  }
  return row[after.length] as number;
}
