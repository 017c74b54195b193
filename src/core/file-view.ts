import type { CancelOptions } from "../base/clock.ts";
import type { DiffOptions } from "../schema/diff-options.ts";
import type { ListOptions, SearchOptions } from "../schema/list-options.ts";
import type { ReadLinesOptions, ReadOptions, StatOptions } from "../schema/read-options.ts";
import type {
  BinaryFile,
  FileStat,
  ListedEntry,
  SearchMatch,
  TextFile,
  TextPage,
} from "../schema/read-results.ts";
import type { TreeDiff } from "../tree/tree-diff.ts";

/** Options of `diff`. */
export interface ViewDiffOptions extends DiffOptions, CancelOptions {
  /**
   * What the view is compared with: a workspace revision, or another view of the same workspace. A workspace and what it was at a revision have no
   * other state to begin from, so they need it.
   */
  readonly from?: FileView | string | undefined;
}

/**
 * Anything that files can be read through. Each call that reads one file gives one committed state of it; what several calls saw together is
 * checked when a change that names their revisions is committed.
 */
export interface FileView {
  /**
   * Reads a whole text file. Never gives a part: a file that is too long is refused.
   *
   * @param path - Which file; a link that stays inside is followed.
   * @param options - `encoding`, `expectedRevision`, `signal`.
   * @returns The text, and the revision to pass with a change of it.
   * @throws {@link HoldfastError} `NOT_FOUND`, `IS_DIRECTORY`, `BINARY_FILE`, `UNSUPPORTED_ENCODING`, `LIMIT_EXCEEDED`, `REVISION_MISMATCH`,
   * `SYMLINK_ESCAPE`, `INVALID_PATH` or `PROTECTED_PATH`.
   */
  read(path: string, options?: ReadOptions): Promise<TextFile>;
  /**
   * Reads some lines of a text file: from `startLine` to `endLine`, or the `last` so many, as far as `maxLines` and `maxBytes` allow. A first line
   * that is longer than `maxBytes` is given in part.
   *
   * @param path - Which file.
   * @param options - The lines, and as for `read`; `expectedRevision` keeps pages of different states apart.
   * @returns The lines, where the next page begins, and the revision of the whole file.
   * @throws {@link HoldfastError} `LINE_OUT_OF_RANGE`, or as `read`.
   */
  readLines(path: string, options?: ReadLinesOptions): Promise<TextPage>;
  /**
   * Reads a file's bytes, whatever they are.
   *
   * @param path - Which file.
   * @param options - `expectedRevision`, `signal`.
   * @throws {@link HoldfastError} As `read`, but for what concerns text.
   */
  readBytes(path: string, options?: ReadOptions): Promise<BinaryFile>;
  /**
   * Tells what is at a path; a link there is told as the link that it is, and links in the places of its folders are followed while they stay inside.
   *
   * @param path - A file or folder; `""` is the root.
   * @param options - `revision: true` reads the file, or all files below the folder, to give the revision.
   * @returns `undefined` when nothing is there.
   * @throws {@link HoldfastError} `INVALID_PATH`, `PROTECTED_PATH`, `SYMLINK_ESCAPE`; with `revision`, `LIMIT_EXCEEDED` for a file beyond the limit
   * `binaryBytes`.
   */
  stat(path: string, options?: StatOptions): Promise<FileStat | undefined>;
  /**
   * Lists files and the folders that hold them, by path, a folder right before what it holds. The folder `under` may be a link that stays inside;
   * links below it are listed and not entered. Ends early when the iteration is left.
   *
   * @param options - What to list, and from where on.
   * @throws {@link HoldfastError} `INVALID_ARGUMENT`, `INVALID_PATH`, `PROTECTED_PATH` or `SYMLINK_ESCAPE`, when the iteration begins.
   */
  list(options?: ListOptions): AsyncIterable<ListedEntry>;
  /**
   * Finds the lines of text files that hold a text, literally. Passes over binary files and those beyond the limit `textBytes`.
   *
   * @param text - Part of one line.
   * @param options - Where to look and how much to give.
   * @throws {@link HoldfastError} `INVALID_ARGUMENT`, when the iteration begins.
   */
  search(text: string, options?: SearchOptions): AsyncIterable<SearchMatch>;
  /**
   * Shows what changed from another state to the one that the view has. Files that somebody changed past the library show in the state of now, once
   * a commit has touched them.
   *
   * @param options - `from`, which paths, how much of them, `signal`.
   * @returns The files that differ, as unified diffs that `git apply` takes.
   * @throws {@link HoldfastError} `INVALID_ARGUMENT`, or `REVISION_NOT_FOUND` for a revision that the history does not hold, or holds no longer.
   */
  diff(options?: ViewDiffOptions): Promise<TreeDiff>;
}
