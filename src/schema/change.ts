import * as z from "zod";
import { contentSchema } from "./content.ts";

const content = z.string().describe('Whole lines. "" is no line; a trailing newline adds an empty line.');
const startLine = z.int().describe("First line, from 1.");
const endLine = z.int().optional().describe("Last line. Default: startLine.");

const replaceEditSchema = z.strictObject({ op: z.literal("replace"), startLine, endLine, content });

const deleteEditSchema = z.strictObject({ op: z.literal("delete"), startLine, endLine });

const insertEditSchema = z.strictObject({
  op: z.enum(["insert_after", "insert_before"]),
  line: z
    .int()
    .describe("insert_after: 0 (the start) to the line count. insert_before: 1 to the line count + 1."),
  content,
});

const appendEditSchema = z.strictObject({ op: z.literal("append"), content });

const replaceTextEditSchema = z.strictObject({
  op: z.literal("replace_text"),
  oldText: z.string().describe("The exact text to replace, white space included."),
  newText: z.string().describe("What stands there afterwards; taken literally."),
  occurrences: z.int().min(1).optional().describe("How often oldText must occur. Default: 1."),
  replaceAll: z.boolean().optional().describe("Replaces every occurrence. Default: false."),
});

/** One edit; all line numbers of one call refer to the file as it was read. */
export const editSchema = z.discriminatedUnion("op", [
  replaceEditSchema,
  deleteEditSchema,
  insertEditSchema,
  appendEditSchema,
  replaceTextEditSchema,
]);

const path = z.string().describe("Path relative to the root, with forward slashes.");
const destination = z.string().describe("The target's path.");
const revision = z.string().optional().describe("The revision that the file must have, from a read.");
const encoding = z
  .literal("latin1")
  .optional()
  .describe("Writes one byte a character. Default: UTF-8, or as the file.");
const executable = z.boolean().optional().describe("Whether the file may be run. Default: as it was.");
const edits = z.array(editSchema).describe("The edits; they may not overlap.");

const createChangeSchema = z.strictObject({
  action: z.literal("create"),
  path,
  content: contentSchema.describe("The content of the new file."),
  encoding,
  executable,
});

const writeChangeSchema = z.strictObject({
  action: z.literal("write"),
  path,
  content: contentSchema.describe("The whole new content."),
  revision,
  encoding,
  executable,
});

const editChangeSchema = z.strictObject({
  action: z.literal("edit"),
  path,
  revision: revision.describe(
    "The revision that the file must have. May be left out when all edits are replace_text.",
  ),
  edits,
  encoding,
  executable,
});

/** A patch as text. */
export const patchTextSchema = z
  .string()
  .describe(
    "Hunks of this file alone: a unified diff with or without headers, or one section of an envelope.",
  );

const patchChangeSchema = z.strictObject({
  action: z.literal("patch"),
  path,
  patch: patchTextSchema,
  create: z.boolean().optional().describe("Makes the file; all lines of the patch begin with +."),
  revision: revision.describe(
    "The revision that the file must have. May be left out: hunks are found by their text.",
  ),
  destination: destination.optional().describe("Where the changed file goes; must be absent."),
});

const deleteChangeSchema = z.strictObject({ action: z.literal("delete"), path, revision });

const moveChangeSchema = z.strictObject({
  action: z.enum(["move", "copy"]),
  path,
  revision,
  destination,
  destinationRevision: z
    .string()
    .optional()
    .describe("The revision of the file at the target, to replace it. Default: the target is absent."),
  edits: edits.optional(),
  executable,
});

const chmodChangeSchema = z.strictObject({
  action: z.literal("chmod"),
  path,
  revision,
  executable: z.boolean().describe("Whether the file may be run."),
});

const folderRevision = z.string().describe("The folder's digest, from stat with revision: true.");

const moveTreeChangeSchema = z.strictObject({
  action: z.literal("moveTree"),
  path,
  destination,
  revision: folderRevision.optional(),
});

const deleteTreeChangeSchema = z.strictObject({
  action: z.literal("deleteTree"),
  path,
  revision: folderRevision,
});

const assertChangeSchema = z.strictObject({
  action: z.literal("assert"),
  path,
  revision: z.string().nullable().describe("The revision that must still hold; null: the path is absent."),
});

/** One change of one path or folder. */
export const changeSchema = z.discriminatedUnion("action", [
  createChangeSchema,
  writeChangeSchema,
  editChangeSchema,
  patchChangeSchema,
  deleteChangeSchema,
  moveChangeSchema,
  chmodChangeSchema,
  moveTreeChangeSchema,
  deleteTreeChangeSchema,
  assertChangeSchema,
]);

/** The changes of one call. */
export const changesSchema = z.array(changeSchema);
