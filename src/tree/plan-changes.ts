import { invariant } from "../base/holdfast-error.ts";
import type { Steps } from "../base/steps.ts";
import { layOut } from "./batch-layout.ts";
import type { PlannedChange } from "./change.ts";
import { checkCollisions } from "./check-collisions.ts";
import { checkDuplicates } from "./check-duplicates.ts";
import { checkLinks } from "./check-links.ts";
import { checkPlaces } from "./check-places.ts";
import { type CheckedChange, checkChanges } from "./checked-changes.ts";
import { deltaInSteps, type PathChange } from "./delta.ts";
import { expandTree } from "./expand-tree.ts";
import { destinationOf } from "./named-paths.ts";
import type { LoadedFile, PlannedFile, PlanOptions, PlanResult, PlanView } from "./plan.ts";
import { planCreate, planWrite } from "./plan-content.ts";
import { destinationFile, type FileStep, type PlanContext, type StepOutcome } from "./plan-context.ts";
import { planChmod, planEdit } from "./plan-edit.ts";
import { hasWellFormedRevisions } from "./plan-guard.ts";
import { checkLimits, checkWereRead } from "./plan-limits.ts";
import { planMove } from "./plan-move.ts";
import { planAssert, planDelete } from "./plan-remove.ts";

/**
 * Plans a batch against one state of the files: either all of it can be committed and the plan says how, or every problem that it has comes
 * back, in the order of its changes. Pure: the same batch and view give the same plan.
 *
 * All changes see the view as it is; none sees what another one does. What must fit together once all have happened (folders, files in their
 * place, spellings) is checked on the whole.
 *
 * @param changes - The batch; their paths may be in any accepted spelling.
 * @param view - The state, holding what `pathsOfChanges` tells for these changes.
 * @param options - Hash, forms of names and revisions, and limits.
 */
export function* planChanges(
  changes: readonly PlannedChange[],
  view: PlanView,
  options: PlanOptions,
): Steps<PlanResult> {
  const context: PlanContext = { view, options, problems: [], warnings: [], located: new Set() };
  const tooLarge = yield* checkLimits(context, changes);
  if (tooLarge === undefined) return { problems: context.problems };
  const { checked, problems } = yield* checkChanges(changes);
  for (const problem of problems) context.problems.push(problem);
  const steps = yield* toSteps(context, checked, tooLarge);
  yield* checkDuplicates(context, steps);
  yield* checkLinks(context, checked);
  const layout = yield* layOut(context, steps);
  yield* checkPlaces(context, layout);
  yield* checkCollisions(context, layout);

  const files: PlannedFile[] = [];
  const entries: (readonly [string, PathChange])[] = [];
  const relies = new Map<string, LoadedFile | undefined>();
  for (const step of steps) {
    if (step.refused) continue;
    const outcome = yield* planStep(context, step);
    yield;
    if (outcome === undefined) continue;
    files.push(outcome.file);
    for (const entry of outcome.entries) entries.push(entry);
    noteReliance(context, step, relies);
  }
  if (context.problems.length > 0) return { problems: inOrder(context) };
  const { warnings, located } = context;
  const delta = yield* deltaInSteps(entries);
  return { plan: { delta, files, relies, located, warnings } };
}

function* toSteps(
  context: PlanContext,
  checked: readonly CheckedChange[],
  tooLarge: ReadonlySet<number>,
): Steps<readonly FileStep[]> {
  const steps: FileStep[] = [];
  for (const { index, change } of checked) {
    if (change.action === "moveTree" || change.action === "deleteTree") {
      for (const step of yield* expandTree(context, { index, change })) steps.push(step);
      continue;
    }
    const wereRead = checkWereRead(context, index, change);
    const step = { index, change, refused: tooLarge.has(index) || !wereRead };
    steps.push(hasWellFormedRevisions(context, step) ? step : { ...step, refused: true });
  }
  return steps;
}

function* planStep(context: PlanContext, { change, ...rest }: FileStep): Steps<StepOutcome | undefined> {
  switch (change.action) {
    case "create":
      return yield* planCreate(context, { ...rest, change });
    case "write":
      return yield* planWrite(context, { ...rest, change });
    case "edit":
      return yield* planEdit(context, { ...rest, change });
    case "patch": {
      const { planPatch } = context.options;
      invariant(planPatch !== undefined, "a batch with patches is planned with what plans them");
      return yield* planPatch(context, { ...rest, change });
    }
    case "delete":
      return yield* planDelete(context, { ...rest, change });
    case "move":
    case "copy":
      return yield* planMove(context, { ...rest, change });
    case "chmod":
      return yield* planChmod(context, { ...rest, change });
    case "assert":
      return yield* planAssert(context, { ...rest, change });
  }
}

function noteReliance(
  context: PlanContext,
  step: FileStep,
  relies: Map<string, LoadedFile | undefined>,
): void {
  const { change } = step;
  relies.set(change.path, context.view.file(change.path));
  const destination = destinationOf(change);
  if (destination !== undefined && destination !== change.path)
    relies.set(destination, destinationFile(context, step, destination));
}

/** Problems of the whole call come first, then those of each change. */
function inOrder(context: PlanContext): PlanContext["problems"] {
  return [...context.problems].sort((a, b) => (a.changeIndex ?? -1) - (b.changeIndex ?? -1));
}
