import * as z from "zod";
import type { Resolutions } from "../tree/resolution.ts";
import { type ApplyOptions, applyOptionsSchema } from "./apply-options.ts";
import { resolutionsSchema } from "./resolution.ts";
import { type HistoryFilter, historyFilterSchema, workspaceRevisionSchema } from "./revision-info.ts";

/** What is reverted: one workspace revision, several, or all that a filter finds. */
export type RevertTarget = string | readonly string[] | HistoryFilter;

/** Options of `revert`. */
export interface RevertOptions extends Omit<ApplyOptions, "onStale"> {
  /** Only these paths: files, folders with all that is below them, or globs as in `list`. Default: all that the revisions changed. */
  readonly paths?: readonly string[] | undefined;
  /** How conflicts with later changes are resolved, by path. Default: they come back, and nothing is written. */
  readonly resolutions?: Resolutions | undefined;
}

export const revertTargetSchema = z.union(
  [
    workspaceRevisionSchema,
    z.array(workspaceRevisionSchema).min(1).max(10_000),
    // Nobody who names nothing means all that ever happened; `{ since: "r0" }` says that.
    historyFilterSchema.refine((filter) => Object.values(filter).some((value) => value !== undefined)),
  ],
  {
    error:
      "must be a workspace revision, such as r7-0123456789abcdef, a list of them, or a filter of the history that names something",
  },
);

export const revertOptionsSchema = applyOptionsSchema.omit({ onStale: true }).extend({
  paths: z.array(z.string().min(1).max(4096)).min(1).max(1000).optional(),
  resolutions: resolutionsSchema.optional(),
});
