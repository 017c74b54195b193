import type { ApplyOptions, EditOptions, UpdateOptions } from "../schema/apply-options.ts";
import type { ApplyResult } from "../schema/apply-result.ts";
import type { TextFile } from "../schema/read-results.ts";
import type { Edit } from "../text/edit.ts";
import type { Change } from "../tree/change.ts";
import type { FileView } from "./file-view.ts";

/** What a function given to `update` may return: text, bytes, `null` to delete the file, `undefined` to leave it. */
export type Updated = string | Uint8Array | null | undefined;

/** A view that can be changed. Whatever a call refuses, nothing of it has been written. */
export interface EditableView extends FileView {
  /**
   * Applies changes: all of them, or none. Each is guarded by the revision that it names, or by the text that it replaces; a call whose guards no
   * longer hold is refused. Changes that are located by text are located anew when others were quicker.
   *
   * @param changes - One change or several, each of another path.
   * @param options - Who and why, `dryRun`, `idempotencyKey`, `signal`. After the commit has begun the signal is not looked at.
   * @returns What changed, with the new revisions.
   * @throws {@link HoldfastError} Every problem of the call at once: `REVISION_MISMATCH`, `REVISION_REQUIRED`, `ALREADY_EXISTS`, `NOT_FOUND`,
   * `TEXT_NOT_FOUND`, `TEXT_AMBIGUOUS`, `LINE_OUT_OF_RANGE`, `OVERLAPPING_EDITS` and others; or `TARGET_BUSY`, `MUTATION_DISABLED`,
   * `IDEMPOTENCY_KEY_REUSED`, `STORAGE_FAILED`.
   */
  apply(changes: Change | readonly Change[], options?: ApplyOptions): Promise<ApplyResult>;
  /**
   * Applies a patch of any number of files: all of it, or none. Each hunk is found by its text and goes to one place only; lines around it that are
   * not the same are refused, however near they are. Hunks are found anew when others were quicker.
   *
   * @param patch - An envelope (`*** Begin Patch` to `*** End Patch`), or unified diffs, those of git included.
   * @param options - As for `apply`.
   * @returns What changed, and for each hunk where and how exactly it was found.
   * @throws {@link HoldfastError} `PATCH_INVALID`, `PATCH_CONTEXT_NOT_FOUND`, `PATCH_CONTEXT_AMBIGUOUS`, `ALREADY_EXISTS`, and as `apply`.
   */
  applyPatch(patch: string, options?: ApplyOptions): Promise<ApplyResult>;
  /**
   * Edits one file: short for `apply` with one `edit`.
   *
   * @param path - Which file.
   * @param edits - One edit or several; all line numbers refer to the file as it was read.
   * @param options - As for `apply`, and `revision`, which is needed unless all edits are `replace_text`; `encoding: "latin1"` lets files that are
   * not UTF-8 get text beyond ASCII.
   * @throws {@link HoldfastError} As `apply`.
   */
  edit(path: string, edits: Edit | readonly Edit[], options?: EditOptions): Promise<ApplyResult>;
  /**
   * Writes one whole file: short for `apply` with one `write`.
   *
   * @param path - Which file.
   * @param content - Text, or bytes. Text keeps the byte order mark, line ends and encoding of the existing file.
   * @param options - As for `apply`, and `revision`, which is needed when the file exists; with `encoding: "latin1"` text that was read so is written
   * back exactly.
   * @throws {@link HoldfastError} As `apply`.
   */
  write(path: string, content: string | Uint8Array, options?: EditOptions): Promise<ApplyResult>;
  /**
   * Changes one file by a function of what it holds, again with what it holds by then when others were quicker.
   *
   * @param path - Which file.
   * @param change - Gets the file, `undefined` when there is none, and gives the new text or bytes, `null` to delete it, or `undefined` to leave
   * it. May be called more than once. Must not itself change the same path, for which it would wait for ever. A file that is not UTF-8 is given
   * and written as latin1.
   * @param options - As for `apply`, and `attempts`. An idempotency key is bound to the path and the options, not to the function.
   * @throws {@link HoldfastError} `TARGET_BUSY` when others were quicker every time, or as `read` and `apply`; and whatever the function throws.
   */
  update(
    path: string,
    change: (current: TextFile | undefined) => Updated | Promise<Updated>,
    options?: UpdateOptions,
  ): Promise<ApplyResult>;
}
