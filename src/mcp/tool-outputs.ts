import * as z from "zod";
import { applyResultSchema } from "../schema/apply-result.ts";
import { textPageSchema } from "../schema/read-results.ts";

const problemSchema = z.object({
  code: z.string(),
  message: z.string(),
  changeIndex: z.int().optional(),
  editIndex: z.int().optional(),
  path: z.string().optional(),
});

const errorSchema = z.object({
  name: z.string(),
  code: z.string().describe("Stable."),
  category: z.string(),
  message: z.string(),
  retry: z.enum(["never", "same", "refresh", "change"]),
  details: z.looseObject({}),
  problems: z.array(problemSchema).describe("Everything that is wrong with the call."),
  correlationId: z.string(),
  written: z.enum(["no", "yes", "unknown"]),
});

const continuationSchema = z.object({
  kind: z.enum(["callTool", "chooseTool", "retryRequest", "reviseRequest", "resolveExternally"]),
  tool: z.string().optional(),
  tools: z.array(z.string()).optional(),
  instruction: z.string(),
});

/** The structured output of the tool that reads a file: the page when `ok`, else the error and the next step. */
export const readOutputSchema = outcomeOf(textPageSchema);

/** The structured output of the tool that applies changes: the result when `ok`, else the error and the next step. */
export const changeOutputSchema = outcomeOf(applyResultSchema);

/**
 * Clients check what a refusal carries against the same schema as a success, and a union at the root is lost on the way, so one object holds
 * either.
 */
function outcomeOf(success: z.ZodObject): z.ZodObject {
  return z.object({
    ok: z.boolean().describe("True: the fields of the result are there. False: error and continuation are."),
    ...success.partial().shape,
    error: errorSchema.optional(),
    continuation: continuationSchema.optional().describe("The next step."),
  });
}
