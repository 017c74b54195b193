import type { Problem } from "../../base/holdfast-error.ts";
import type { Steps } from "../../base/steps.ts";
import { applySplices } from "../apply-splices.ts";
import { describeSplices } from "../describe-splices.ts";
import type { EditedText, PlanWarning } from "../edit-result.ts";
import { type EditSplice, neighbourTerminator } from "../edit-splice.ts";
import { encodeText, requireAscii } from "../encode-text.ts";
import { keepTerminators, type MatchBudget } from "../keep-terminators.ts";
import { type LineTerminator, lineStart, type TextDocument, terminatorOf } from "../text-document.ts";
import { shiftLine } from "./indent-shift.ts";
import type { ContextGrade } from "./line-grades.ts";
import { type LocatedHunk, locateHunks } from "./locate-hunk.ts";
import type { PatchHunk, PatchLine } from "./patch-section.ts";

/** Where a hunk was applied, and how its lines were found. */
export interface AppliedHunk {
  /** How loosely its old lines were compared with those of the file. */
  readonly grade: ContextGrade;
  /** Line of the file as it was at which its old lines begin, from 1; where it has none, the line that its new ones come before. */
  readonly line: number;
  /** How many lines further down that is than its header says; 0 when that names no line. */
  readonly offset: number;
}

/** The text that hunks make, and what they changed in it. */
export interface PatchedText extends EditedText {
  /** One for each hunk. */
  readonly hunks: readonly AppliedHunk[];
}

/** What hunks make of a text, or everything that is wrong with them. `details` of a problem lack the path, which only the caller knows. */
export type PatchResult = PatchedText | { readonly problems: readonly Problem[] };

const sharedLineCells = 4_000_000;
const byteOrderMark = "\ufeff";

/** Applies the hunks of one file. Lines that they do not take away keep their bytes, and the final newline stays as it is unless a hunk says otherwise. */
export function* applyHunks(document: TextDocument, hunks: readonly PatchHunk[]): Steps<PatchResult> {
  const found = yield* locateHunks(document, hunks);
  if (found.problems !== undefined) return found;
  const { located, lines } = found;
  const splices: EditSplice[] = [];
  const problems: Problem[] = [];
  const budget = { cells: sharedLineCells };
  for (const hunk of located) {
    if (hunk.isPresent) continue;
    for (const run of runsOf(document, hunk)) {
      const made = yield* spliceOf({ document, lines, budget }, hunk, run);
      if ("code" in made) problems.push({ ...made, editIndex: hunk.sought.index });
      else splices.push(made);
    }
    yield;
  }
  if (problems.length > 0) return { problems };
  const spliced = yield* applySplices(document, splices, finalNewlineOf(document, located));
  const described = yield* describeSplices(document, spliced);
  const losesBom = located.some((hunk) => takesBomAway(hunk));
  const { additions, removals } = described;
  return {
    ...described,
    bytes: losesBom ? spliced.bytes.subarray(document.bomLength) : spliced.bytes,
    totalLines: document.lineCount + additions - removals,
    warnings: warningsOf(located),
    hunks: located.map(describeHunk),
  };
}

function describeHunk({ sought, grade, from }: LocatedHunk): AppliedHunk {
  const { oldStart = 0 } = sought.hunk;
  return {
    grade,
    line: from + 1,
    offset: oldStart === 0 || sought.before.length === 0 ? 0 : from + 1 - oldStart,
  };
}

/** Lines of a hunk that follow each other and go or come. */
interface Run {
  /** Lines of the file before it, and up to its last one that goes. */
  readonly fromLine: number;
  readonly toLine: number;
  readonly added: readonly PatchLine[];
  /** Whether the patch says how each new line ends: when the old lines end in the file as they do in the patch. */
  readonly isExplicit: boolean;
}

function* runsOf(document: TextDocument, { sought, from }: LocatedHunk): Generator<Run, void, undefined> {
  const { lines } = sought.hunk;
  const isExplicit = lines.some(({ crlf }) => crlf) && endsAlike(document, lines, from);
  let line = from;
  let start = from;
  let added: PatchLine[] = [];
  for (const one of lines) {
    if (one.kind === "+") added.push(one);
    else if (one.kind === "-") line++;
    else {
      if (line > start || added.length > 0) yield { fromLine: start, toLine: line, added, isExplicit };
      start = ++line;
      added = [];
    }
  }
  if (line > start || added.length > 0) yield { fromLine: start, toLine: line, added, isExplicit };
}

function endsAlike(document: TextDocument, lines: readonly PatchLine[], from: number): boolean {
  let line = from;
  return lines.every(({ kind, crlf }) => {
    if (kind === "+") return true;
    const terminator = terminatorOf(document, ++line);
    return terminator === undefined || (terminator === "\r\n") === crlf;
  });
}

interface Splicing {
  readonly document: TextDocument;
  readonly lines: readonly string[];
  readonly budget: MatchBudget;
}

function* spliceOf(
  splicing: Splicing,
  { sought, shift }: LocatedHunk,
  run: Run,
): Steps<EditSplice | Problem> {
  const { document } = splicing;
  const { fromLine, toLine, added } = run;
  const texts = added.map(({ text }, at) => {
    const isDoubledBom =
      at === 0 && fromLine === 0 && document.bomLength > 0 && text.startsWith(byteOrderMark);
    const own = isDoubledBom ? text.slice(1) : text;
    return shift === undefined ? own : shiftLine(own, shift);
  });
  const terminators = terminatorsOf(splicing, run, texts);
  const text = texts.map((line, at) => line + (terminators[at] as string)).join("");
  const notAscii = document.encoding === "utf-8" ? undefined : yield* requireAscii(text);
  if (notAscii !== undefined) return notAscii;
  const { bytes, problem } = yield* encodeText(text, "utf-8");
  if (problem !== undefined) return problem;
  const start = lineStart(document, fromLine + 1);
  const end = lineStart(document, toLine + 1);
  return { editIndex: sought.index, start, end, bytes, wholeLines: true, fromLine, toLine };
}

function terminatorsOf(
  { document, lines, budget }: Splicing,
  { fromLine, toLine, added, isExplicit }: Run,
  texts: readonly string[],
): readonly LineTerminator[] {
  if (isExplicit) return added.map(({ crlf }) => (crlf ? "\r\n" : "\n"));
  const neighbour = neighbourTerminator(document, fromLine, toLine);
  if (document.lineEnding !== "mixed" || fromLine === toLine) return texts.map(() => neighbour);
  const contents = lines.slice(fromLine, toLine);
  const terminators = contents.map((_, at) => terminatorOf(document, fromLine + at + 1));
  return keepTerminators({ contents, terminators }, texts, neighbour, budget);
}

/** What the patch says about the end of the file; `undefined` when nothing. */
function finalNewlineOf(document: TextDocument, located: readonly LocatedHunk[]): boolean | undefined {
  const last = located.at(-1);
  if (last === undefined || last.isPresent) return undefined;
  const { oldOpen, newOpen } = last.sought.hunk;
  return newOpen ? false : oldOpen || document.lineCount === 0 ? true : undefined;
}

/** Whether a hunk takes the byte order mark away with the first line. */
function takesBomAway({ sought, isPresent }: LocatedHunk): boolean {
  if (!sought.takesBom || isPresent || sought.hunk.lines.find(({ kind }) => kind !== "+")?.kind === " ")
    return false;
  return sought.hunk.lines.find(({ kind }) => kind !== "-")?.text.startsWith(byteOrderMark) !== true;
}

function warningsOf(located: readonly LocatedHunk[]): readonly PlanWarning[] {
  return located.flatMap(({ sought, isPresent }) => {
    const { index, hunk } = sought;
    const warnings: PlanWarning[] = [];
    const subject = `Hunk ${index} (line ${hunk.line} of the patch)`;
    if (isPresent)
      warnings.push({
        code: "HUNK_ALREADY_PRESENT",
        message: `${subject} has been applied before and was left out.`,
      });
    if (hunk.miscounted)
      warnings.push({
        code: "HUNK_MISCOUNTED",
        message: `${subject} counts other numbers of lines than it has; its own lines were taken.`,
      });
    return warnings;
  });
}
