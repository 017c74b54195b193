import type { Problem } from "../base/holdfast-error.ts";
import type { Steps } from "../base/steps.ts";
import type { EditSplice } from "./edit-splice.ts";

/** The splices seen so far that reach furthest. */
interface Reach {
  lines?: EditSplice;
  text?: EditSplice;
  point?: EditSplice;
}

const splicesPerStep = 4096;

/**
 * Finds edits that get in each other's way: a shared line, two insertions at one point, an insertion inside replaced lines, or two texts that share a byte. Two texts on one line that share
 * no byte are fine, and so is an insertion at either end of replaced lines.
 *
 * @param splices - All splices, in the order of the file.
 * @returns One problem for each pair of edits found, in the order of the file.
 */
export function* findOverlaps(splices: readonly EditSplice[]): Steps<Problem[]> {
  const problems = new Map<string, Problem>();
  const report = (first: EditSplice, second: EditSplice, why: string) => {
    const editIndex = Math.max(first.editIndex, second.editIndex);
    const other = Math.min(first.editIndex, second.editIndex);
    const key = `${other} ${editIndex}`;
    if (other === editIndex || problems.has(key)) return;
    const message = `Edits ${other} and ${editIndex} overlap: ${why}.`;
    problems.set(key, { code: "OVERLAPPING_EDITS", message, editIndex });
  };
  const reach: Reach = {};
  for (const [index, splice] of splices.entries()) {
    compareWithReach(reach, splice, report);
    extendReach(reach, splice);
    if (index % splicesPerStep === splicesPerStep - 1) yield;
  }
  return [...problems.values()];
}

function compareWithReach(
  reach: Reach,
  splice: EditSplice,
  report: (first: EditSplice, second: EditSplice, why: string) => void,
): void {
  const { lines, text, point } = reach;
  const isPoint = splice.fromLine === splice.toLine;
  if (lines !== undefined && splice.fromLine < lines.toLine)
    report(lines, splice, sharedLine(splice, isPoint));
  if (splice.wholeLines && text !== undefined && splice.fromLine < text.toLine)
    report(text, splice, sharedLine(splice, isPoint));
  if (!splice.wholeLines && text !== undefined && splice.start < text.end)
    report(text, splice, `both replace text on line ${splice.fromLine + 1}`);
  if (isPoint && point?.fromLine === splice.fromLine)
    report(point, splice, `both insert after line ${splice.fromLine}`);
}

function extendReach(reach: Reach, splice: EditSplice): void {
  if (splice.fromLine === splice.toLine) reach.point = splice;
  else if (splice.wholeLines) reach.lines = further(reach.lines, splice, "toLine");
  else reach.text = further(reach.text, splice, "end");
}

function sharedLine(splice: EditSplice, isPoint: boolean): string {
  return isPoint
    ? `one inserts after line ${splice.fromLine}, inside the lines that the other changes`
    : `both change line ${splice.fromLine + 1}`;
}

function further(known: EditSplice | undefined, splice: EditSplice, end: "toLine" | "end"): EditSplice {
  return known === undefined || splice[end] > known[end] ? splice : known;
}
