import * as z from "zod";
import type { CancelOptions } from "../base/clock.ts";
import { signalSchema } from "./signal.ts";

/**
 * Options of `list`. In globs `*` stands for any part of a name, `?` for one character of it, `**` for any folders, `{a,b}` for either; all
 * else stands for itself. A glob without `/` looks at names in every folder, one with `/` at whole paths.
 */
export interface ListOptions extends CancelOptions {
  /** Only what is below this folder. Default: everything. */
  readonly under?: string | undefined;
  /** Only paths that match one of these. Default: all. */
  readonly glob?: string | readonly string[] | undefined;
  /** Leaves out paths that match one of these, and all that is below them. Default: none. */
  readonly exclude?: readonly string[] | undefined;
  /** How many levels below `under`; 1 is its own entries. Default: all. */
  readonly depth?: number | undefined;
  /** Goes on after this path of an earlier listing. Default: the start. */
  readonly after?: string | undefined;
  /** Most entries to give. Default: all. */
  readonly limit?: number | undefined;
}

/** Options of `search`. */
export interface SearchOptions extends CancelOptions {
  /** Only files whose paths match one of these, as in `list`. Default: all. */
  readonly glob?: string | readonly string[] | undefined;
  /** Leaves out what matches one of these, as in `list`. Default: none. */
  readonly exclude?: readonly string[] | undefined;
  /** Takes capital and small letters for the same. Default: false. */
  readonly ignoreCase?: boolean | undefined;
  /** How many lines before and after to give with each match. Default: 0. */
  readonly context?: number | undefined;
  /** Most matches to give. Default: all. */
  readonly limit?: number | undefined;
}

const globSchema = z.string().min(1).max(1024);

const filterShape = {
  glob: z
    .union([globSchema, z.array(globSchema)], { error: "must be a glob or a list of globs" })
    .optional()
    .describe("Only matching paths, such as src/**/*.ts."),
  exclude: z.array(globSchema).optional().describe("Leaves out matching paths and all below them."),
  limit: z.int().min(1).optional().describe("Most entries to give."),
  signal: signalSchema,
};

export const listOptionsSchema = z.strictObject({
  ...filterShape,
  under: z.string().optional().describe("Only what is below this folder."),
  depth: z.int().min(1).optional().describe("How many levels; 1 is the folder's own entries."),
  after: z.string().optional().describe("Goes on after this path."),
});

export const searchOptionsSchema = z.strictObject({
  ...filterShape,
  ignoreCase: z.boolean().optional().describe("Takes capital and small letters for the same."),
  context: z.int().min(0).max(1000).optional().describe("Lines to give before and after each match."),
});

/** What `search` looks for. */
export const searchedTextSchema = z.string();
