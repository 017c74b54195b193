import * as z from "zod";
import type { CancelOptions, Clock, IdSource } from "../base/clock.ts";
import type { Limits } from "../base/limits.ts";
import { type Retention, retentionSchema } from "./retention.ts";
import { type RevisionAlgorithm, revisionAlgorithmSchema } from "./revision-algorithm.ts";
import { signalSchema } from "./signal.ts";

/** What a handle may do: only look, or change files at once. */
export type WorkspaceMode = "inspectionOnly" | "autonomousTrusted";

/** How long idempotency keys are kept. */
export interface IdempotencyOptions {
  /** Most keys to keep; the oldest go first. Default: 10,000. */
  readonly maxKeys?: number | undefined;
  /** How long a key is kept, in milliseconds. Default: 24 hours. */
  readonly maxAgeMs?: number | undefined;
}

/** Bounds of calls that take the place of the usual ones. */
export type LimitOverrides = { readonly [Name in keyof Limits]?: number | undefined };

/** How a workspace is opened. */
export interface OpenOptions extends CancelOptions {
  /** What the handle may do. Default: `"autonomousTrusted"`. */
  readonly mode?: WorkspaceMode | undefined;
  /** A name for this handle. Default: none. */
  readonly alias?: string | undefined;
  /** Bounds of calls, in place of those of `libraryLimits`. Default: none. */
  readonly limits?: LimitOverrides | undefined;
  /** How revisions are made; fixed when the storage is first opened for writing. Default: what the storage has, else `"xxh64"`. */
  readonly revisionAlgorithm?: RevisionAlgorithm | undefined;
  /** How long idempotency keys are kept. */
  readonly idempotency?: IdempotencyOptions | undefined;
  /**
   * How much of the past is kept; what is older is removed behind the calls, now and then. `false`: all. Default: the newest 10,000 revisions, and of
   * those the ones of the last 30 days.
   */
  readonly retention?: Retention | false | undefined;
  /** How long to wait for another process that holds the storage, in milliseconds, before `LOCKED`. Default: 10,000. */
  readonly lockTimeoutMs?: number | undefined;
  /** Opens for inspection even when an interrupted commit waits, whose files may then be half old, half new. Default: false. */
  readonly allowPending?: boolean | undefined;
  /** Whether names of new files must be portable to every platform, or only valid on POSIX. Default: `"portable"`. */
  readonly names?: "portable" | "posix" | undefined;
  /**
   * How a rebase, a revert or a stale change goes together with what others did: files that both changed are merged by their lines, or are
   * conflicts. Default: `"content"`.
   */
  readonly mergePolicy?: "content" | "path" | undefined;
  /**
   * What this handle is after the rollback of a transaction in conflict: as before, or out of date, so that no transaction begins until `reload`.
   * Default: `"ready"`.
   */
  readonly onConflictedRollback?: "ready" | "outOfDate" | undefined;
  /**
   * Whether changes by other programs are noticed as they happen, where the storage can tell of them, and not only at the next call that meets them:
   * transactions are then found in conflict at once. In a directory this costs one watch of the system for each folder. Default: false.
   */
  readonly watch?: boolean | undefined;
  /** Where the time comes from. Default: the machine's clock. */
  readonly clock?: Clock | undefined;
  /** Where ids come from. Default: random ones. */
  readonly ids?: IdSource | undefined;
}

const bound = z.int().min(1).optional();

const limitsSchema = z.strictObject({
  requestBytes: bound,
  changes: bound,
  editsPerChange: bound,
  textBytes: bound,
  binaryBytes: bound,
  pageLines: bound,
  pageBytes: bound,
});

export const openOptionsSchema = z.strictObject({
  mode: z.enum(["inspectionOnly", "autonomousTrusted"]).optional(),
  alias: z.string().min(1).max(256).optional(),
  limits: limitsSchema.optional(),
  revisionAlgorithm: revisionAlgorithmSchema.optional(),
  idempotency: z.strictObject({ maxKeys: bound, maxAgeMs: bound }).optional(),
  retention: z
    .union([retentionSchema, z.literal(false)], {
      error: 'must be false, or an object of "maxRevisions", "maxAgeMs" and "maxBytes"',
    })
    .optional(),
  lockTimeoutMs: z.int().min(0).optional(),
  allowPending: z.boolean().optional(),
  names: z.enum(["portable", "posix"]).optional(),
  mergePolicy: z.enum(["content", "path"]).optional(),
  watch: z.boolean().optional(),
  onConflictedRollback: z.enum(["ready", "outOfDate"]).optional(),
  clock: z.custom<Clock>(hasMethods("now", "sleep"), { error: "must have now and sleep" }).optional(),
  ids: z.custom<IdSource>((value) => typeof value === "function", { error: "must be a function" }).optional(),
  signal: signalSchema,
});

function hasMethods(...names: readonly string[]): (value: unknown) => boolean {
  return (value) =>
    typeof value === "object" &&
    value !== null &&
    names.every((name) => typeof (value as Record<string, unknown>)[name] === "function");
}
