import { HoldfastError } from "../base/holdfast-error.ts";
import type { Limits } from "../base/limits.ts";
import { describeResult } from "../core/describe-result.ts";
import { formatDiff } from "../core/format-diff.ts";
import type { Workspace } from "../core/workspace.ts";
import type { ApplyResult } from "../schema/apply-result.ts";
import { changeInputSchema } from "./change-input.ts";
import { checkChanges } from "./check-changes.ts";
import { checkRequestSize } from "./check-request-size.ts";
import { runTool, type ToolSetting } from "./run-tool.ts";
import type { ToolCallContext, ToolDefinition } from "./tool-definition.ts";
import { changeOutputSchema } from "./tool-outputs.ts";

/** Makes the tool that applies changes of any number of files, all or none. */
export function applyChangesTool(workspace: Workspace, limits: Limits, setting: ToolSetting): ToolDefinition {
  const { toolNames, results } = setting;
  return {
    name: toolNames["apply"] ?? "apply_changes",
    title: "Apply changes",
    description: describe(toolNames["readLines"]),
    inputSchema: changeInputSchema,
    ...(results !== "text" && { outputSchema: changeOutputSchema }),
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
    mutates: true,
    call: async (input, context = {}) =>
      await runTool(setting, context, true, async () => {
        checkRequestSize(input, limits);
        const { changes, options } = checkChanges(input, limits);
        const { signal, source, sessionId, exchange } = context;
        const idempotencyKey = oneKey(options.idempotencyKey, context);
        const result = await workspace.apply(changes, {
          ...options,
          includeDiff: options.includeDiff === true ? { maxBytes: limits.pageBytes } : undefined,
          idempotencyKey,
          signal,
          source,
          sessionId,
          exchange,
        });
        return { structured: result, text: sayResult(result) };
      }),
  };
}

function sayResult(result: ApplyResult): string {
  const diff = result.diff === undefined ? "" : formatDiff(result.diff);
  return diff === "" ? describeResult(result) : `${describeResult(result)}\n\n${diff}`;
}

function describe(readTool: string | undefined): string {
  const from = readTool === undefined ? "" : ` from ${readTool}, which only looks`;
  return `Creates, writes, edits, patches, moves, copies or deletes files: all changes or none. An existing file needs its revision${from}; replace_text and patch need none. Use patch where you have a diff. A repeat is checked anew and may be refused; with the same idempotencyKey it returns the recorded result. dryRun checks without writing.`;
}

/** A host and a model may both give a key, but one call has one. */
function oneKey(given: string | undefined, context: ToolCallContext): string | undefined {
  const { idempotencyKey } = context;
  if (given === undefined || idempotencyKey === undefined || given === idempotencyKey)
    return given ?? idempotencyKey;
  throw new HoldfastError("INVALID_ARGUMENT", {
    message: `"idempotencyKey" is set by the host for this call and cannot be another one; leave it out.`,
  });
}
