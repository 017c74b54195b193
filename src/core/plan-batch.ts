import { hashInSteps } from "../base/byte-steps.ts";
import { timeSlice } from "../base/clock.ts";
import { throwProblems } from "../base/holdfast-error.ts";
import { driveSteps } from "../base/steps.ts";
import type { RevisionLog } from "../history/revision-log.ts";
import type { ApplyOptions } from "../schema/apply-options.ts";
import type { PlannedChange } from "../tree/change.ts";
import type { Plan, PlanOptions } from "../tree/plan.ts";
import { planChanges } from "../tree/plan-changes.ts";
import { tellChangedBy } from "./changed-by.ts";
import { isRevision } from "./fingerprint.ts";
import type { LoadedView } from "./load-view.ts";
import { tellSimilarPaths } from "./similar-problems.ts";
import type { ViewContext } from "./workspace-context.ts";

/**
 * Plans changes against what was loaded for them.
 *
 * @throws {@link HoldfastError} Every problem that the changes have, with who changed a stale file and what is near a missing one.
 */
export async function planBatch(
  context: ViewContext,
  log: RevisionLog,
  { changes, options }: { readonly changes: readonly PlannedChange[]; readonly options: ApplyOptions },
  view: LoadedView,
): Promise<Plan> {
  const planned = await driveSteps(
    planChanges(changes, view, planOptions(context)),
    timeSlice({ signal: options.signal }),
  );
  if (planned.plan !== undefined) return planned.plan;
  const { source, sessionId, signal } = options;
  const told = await tellChangedBy(log, planned.problems, (path) => view.file(path), {
    source,
    sessionId,
    signal,
  });
  throwProblems(await tellSimilarPaths(context.files, told, { signal }));
}

function planOptions(context: ViewContext): PlanOptions {
  return {
    contentId: (bytes) => hashInSteps(context.hashing, "sha256", bytes),
    isRevision: (text) => isRevision(context, text),
    names: context.names,
    folds: !context.files.capabilities.caseSensitive,
    limits: context.limits,
  };
}
