import type { Steps } from "../base/steps.ts";
import type { LoadedFile } from "./plan.ts";
import { type FileStep, type PlanContext, refuse } from "./plan-context.ts";
import { openText } from "./plan-lines.ts";
import { quotePath } from "./quote-path.ts";

/** Finds the file that a step starts from: it must be there, and be no link unless the step deals with the link itself. */
export function existingFile(
  context: PlanContext,
  step: FileStep,
  links: "refuse" | "allow",
): LoadedFile | undefined {
  const { path } = step.change;
  const file = context.view.file(path);
  if (file === undefined) return refuseMissing(context, step, path);
  if (file.kind === "symlink" && links === "refuse") return refuseLink(context, step, path);
  return file;
}

function refuseMissing(context: PlanContext, step: FileStep, path: string): undefined {
  if (context.view.below(path).length > 0) {
    const message = `${quotePath(path)} is a folder; name a file in it, or change the whole folder with moveTree or deleteTree.`;
    return refuse(context, step, "IS_DIRECTORY", path, message);
  }
  const spelling = context.view.otherSpelling(path);
  const hint = spelling === undefined ? "" : `, but there is one at ${quotePath(spelling)}`;
  const similar = spelling === undefined ? [] : [spelling];
  const message = `There is no file at ${quotePath(path)}${hint}.`;
  return refuse(context, step, "NOT_FOUND", path, message, { path, similar });
}

/** Notes that a step would write through a link, or make one. */
export function refuseLink(context: PlanContext, step: FileStep, path: string): undefined {
  const message = `${quotePath(path)} is a symbolic link, and writing through a link is refused; name the real file.`;
  return refuse(context, step, "SYMLINK_ESCAPE", path, message);
}

/** Checks the form of every revision that a step names. */
export function hasWellFormedRevisions(context: PlanContext, step: FileStep): boolean {
  const { change } = step;
  let wellFormed = true;
  const check = (field: string, path: string, revision: string | null | undefined) => {
    if (revision === undefined || revision === null || context.options.isRevision(revision)) return;
    const message = `${field} ${quotePath(revision)} of ${quotePath(path)} does not have the form of a revision; pass one exactly as it was returned.`;
    refuse(context, step, "INVALID_ARGUMENT", path, message);
    wellFormed = false;
  };
  if ("revision" in change) check("revision", change.path, change.revision);
  if ("destinationRevision" in change)
    check("destinationRevision", change.destination, change.destinationRevision);
  return wellFormed;
}

/** Checks that a file is at the revision that the step names. */
export function* holdsRevision(
  context: PlanContext,
  step: FileStep,
  file: LoadedFile,
  path: string,
  revision: string | undefined,
): Steps<boolean> {
  if (revision === undefined) {
    const message = `${quotePath(path)} exists, and the change names no revision of it; read it and pass its revision.`;
    refuse(context, step, "REVISION_REQUIRED", path, message);
    return false;
  }
  if (file.revision === revision) return true;
  yield* refuseStale(context, step, path, revision, file);
  return false;
}

/**
 * Notes that a path is not at the revision that was named, because the file changed or went away. Does not tell the revision that it has: line
 * numbers of the old text would pass with it.
 */
export function* refuseStale(
  context: PlanContext,
  step: { readonly index: number },
  path: string,
  expectedRevision: string,
  present: LoadedFile | "folder" | undefined,
): Steps<undefined> {
  const text = yield* openText(context, present === "folder" ? undefined : present?.bytes);
  const what = present === undefined ? "is gone" : "has changed";
  const message = `${quotePath(path)} ${what} since revision ${expectedRevision}; read it again and base the change on what is there now.`;
  return refuse(context, step, "REVISION_MISMATCH", path, message, {
    path,
    expectedRevision,
    ...(text !== undefined && { totalLines: text.lineCount }),
    changedBy: "unknown",
  });
}
