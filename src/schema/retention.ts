import * as z from "zod";

/** How much of the past is kept. The oldest revisions go first; what is pinned, and the newest revision, stay in any case. */
export interface Retention {
  /** Most revisions to keep. Default: no bound. */
  readonly maxRevisions?: number | undefined;
  /** How long a revision is kept, in milliseconds. Default: no bound. */
  readonly maxAgeMs?: number | undefined;
  /** Most bytes that the kept past may take. Default: no bound. */
  readonly maxBytes?: number | undefined;
}

const bound = z.int().min(1).optional();

export const retentionSchema = z.strictObject({ maxRevisions: bound, maxAgeMs: bound, maxBytes: bound });
