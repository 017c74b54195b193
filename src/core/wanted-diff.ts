import { type DiffOptions, defaultContextLines, defaultDiffBytes } from "../schema/diff-options.ts";
import { pathsFilter } from "./path-filter.ts";

/** A diff that a call asked for. */
export interface WantedDiff {
  readonly wants: (path: string) => boolean;
  readonly contextLines: number;
  readonly maxBytes: number;
}

/**
 * Reads the option `includeDiff`; `undefined` when no diff is wanted.
 *
 * @throws {@link HoldfastError} `INVALID_ARGUMENT` for a path that is no glob.
 */
export function wantedDiff(includeDiff: boolean | DiffOptions | undefined): WantedDiff | undefined {
  if (includeDiff === undefined || includeDiff === false) return undefined;
  const { paths, contextLines, maxBytes }: DiffOptions = includeDiff === true ? {} : includeDiff;
  return {
    wants: paths === undefined ? () => true : pathsFilter(paths),
    contextLines: contextLines ?? defaultContextLines,
    maxBytes: maxBytes ?? defaultDiffBytes,
  };
}
