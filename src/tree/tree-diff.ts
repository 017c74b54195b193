/** Lines that changed, with some that did not around them; as jsdiff structures them. */
export interface Hunk {
  /** Names the hunk by its file's path and its lines, wherever in the file it stands; unique within the file. */
  readonly id: string;
  /** First line of the old text, from 1; of no lines: the number of the line before, as in unified diffs. */
  readonly oldStart: number;
  /** Lines of the old text. */
  readonly oldLines: number;
  /** First line of the new text, from 1; of no lines: the number of the line before. */
  readonly newStart: number;
  /** Lines of the new text. */
  readonly newLines: number;
  /**
   * The lines without their line feed (a carriage return stays), each behind `" "` (in both), `"-"` (removed) or `"+"` (added). Behind a line that has no
   * line feed stands `"\\ No newline at end of file"`.
   */
  readonly lines: readonly string[];
}

/** How one file changed. */
export interface FileDiff {
  /** Its path; of a deleted file the path that it had. */
  readonly path: string;
  /** Where it was renamed or copied from. */
  readonly previousPath?: string;
  /** What happened; `"mode"`: only whether it may be run. */
  readonly status: "added" | "modified" | "deleted" | "renamed" | "copied" | "mode";
  /** Whether contents changed that have no lines to show. */
  readonly binary: boolean;
  /** `"latin1"`: not all of it is UTF-8, so `hunks` and `unified` have one character for each byte. Left out for UTF-8. */
  readonly encoding?: "latin1";
  /** Where its lines changed, in order; empty when none did, for binary files, and for what did not fit. */
  readonly hunks: readonly Hunk[];
  /** The same as unified text with git's headers, for `git apply`; `""` when it did not fit into the bounds. To be written in `encoding`. */
  readonly unified: string;
}

/** How files changed. */
export interface TreeDiff {
  /** The changed files, by path. */
  readonly files: readonly FileDiff[];
  /** Lines added in all hunks that are given. */
  readonly additions: number;
  /** Lines removed in all hunks that are given. */
  readonly removals: number;
  /** Whether the bounds left out text: the files whose `unified` is empty. */
  readonly truncated: boolean;
}
