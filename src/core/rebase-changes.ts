import { type CancelOptions, timeSlice } from "../base/clock.ts";
import type { Problem } from "../base/holdfast-error.ts";
import { driveSteps, type Steps } from "../base/steps.ts";
import { workCounter } from "../base/work-counter.ts";
import type { PlannedChange } from "../tree/change.ts";
import type { Delta, PathChange } from "../tree/delta.ts";
import { diffedFacts } from "../tree/diffed-facts.ts";
import { exceededLimit } from "../tree/exceeded-limit.ts";
import { equalStates } from "../tree/file-state.ts";
import type { TreeMerge } from "../tree/merge.ts";
import type { LoadedFile, Plan, PlannedFile, PlanOptions, PlanResult, PlanView } from "../tree/plan.ts";
import { planChanges } from "../tree/plan-changes.ts";
import { stateOf } from "../tree/plan-context.ts";
import { planDelta } from "../tree/plan-delta.ts";
import { quotePath } from "../tree/quote-path.ts";
import type { Bases } from "./find-bases.ts";
import type { KeptContents } from "./kept-contents.ts";
import { mergeOnto } from "./merge-onto.ts";
import { conflictProblems } from "./rebase-conflicts.ts";
import type { StaleGuards } from "./stale-guards.ts";
import type { ViewContext } from "./workspace-context.ts";

/** Changes of which some are based on files as they were before. */
export interface RebaseInput {
  readonly changes: readonly PlannedChange[];
  /** The files as they are now, with the bytes of those that are stale. */
  readonly view: PlanView;
  /** What is stale. */
  readonly stale: StaleGuards;
  /** The files that the stale changes are based on, as far as they are known. */
  readonly bases: Bases;
  readonly mergePolicy: "content" | "path";
  readonly planOptions: PlanOptions;
  /** Takes the bytes that a diff of the outcome looks at; left out where none is wanted. */
  readonly kept?: KeptContents | undefined;
}

/**
 * Plans changes against the files that they are based on, and merges the outcome onto the files of now. What is not stale is planned as always, and
 * all of it comes together or not at all. Where a base is not known, the change is refused as every stale one is.
 */
export async function rebaseChanges(
  context: ViewContext,
  input: RebaseInput,
  options: CancelOptions,
): Promise<PlanResult> {
  const { changes, view, bases, planOptions, mergePolicy } = input;
  const pause = timeSlice(options);
  const baseView: PlanView = {
    ...view,
    file: (path) => bases.get(path) ?? view.file(path),
    otherSpelling: (path) => (bases.has(path) ? undefined : view.otherSpelling(path)),
  };
  const planned = await driveSteps(planChanges(changes, baseView, planOptions), pause);
  if (planned.plan === undefined) return planned;
  const { plan } = planned;
  const contents = await driveSteps(contentsAtHand(input, plan), pause);
  const merged = await mergeOnto(
    context,
    {
      incoming: plan.delta,
      current: (path) => stateOf(view.file(path)),
      contentOf: async (contentId) => contents.get(contentId),
      mergePolicy,
    },
    options,
  );
  if (merged.problems !== undefined) return merged;
  const { merge } = merged;
  for (const [contentId, bytes] of merged.contents) {
    contents.set(contentId, bytes);
    input.kept?.offer(contentId, bytes);
  }
  const problems = [...conflictProblems(changes, merge.conflicts, input.stale), ...tooLong(context, merge)];
  if (problems.length > 0) return { problems };
  return { plan: await driveSteps(planMerged(context, input, { plan, merge, contents }), pause) };
}

function* contentsAtHand({ view, bases }: RebaseInput, plan: Plan): Steps<Map<string, Uint8Array>> {
  const due = workCounter();
  const contents = new Map<string, Uint8Array>();
  const add = (file: LoadedFile | undefined) => {
    if (file?.bytes !== undefined) contents.set(file.contentId, file.bytes);
  };
  for (const path of plan.relies.keys()) {
    if (due()) yield;
    add(bases.get(path));
    add(view.file(path));
  }
  for (const { path, bytes } of plan.files) {
    if (due()) yield;
    const after = plan.delta.changes.get(path)?.after;
    if (bytes !== undefined && after !== undefined) contents.set(after.contentId, bytes);
  }
  return contents;
}

/** Texts that a merge made longer than texts may be. */
function tooLong({ limits }: ViewContext, { delta, contents }: TreeMerge): readonly Problem[] {
  const maximum = limits.textBytes;
  const problems: Problem[] = [];
  for (const [path, { after }] of delta.changes) {
    const actual = after === undefined ? 0 : (contents.get(after.contentId)?.byteLength ?? 0);
    if (actual <= maximum) continue;
    const words = { subject: `The merged text of ${quotePath(path)} has`, unit: "bytes" };
    problems.push({ ...exceededLimit({ limit: "textBytes", maximum, actual }, words), path });
  }
  return problems;
}

interface Merged {
  /** The plan on the bases. */
  readonly plan: Plan;
  readonly merge: TreeMerge;
  readonly contents: ReadonlyMap<string, Uint8Array>;
}

/** Tells the merged outcome as a plan on the files of now: what was not stale as it was planned, the rest by what it comes to now. */
function* planMerged(
  { limits: { textBytes } }: ViewContext,
  { view, bases }: RebaseInput,
  { plan, merge, contents }: Merged,
): Steps<Plan> {
  const due = workCounter();
  const relies = new Map<string, LoadedFile | undefined>();
  for (const [path, file] of plan.relies) {
    if (due()) yield;
    relies.set(path, bases.has(path) ? view.file(path) : file);
  }
  const contentOf = (contentId: string) => contents.get(contentId);
  const { delta } = merge;
  const ends = (path: string, previousPath: string | undefined) =>
    previousPath === undefined ? [path] : [path, previousPath];
  const isRebased = (path: string) =>
    bases.has(path) || !equalStates(delta.changes.get(path)?.after, plan.delta.changes.get(path)?.after);
  const entries = new Map<string, PathChange>();
  const rebased = new Set<PlannedFile>();
  for (const file of plan.files) {
    if (due()) yield;
    const { path, previousPath } = file;
    if (!ends(path, previousPath).some(isRebased)) continue;
    rebased.add(file);
    for (const end of ends(path, previousPath)) {
      const change = delta.changes.get(end);
      // Only what the call itself moves or copies is told as such.
      if (change !== undefined)
        entries.set(end, end === path && previousPath !== undefined ? change : withoutOrigin(change));
    }
  }
  const onNow = yield* planDelta(inOrder(delta, entries), { relies, contentOf, textBytes });
  const told = new Map(onNow.files.map((file) => [file.path, file]));
  const files: PlannedFile[] = [];
  for (const file of plan.files) {
    if (!rebased.has(file)) {
      files.push(file);
      continue;
    }
    const outcome = told.get(file.path) ?? (yield* unchanged(relies.get(file.path), file, textBytes));
    files.push({ ...outcome, rebased: true });
  }
  return {
    delta: yield* withPresentOrigins(delta, relies),
    files,
    relies,
    located: plan.located,
    warnings: plan.warnings,
  };
}

function withoutOrigin({ before, after }: PathChange): PathChange {
  return { before, after };
}

/** Some entries of a delta, in its order. */
function inOrder({ changes }: Delta, entries: ReadonlyMap<string, PathChange>): Delta {
  const some = new Map<string, PathChange>();
  for (const path of changes.keys()) {
    const change = entries.get(path);
    if (change !== undefined) some.set(path, change);
  }
  return { changes: some };
}

/** A copy of what is gone by now came from nowhere. */
function* withPresentOrigins(delta: Delta, relies: Plan["relies"]): Steps<Delta> {
  const due = workCounter();
  const changes = new Map<string, PathChange>();
  for (const [path, change] of delta.changes) {
    if (due()) yield;
    const { origin } = change;
    const isGone = origin !== undefined && relies.has(origin.path) && relies.get(origin.path) === undefined;
    changes.set(path, isGone ? withoutOrigin(change) : change);
  }
  return { changes };
}

/** A file that is by now as the change wants it. */
function* unchanged(
  now: LoadedFile | undefined,
  { path, previousPath }: PlannedFile,
  textBytes: number,
): Steps<PlannedFile> {
  const facts = yield* diffedFacts(now?.bytes, now?.bytes, textBytes);
  return { path, ...(previousPath !== undefined && { previousPath }), operation: "unchanged", ...facts };
}
