import type { Steps } from "../base/steps.ts";
import type { ChangedRange, LineShift } from "../text/edit-result.ts";
import { lineStart, type TextDocument } from "../text/text-document.ts";

/** How the lines of a file that was written whole changed. */
export interface ChangedLines {
  /** At most one: from the first line that differs to the last. */
  readonly changedRanges: readonly ChangedRange[];
  /** How the lines after it moved. */
  readonly lineShifts: readonly LineShift[];
  /** Lines added. */
  readonly additions: number;
  /** Lines removed. */
  readonly removals: number;
}

const noLines: ChangedLines = { changedRanges: [], lineShifts: [], additions: 0, removals: 0 };
const bytesPerStep = 256 * 1024;

/** Compares two texts by what they have in common at their start and end; a side that is no text has no lines. */
export function* changedLines(
  before: TextDocument | undefined,
  after: TextDocument | undefined,
): Steps<ChangedLines> {
  const oldCount = before?.lineCount ?? 0;
  const newCount = after?.lineCount ?? 0;
  let start = 0;
  let end = 0;
  if (before !== undefined && after !== undefined) {
    const most = Math.min(oldCount, newCount);
    let work = 0;
    while (start < most && equalLines(before, start + 1, after, start + 1)) {
      work += lineLength(before, ++start);
      if (work >= bytesPerStep) {
        work = 0;
        yield;
      }
    }
    while (end < most - start && equalLines(before, oldCount - end, after, newCount - end)) {
      work += lineLength(before, oldCount - end++);
      if (work >= bytesPerStep) {
        work = 0;
        yield;
      }
    }
  }
  const added = newCount - start - end;
  const removed = oldCount - start - end;
  if (added === 0 && removed === 0) return noLines;
  return {
    changedRanges:
      after === undefined ? [] : [{ startLine: start + 1, endLine: start + added, added, removed }],
    lineShifts: end > 0 && added !== removed ? [{ fromLine: start + removed + 1, by: added - removed }] : [],
    additions: added,
    removals: removed,
  };
}

function lineLength(document: TextDocument, line: number): number {
  return lineStart(document, line + 1) - lineStart(document, line) + 1;
}

function equalLines(a: TextDocument, lineA: number, b: TextDocument, lineB: number): boolean {
  const fromA = lineStart(a, lineA);
  const fromB = lineStart(b, lineB);
  const length = lineStart(a, lineA + 1) - fromA;
  if (lineStart(b, lineB + 1) - fromB !== length) return false;
  for (let index = 0; index < length; index++)
    if (a.bytes[fromA + index] !== b.bytes[fromB + index]) return false;
  return true;
}
