import { equalInSteps } from "../base/byte-steps.ts";
import { invariant } from "../base/holdfast-error.ts";
import type { Steps } from "../base/steps.ts";
import type { Edit } from "../text/edit.ts";
import type { EditedText, EditsResult } from "../text/edit-result.ts";
import type { AppliedHunk } from "../text/patch/apply-hunks.ts";
import { planEdits } from "../text/plan-edits.ts";
import { openDocument, type TextDocument } from "../text/text-document.ts";
import type { ChmodChange, EditChange } from "./change.ts";
import { equalStates, type FileState } from "./file-state.ts";
import type { LoadedFile } from "./plan.ts";
import { refuseText } from "./plan-content.ts";
import {
  type FileStep,
  type PlanContext,
  refuse,
  type StepOutcome,
  stateOf,
  stateOfBytes,
} from "./plan-context.ts";
import { existingFile, holdsRevision } from "./plan-guard.ts";
import { checkFileSize } from "./plan-limits.ts";
import { lineFacts } from "./plan-lines.ts";
import { quotePath } from "./quote-path.ts";

/** Plans edits of a file where it is; without a revision they must all be located by their text. */
export function* planEdit(context: PlanContext, step: FileStep<EditChange>): Steps<StepOutcome | undefined> {
  const { path, revision, edits, encoding, executable } = step.change;
  const file = existingFile(context, step, "refuse");
  if (file === undefined) return undefined;
  const located =
    revision === undefined && edits.length > 0 && edits.every((edit) => edit.op === "replace_text");
  if (!located && !(yield* holdsRevision(context, step, file, path, revision))) return undefined;
  if (located) context.located.add(path);
  return yield* planInPlace(context, step, file, edits, { encoding, executable });
}

/** Plans a change of nothing but the mode. */
export function* planChmod(
  context: PlanContext,
  step: FileStep<ChmodChange>,
): Steps<StepOutcome | undefined> {
  const { path, revision, executable } = step.change;
  const file = existingFile(context, step, "refuse");
  if (file === undefined || !(yield* holdsRevision(context, step, file, path, revision))) return undefined;
  return yield* planInPlace(context, step, file, [], { executable });
}

/** How a file is changed besides its edits. */
interface InPlaceOptions {
  readonly encoding?: "latin1" | undefined;
  readonly executable?: boolean | undefined;
}

/** Plans edits and mode of a file that stays at its path, once its guard has held. */
export function* planInPlace(
  context: PlanContext,
  step: FileStep,
  file: LoadedFile,
  edits: readonly Edit[],
  options: InPlaceOptions,
): Steps<StepOutcome | undefined> {
  const edited = yield* applyEdits(context, step, file, edits, options);
  if (edited === undefined) return undefined;
  return yield* editedInPlace(context, step, file, edited, options.executable);
}

/** What comes of a file that has been edited and stays at its path. */
export function* editedInPlace(
  context: PlanContext,
  step: FileStep,
  file: LoadedFile,
  edited: EditedFile,
  executable: boolean | undefined,
): Steps<StepOutcome> {
  const { path } = step.change;
  const before = stateOf(file);
  const after = yield* editedState(context, file, edited, executable);
  if (equalStates(before, after))
    return { file: { path, operation: "unchanged", ...edited.facts }, entries: [] };
  const content = edited.bytes === undefined ? { from: path } : { bytes: edited.bytes };
  return {
    file: { path, operation: "modified", ...content, ...edited.facts },
    entries: [[path, { before, after }]],
  };
}

/** What edits make of a file. */
export interface EditedFile {
  /** The new bytes; left out when they are the old ones. */
  readonly bytes?: Uint8Array;
  /** What the result tells about the lines. */
  readonly facts: Pick<EditedText, "changedRanges" | "lineShifts" | "additions" | "removals"> & {
    readonly totalLines?: number;
    readonly hunks?: readonly AppliedHunk[];
  };
}

/** Carries out edits on a file's bytes; notes everything that is wrong with them. */
export function* applyEdits(
  context: PlanContext,
  step: FileStep,
  file: LoadedFile,
  edits: readonly Edit[],
  options: InPlaceOptions,
): Steps<EditedFile | undefined> {
  if (edits.length === 0) return { facts: yield* lineFacts(context, file.bytes, file.bytes) };
  const document = yield* openEditable(context, step, file);
  if (document === undefined) return undefined;
  const result = yield* planEdits(document, edits, { encoding: options.encoding });
  return yield* editedFile(context, step, file, result);
}

/** Opens a file whose text is to be changed; refuses it when it is too long or binary. */
export function* openEditable(
  context: PlanContext,
  step: FileStep,
  { bytes, byteLength }: LoadedFile,
): Steps<TextDocument | undefined> {
  const { path } = step.change;
  if (!checkFileSize(context, step, path, byteLength, true)) return undefined;
  invariant(bytes !== undefined, "a view holds the bytes of every file that is edited");
  const document = yield* openDocument(bytes);
  if (document.kind === "text") return document;
  const message = `${quotePath(path)} is binary, so it has no lines or text to edit; write it whole.`;
  return refuse(context, step, "BINARY_FILE", path, message);
}

/** Takes over what the text floor made of a file, or what it found wrong. */
export function* editedFile(
  context: PlanContext,
  step: FileStep,
  { bytes: before }: LoadedFile,
  result: EditsResult & { readonly hunks?: readonly AppliedHunk[] },
): Steps<EditedFile | undefined> {
  const { path } = step.change;
  if (result.problems !== undefined) {
    for (const problem of result.problems) refuseText(context, step, path, problem);
    return undefined;
  }
  const { bytes, warnings, problems: _none, ...facts } = result;
  for (const warning of warnings) context.warnings.push({ ...warning, path });
  if (!checkFileSize(context, step, path, bytes.byteLength, true)) return undefined;
  return before !== undefined && (yield* equalInSteps(before, bytes)) ? { facts } : { bytes, facts };
}

/** The state of an edited file, wherever it goes. */
export function* editedState(
  context: PlanContext,
  file: LoadedFile,
  edited: EditedFile,
  executable: boolean | undefined,
): Steps<FileState> {
  const mode = executable ?? file.executable;
  return edited.bytes === undefined
    ? { ...stateOf(file), executable: mode }
    : yield* stateOfBytes(context, edited.bytes, mode);
}
