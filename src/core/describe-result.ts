import { utf8 } from "../base/bytes.ts";
import type { AppliedFile, ApplyResult } from "../schema/apply-result.ts";
import { quotePath } from "../tree/quote-path.ts";

/** How a result is described. */
export interface DescribeResultOptions {
  /** Most bytes of the text, as UTF-8. Default: 16,384. */
  readonly maxBytes?: number | undefined;
}

/**
 * Says in plain text what a call did: a heading, a line for each file with its new revision, and the warnings. Files beyond the bound are counted.
 *
 * @param result - What the call returned.
 * @param options - `maxBytes` bounds the text.
 */
export function describeResult(result: ApplyResult, options: DescribeResultOptions = {}): string {
  const maxBytes = options.maxBytes ?? 16_384;
  const lines = [heading(result), ...result.files.map(describeFile), ...result.warnings.map(describeWarning)];
  const kept: string[] = [];
  let length = 0;
  for (const [index, line] of lines.entries()) {
    const rest = `… and ${lines.length - index} more lines`;
    length += utf8(line).byteLength + 1;
    const room = index === lines.length - 1 ? 0 : utf8(rest).byteLength + 1;
    if (index > 0 && length + room > maxBytes) return [...kept, rest].join("\n");
    kept.push(line);
  }
  return kept.join("\n");
}

function heading(result: ApplyResult): string {
  const count = `${result.files.length} ${result.files.length === 1 ? "file" : "files"}`;
  const lines = `+${result.additions} -${result.removals} lines`;
  const replay = result.idempotentReplay ? " (recorded result of an earlier call)" : "";
  if (result.dryRun) return `Dry run: would change ${count}, ${lines}. Nothing was written.`;
  if (result.alreadyApplied)
    return `Nothing to change in ${count}; the workspace is at ${result.workspaceRevision}${replay}.`;
  return `Wrote ${count}, ${lines}; the workspace is at ${result.workspaceRevision}${replay}.`;
}

function describeFile(file: AppliedFile): string {
  const from = file.previousPath === undefined ? "" : ` from ${quotePath(file.previousPath)}`;
  const revision = file.revision === undefined ? "" : `, revision ${file.revision}`;
  const total =
    file.totalLines === undefined ? "" : `, ${file.totalLines} ${file.totalLines === 1 ? "line" : "lines"}`;
  const ranges = file.changedRanges
    .slice(0, 8)
    .map(({ startLine, endLine }) => describeRange(startLine, endLine));
  const more = file.changedRanges.length > ranges.length ? ", …" : "";
  const changed =
    ranges.length === 0 || file.operation === "created" ? "" : `; changed ${ranges.join(", ")}${more}`;
  return `- ${file.operation} ${quotePath(file.path)}${from}${revision}${total}${changed}`;
}

function describeRange(startLine: number, endLine: number): string {
  if (endLine < startLine) return `before line ${startLine}`;
  return startLine === endLine ? `line ${startLine}` : `lines ${startLine}-${endLine}`;
}

function describeWarning({ code, message }: { readonly code: string; readonly message: string }): string {
  return `Warning ${code}: ${message}`;
}
