import * as z from "zod";
import type { CancelOptions } from "../base/clock.ts";
import type { Resolutions } from "../tree/resolution.ts";
import type { DiffOptions } from "./diff-options.ts";
import { resolutionsSchema } from "./resolution.ts";
import { revertOptionsSchema } from "./revert-options.ts";
import { signalSchema } from "./signal.ts";
import { expectedSnapshotSchema, type SnapshotOptions } from "./snapshot.ts";

/** What `discard` takes back out; what is named in either way goes. */
export interface DiscardTarget {
  /** Files, folders that stand for all below them, or globs. Default: none. */
  readonly paths?: readonly string[] | undefined;
  /** Ids of hunks, as `diff` gives them. Default: none. */
  readonly hunks?: readonly string[] | undefined;
}

/** Options of `rebase`. */
export interface RebaseOptions extends CancelOptions {
  /** How conflicts are resolved, by path. Default: they come back. */
  readonly resolutions?: Resolutions | undefined;
}

/** Options of a transaction's `revert`. */
export interface TransactionRevertOptions extends SnapshotOptions {
  /** Only these paths: files, folders with all that is below them, or globs as in `list`. Default: all that the revisions changed. */
  readonly paths?: readonly string[] | undefined;
  /** How conflicts with later changes are resolved, by path. Default: they come back, and nothing is staged. */
  readonly resolutions?: Resolutions | undefined;
  /** Gives the result a `diff` of what the step changes: `true`, or how much of it. Default: false. */
  readonly includeDiff?: boolean | DiffOptions | undefined;
}

export const transactionRevertOptionsSchema = revertOptionsSchema
  .pick({ paths: true, resolutions: true, includeDiff: true, signal: true })
  .extend({ expectedSnapshot: expectedSnapshotSchema.optional() });

export const discardTargetSchema = z
  .strictObject({
    paths: z.array(z.string().min(1).max(4096)).min(1).max(1000).optional(),
    hunks: z.array(z.string().min(1).max(256)).min(1).max(10_000).optional(),
  })
  .refine(({ paths, hunks }) => paths !== undefined || hunks !== undefined, {
    error: "must name paths or hunks",
  });

export const rebaseOptionsSchema = z.strictObject({
  resolutions: resolutionsSchema.optional(),
  signal: signalSchema,
});

export const stepCountSchema = z.int().min(1).max(1_000_000);

export const savepointLabelSchema = z.string().min(1).max(256);
