import * as z from "zod";
import type { CancelOptions } from "../base/clock.ts";
import type { Resolutions } from "../tree/resolution.ts";
import { resolutionsSchema } from "./resolution.ts";
import { signalSchema } from "./signal.ts";

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
