import type { Problem } from "../base/holdfast-error.ts";
import type { Steps } from "../base/steps.ts";
import { decodeLines } from "./decode-text.ts";
import type { Edit, ReplaceTextEdit } from "./edit.ts";
import { type EditContext, neighbourTerminator, type ResolvedEdit } from "./edit-splice.ts";
import { encodeText, requireAscii } from "./encode-text.ts";
import { splitAtLineEnds } from "./find-text.ts";
import { keepTerminators } from "./keep-terminators.ts";
import { type LineTerminator, lineStart, type TextDocument, terminatorOf } from "./text-document.ts";

/** An edit that names lines by number. */
export type LineEdit = Exclude<Edit, ReplaceTextEdit>;

interface LineSpan {
  readonly fromLine: number;
  readonly toLine: number;
}

/**
 * Cuts the content of a line edit into lines: `""` is no line, a text of line ends alone is as many empty lines, and in any other text a newline at the end adds an empty line.
 */
function contentLines(content: string): string[] {
  const lines = splitAtLineEnds(content);
  if (lines.every((line) => line === "")) lines.pop();
  return lines;
}

/** Says whether a content has an empty line at its end that its author may not have meant. */
export function hasTrailingBlankLine(content: string): boolean {
  return content.endsWith("\n") && !/^(?:\r?\n)+$/.test(content);
}

/** Finds the bytes that a line edit replaces, and what by. */
export function* resolveLineEdit(
  context: EditContext,
  edit: LineEdit,
  editIndex: number,
): Steps<ResolvedEdit> {
  const { document } = context;
  const located = locateLines(document, edit);
  const problems: Problem[] = "code" in located ? [located] : [];
  const content = edit.op === "delete" ? "" : edit.content;
  const notAscii = context.asciiOnly ? yield* requireAscii(content) : undefined;
  if (notAscii !== undefined) problems.push(notAscii);
  const lines = contentLines(content);
  const span = "code" in located ? { fromLine: 0, toLine: 0 } : located;
  const terminators = yield* terminatorsFor(context, span, lines);
  const text = lines.map((line, index) => line + (terminators[index] as string)).join("");
  const encoded = yield* encodeText(text, context.encoding);
  if (encoded.problem !== undefined) problems.push(encoded.problem);
  if (encoded.problem !== undefined || problems.length > 0)
    return { splices: [], problems: problems.map((problem) => ({ ...problem, editIndex })) };
  const start = lineStart(document, span.fromLine + 1);
  const end = lineStart(document, span.toLine + 1);
  return {
    splices: [{ editIndex, start, end, bytes: encoded.bytes, wholeLines: true, ...span }],
    problems: [],
  };
}

function locateLines(document: TextDocument, edit: LineEdit): LineSpan | Problem {
  const { lineCount } = document;
  if (edit.op === "append") return { fromLine: lineCount, toLine: lineCount };
  if ("line" in edit) {
    const least = edit.op === "insert_after" ? 0 : 1;
    const problem = badLine("line", edit.line, least, lineCount + least, lineCount);
    const after = edit.line - least;
    return problem ?? { fromLine: after, toLine: after };
  }
  const { startLine, endLine = startLine } = edit;
  const problem = badLine("startLine", startLine, 1, lineCount, lineCount);
  if (problem !== undefined) return problem;
  if (Number.isSafeInteger(endLine) && endLine < startLine)
    return {
      code: "INVALID_ARGUMENT",
      message: `endLine ${endLine} is before startLine ${startLine}.`,
    };
  return badLine("endLine", endLine, 1, lineCount, lineCount) ?? { fromLine: startLine - 1, toLine: endLine };
}

function badLine(
  field: string,
  line: number,
  least: number,
  most: number,
  lineCount: number,
): Problem | undefined {
  if (!Number.isSafeInteger(line))
    return { code: "INVALID_ARGUMENT", message: `${field} ${line} is not a whole number.` };
  if (line >= least && line <= most) return undefined;
  const lines = lineCount === 1 ? "1 line" : `${lineCount} lines`;
  const range = most < least ? "it has none to name" : `${field} goes from ${least} to ${most}`;
  return {
    code: "LINE_OUT_OF_RANGE",
    message: `${field} ${line} is outside the file, which has ${lines}; ${range}.`,
  };
}

function* terminatorsFor(
  context: EditContext,
  span: LineSpan,
  lines: readonly string[],
): Steps<LineTerminator[]> {
  const { document } = context;
  const neighbour = neighbourTerminator(document, span.fromLine, span.toLine);
  if (document.lineEnding !== "mixed" || span.fromLine === span.toLine) return lines.map(() => neighbour);
  const encoding = document.encoding === "utf-8" ? "utf-8" : "latin1";
  const decoded = yield* decodeLines(document, {
    startLine: span.fromLine + 1,
    endLine: span.toLine,
    encoding,
  });
  const contents = splitAtLineEnds(decoded.text ?? "");
  const terminators: (LineTerminator | undefined)[] = [];
  for (let line = span.fromLine + 1; line <= span.toLine; line++)
    terminators.push(terminatorOf(document, line));
  if (terminators.at(-1) !== undefined) contents.pop();
  return keepTerminators({ contents, terminators }, lines, neighbour, context.budget);
}
