import { HoldfastError } from "../base/holdfast-error.ts";
import type { Limits } from "../base/limits.ts";
import type { LineRange } from "../schema/read-options.ts";
import type { TextPage } from "../schema/read-results.ts";
import { quotePath } from "../tree/quote-path.ts";

/** Which lines of a file a page holds, before bytes are counted. */
export type ChosenPage = Pick<TextPage, "startLine" | "endLine" | "nextStartLine" | "truncatedBy">;

/**
 * Chooses the lines of a page.
 *
 * @throws {@link HoldfastError} `LINE_OUT_OF_RANGE` when it begins before line 1, after the last line, or after its own end.
 */
export function choosePage(path: string, lineCount: number, range: LineRange, limits: Limits): ChosenPage {
  const { last } = range;
  const startLine = last === undefined ? (range.startLine ?? 1) : Math.max(1, lineCount - last + 1);
  const asked = range.endLine ?? Math.max(lineCount, startLine);
  const isEmptyFile = lineCount === 0 && startLine === 1 && asked >= 0;
  if (isEmptyFile) return { startLine: 1, endLine: 0 };
  if (startLine < 1 || startLine > lineCount || asked < startLine)
    throw outOfRange(path, lineCount, startLine, asked);
  const wanted = Math.min(asked, lineCount);
  const maxLines = Math.min(range.maxLines ?? limits.pageLines, limits.pageLines);
  const endLine = Math.min(wanted, startLine + maxLines - 1);
  if (endLine === wanted) return { startLine, endLine };
  return { startLine, endLine, nextStartLine: endLine + 1, truncatedBy: "lines" };
}

function outOfRange(path: string, lineCount: number, startLine: number, endLine: number): HoldfastError {
  const lines = lineCount === 1 ? "1 line" : `${lineCount} lines`;
  return new HoldfastError("LINE_OUT_OF_RANGE", {
    message: `${quotePath(path)} has ${lines}; lines ${startLine} to ${endLine} are not in it.`,
    details: { path, startLine, endLine, lineCount },
  });
}
