import type { Problem } from "../base/holdfast-error.ts";
import type { Steps } from "../base/steps.ts";
import type { ReplaceTextEdit } from "./edit.ts";
import { type EditContext, type EditSplice, neighbourTerminator, type ResolvedEdit } from "./edit-splice.ts";
import { encodeText, requireAscii } from "./encode-text.ts";
import { type ByteSpan, type FoundText, splitAtLineEnds } from "./find-text.ts";
import { keepTerminators } from "./keep-terminators.ts";
import { differenceHints, findNearest } from "./nearest-text.ts";
import { searchText } from "./search-text.ts";
import { type LineTerminator, lineAt, type TextDocument, terminatorOf } from "./text-document.ts";

const spansPerStep = 1024;

/** Finds the bytes that a text edit replaces, and what by. */
export function* resolveTextEdit(
  context: EditContext,
  edit: ReplaceTextEdit,
  editIndex: number,
): Steps<ResolvedEdit> {
  const refused = (problems: readonly Problem[]): ResolvedEdit => ({
    splices: [],
    problems: problems.map((problem) => ({ ...problem, editIndex })),
  });
  const { document } = context;
  const problems: Problem[] = [...countProblems(edit)];
  if (edit.oldText === "")
    problems.push({ code: "EMPTY_OLD_TEXT", message: "oldText is empty, so it names no place." });
  const notAscii = context.asciiOnly ? yield* requireAscii(edit.newText) : undefined;
  if (notAscii !== undefined) problems.push(notAscii);
  const unwritable = (yield* encodeText(edit.newText, context.encoding)).problem;
  if (unwritable !== undefined) problems.push(unwritable);
  const sought = yield* encodeText(edit.oldText.replaceAll("\r\n", "\n"), context.encoding);
  if (sought.problem !== undefined) return refused([...problems, sought.problem]);
  if (problems.length > 0) return refused(problems);
  const found = yield* searchText(context.search, sought.bytes);
  if (found.spans.length === 0) return refused([yield* notFound(context, edit)]);
  const miscounted = checkCount(document, edit, found);
  if (miscounted !== undefined) return refused([miscounted]);
  return { splices: yield* spliceAll(context, edit, editIndex, found.spans), problems: [] };
}

function countProblems(edit: ReplaceTextEdit): Problem[] {
  const { occurrences, replaceAll } = edit;
  if (occurrences === undefined) return [];
  if (replaceAll === true)
    return [{ code: "INVALID_ARGUMENT", message: "Give occurrences or replaceAll, not both." }];
  if (Number.isSafeInteger(occurrences) && occurrences >= 1) return [];
  return [
    { code: "INVALID_ARGUMENT", message: `occurrences ${occurrences} is not a whole number from 1 up.` },
  ];
}

function* notFound(context: EditContext, edit: ReplaceTextEdit): Steps<Problem> {
  const code = "TEXT_NOT_FOUND";
  const message = "The text to replace does not occur in the file.";
  const nearest = yield* findNearest(context.nearest, edit.oldText);
  if (nearest === undefined) return { code, message, details: {} };
  const hint = `The nearest is at line ${nearest.startLine}, ${differenceHints[nearest.differs]}.`;
  return { code, message: `${message} ${hint}`, details: { nearest } };
}

function checkCount(document: TextDocument, edit: ReplaceTextEdit, found: FoundText): Problem | undefined {
  const { spans, overlapping, firstStarts } = found;
  if (edit.replaceAll === true) return undefined;
  const wanted = edit.occurrences ?? 1;
  if (overlapping === wanted && spans.length === wanted) return undefined;
  const lines = [...new Set(firstStarts.map((start) => lineAt(document, start)))];
  const where = `${lines.length === 1 ? "line" : "lines"} ${lines.join(", ")}${overlapping > 8 ? " and more" : ""}`;
  const message = `The text to replace occurs ${times(overlapping)} (${where}), not ${times(wanted)}.`;
  if (overlapping < wanted) return { code: "TEXT_NOT_FOUND", message, details: {} };
  const overlap =
    overlapping > spans.length ? " Occurrences overlap, so it is not said which are meant." : "";
  return { code: "TEXT_AMBIGUOUS", message: message + overlap, details: { occurrences: overlapping, lines } };
}

function times(count: number): string {
  return count === 1 ? "1 time" : `${count} times`;
}

function* spliceAll(
  context: EditContext,
  edit: ReplaceTextEdit,
  editIndex: number,
  spans: readonly ByteSpan[],
): Steps<EditSplice[]> {
  const { document, encoding } = context;
  const oldPieces = splitAtLineEnds(edit.oldText);
  const newPieces = splitAtLineEnds(edit.newText);
  const made = new Map<string, Uint8Array>();
  const splices: EditSplice[] = [];
  for (const span of spans) {
    const terminators = newPieces.length === 1 ? [] : chooseTerminators(context, span, oldPieces, newPieces);
    const key = terminators.join("");
    let bytes = made.get(key);
    if (bytes === undefined) {
      const text = newPieces.map((piece, index) => piece + (terminators[index] ?? "")).join("");
      const encoded = yield* encodeText(text, encoding);
      bytes = encoded.bytes ?? new Uint8Array();
      made.set(key, bytes);
    }
    splices.push({
      editIndex,
      ...span,
      bytes,
      wholeLines: false,
      fromLine: lineAt(document, span.start) - 1,
      toLine: lineAt(document, span.end - 1),
    });
    if (splices.length % spansPerStep === 0) yield;
  }
  return splices;
}

/** The last piece of each text ends in the middle of a line, so it has no terminator of its own. */
function chooseTerminators(
  context: EditContext,
  span: ByteSpan,
  oldPieces: readonly string[],
  newPieces: readonly string[],
): LineTerminator[] {
  const { document, budget } = context;
  const line = lineAt(document, span.start);
  const neighbour = terminatorOf(document, line) ?? neighbourTerminator(document, line - 1, line);
  const lines = newPieces.slice(0, -1);
  if (document.lineEnding !== "mixed") return lines.map(() => neighbour);
  const contents = oldPieces.slice(0, -1);
  const terminators = contents.map((_, index) => terminatorOf(document, line + index));
  return keepTerminators({ contents, terminators }, lines, neighbour, budget);
}
