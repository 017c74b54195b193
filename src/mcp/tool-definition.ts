import type * as z from "zod";

/** What the host knows about a call, besides its input. */
export interface ToolCallContext {
  /** Stops the call; after its first write it is not looked at any more. Default: none. */
  readonly signal?: AbortSignal | undefined;
  /** Makes the call take effect once, for hosts that repeat calls by themselves. Default: the input's own key, if any. */
  readonly idempotencyKey?: string | undefined;
  /** Who calls, for the history. Default: none. */
  readonly source?: string | undefined;
  /** In which session, for the history. Default: none. */
  readonly sessionId?: string | undefined;
  /** In which exchange of the session, from 0. Default: none. */
  readonly exchange?: number | undefined;
}

/** What a call of a tool gives. The text alone is enough for a model, the structure alone for a program. */
export interface ToolResult {
  /** Whether the tool did what it was asked. */
  readonly ok: boolean;
  /** As the output schema says; of a refusal `{ ok: false, error, continuation }`. */
  readonly structured: { readonly [name: string]: unknown };
  /** The same in words. */
  readonly text: string;
}

/** What hosts may tell their users about a tool before they call it. */
export interface ToolAnnotations {
  /** Whether it changes nothing. */
  readonly readOnlyHint: boolean;
  /** Whether it may replace or remove what is there. */
  readonly destructiveHint: boolean;
  /** Whether a repeat with the same input has no further effect. */
  readonly idempotentHint: boolean;
  /** Whether it reaches beyond the workspace. */
  readonly openWorldHint: boolean;
}

/** A tool as plain data with one function: what a host needs to publish it. */
export interface ToolDefinition {
  /** The name under which a model calls it. */
  readonly name: string;
  /** A short name for people. */
  readonly title: string;
  /** What it does, for the model. */
  readonly description: string;
  /** The input as it is published: flat, without unions. `call` checks more than it says. */
  readonly inputSchema: z.ZodObject;
  /** The structured output, refusals included; left out when results are text alone. */
  readonly outputSchema?: z.ZodObject;
  /** What hosts may tell their users. */
  readonly annotations: ToolAnnotations;
  /** Whether it can change files. */
  readonly mutates: boolean;
  /**
   * Checks the input and runs the tool. Refusals are results with `ok: false`.
   *
   * @param input - What the model gave, unchecked.
   * @param context - What the host knows.
   * @throws Only the reason of a signal that fired.
   */
  call(input: unknown, context?: ToolCallContext): Promise<ToolResult>;
}
