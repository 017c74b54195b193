import type { Steps } from "../base/steps.ts";
import type { MoveChange } from "./change.ts";
import type { PathChange } from "./delta.ts";
import { equalStates } from "./file-state.ts";
import type { LoadedFile } from "./plan.ts";
import {
  destinationFile,
  type FileStep,
  type PlanContext,
  refuse,
  type StepOutcome,
  stateOf,
} from "./plan-context.ts";
import { applyEdits, type EditedFile, editedState, planInPlace } from "./plan-edit.ts";
import { existingFile, holdsRevision, refuseLink, refuseStale } from "./plan-guard.ts";
import { quotePath } from "./quote-path.ts";

/** Plans a move or copy, with edits and a new mode on the way. A move onto itself is an edit where it is. */
export function* planMove(context: PlanContext, step: FileStep<MoveChange>): Steps<StepOutcome | undefined> {
  const { action, path, destination, revision, edits = [], executable } = step.change;
  // Moving a link takes it along unread; anything else would write through it or make a second one.
  const asItIs = action === "move" && edits.length === 0 && executable === undefined;
  const file = existingFile(context, step, asItIs ? "allow" : "refuse");
  if (path === destination && action === "move")
    return file === undefined ? undefined : yield* planOntoItself(context, step, file);
  // Both ends are looked at even when the first is refused already, so that all problems are found at once.
  const target = destinationFile(context, step, destination);
  const free = yield* isFree(context, step, target, step.change);
  if (file === undefined || !(yield* holdsRevision(context, step, file, path, revision))) return undefined;
  const edited = yield* applyEdits(context, step, file, edits, { executable });
  if (edited === undefined || !free) return undefined;
  const kind = action === "move" ? "moved" : "copied";
  return yield* editedElsewhere(context, file, { path, destination, kind, target, edited, executable });
}

/** A file that has been edited on its way to another path. */
export interface EditedMove {
  readonly path: string;
  readonly destination: string;
  readonly kind: "moved" | "copied";
  /** What is at the destination. */
  readonly target: LoadedFile | undefined;
  readonly edited: EditedFile;
  readonly executable: boolean | undefined;
}

/** What comes of a file that has been edited and goes to another path. */
export function* editedElsewhere(
  context: PlanContext,
  file: LoadedFile,
  { path, destination, kind, target, edited, executable }: EditedMove,
): Steps<StepOutcome> {
  const before = stateOf(file);
  const after = yield* editedState(context, file, edited, executable);
  const entries: [string, PathChange][] = [
    [destination, { before: stateOf(target), after, origin: { kind, path } }],
  ];
  if (kind === "moved") entries.push([path, { before, after: undefined }]);
  const content = edited.bytes === undefined ? { from: path } : { bytes: edited.bytes };
  const same = kind === "copied" && target !== undefined && equalStates(target, after);
  return {
    file: {
      path: destination,
      previousPath: path,
      operation: same ? "unchanged" : kind,
      ...(!same && content),
      ...edited.facts,
    },
    entries,
  };
}

function* planOntoItself(
  context: PlanContext,
  step: FileStep<MoveChange>,
  file: LoadedFile,
): Steps<StepOutcome | undefined> {
  const { path, revision, destinationRevision = revision, edits = [], executable } = step.change;
  if (!(yield* holdsRevision(context, step, file, path, revision))) return undefined;
  if (!(yield* holdsRevision(context, step, file, path, destinationRevision))) return undefined;
  return yield* planInPlace(context, step, file, edits, { executable });
}

/** Whether a file may go to its destination; a step with another revision of what is there, or none, is refused. */
export function* isFree(
  context: PlanContext,
  step: FileStep,
  target: LoadedFile | undefined,
  { destination, destinationRevision }: Pick<MoveChange, "destination" | "destinationRevision">,
): Steps<boolean> {
  if (target === undefined) {
    if (destinationRevision === undefined) return true;
    yield* refuseStale(context, step, destination, destinationRevision, undefined);
    return false;
  }
  if (target.kind === "symlink") {
    refuseLink(context, step, destination);
    return false;
  }
  if (destinationRevision !== undefined)
    return yield* holdsRevision(context, step, target, destination, destinationRevision);
  const replace =
    step.change.action === "patch" ? "" : "pass its revision as destinationRevision to replace it, or ";
  const message = `There is a file at the destination ${quotePath(destination)}; ${replace}choose another path.`;
  refuse(context, step, "ALREADY_EXISTS", destination, message);
  return false;
}
