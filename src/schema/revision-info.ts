import * as z from "zod";
import type { CancelOptions } from "../base/clock.ts";
import { signalSchema } from "./signal.ts";

/** What kind of call made a workspace revision; `external`: none did, a change from outside was found. */
export type RevisionCause = "apply" | "patch" | "transaction" | "revert" | "external";

/** One commit, as the history tells it. */
export interface RevisionInfo {
  /** The workspace revision that it made. */
  readonly id: string;
  /** The workspace revision before it, `r0` before the first; left out when the log no longer reaches back to it. */
  readonly parent?: string;
  /** When, RFC 3339. */
  readonly time: string;
  /** What kind of call. */
  readonly cause: RevisionCause;
  /** Who. */
  readonly source?: string;
  /** In which session. */
  readonly sessionId?: string;
  /** In which exchange. */
  readonly exchange?: number;
  /** Why. */
  readonly reason?: string;
  /** What else was kept with it. */
  readonly metadata?: Readonly<Record<string, string>>;
  /** The call's idempotency key. */
  readonly idempotencyKey?: string;
  /** There when it found changes from outside, and the bytes that it found are not known any more. */
  readonly bytes?: "unknown";
  /** The changed paths, sorted; the first 1,000. */
  readonly paths: readonly string[];
  /** How many paths changed. */
  readonly pathCount: number;
}

/** Which revisions to give; all that is named must hold. */
export interface HistoryFilter {
  /** Only those that changed this path, or paths below this folder. Default: all. */
  readonly path?: string | undefined;
  /** Only those of this source. Default: all. */
  readonly source?: string | undefined;
  /** Only those of this session. Default: all. */
  readonly sessionId?: string | undefined;
  /** Only those of this exchange. Default: all. */
  readonly exchange?: number | undefined;
  /** Only those of this kind. Default: all. */
  readonly cause?: RevisionCause | undefined;
  /** Only those after this workspace revision. Default: all. */
  readonly since?: string | undefined;
}

/** Options of `history`. */
export interface HistoryOptions extends HistoryFilter, CancelOptions {
  /** Goes on after this revision of an earlier listing, that is with the next older one. Default: the newest. */
  readonly after?: string | undefined;
  /** Most revisions to give. Default: all. */
  readonly limit?: number | undefined;
}

/** A workspace revision, by its form. */
export const workspaceRevisionSchema = z.string().regex(/^r(0|[1-9]\d{0,15}-[0-9a-f]{16})$/, {
  error: "must be a workspace revision, such as r7-0123456789abcdef",
});

export const historyFilterSchema = z.strictObject({
  path: z.string().optional(),
  source: z.string().optional(),
  sessionId: z.string().optional(),
  exchange: z.int().min(0).optional(),
  cause: z.enum(["apply", "patch", "transaction", "revert", "external"]).optional(),
  since: workspaceRevisionSchema.optional(),
});

export const historyOptionsSchema = historyFilterSchema.extend({
  after: workspaceRevisionSchema.optional(),
  limit: z.int().min(1).optional(),
  signal: signalSchema,
});

/** Options of `events`. */
export interface EventOptions extends CancelOptions {
  /** Begins with what was committed after this workspace revision. Default: with what is committed from now on. */
  readonly since?: string | undefined;
  /** Only commits that changed a path matching one of these globs. Default: all. */
  readonly paths?: string | readonly string[] | undefined;
}

export const eventOptionsSchema = z.strictObject({
  since: workspaceRevisionSchema.optional(),
  paths: z.union([z.string(), z.array(z.string())]).optional(),
  signal: signalSchema,
});
