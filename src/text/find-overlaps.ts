import type { Problem } from "../base/holdfast-error.ts";
import type { EditSplice } from "./edit-splice.ts";

/**
 * Finds edits that get in each other's way: a shared line, two insertions at one point, an insertion inside replaced lines, or two texts that share a byte. Two texts on one line that share
 * no byte are fine, and so is an insertion at either end of replaced lines.
 *
 * @param splices - All splices, sorted by {@link compareSplices}.
 * @returns One problem for each pair of edits found, in the order of the file.
 */
export function findOverlaps(splices: readonly EditSplice[]): Problem[] {
  const problems = new Map<string, Problem>();
  const report = (first: EditSplice, second: EditSplice, why: string) => {
    const editIndex = Math.max(first.editIndex, second.editIndex);
    const other = Math.min(first.editIndex, second.editIndex);
    if (other === editIndex) return;
    const message = `Edits ${other} and ${editIndex} overlap: ${why}.`;
    const key = `${other} ${editIndex}`;
    if (!problems.has(key)) problems.set(key, { code: "OVERLAPPING_EDITS", message, editIndex });
  };
  let lines: EditSplice | undefined;
  let text: EditSplice | undefined;
  let textEnd: EditSplice | undefined;
  let point: EditSplice | undefined;
  for (const splice of splices) {
    const isPoint = splice.fromLine === splice.toLine;
    if (lines !== undefined && splice.fromLine < lines.toLine)
      report(lines, splice, sharedLine(splice, isPoint));
    if (splice.wholeLines && text !== undefined && splice.fromLine < text.toLine)
      report(text, splice, sharedLine(splice, isPoint));
    if (!splice.wholeLines && textEnd !== undefined && splice.start < textEnd.end)
      report(textEnd, splice, `both replace text on line ${splice.fromLine + 1}`);
    if (isPoint && point?.fromLine === splice.fromLine)
      report(point, splice, `both insert after line ${splice.fromLine}`);
    if (isPoint) point = splice;
    else if (splice.wholeLines) lines = further(lines, splice, "toLine");
    else {
      text = further(text, splice, "toLine");
      textEnd = further(textEnd, splice, "end");
    }
  }
  return [...problems.values()];
}

function sharedLine(splice: EditSplice, isPoint: boolean): string {
  return isPoint
    ? `one inserts after line ${splice.fromLine}, inside the lines that the other changes`
    : `both change line ${splice.fromLine + 1}`;
}

function further(known: EditSplice | undefined, splice: EditSplice, end: "toLine" | "end"): EditSplice {
  return known === undefined || splice[end] > known[end] ? splice : known;
}

/** Orders splices by where they begin in the file; an insertion comes before what begins at its point, and after what ends there. */
export function compareSplices(a: EditSplice, b: EditSplice): number {
  return (
    a.fromLine - b.fromLine || pointFirst(a) - pointFirst(b) || a.start - b.start || a.editIndex - b.editIndex
  );
}

function pointFirst(splice: EditSplice): number {
  return splice.fromLine === splice.toLine ? 0 : 1;
}
