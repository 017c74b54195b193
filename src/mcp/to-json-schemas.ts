import * as z from "zod";
import type { ToolDefinition } from "./tool-definition.ts";

/** A tool as hosts without an SDK publish it. */
export interface ToolJsonSchema {
  /** The name. */
  readonly name: string;
  /** What it does. */
  readonly description: string;
  /** The input as JSON Schema, draft 2020-12. */
  readonly inputSchema: object;
}

/**
 * Gives name, description and input schema of each tool as plain JSON, for hosts that take functions with JSON Schema.
 *
 * @param tools - What `createTools` made.
 */
export function toJsonSchemas(tools: readonly ToolDefinition[]): readonly ToolJsonSchema[] {
  return tools.map(({ name, description, inputSchema }) => ({
    name,
    description,
    inputSchema: z.toJSONSchema(inputSchema, { io: "input" }),
  }));
}
