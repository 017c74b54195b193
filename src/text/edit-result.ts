import type { Problem } from "../base/holdfast-error.ts";

/** One place where edits changed lines. */
export interface ChangedRange {
  /** First line of the place in the new text, from 1. */
  readonly startLine: number;
  /** Last line of the place in the new text; `startLine - 1` when lines were only removed. */
  readonly endLine: number;
  /** Lines added. */
  readonly added: number;
  /** Lines removed. */
  readonly removed: number;
}

/** From a line on, how far line numbers moved. */
export interface LineShift {
  /** First line of the old text that this shift holds for, from 1. */
  readonly fromLine: number;
  /** How many lines further down it is now; negative: further up. */
  readonly by: number;
}

/** A remark on a plan that is no refusal. */
export interface PlanWarning {
  /** A stable code, such as `TRAILING_BLANK_LINE`. */
  readonly code: string;
  /** What it is about. */
  readonly message: string;
  /** The path concerned. */
  readonly path?: string;
}

/** The text that edits make, and what they changed in it. */
export interface EditedText {
  /** The new bytes of the whole file; the old array itself when nothing changed. */
  readonly bytes: Uint8Array;
  /** Where lines changed, in order; places that touch are one. Lines whose bytes stayed are not counted at its ends. */
  readonly changedRanges: readonly ChangedRange[];
  /** How the numbers of unchanged lines moved, in order; lines before the first entry kept theirs. */
  readonly lineShifts: readonly LineShift[];
  /** Lines added. */
  readonly additions: number;
  /** Lines removed. */
  readonly removals: number;
  /** Lines of the new text. */
  readonly totalLines: number;
  /** Remarks. */
  readonly warnings: readonly PlanWarning[];
  /** Never there beside a result. */
  readonly problems?: undefined;
}

/** What edits make of a text, or everything that is wrong with them. `details` of a problem lack the path, which only the caller knows. */
export type EditsResult = EditedText | { readonly problems: readonly Problem[] };
