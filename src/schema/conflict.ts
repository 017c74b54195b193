import * as z from "zod";

const conflictFileSchema = z.object({ path: z.string(), revision: z.string().optional() });

const conflictSideSchema = z.object({
  path: z.string(),
  kind: z.enum(["file", "symlink", "directory"]),
  executable: z.boolean(),
  revision: z.string().optional(),
  text: z.string().optional().describe("The text without a byte order mark; of a link its target."),
  encoding: z.literal("latin1").optional(),
  bom: z.literal(true).optional(),
  files: z.array(conflictFileSchema).optional().describe("All files of this side, when they are several."),
});

const lines = z.tuple([z.int(), z.int()]);

export const conflictRegionSchema = z.object({
  id: z.string().describe("Names the region in a resolution."),
  base: lines,
  current: lines,
  incoming: lines,
});

/** A conflict, as results and records carry it. */
export const conflictSchema = z.object({
  path: z.string().describe("Names the conflict in the resolutions."),
  kind: z.enum([
    "content",
    "addAdd",
    "modifyDelete",
    "renameRename",
    "renameDelete",
    "fileDirectory",
    "mode",
    "symlink",
    "binary",
    "pathCollision",
  ]),
  base: conflictSideSchema.optional().describe("What both sides began from."),
  current: conflictSideSchema.optional().describe("What is there now."),
  incoming: conflictSideSchema.optional().describe("What is brought."),
  regions: z
    .array(conflictRegionSchema)
    .optional()
    .describe("Lines that both sides changed: first and last, from 1."),
  suggestion: z.string().optional().describe("A text with the changes of both sides."),
  unmerged: z.enum(["bytesUnknown", "tooLong"]).optional(),
});
