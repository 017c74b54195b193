import * as z from "zod";
import type { CancelOptions } from "../base/clock.ts";
import { signalSchema } from "./signal.ts";

/** Options of calls that read one file. */
export interface ReadOptions extends CancelOptions {
  /**
   * How bytes become text. `"utf-8"` refuses anything else; `"latin1"` is one character a byte and writes back exactly; `"escape"` shows bytes
   * that are not UTF-8 as `\xNN` and is only for looking. Default: `"utf-8"`.
   */
  readonly encoding?: "utf-8" | "latin1" | "escape" | undefined;
  /** Refuses with `REVISION_MISMATCH` when the file is at another revision. Default: any. */
  readonly expectedRevision?: string | undefined;
}

/** Which lines to read. */
export interface LineRange {
  /** First line, from 1. Default: 1. */
  readonly startLine?: number | undefined;
  /** Last line; one beyond the end means the end. Default: the end. */
  readonly endLine?: number | undefined;
  /** The last so many lines, instead of `startLine` and `endLine`. Default: none. */
  readonly last?: number | undefined;
  /** Most lines to give. Default: the limit `pageLines`. */
  readonly maxLines?: number | undefined;
  /** Most bytes of the file to give as text, line ends included, whatever the text takes by itself; one line is given even if it is longer. Default: the limit `pageBytes`. */
  readonly maxBytes?: number | undefined;
}

/** Options of `readLines`. */
export interface ReadLinesOptions extends LineRange, ReadOptions {}

/** Options of `stat`. */
export interface StatOptions extends CancelOptions {
  /** Reads the file, or all files below the folder, to give the revision. Default: false. */
  readonly revision?: boolean | undefined;
}

export const readOptionsSchema = z.strictObject({
  encoding: z
    .enum(["utf-8", "latin1", "escape"])
    .optional()
    .describe("How bytes become text: utf-8 (default), latin1, or escape (only to look)."),
  expectedRevision: z.string().optional().describe("Refuses when the file is at another revision."),
  signal: signalSchema,
});

const count = z.int().min(1).optional();

export const readLinesOptionsSchema = readOptionsSchema
  .extend({
    startLine: z.int().optional().describe("First line, from 1. Default: 1."),
    endLine: z.int().optional().describe("Last line. Default: the end."),
    last: count.describe("The last so many lines, instead of startLine and endLine."),
    maxLines: count.describe("Most lines to give."),
    maxBytes: count.describe("Most bytes to give."),
  })
  .refine((range) => range.last === undefined || (range.startLine ?? range.endLine) === undefined, {
    error: "goes with neither startLine nor endLine",
    path: ["last"],
  });

export const statOptionsSchema = z.strictObject({ revision: z.boolean().optional(), signal: signalSchema });
