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
import { applyEdits, editedState, planInPlace } from "./plan-edit.ts";
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
  const free = yield* isFree(context, step, target);
  if (file === undefined || !(yield* holdsRevision(context, step, file, path, revision))) return undefined;
  const edited = yield* applyEdits(context, step, file, edits, { executable });
  if (edited === undefined || !free) return undefined;
  const before = stateOf(file);
  const after = yield* editedState(context, file, edited, executable);
  const kind = action === "move" ? "moved" : "copied";
  const entries: [string, PathChange][] = [
    [destination, { before: stateOf(target), after, origin: { kind, path } }],
  ];
  if (action === "move") entries.push([path, { before, after: undefined }]);
  const content = edited.bytes === undefined ? { from: path } : { bytes: edited.bytes };
  const same = action === "copy" && target !== undefined && equalStates(target, after);
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

function* isFree(
  context: PlanContext,
  step: FileStep<MoveChange>,
  target: LoadedFile | undefined,
): Steps<boolean> {
  const { destination, destinationRevision } = step.change;
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
  const message = `There is a file at the destination ${quotePath(destination)}; pass its revision as destinationRevision to replace it, or choose another path.`;
  refuse(context, step, "ALREADY_EXISTS", destination, message);
  return false;
}
