import * as z from "zod";

const hunkSchema = z.object({
  id: z.string(),
  oldStart: z.int(),
  oldLines: z.int(),
  newStart: z.int(),
  newLines: z.int(),
  lines: z.array(z.string()),
});

const fileDiffSchema = z.object({
  path: z.string(),
  previousPath: z.string().optional(),
  status: z.enum(["added", "modified", "deleted", "renamed", "copied", "mode"]),
  binary: z.boolean(),
  encoding: z.literal("latin1").optional().describe("One character for each byte."),
  hunks: z.array(hunkSchema),
  unified: z.string().describe("Unified text with git's headers; empty when it did not fit."),
});

export const treeDiffSchema = z.object({
  files: z.array(fileDiffSchema),
  additions: z.int(),
  removals: z.int(),
  truncated: z.boolean().describe("True: some files are listed without their text."),
});
