import { HoldfastError } from "../base/holdfast-error.ts";
import type { Limits } from "../base/limits.ts";
import {
  type ApplyOptions,
  applyOptionsSchema,
  changeFieldsOf,
  type EditOptions,
  editOptionsSchema,
  type UpdateOptions,
  updateOptionsSchema,
} from "../schema/apply-options.ts";
import type { ApplyResult } from "../schema/apply-result.ts";
import { patchTextSchema } from "../schema/change.ts";
import { checkApply } from "../schema/check-apply.ts";
import { parseInput } from "../schema/check-input.ts";
import type { TextFile } from "../schema/read-results.ts";
import type { Edit } from "../text/edit.ts";
import type { Change } from "../tree/change.ts";
import type { WorkspacePath } from "../tree/workspace-path.ts";
import type { EditableView, Updated } from "./editable-view.ts";
import type { FileView } from "./file-view.ts";
import { parsePath } from "./parse-path.ts";

/** Where checked changes go: to the workspace, or into a transaction. */
export interface ChangeTarget {
  apply(changes: readonly Change[], options: ApplyOptions): Promise<ApplyResult>;
  applyPatch(patch: string, options: ApplyOptions): Promise<ApplyResult>;
  update(
    path: WorkspacePath,
    change: (current: TextFile | undefined) => Updated | Promise<Updated>,
    options: UpdateOptions,
  ): Promise<ApplyResult>;
}

/** What a view changes files through. */
export interface FileEditorParts {
  /** Lets a call in, or refuses it; the options have not been checked yet. */
  readonly enter: (options: ApplyOptions, work: () => Promise<ApplyResult>) => Promise<ApplyResult>;
  /** The bounds of calls. */
  readonly limits: Limits;
  /** Where the changes go. */
  readonly target: ChangeTarget;
}

/** The changing half of every view that can be changed: checks the arguments and hands on what they come to. */
export class FileEditor implements Omit<EditableView, keyof FileView> {
  readonly #parts: FileEditorParts;

  constructor(parts: FileEditorParts) {
    this.#parts = parts;
  }

  /** {@inheritDoc EditableView.apply} */
  apply(changes: Change | readonly Change[], options: ApplyOptions = {}): Promise<ApplyResult> {
    const { enter, limits, target } = this.#parts;
    return enter(options, async () => {
      const checked = checkApply({ changes, optionsSchema: applyOptionsSchema, options }, limits);
      return await target.apply(checked.changes, checked.options);
    });
  }

  /** {@inheritDoc EditableView.applyPatch} */
  applyPatch(patch: string, options: ApplyOptions = {}): Promise<ApplyResult> {
    const { enter, target } = this.#parts;
    return enter(options, async () => {
      const checked = parseInput(applyOptionsSchema, options, "options");
      return await target.applyPatch(parseInput(patchTextSchema, patch, "patch"), checked);
    });
  }

  /** {@inheritDoc EditableView.edit} */
  edit(path: string, edits: Edit | readonly Edit[], options: EditOptions = {}): Promise<ApplyResult> {
    const list: readonly Edit[] = Array.isArray(edits) ? edits : [edits as Edit];
    return this.#applyOne({ action: "edit", path, edits: list, ...changeFieldsOf(options) }, options);
  }

  /** {@inheritDoc EditableView.write} */
  write(path: string, content: string | Uint8Array, options: EditOptions = {}): Promise<ApplyResult> {
    return this.#applyOne({ action: "write", path, content, ...changeFieldsOf(options) }, options);
  }

  /** {@inheritDoc EditableView.update} */
  update(
    path: string,
    change: (current: TextFile | undefined) => Updated | Promise<Updated>,
    options: UpdateOptions = {},
  ): Promise<ApplyResult> {
    const { enter, target } = this.#parts;
    return enter(options, async () => {
      const checked = parseInput(updateOptionsSchema, options, "options");
      if (typeof change !== "function")
        throw new HoldfastError("INVALID_ARGUMENT", { message: `"change" must be a function.` });
      return await target.update(parsePath(path), change, checked);
    });
  }

  #applyOne(change: Change, options: EditOptions): Promise<ApplyResult> {
    const { enter, limits, target } = this.#parts;
    return enter(options, async () => {
      const checked = checkApply({ changes: change, optionsSchema: editOptionsSchema, options }, limits);
      const { revision: _revision, encoding: _encoding, ...rest } = checked.options;
      return await target.apply(checked.changes, rest);
    });
  }
}
