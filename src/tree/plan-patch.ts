import type { Steps } from "../base/steps.ts";
import { encodeText } from "../text/encode-text.ts";
import { applyHunks } from "../text/patch/apply-hunks.ts";
import { parseFilePatch } from "../text/patch/parse-patch.ts";
import { createdText, type PatchHunk, type PatchSection } from "../text/patch/patch-section.ts";
import type { PatchChange, SectionChange } from "./change.ts";
import { tooManyEdits } from "./exceeded-limit.ts";
import type { LoadedFile } from "./plan.ts";
import { planCreate, refuseText } from "./plan-content.ts";
import {
  destinationFile,
  type FileStep,
  type PlanContext,
  refuse,
  type StepOutcome,
  stateOf,
} from "./plan-context.ts";
import { type EditedFile, editedFile, editedInPlace, openEditable } from "./plan-edit.ts";
import { existingFile, holdsRevision } from "./plan-guard.ts";
import { lineFacts } from "./plan-lines.ts";
import { editedElsewhere, isFree } from "./plan-move.ts";
import { quotePath } from "./quote-path.ts";
import { parseWorkspacePath } from "./workspace-path.ts";

const bytesPerStep = 256 * 1024;

type PatchStep = FileStep<PatchChange | SectionChange>;

/** Plans what a patch does to one file. Without a revision it is guarded by the text that its hunks name. */
export function* planPatch(context: PlanContext, step: PatchStep): Steps<StepOutcome | undefined> {
  const { change } = step;
  const section = "section" in change ? change.section : yield* readSection(context, step, change);
  if (section === undefined || !checkHunks(context, step, section)) return undefined;
  const { path } = change;
  const { operation, executable } = section;
  if (operation === "create") {
    const content = createdText(section);
    return yield* planCreate(context, { ...step, change: { action: "create", path, content, executable } });
  }
  if (operation === "delete") return yield* planChecked(context, step, section);
  return yield* planUpdate(context, step, section);
}

/** Reads the patch of one file; whatever it says about the file must be what the change says. */
function* readSection(
  context: PlanContext,
  step: PatchStep,
  change: PatchChange,
): Steps<PatchSection | undefined> {
  const { path, patch, destination, create = false } = change;
  const { value, problem } = yield* parseFilePatch(patch);
  if (problem !== undefined) {
    context.problems.push({ ...problem, changeIndex: step.index, path });
    return undefined;
  }
  const isBare = !("operation" in value);
  const section: PatchSection = isBare ? asSection(change, value) : value;
  const trouble =
    (isBare ? undefined : mismatch(section, change)) ??
    (create && destination !== undefined ? `"create" and "destination" exclude each other` : undefined) ??
    (section.operation === "create" ? notOnlyNew(section.hunks) : undefined);
  if (trouble === undefined) return section;
  const message = `Line ${section.line} of the patch is not in agreement with the change: ${trouble}.`;
  return refuse(context, step, "PATCH_INVALID", path, message, { line: section.line });
}

function asSection({ path, destination, create }: PatchChange, hunks: readonly PatchHunk[]): PatchSection {
  const operation = create === true ? "create" : "update";
  return { line: 1, operation, path, hunks, ...(destination !== undefined && { destination }) };
}

function mismatch(
  section: PatchSection,
  { path, destination, create = false }: PatchChange,
): string | undefined {
  const { operation, copies = false } = section;
  if (plain(section.path) !== path) return `it names ${quotePath(section.path)}; one change has one file`;
  if (operation === "delete") return `it deletes the file; use the action "delete", or applyPatch`;
  if ((operation === "create") !== create)
    return create
      ? `it changes a file that exists; leave "create" out`
      : `it makes a new file; set "create": true`;
  if (copies) return `it copies the file; use the action "copy", or applyPatch`;
  const target = section.destination === undefined ? undefined : plain(section.destination);
  if (target === destination) return undefined;
  if (target === undefined)
    return `it does not move the file; leave "destination" out, or leave out the headers`;
  return `it moves the file to ${quotePath(target)}; set "destination" to that`;
}

function plain(path: string): string {
  return parseWorkspacePath(path).path ?? path;
}

function notOnlyNew(hunks: readonly PatchHunk[]): string | undefined {
  if (hunks.length === 1 && hunks[0]?.lines.every(({ kind }) => kind === "+") === true) return undefined;
  return hunks.length === 0 ? undefined : `"create" takes one hunk, all of whose lines begin with +`;
}

function checkHunks(context: PlanContext, step: PatchStep, { hunks }: PatchSection): boolean {
  const { editsPerChange } = context.options.limits;
  if (hunks.length <= editsPerChange) return true;
  const { code, message, details } = tooManyEdits(editsPerChange, hunks.length);
  refuse(context, step, code, step.change.path, message, details);
  return false;
}

function* planUpdate(
  context: PlanContext,
  step: PatchStep,
  section: PatchSection,
): Steps<StepOutcome | undefined> {
  const { path, destination } = step.change;
  const { executable, copies = false, hunks } = section;
  // A move without hunks takes a link along unread.
  const asItIs = destination !== undefined && !copies && hunks.length === 0 && executable === undefined;
  const file = existingFile(context, step, asItIs ? "allow" : "refuse");
  const target = destination === undefined ? undefined : destinationFile(context, step, destination);
  const free = destination === undefined || (yield* isFree(context, step, target, { destination }));
  if (file === undefined || !(yield* isGuarded(context, step, file))) return undefined;
  const edited = yield* patchedFile(context, step, file, hunks);
  if (edited === undefined || !free) return undefined;
  if (destination === undefined) return yield* editedInPlace(context, step, file, edited, executable);
  const kind = copies ? "copied" : "moved";
  return yield* editedElsewhere(context, file, { path, destination, kind, target, edited, executable });
}

function* isGuarded(context: PlanContext, step: PatchStep, file: LoadedFile): Steps<boolean> {
  const { change } = step;
  const revision = "section" in change ? undefined : change.revision;
  if (revision !== undefined) return yield* holdsRevision(context, step, file, change.path, revision);
  context.located.add(change.path);
  return true;
}

function* patchedFile(
  context: PlanContext,
  step: PatchStep,
  file: LoadedFile,
  hunks: readonly PatchHunk[],
): Steps<EditedFile | undefined> {
  if (hunks.length === 0) return { facts: yield* lineFacts(context, file.bytes, file.bytes) };
  const document = yield* openEditable(context, step, file);
  if (document === undefined) return undefined;
  return yield* editedFile(context, step, file, yield* applyHunks(document, hunks));
}

/** Plans a deletion; a diff says what the file must hold, an envelope does not. */
function* planChecked(
  context: PlanContext,
  step: PatchStep,
  section: PatchSection,
): Steps<StepOutcome | undefined> {
  const { path } = step.change;
  const file = existingFile(context, step, section.checked === true ? "refuse" : "allow");
  if (file === undefined) return undefined;
  context.located.add(path);
  if (section.checked === true && !(yield* holdsContent(context, step, file, section))) return undefined;
  const facts = yield* lineFacts(context, file.bytes, undefined);
  return {
    file: { path, operation: "deleted", ...facts },
    entries: [[path, { before: stateOf(file), after: undefined }]],
  };
}

function* holdsContent(
  context: PlanContext,
  step: PatchStep,
  file: LoadedFile,
  section: PatchSection,
): Steps<boolean> {
  const { path } = step.change;
  const [hunk] = section.hunks;
  if (hunk === undefined && file.byteLength === 0) return true;
  if (hunk !== undefined) {
    const document = yield* openEditable(context, step, file);
    if (document === undefined) return false;
    const content = createdText({ ...section, hunks: [{ ...hunk, newOpen: hunk.oldOpen }] });
    const { bytes, problem } = yield* encodeText(content, "utf-8");
    if (problem !== undefined) {
      refuseText(context, step, path, problem);
      return false;
    }
    if (yield* equalButForLineEnds(document.bytes, bytes)) return true;
  }
  const { line } = hunk ?? section;
  const message = `The patch deletes ${quotePath(path)} and shows other content than the file has (line ${line} of the patch); read it and make the patch anew.`;
  refuse(context, step, "PATCH_CONTEXT_NOT_FOUND", path, message, { path, hunk: 0, line });
  return false;
}

/** Whether two texts are equal when CRLF counts as LF: patches are often given other line ends than the file has. */
function* equalButForLineEnds(a: Uint8Array, b: Uint8Array): Steps<boolean> {
  const skip = (bytes: Uint8Array, at: number) => at + (bytes[at] === 13 && bytes[at + 1] === 10 ? 1 : 0);
  let other = 0;
  for (let at = skip(a, 0); at < a.length; at = skip(a, at + 1), other++) {
    other = skip(b, other);
    if (a[at] !== b[other]) return false;
    if (at % bytesPerStep === 0) yield;
  }
  return other === b.length;
}
