import * as z from "zod";
import { signalSchema } from "./signal.ts";

/** What a diff shows, and how much of it. */
export interface DiffOptions {
  /** Only these paths: files, folders with all that is below them, or globs as in `list`; a renamed file when one of its two is. Default: all. */
  readonly paths?: readonly string[] | undefined;
  /** Lines shown around each change, 0 or more. Default: 3. */
  readonly contextLines?: number | undefined;
  /** Bytes of all unified texts together; what does not fit is listed without its text. Default: 1,048,576. */
  readonly maxBytes?: number | undefined;
}

/** Bytes of a diff when nothing else is said. */
export const defaultDiffBytes = 1_048_576;

/** Lines around each change when nothing else is said. */
export const defaultContextLines = 3;

export const diffOptionsSchema = z.strictObject({
  paths: z
    .array(z.string().min(1).max(4096))
    .max(1000)
    .optional()
    .describe("Only these files, folders or globs."),
  contextLines: z.int().min(0).optional().describe("Lines around each change. Default: 3."),
  maxBytes: z.int().min(0).optional().describe("Bytes of all unified texts together."),
});

/** Options of a view's `diff`; what it is compared with is looked at by the view. */
export const viewDiffOptionsSchema = diffOptionsSchema.extend({
  from: z.unknown().optional(),
  signal: signalSchema,
});
