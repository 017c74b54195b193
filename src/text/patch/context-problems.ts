import type { Problem } from "../../base/holdfast-error.ts";
import type { Steps } from "../../base/steps.ts";
import { folds } from "../fold-lines.ts";
import { differenceHints, findNearest, type NearestText, openNearestSearch } from "../nearest-text.ts";
import { type HunkSearch, linesOf, type SoughtHunk } from "./hunk-search.ts";
import type { LineFold } from "./line-grades.ts";

/** Why a hunk has no place. */
export type Unplaced =
  | { readonly why: "missing" | "order" | "nowhere" }
  | { readonly why: "ambiguous"; readonly lines: readonly number[]; readonly count: number }
  | { readonly why: "anchor"; readonly anchor: string; readonly lines: readonly number[] };

/** Tells, for each hunk without a place, why it has none; `details` lack the path, which only the caller knows. */
export function* contextProblems(
  search: HunkSearch,
  unplaced: ReadonlyMap<SoughtHunk, Unplaced>,
): Steps<readonly Problem[]> {
  const nearest = openNearestSearch(search.document);
  const lines = yield* linesOf(search);
  const problems: Problem[] = [];
  for (const [sought, reason] of unplaced) {
    const { index, hunk } = sought;
    const { why } = reason;
    const subject = `Hunk ${index} (line ${hunk.line} of the patch)`;
    const place = { editIndex: index };
    const details = { hunk: index, line: hunk.line };
    if (why === "nowhere" || ("lines" in reason && reason.lines.length > 0)) {
      const places = "lines" in reason ? reason.lines : [];
      const occurrences = "count" in reason ? reason.count : places.length;
      const message = `${subject} ${sayAmbiguous(reason, occurrences, places)}`;
      const more = { ...details, occurrences, lines: places };
      problems.push({ code: "PATCH_CONTEXT_AMBIGUOUS", message, ...place, details: more });
      continue;
    }
    const isAnchor = why === "anchor";
    const text = isAnchor ? reason.anchor : sought.before.join("\n");
    const found = why === "order" ? undefined : yield* findNearest(nearest, text);
    const near = found && { ...found, differs: differenceAt(lines, text.split("\n"), found.startLine) };
    const hint =
      near === undefined
        ? ""
        : ` The nearest is at line ${near.startLine}, ${differenceHints[near.differs]}.`;
    const message = `${subject} ${sayMissing(sought, reason)}${hint}`;
    const more = near === undefined ? details : { ...details, nearest: near };
    problems.push({ code: "PATCH_CONTEXT_NOT_FOUND", message, ...place, details: more });
    yield;
  }
  return problems.sort((a, b) => (a.editIndex ?? 0) - (b.editIndex ?? 0));
}

/** In what whole lines differ from those of the file at a line, from 1. */
function differenceAt(
  lines: readonly string[],
  sought: readonly string[],
  startLine: number,
): NearestText["differs"] {
  const there = lines.slice(startLine - 1, startLine - 1 + sought.length);
  const isSame = (fold: LineFold) =>
    there.length === sought.length && sought.every((line, at) => fold(line) === fold(there[at] ?? ""));
  return folds.find(([, fold]) => isSame(fold))?.[0] ?? "text";
}

function sayAmbiguous(reason: Unplaced, count: number, lines: readonly number[]): string {
  if (reason.why === "nowhere")
    return 'has no lines but new ones, so it could stand anywhere; give it lines around it, an @@ line, or "*** End of File".';
  const where = `(lines ${lines.join(", ")}${count > lines.length ? " and more" : ""})`;
  if (reason.why === "anchor")
    return `follows the line ${show(reason.anchor)}, which is there more than once ${where}.`;
  return `could stand at ${count} places ${where}; add lines around it until it is one.`;
}

function sayMissing({ found, isLast }: SoughtHunk, reason: Unplaced): string {
  if (reason.why === "anchor")
    return `follows the line ${show(reason.anchor)}, which is not in the file, or only before the hunk above; an @@ line is a whole line of the file.`;
  const end = isLast ? " at the end of the file" : "";
  if (found === undefined) return `has old lines that do not stand together in the file${end}.`;
  const line = found.first + 1;
  return `has lines that stand at line ${line}, which is not after its @@ line and the hunk above; hunks go in the order of the file and do not overlap.`;
}

function show(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text);
}
