import { createTools, type ToolCallContext, type ToolOptions, type ToolResult } from "holdfast/mcp";
import type { testWorkspace } from "./grounds/test-workspace.ts";

type Workspace = Awaited<ReturnType<typeof testWorkspace>>["workspace"];

/** Calls one tool of a workspace without any SDK. */
export async function callTool(
  workspace: Workspace,
  name: string,
  input: unknown,
  options: { readonly tools?: ToolOptions; readonly context?: ToolCallContext } = {},
): Promise<ToolResult> {
  const tool = createTools(workspace, options.tools).find((one) => one.name === name);
  if (tool === undefined) throw new Error(`There is no tool ${name}.`);
  return await tool.call(input, options.context);
}

/** Refusal of a call, as a program reads it. */
export interface ToolRefusal {
  readonly code: string;
  readonly message: string;
  readonly written: string;
  readonly correlationId: string;
  readonly problems: readonly {
    readonly code: string;
    readonly message: string;
    readonly changeIndex?: number;
    readonly editIndex?: number;
    readonly path?: string;
  }[];
}

/** Gives the error of a result; fails when it is none. */
export function refusalIn({ ok, structured }: ToolResult): ToolRefusal {
  if (ok || structured["ok"] !== false)
    throw new Error(`The call was not refused: ${JSON.stringify(structured)}`);
  return structured["error"] as ToolRefusal;
}
