import type { Steps } from "../base/steps.ts";
import { workCounter } from "../base/work-counter.ts";
import type { LineChange } from "./diff-lines.ts";
import { endsWithoutNewline, lineCountOf, lineTexts } from "./diffed-lines.ts";
import { type ComparedTexts, type HunkRange, noNewline } from "./hunk-range.ts";
import type { TextDocument } from "./text-document.ts";

/** Gives the lines of a hunk with their prefixes, and the mark of a missing final newline behind the line that it concerns. */
export function* hunkLines(
  texts: ComparedTexts,
  range: HunkRange,
  encoding: "utf-8" | "latin1",
): Steps<readonly string[]> {
  const { before, after, changes } = texts;
  const { oldFrom, oldTo, newFrom, newTo } = range;
  const oldTexts = yield* lineTexts(before, oldFrom, oldTo, encoding);
  const newTexts = yield* lineTexts(after, newFrom, newTo, encoding);
  const due = workCounter();
  const lines: string[] = [];
  const put = function* (prefix: string, side: readonly string[], from: number, to: number): Steps<void> {
    for (let at = from; at < to; at++) {
      lines.push(prefix + (side[at] as string));
      if (due()) yield;
    }
  };
  let shown = newFrom;
  for (let at = range.firstChange; at < range.endChange; at++) {
    const { oldStart, oldEnd, newStart, newEnd } = changes[at] as LineChange;
    yield* put(" ", newTexts, shown - newFrom, newStart - newFrom);
    yield* put("-", oldTexts, oldStart - oldFrom, oldEnd - oldFrom);
    if (oldEnd > oldStart && isOpenEnd(before, oldEnd)) lines.push(noNewline);
    yield* put("+", newTexts, newStart - newFrom, newEnd - newFrom);
    shown = newEnd;
    if (newEnd > newStart && isOpenEnd(after, newEnd)) lines.push(noNewline);
  }
  yield* put(" ", newTexts, shown - newFrom, newTo - newFrom);
  if (newTo > shown && isOpenEnd(after, newTo)) lines.push(noNewline);
  return lines;
}

function isOpenEnd(document: TextDocument, end: number): boolean {
  return end === lineCountOf(document) && endsWithoutNewline(document);
}

/** Lines and characters that are joined in one go. */
const linesPerPiece = 2048;
const charactersPerPiece = 64 * 1024;

/** Joins lines into pieces of text, each line ended by a line feed. */
export function* joinLinesInPieces(lines: readonly string[]): Generator<string, void, undefined> {
  for (let from = 0; from < lines.length; ) {
    let characters = 0;
    let to = from;
    while (to < lines.length && to - from < linesPerPiece && characters < charactersPerPiece)
      characters += (lines[to++] as string).length + 1;
    yield `${lines.slice(from, to).join("\n")}\n`;
    from = to;
  }
}
