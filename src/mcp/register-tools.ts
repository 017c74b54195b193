import * as z from "zod";
import { HoldfastError } from "../base/holdfast-error.ts";
import type { ToolCallContext, ToolDefinition } from "./tool-definition.ts";

/** The server of either generation of the official SDK, as far as it is needed: anything with its `registerTool`. */
export interface ToolHost {
  /** Publishes one tool. */
  // biome-ignore lint/suspicious/noExplicitAny: each generation types what it takes in its own way
  registerTool(name: string, config: any, handler: (...given: any[]) => any): unknown;
}

/** What both generations hand to a tool's handler, as far as it is used. */
interface HandlerExtra {
  readonly signal?: AbortSignal;
  readonly sessionId?: string;
  readonly mcpReq?: { readonly signal?: AbortSignal };
}

/**
 * Publishes tools on a server of the official SDK, of either generation.
 *
 * The published input schema is the tool's own, but wrong input is not refused by the SDK: it reaches the tool, which accepts usual spellings
 * and answers with a code, every problem and the next step.
 *
 * @param server - The SDK's server object with `registerTool`.
 * @param tools - What `createTools` made.
 * @throws {@link HoldfastError} `INVALID_ARGUMENT` when the object has no `registerTool`; as the SDK when a name is taken.
 */
export function registerTools(server: ToolHost, tools: readonly ToolDefinition[]): void {
  if (typeof server?.registerTool !== "function")
    throw new HoldfastError("INVALID_ARGUMENT", { message: `"server" must have a method registerTool.` });
  for (const tool of tools) {
    const { name, title, description, outputSchema, annotations } = tool;
    const inputSchema = publishedAs(tool.inputSchema);
    const config = { title, description, inputSchema, annotations, ...(outputSchema && { outputSchema }) };
    server.registerTool(name, config, async (input: unknown, extra?: HandlerExtra) => {
      const { ok, structured, text } = await tool.call(input, contextOf(extra));
      return {
        content: [{ type: "text", text }],
        ...(outputSchema && { structuredContent: structured }),
        ...(!ok && { isError: true }),
      };
    });
  }
}

function contextOf(extra: HandlerExtra | undefined): ToolCallContext {
  return { signal: extra?.signal ?? extra?.mcpReq?.signal, sessionId: extra?.sessionId };
}

/** A schema that says in JSON what the given one says, and lets every object pass. */
function publishedAs(schema: z.ZodObject): z.ZodObject {
  const { $schema: _draft, ...json } = z.toJSONSchema(schema, { io: "input" });
  const open = z.looseObject({});
  open._zod.toJSONSchema = () => structuredClone(json);
  return open;
}
