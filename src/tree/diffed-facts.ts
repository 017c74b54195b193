import type { Steps } from "../base/steps.ts";
import { workCounter } from "../base/work-counter.ts";
import { diffLines } from "../text/diff-lines.ts";
import type { ChangedRange, LineShift } from "../text/edit-result.ts";
import { openDocument, type TextDocument } from "../text/text-document.ts";
import { changedLines } from "./changed-lines.ts";
import type { LineFacts } from "./plan-lines.ts";

/**
 * Tells how the lines of a file change when its bytes are replaced, by the diff of both texts: where each changed place is, not only the first
 * and the last. A side that is absent, binary or too long has no lines.
 */
export function* diffedFacts(
  before: Uint8Array | undefined,
  after: Uint8Array | undefined,
  textBytes: number,
): Steps<LineFacts> {
  const old = yield* openSide(before, textBytes);
  const now = before === after ? old : yield* openSide(after, textBytes);
  const totalLines = now !== undefined && { totalLines: now.lineCount };
  // A text without lines has none that could stay.
  const haveLines = old !== undefined && old.lineCount > 0 && now !== undefined && now.lineCount > 0;
  if (old === now || !haveLines) return { ...(yield* changedLines(old, now)), ...totalLines };
  return { ...(yield* diffedLines(old, now)), ...totalLines };
}

function* openSide(bytes: Uint8Array | undefined, textBytes: number): Steps<TextDocument | undefined> {
  if (bytes === undefined || bytes.byteLength > textBytes) return undefined;
  const document = yield* openDocument(bytes);
  return document.kind === "text" ? document : undefined;
}

function* diffedLines(old: TextDocument, now: TextDocument): Steps<LineFacts> {
  const due = workCounter();
  const changedRanges: ChangedRange[] = [];
  const lineShifts: LineShift[] = [];
  let [additions, removals] = [0, 0];
  for (const { oldStart, oldEnd, newStart, newEnd } of yield* diffLines(old, now)) {
    if (due()) yield;
    const [added, removed] = [newEnd - newStart, oldEnd - oldStart];
    additions += added;
    removals += removed;
    changedRanges.push({ startLine: newStart + 1, endLine: newEnd, added, removed });
    if (added !== removed && oldEnd < old.lineCount)
      lineShifts.push({ fromLine: oldEnd + 1, by: newEnd - oldEnd });
  }
  return { changedRanges, lineShifts, additions, removals };
}
