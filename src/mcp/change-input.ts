import * as z from "zod";
import { applyOptionsSchema } from "../schema/apply-options.ts";
import { changeSchema, editSchema } from "../schema/change.ts";
import { flattenUnion } from "./flatten-union.ts";

/** The edits that are published. */
export const editOps = [
  "replace_text",
  "replace",
  "delete",
  "insert_after",
  "insert_before",
  "append",
] as const;

/**
 * The changes that are published. Those of whole folders are not: they need a folder's digest, and no tool gives one.
 */
export const changeActions = [
  "create",
  "write",
  "edit",
  "patch",
  "move",
  "copy",
  "delete",
  "chmod",
  "assert",
] as const;

/** An edit as it is published: one object with all fields of all kinds. */
export const flatEditSchema = flattenUnion(editSchema, {
  discriminator: "op",
  values: editOps,
  describe: "Line numbers refer to the file as read. Fields:",
});

/** A change as it is published: one object with all fields of all kinds. */
export const flatChangeSchema = flattenUnion(changeSchema, {
  discriminator: "action",
  values: changeActions,
  describe: "Fields, in [] those that may be left out:",
  fields: {
    content: z.string().describe("The whole content of the file."),
    revision: z
      .string()
      .describe(
        "The revision that the file must have, as read. Edits that are all replace_text need none, nor do patches.",
      ),
    executable: z.boolean().describe("Whether the file may be run."),
    edits: z.array(flatEditSchema).describe("May not overlap."),
    absent: z.boolean().describe("assert: the path must not exist; takes the place of revision."),
  },
});

const { dryRun, idempotencyKey, reason } = applyOptionsSchema.shape;

/** How much of a diff is shown is for the host to say, not for the model. */
const includeDiff = z.boolean().optional().describe("Shows the lines that change. Default: false.");

/** The fields of the tool besides the changes. */
export const changeOptionsSchema = z.strictObject({ dryRun, includeDiff, idempotencyKey, reason });

/** The whole published input. */
export const changeInputSchema = z.strictObject({
  changes: z
    .array(flatChangeSchema)
    .describe("Each path at most once; put all edits of a file into one change."),
  ...changeOptionsSchema.shape,
});
