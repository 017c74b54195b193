import type { AppliedFile } from "../schema/apply-result.ts";

/**
 * Tells where a line of the old text is after a change.
 *
 * @param file - What the change did to the file.
 * @param line - A line number of the text before it, from 1.
 * @returns The line's number now; `undefined` when the line itself was changed or removed, or the file is gone.
 */
export function shiftLine(file: AppliedFile, line: number): number | undefined {
  if (file.operation === "deleted") return undefined;
  let by = 0;
  for (const shift of file.lineShifts) if (shift.fromLine <= line) by = shift.by;
  let before = 0;
  for (const { startLine, added, removed } of file.changedRanges) {
    // A range of the new text began in the old one where the ranges before it had not yet moved it.
    const oldStart = startLine - before;
    if (line >= oldStart && line < oldStart + removed) return undefined;
    before += added - removed;
  }
  return line + by;
}
