import type { Problem } from "../base/holdfast-error.ts";
import type { Steps } from "../base/steps.ts";
import { applySplices } from "./apply-splices.ts";
import { describeSplices } from "./describe-splices.ts";
import type { Edit } from "./edit.ts";
import type { EditsResult, PlanWarning } from "./edit-result.ts";
import type { EditContext, EditSplice } from "./edit-splice.ts";
import { findOverlaps } from "./find-overlaps.ts";
import { joinLines } from "./join-lines.ts";
import { mergeSplices } from "./merge-splices.ts";
import { openNearestSearch } from "./nearest-text.ts";
import { hasTrailingBlankLine, resolveLineEdit } from "./resolve-line-edit.ts";
import { resolveTextEdit } from "./resolve-text-edit.ts";
import { openTextSearch } from "./search-text.ts";
import type { TextDocument } from "./text-document.ts";

const sharedLineCells = 4_000_000;
const splicesPerStep = 8192;

/**
 * Works out what edits make of a text. All line numbers refer to the text as given; the edits may come in any order and may not overlap. Bytes outside the edited lines and texts stay, and
 * so does the state of the final newline.
 *
 * @param options - `encoding: "latin1"` takes text for one byte a character; in UTF-8 files it has no effect. Default: text for files that are not UTF-8 must be ASCII.
 * @returns The new text, or every problem of the edits, in their order.
 */
export function* planEdits(
  document: TextDocument,
  edits: readonly Edit[],
  options: { readonly encoding?: "latin1" | undefined } = {},
): Steps<EditsResult> {
  const context = contextOf(document, options.encoding);
  const lists: (readonly EditSplice[])[] = [];
  const problems: Problem[] = [];
  for (const [index, edit] of edits.entries()) {
    const resolved =
      edit.op === "replace_text"
        ? yield* resolveTextEdit(context, edit, index)
        : yield* resolveLineEdit(context, edit, index);
    lists.push(resolved.splices);
    for (const problem of resolved.problems) problems.push(problem);
    yield;
  }
  const sorted = yield* joinLines(document, yield* mergeSplices(lists));
  for (const problem of yield* findOverlaps(sorted)) problems.push(problem);
  if (problems.length > 0)
    return { problems: problems.sort((a, b) => (a.editIndex ?? 0) - (b.editIndex ?? 0)) };
  return yield* finish(document, yield* effectiveOf(sorted), warningsOf(edits));
}

/** Leaves out what takes nothing away and brings nothing. */
function* effectiveOf(splices: readonly EditSplice[]): Steps<readonly EditSplice[]> {
  const effective: EditSplice[] = [];
  for (const [index, splice] of splices.entries()) {
    if (splice.bytes.byteLength > 0 || splice.end > splice.start) effective.push(splice);
    if (index % splicesPerStep === splicesPerStep - 1) yield;
  }
  return effective;
}

function contextOf(document: TextDocument, encoding: "latin1" | undefined): EditContext {
  const isUtf8 = document.encoding === "utf-8";
  return {
    document,
    encoding: isUtf8 ? "utf-8" : (encoding ?? "utf-8"),
    asciiOnly: !isUtf8 && encoding === undefined,
    budget: { cells: sharedLineCells },
    search: openTextSearch(document.bytes, document.bomLength),
    nearest: openNearestSearch(document),
  };
}

function* finish(
  document: TextDocument,
  splices: readonly EditSplice[],
  warnings: readonly PlanWarning[],
): Steps<EditsResult> {
  const spliced = yield* applySplices(document, splices);
  const described = yield* describeSplices(document, spliced);
  const { additions, removals, changedRanges } = described;
  return {
    bytes: changedRanges.length === 0 ? document.bytes : spliced.bytes,
    ...described,
    totalLines: document.lineCount + additions - removals,
    warnings,
  };
}

function warningsOf(edits: readonly Edit[]): PlanWarning[] {
  return edits.flatMap((edit, index) =>
    "content" in edit && hasTrailingBlankLine(edit.content)
      ? [
          {
            code: "TRAILING_BLANK_LINE",
            message: `The content of edit ${index} ends in a newline, which adds an empty line.`,
          },
        ]
      : [],
  );
}
