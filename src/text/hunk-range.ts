import type { Steps } from "../base/steps.ts";
import { workCounter } from "../base/work-counter.ts";
import type { LineChange } from "./diff-lines.ts";
import { endsWithoutNewline, lineCountOf, lineOffset } from "./diffed-lines.ts";
import type { TextDocument } from "./text-document.ts";

/** Both texts of a diff, and what changes one into the other. */
export interface ComparedTexts {
  readonly before: TextDocument;
  readonly after: TextDocument;
  readonly changes: readonly LineChange[];
}

/** Changes that are shown together with the lines around them; lines from 0, half-open. */
export interface HunkRange {
  readonly oldFrom: number;
  readonly oldTo: number;
  readonly newFrom: number;
  readonly newTo: number;
  /** Its changes, as places in the list of all. */
  readonly firstChange: number;
  readonly endChange: number;
}

/** What stands after a line that has no terminator. */
export const noNewline = "\\ No newline at end of file";

/** Cuts changes into hunks: those whose lines of context touch are one. */
export function* hunkRanges(texts: ComparedTexts, contextLines: number): Steps<readonly HunkRange[]> {
  const due = workCounter();
  const { before, changes } = texts;
  const lastLine = lineCountOf(before);
  const ranges: HunkRange[] = [];
  for (let firstChange = 0; firstChange < changes.length; ) {
    let endChange = firstChange + 1;
    while (endChange < changes.length && gapBefore(changes, endChange) <= 2 * contextLines) endChange++;
    const first = changes[firstChange] as LineChange;
    const last = changes[endChange - 1] as LineChange;
    const lead = Math.min(contextLines, first.oldStart);
    const trail = Math.min(contextLines, lastLine - last.oldEnd);
    ranges.push({
      oldFrom: first.oldStart - lead,
      oldTo: last.oldEnd + trail,
      newFrom: first.newStart - lead,
      newTo: last.newEnd + trail,
      firstChange,
      endChange,
    });
    if (due(endChange - firstChange)) yield;
    firstChange = endChange;
  }
  return ranges;
}

function gapBefore(changes: readonly LineChange[], at: number): number {
  return (changes[at] as LineChange).oldStart - (changes[at - 1] as LineChange).oldEnd;
}

/** The line that begins a hunk: an empty side is named by the line before it, and a single line by its number alone. */
export function hunkHeading({ oldFrom, oldTo, newFrom, newTo }: HunkRange): string {
  return `@@ -${sayLines(oldFrom, oldTo)} +${sayLines(newFrom, newTo)} @@`;
}

function sayLines(from: number, to: number): string {
  const start = startLine(from, to);
  return to - from === 1 ? `${start}` : `${start},${to - from}`;
}

/** The number of the first line, from 1; of no lines: the number of the line before. */
export function startLine(from: number, to: number): number {
  return to === from ? from : from + 1;
}

/** Counts the bytes that a hunk takes as unified text, without writing it. */
export function hunkByteLength(texts: ComparedTexts, range: HunkRange): number {
  const { before, after, changes } = texts;
  const { newFrom, newTo } = range;
  let length = hunkHeading(range).length + 1;
  for (let at = range.firstChange; at < range.endChange; at++) {
    const { oldStart, oldEnd } = changes[at] as LineChange;
    length += linesByteLength(before, oldStart, oldEnd);
  }
  return length + linesByteLength(after, newFrom, newTo);
}

/** Each line takes one byte for its prefix; one without a terminator takes that, and the line that says so. */
function linesByteLength(document: TextDocument, from: number, to: number): number {
  const ending = to > from && to === lineCountOf(document) && endsWithoutNewline(document);
  return (
    lineOffset(document, to) - lineOffset(document, from) + (to - from) + (ending ? noNewline.length + 2 : 0)
  );
}
