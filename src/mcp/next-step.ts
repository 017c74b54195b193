import type { ErrorCode } from "../base/error-codes.ts";
import type { Continuation, HoldfastError } from "../base/holdfast-error.ts";

/** Which tool stands for a method of the library; methods without a tool are not in it. */
export type ToolNames = Readonly<Record<string, string>>;

/** What to do where no tool that is listed can do the usual next step. */
const withoutTool: { readonly [Code in ErrorCode]?: string } = {
  NOT_FOUND: "Use one of the near paths, if any is named, or another path that is known to exist.",
  IS_DIRECTORY: "Name a file in the folder.",
  BINARY_FILE: "Leave the file as it is; these tools work on text.",
};

/** Puts a refusal's next step in terms of the tools that are listed; a step that none of them can do becomes an instruction alone. */
export function nextStep(error: HoldfastError, toolNames: ToolNames): Continuation | undefined {
  const { continuation } = error;
  if (continuation === undefined) return undefined;
  if (continuation.kind !== "callTool" && continuation.kind !== "chooseTool") return continuation;
  const methods = continuation.kind === "callTool" ? [continuation.tool] : continuation.tools;
  const tools = [...new Set(methods.flatMap((method) => toolNames[method] ?? []))];
  const { instruction } = continuation;
  const [tool] = tools;
  if (tool === undefined)
    return { kind: "reviseRequest", instruction: withoutTool[error.code] ?? instruction };
  return tools.length === 1
    ? { kind: "callTool", tool, instruction }
    : { kind: "chooseTool", tools, instruction };
}
