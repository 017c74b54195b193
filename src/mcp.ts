/**
 * Tools for the Model Context Protocol: plain definitions made from a workspace, which either generation of the official SDK, or any other host,
 * can publish. Needs no SDK at run time, and runs wherever JavaScript does.
 *
 * @packageDocumentation
 */

export { HoldfastError } from "./base/holdfast-error.ts";
export { createTools, type ToolLimitOverrides, type ToolName, type ToolOptions } from "./mcp/create-tools.ts";
export { registerTools, type ToolHost } from "./mcp/register-tools.ts";
export { type ToolJsonSchema, toJsonSchemas } from "./mcp/to-json-schemas.ts";
export type {
  ToolAnnotations,
  ToolCallContext,
  ToolDefinition,
  ToolResult,
} from "./mcp/tool-definition.ts";
