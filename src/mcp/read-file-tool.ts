import { utf8 } from "../base/bytes.ts";
import type { Limits } from "../base/limits.ts";
import { numberLines } from "../core/number-lines.ts";
import type { Workspace } from "../core/workspace.ts";
import type { TextPage } from "../schema/read-results.ts";
import { quotePath } from "../tree/quote-path.ts";
import { checkRead, readInputSchema } from "./check-read.ts";
import { checkRequestSize } from "./check-request-size.ts";
import { runTool, type ToolSetting } from "./run-tool.ts";
import type { ToolDefinition } from "./tool-definition.ts";
import { readOutputSchema } from "./tool-outputs.ts";

/** Makes the tool that reads a file or a range of its lines. */
export function readFileTool(workspace: Workspace, limits: Limits, setting: ToolSetting): ToolDefinition {
  const { toolNames, results } = setting;
  const name = toolNames["readLines"] ?? "read_file";
  return {
    name,
    title: "Read a file",
    description: describe(toolNames["apply"]),
    inputSchema: readInputSchema,
    ...(results !== "text" && { outputSchema: readOutputSchema }),
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    mutates: false,
    call: async (input, context = {}) =>
      await runTool(setting, context, false, async () => {
        checkRequestSize(input, limits);
        const { path, maxLines = limits.pageLines, ...range } = checkRead(input);
        const page = await workspace.readLines(path, {
          ...range,
          maxLines: Math.min(maxLines, limits.pageLines),
          maxBytes: limits.pageBytes,
          signal: context.signal,
        });
        return { structured: page, text: describePage(page) };
      }),
  };
}

function describe(applyTool: string | undefined): string {
  const use = applyTool === undefined ? "" : ` Pass the revision to ${applyTool}, which changes files.`;
  return `Reads a text file, or lines of it, and returns numbered lines, the total and the file's revision. The file must exist and be text. Changes nothing; a repeat shows the file as it is then. Long files come in pages: go on with the startLine that the answer names.${use}`;
}

/** The page as a model reads it: what it is, the lines, and how to go on. */
function describePage(page: TextPage): string {
  const { path, startLine, endLine, lineCount, revision, nextStartLine } = page;
  const lines = endLine < startLine ? "no lines" : `lines ${startLine}-${endLine} of ${lineCount}`;
  const head = `${quotePath(path)}, ${lines}, revision ${revision}${oddities(page)}`;
  const cut = isCutInLine(page)
    ? `[Line ${endLine} is longer than a page; only its first ${utf8(page.text).byteLength} bytes are shown.]`
    : undefined;
  const next =
    nextStartLine === undefined
      ? undefined
      : `[${lineCount - endLine} more lines in the file. Next page: startLine ${nextStartLine}.]`;
  return [head, numberLines(page), cut, next].filter((part) => part !== undefined && part !== "").join("\n");
}

/** Only what is unusual is told; line ends and marks are kept by every edit. */
function oddities({ lineEnding, bom, encoding, executable }: TextPage): string {
  const told = [
    lineEnding === "crlf" ? "CRLF line ends" : lineEnding === "mixed" ? "mixed line ends" : undefined,
    bom ? "byte order mark" : undefined,
    encoding === "utf-8" ? undefined : encoding === "latin1" ? "read as latin1" : "not UTF-8",
    executable ? "executable" : undefined,
  ].filter((part) => part !== undefined);
  return told.length === 0 ? "" : ` (${told.join(", ")})`;
}

function isCutInLine({ truncatedBy, text }: TextPage): boolean {
  return truncatedBy === "bytes" && !text.endsWith("\n");
}
