import { type CancelOptions, timeSlice } from "../base/clock.ts";
import { type Problem, throwProblems } from "../base/holdfast-error.ts";
import { driveSteps } from "../base/steps.ts";
import { type RevertLayers, revertLayers } from "../history/revert-layers.ts";
import type { LoggedRevision, RevisionLog } from "../history/revision-log.ts";
import { composeAll } from "../tree/compose-all.ts";
import type { Conflict } from "../tree/conflict.ts";
import type { Delta } from "../tree/delta.ts";
import type { FileState } from "../tree/file-state.ts";
import type { TreeMerge } from "../tree/merge.ts";
import type { LoadedFile, Plan } from "../tree/plan.ts";
import { planDelta } from "../tree/plan-delta.ts";
import { quotePath } from "../tree/quote-path.ts";
import type { Resolutions } from "../tree/resolution.ts";
import type { CommittablePlan } from "./committer.ts";
import { mergeOnto } from "./merge-onto.ts";
import { bytesNotKnown } from "./past-files.ts";
import { RevertContents } from "./revert-contents.ts";
import { type RevertGround, revertGround } from "./revert-ground.ts";
import type { WorkspaceContext } from "./workspace-context.ts";

/** What is to be taken back, and how. */
export interface RevertRequest {
  /** The commits, the newest first. */
  readonly revisions: readonly LoggedRevision[];
  /** Which paths. */
  readonly wants: (path: string) => boolean;
  readonly resolutions: Resolutions | undefined;
  readonly mergePolicy: "content" | "path";
}

/** A plan that takes commits back, or what stands against it. */
export type RevertPlan =
  | { readonly planned: CommittablePlan; readonly conflicts?: undefined }
  | {
      readonly planned?: undefined;
      readonly conflicts: readonly Conflict[];
      readonly mergedPaths: readonly string[];
    };

/** Plans the taking back of commits onto the files of now, at a cost that follows the paths that they changed. */
export async function planRevert(
  parts: { readonly context: WorkspaceContext; readonly log: RevisionLog },
  request: RevertRequest,
  options: CancelOptions,
): Promise<RevertPlan> {
  const { context } = parts;
  const deltas = request.revisions.map(({ entry }) => entry.delta);
  const layers = await driveSteps(revertLayers(deltas, request.wants), timeSlice(options));
  const ground = await revertGround(parts, layers.whole, request.revisions, options);
  const contents = new RevertContents(context, ground, [...layers.layers, layers.whole]);
  const merged = await mergeLayers(context, { layers, ground, contents, request }, options);
  if (merged.conflicts.length > 0) return merged;
  const oldest = request.revisions.at(-1)?.id ?? "";
  const plan = await planOf(context, { merged: merged.delta, ground, contents, oldest }, options);
  const remarks = { mergedPaths: merged.mergedPaths, revisions: request.revisions.map(({ id }) => id) };
  const versionOf = (path: string) => ground.view.file(path)?.version ?? null;
  return { planned: { plan, versionOf, remarks } };
}

interface Merging {
  readonly layers: RevertLayers;
  readonly ground: RevertGround;
  readonly contents: RevertContents;
  readonly request: RevertRequest;
}

interface MergedLayers {
  readonly delta: Delta;
  readonly mergedPaths: readonly string[];
  readonly conflicts: readonly Conflict[];
}

/** Merges one layer after the other, each onto what the ones before leave. */
async function mergeLayers(
  context: WorkspaceContext,
  merging: Merging,
  options: CancelOptions,
): Promise<MergedLayers> {
  const { layers, ground, request } = merging;
  const states = new Map(ground.states);
  const used = new Set<string>();
  const conflicts = new Map<string, Conflict>();
  const mergedPaths = new Set<string>();
  const done: Delta[] = [];
  for (const layer of layers.layers) {
    const merge = await mergeLayer(context, { ...merging, layer, states, used }, options);
    for (const [path, { after }] of merge.delta.changes) states.set(path, after);
    for (const path of merge.mergedPaths) mergedPaths.add(path);
    for (const conflict of merge.conflicts)
      if (!conflicts.has(conflict.path)) conflicts.set(conflict.path, conflict);
    done.push(merge.delta);
  }
  refuseUnused(request.resolutions, used);
  return {
    delta: await driveSteps(composeAll(done), timeSlice(options)),
    mergedPaths: [...mergedPaths].sort(),
    conflicts: await wholeConflicts(context, merging, conflicts, options),
  };
}

async function mergeLayer(
  context: WorkspaceContext,
  {
    layer,
    states,
    used,
    ground,
    contents,
    request,
  }: Merging & {
    readonly layer: Delta;
    readonly states: ReadonlyMap<string, FileState | undefined>;
    readonly used: Set<string>;
  },
  options: CancelOptions,
): Promise<TreeMerge> {
  const { mergePolicy, resolutions = {} } = request;
  const input = {
    incoming: layer,
    current: (path: string) => states.get(path),
    besides: ground.besides(layer, states),
    contentOf: (contentId: string) => contents.load(contentId, options),
    mergePolicy,
  };
  const first = await mergeOnto(context, input, options);
  if (first.problems !== undefined) throwProblems(first.problems);
  const answers = first.merge.conflicts.flatMap(({ path }) => {
    const answer = Object.hasOwn(resolutions, path) ? resolutions[path] : undefined;
    return answer === undefined ? [] : [[path, answer] as const];
  });
  for (const [path] of answers) used.add(path);
  if (answers.length < first.merge.conflicts.length || answers.length === 0) {
    contents.add(first.contents);
    return first.merge;
  }
  const resolved = await mergeOnto(context, { ...input, resolutions: Object.fromEntries(answers) }, options);
  if (resolved.problems !== undefined) throwProblems(resolved.problems);
  contents.add(resolved.contents);
  return resolved.merge;
}

function refuseUnused(resolutions: Resolutions = {}, used: ReadonlySet<string>): void {
  const problems = Object.keys(resolutions)
    .filter((path) => !used.has(path))
    .map((path): Problem => {
      return { code: "INVALID_ARGUMENT", message: `${quotePath(path)} is not in conflict.`, path };
    });
  if (problems.length > 0) throwProblems(problems);
}

/** Of a path that several layers change, what is told is the one conflict between what is there now and what is wanted in the end. */
async function wholeConflicts(
  context: WorkspaceContext,
  { layers, ground, contents, request }: Merging,
  found: ReadonlyMap<string, Conflict>,
  options: CancelOptions,
): Promise<readonly Conflict[]> {
  if (found.size === 0 || layers.layers.length === 1) return [...found.values()];
  const whole = await mergeOnto(
    context,
    {
      incoming: layers.whole,
      current: (path) => ground.states.get(path),
      besides: ground.besides(layers.whole, ground.states),
      contentOf: (contentId) => contents.load(contentId, options),
      mergePolicy: request.mergePolicy,
    },
    options,
  );
  const conflicts = new Map(whole.merge?.conflicts.map((conflict) => [conflict.path, conflict]));
  return [...found.values()].map((conflict) => conflicts.get(conflict.path) ?? conflict);
}

async function planOf(
  context: WorkspaceContext,
  {
    merged,
    ground,
    contents,
    oldest,
  }: {
    readonly merged: Delta;
    readonly ground: RevertGround;
    readonly contents: RevertContents;
    readonly oldest: string;
  },
  options: CancelOptions,
): Promise<Plan> {
  const relies = new Map<string, LoadedFile | undefined>();
  for (const path of [...ground.states.keys(), ...merged.changes.keys()])
    relies.set(path, ground.view.file(path));
  await contents.loadAfter(merged, options, (path) => {
    throw bytesNotKnown(path, oldest);
  });
  return await driveSteps(
    planDelta(merged, {
      relies,
      contentOf: (contentId) => contents.get(contentId),
      textBytes: context.limits.textBytes,
    }),
    timeSlice(options),
  );
}
