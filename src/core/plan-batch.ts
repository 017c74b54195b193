import { hashInSteps } from "../base/byte-steps.ts";
import { type CancelOptions, timeSlice } from "../base/clock.ts";
import { isHoldfastError, type Problem, throwProblems } from "../base/holdfast-error.ts";
import { driveSteps } from "../base/steps.ts";
import type { ApplyOptions } from "../schema/apply-options.ts";
import type { PlannedChange } from "../tree/change.ts";
import type { LoadedFile, Plan, PlanOptions, PlanResult, PlanView } from "../tree/plan.ts";
import { planChanges } from "../tree/plan-changes.ts";
import { tellChangedBy } from "./changed-by.ts";
import { eachBounded } from "./each-bounded.ts";
import { findBases, type HistorySources } from "./find-bases.ts";
import { isRevision } from "./fingerprint.ts";
import type { KeptContents } from "./kept-contents.ts";
import { loadFile } from "./load-folder.ts";
import type { LoadedView } from "./load-view.ts";
import { tellSimilarPaths } from "./similar-problems.ts";
import { type StaleGuards, staleGuards } from "./stale-guards.ts";
import type { ViewContext } from "./workspace-context.ts";

/** Changes that are to be planned, and how. */
export interface BatchRequest {
  readonly changes: readonly PlannedChange[];
  /** Who makes them, and what becomes of those that are stale. */
  readonly options: ApplyOptions;
  /** How stale changes are merged when that is asked for. */
  readonly mergePolicy: "content" | "path";
  /** Takes the bytes that only a diff looks at; left out where none is wanted. */
  readonly kept?: KeptContents | undefined;
}

/**
 * Plans changes against what was loaded for them; with `onStale: "rebase"` those that name an older revision against that, merged onto what was
 * loaded.
 *
 * @throws {@link HoldfastError} Every problem that the changes have, with who changed a stale file and what is near a missing one.
 */
export async function planBatch(
  context: ViewContext,
  history: HistorySources,
  request: BatchRequest,
  view: LoadedView,
): Promise<Plan> {
  const { source, sessionId, signal, onStale } = request.options;
  const planned = await planOrRebase(context, history, request, view);
  if (planned.plan !== undefined) return planned.plan;
  const problems = onStale === "rebase" ? tellUnavailable(request, planned.problems) : planned.problems;
  const origin = { source, sessionId, signal };
  const told = await tellChangedBy(history.log, problems, (path) => view.file(path), origin);
  throwProblems(await tellSimilarPaths(context.files, told, { signal }));
}

async function planOrRebase(
  context: ViewContext,
  history: HistorySources,
  { changes, options, mergePolicy, kept }: BatchRequest,
  loaded: LoadedView,
): Promise<PlanResult> {
  const { signal, onStale } = options;
  const planning = await planOptions(context, changes);
  const stale = onStale === "rebase" ? staleGuards(changes, loaded, planning.isRevision) : undefined;
  if (stale === undefined || stale.size === 0)
    return await driveSteps(planChanges(changes, loaded, planning), timeSlice({ signal }));
  const view = await withBytes(context, loaded, stale, { signal });
  const bases = await findBases(context, history, stale, { signal });
  const input = { changes, view, stale, bases, mergePolicy, planOptions: planning, kept };
  const { rebaseChanges } = await import("./rebase-changes.ts");
  return await rebaseChanges(context, input, { signal });
}

/**
 * Gives a view the bytes of stale files that planning alone would not look at. One that changed since it was loaded is taken as it is now: what
 * conflicts with it is told rightly, and a plan on it does not commit.
 */
async function withBytes(
  context: ViewContext,
  view: LoadedView,
  stale: StaleGuards,
  { signal }: CancelOptions,
): Promise<PlanView> {
  const read = new Map<string, LoadedFile | undefined>();
  await eachBounded([...stale.keys()], async (path) => {
    const file = view.file(path);
    if (file === undefined || file.bytes !== undefined) return;
    const again = loadFile(context, path, { signal, limit: "binaryBytes", keepBytes: true });
    read.set(path, await again.catch((error: unknown) => asLoaded(error, file)));
  });
  return { ...view, file: (path) => (read.has(path) ? read.get(path) : view.file(path)) };
}

/** A file that has become too long meanwhile has changed, so that nothing planned on it commits. */
function asLoaded(error: unknown, file: LoadedFile): LoadedFile {
  if (!isHoldfastError(error, "LIMIT_EXCEEDED")) throw error;
  return file;
}

/** Says of stale changes that they could not be merged, because the bytes that they are based on are not known. */
function tellUnavailable({ changes }: BatchRequest, problems: readonly Problem[]): readonly Problem[] {
  return problems.map((problem) => {
    const { code, changeIndex = -1, details } = problem;
    if (code !== "REVISION_MISMATCH" || changes[changeIndex]?.action === "assert") return problem;
    return { ...problem, details: { ...(details as object), rebase: "baseUnavailable" } };
  });
}

async function planOptions(context: ViewContext, changes: readonly PlannedChange[]): Promise<PlanOptions> {
  const hasPatch = changes.some(({ action }) => action === "patch");
  return {
    planPatch: hasPatch ? (await import("../tree/plan-patch.ts")).planPatch : undefined,
    contentId: (bytes) => hashInSteps(context.hashing, "sha256", bytes),
    isRevision: (text) => isRevision(context, text),
    names: context.names,
    folds: !context.files.capabilities.caseSensitive,
    limits: context.limits,
  };
}
