import * as z from "zod";
import type { CancelOptions } from "../base/clock.ts";
import { type DiffOptions, diffOptionsSchema } from "./diff-options.ts";
import { signalSchema } from "./signal.ts";
import { type ExpectedSnapshot, expectedSnapshotSchema } from "./snapshot.ts";

/** Options of every call that changes files. */
export interface ApplyOptions extends CancelOptions {
  /** Plans and checks everything and writes nothing. Default: false. */
  readonly dryRun?: boolean | undefined;
  /**
   * Gives the result a `diff` of what the call changes, of a dry run what it would change: `true`, or how much of it. A repeat that returns the
   * recorded result of its idempotency key has none; the key is not bound to this option. Default: false.
   */
  readonly includeDiff?: boolean | DiffOptions | undefined;
  /**
   * What becomes of a change that names an older revision of a file than it has now: `"reject"` refuses it with `REVISION_MISMATCH`. `"rebase"` makes it
   * on the file as it was then and merges that with what was done since, or refuses with `MERGE_CONFLICT`; where the older bytes are not known any
   * more it refuses as `"reject"` does. Default: `"reject"`.
   */
  readonly onStale?: "reject" | "rebase" | undefined;
  /** Makes the call take effect once: a repeat with the same key and arguments returns the recorded result. 1 to 256 characters. Default: none. */
  readonly idempotencyKey?: string | undefined;
  /**
   * The state that the view must be in, else `SNAPSHOT_MISMATCH`: of a workspace that no commit has come since, of a transaction that it is at this
   * very step. Default: any.
   */
  readonly expectedSnapshot?: ExpectedSnapshot | undefined;
  /** Why, for the history. Default: none. */
  readonly reason?: string | undefined;
  /** Who: a program, agent or tool. Default: none. */
  readonly source?: string | undefined;
  /** In which session. Default: none. */
  readonly sessionId?: string | undefined;
  /** In which exchange of the session, from 0. Default: none. */
  readonly exchange?: number | undefined;
  /** Anything else to keep with the revision, at most 64 entries. Default: none. */
  readonly metadata?: Readonly<Record<string, string>> | undefined;
}

/** Options of `edit` and `write`. */
export interface EditOptions extends ApplyOptions {
  /** The revision that the file must have. Default: none; edits by text need none, nor does writing a new file. */
  readonly revision?: string | undefined;
  /** Encodes the text as one byte a character, as for text that was read as latin1. Default: as the file; new files are UTF-8. */
  readonly encoding?: "latin1" | undefined;
}

/** The options of one change that are fields of the change itself. */
export function changeFieldsOf(options: EditOptions | undefined): Pick<EditOptions, "revision" | "encoding"> {
  return { revision: options?.revision, encoding: options?.encoding };
}

/** Options of `update`. */
export interface UpdateOptions extends ApplyOptions {
  /** Has no effect here: the function is always given what the file holds now, and is called again when others were quicker. */
  readonly onStale?: "reject" | "rebase" | undefined;
  /** How often the file is read and changed anew when others change it meanwhile, before `TARGET_BUSY`. 1 or more. Default: 8. */
  readonly attempts?: number | undefined;
}

/** An idempotency key. */
export const idempotencyKeySchema = z
  .string()
  .min(1)
  .max(256)
  .refine((key) => !/\p{Surrogate}/u.test(key), { error: "must be well-formed text" })
  .describe("Makes the call take effect once; a repeat returns the recorded result.");

/** Checked and copied by hand: zod's own records drop the name `__proto__`, which here is a name like any other. */
const metadataSchema = z
  .custom<Readonly<Record<string, string>>>(isMetadata, {
    error:
      "must be an object of up to 64 texts, with names of up to 256 and values of up to 10,000 characters",
  })
  .transform((metadata) => ({ ...metadata }));

function isMetadata(value: unknown): boolean {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const entries = Object.entries(value);
  if (entries.length > 64) return false;
  return entries.every(
    ([name, text]) => name.length <= 256 && typeof text === "string" && text.length <= 10_000,
  );
}

export const applyOptionsSchema = z.strictObject({
  dryRun: z.boolean().optional().describe("Plans and checks, and writes nothing. Default: false."),
  includeDiff: z
    .union([z.boolean(), diffOptionsSchema], {
      error: `must be true, false, or an object of "paths", "contextLines" and "maxBytes"`,
    })
    .optional(),
  onStale: z
    .enum(["reject", "rebase"])
    .optional()
    .describe("What becomes of a change based on an older revision: refused, or merged. Default: reject."),
  idempotencyKey: idempotencyKeySchema.optional(),
  expectedSnapshot: expectedSnapshotSchema.optional().describe("The state that it must be made on."),
  reason: z.string().max(10_000).optional().describe("Why, for the history."),
  source: z.string().max(256).optional().describe("Who makes the change."),
  sessionId: z.string().max(256).optional().describe("In which session."),
  exchange: z.int().min(0).optional().describe("In which exchange of the session."),
  metadata: metadataSchema.optional().describe("Anything else to keep with the revision."),
  signal: signalSchema,
});

export const editOptionsSchema = applyOptionsSchema.extend({
  revision: z.string().optional().describe("The revision that the file must have."),
  encoding: z.literal("latin1").optional().describe("Writes one byte a character."),
});

export const updateOptionsSchema = applyOptionsSchema.extend({
  onStale: z
    .enum(["reject", "rebase"])
    .optional()
    .describe("Has no effect: the function is always given what the file holds now."),
  attempts: z.int().min(1).max(1000).optional(),
});
