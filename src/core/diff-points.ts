import { type CancelOptions, timeSlice } from "../base/clock.ts";
import { driveSteps } from "../base/steps.ts";
import type { PastStates } from "../history/past-states.ts";
import { composeAll } from "../tree/compose-all.ts";
import { settleOrigin } from "../tree/compose-deltas.ts";
import { type Delta, deltaInSteps, type PathChange } from "../tree/delta.ts";
import { addToDiff, beginDiff, finishDiff, isWanted } from "../tree/diff-delta.ts";
import { equalStates, type FileState } from "../tree/file-state.ts";
import { invertDelta } from "../tree/invert-delta.ts";
import { type DiffSide, type PathPair, pairPaths } from "../tree/pair-paths.ts";
import type { TreeDiff } from "../tree/tree-diff.ts";
import { eachBounded } from "./each-bounded.ts";
import { knownContent } from "./known-content.ts";
import { loadFile } from "./load-folder.ts";
import { PastFiles } from "./past-files.ts";
import type { ViewPoint } from "./view-points.ts";
import type { WantedDiff } from "./wanted-diff.ts";
import type { WorkspaceContext } from "./workspace-context.ts";

/** Files whose contents are in memory at the same time. */
const mostAtOnce = 32;

/**
 * Shows what changed from one state of a workspace to another, whichever is the older one, at a cost that follows what the commits after the older
 * one touched. Renames are known from the commits that made them.
 */
export async function diffPoints(
  context: WorkspaceContext,
  { from, to }: { readonly from: ViewPoint; readonly to: ViewPoint },
  wanted: WantedDiff,
  options: CancelOptions,
): Promise<TreeDiff> {
  const isForward = numberOf(from) <= numberOf(to);
  const [older, newer] = isForward ? [from, to] : [to, from];
  if (older.past === undefined) return finishDiff(beginDiff(wanted));
  const changed = await deltaBetween(context, { older: older.past, newer }, wanted, options);
  const delta = isForward ? changed : invertDelta(changed);
  const sources = await copySources(context, delta, isForward ? from : to, options);
  const pairs = await driveSteps(
    pairPaths(delta, (path) => sources.get(path)),
    timeSlice(options),
  );
  return await diffPairs(
    context,
    pairs.filter((pair) => isWanted(pair, wanted.wants)),
    wanted,
    options,
  );
}

function numberOf({ past }: ViewPoint): number {
  return past === undefined ? Number.POSITIVE_INFINITY : past.sequence;
}

/** What the files are that a commit touched between two states, and from where they came. */
async function deltaBetween(
  context: WorkspaceContext,
  { older, newer }: { readonly older: PastStates; readonly newer: ViewPoint },
  { wants }: WantedDiff,
  options: CancelOptions,
): Promise<Delta> {
  const { later } = await older.read(options);
  const between = later.filter(({ sequence }) => sequence <= numberOf(newer)).map(({ delta }) => delta);
  const composed = await driveSteps(composeAll(between), timeSlice(options));
  const shown = new Set<string>();
  for (const { changes } of between) for (const path of changes.keys()) if (wants(path)) shown.add(path);
  for (const [path, { origin }] of composed.changes)
    if (origin !== undefined && (shown.has(path) || wants(origin.path))) shown.add(path).add(origin.path);
  const before = new PastFiles(context, older);
  const entries: [string, PathChange][] = [];
  await eachBounded(shown, async (path) => {
    const [old, now] = await Promise.all([
      stateAt(context, before, path, options),
      stateAt(context, newer.past && new PastFiles(context, newer.past), path, options),
    ]);
    const origin = composed.changes.get(path)?.origin;
    if (!equalStates(old, now)) entries.push([path, { before: old, after: now, origin }]);
  });
  const found = await driveSteps(deltaInSteps(entries), timeSlice(options));
  const settled = [...found.changes].map(
    ([path, change]) => [path, settleOrigin(path, change, found)] as const,
  );
  return await driveSteps(deltaInSteps(settled), timeSlice(options));
}

async function stateAt(
  context: WorkspaceContext,
  past: PastFiles | undefined,
  path: string,
  { signal }: CancelOptions,
): Promise<FileState | undefined> {
  const recorded = await past?.recorded(path, { signal });
  if (recorded !== undefined) return recorded.state;
  const files = past ?? context.files;
  return await loadFile({ ...context, files }, path, { signal, limit: "binaryBytes", keepBytes: false });
}

/** What was at the paths that files were copied from and that did not change. */
async function copySources(
  context: WorkspaceContext,
  delta: Delta,
  from: ViewPoint,
  options: CancelOptions,
): Promise<ReadonlyMap<string, FileState>> {
  const paths = new Set<string>();
  for (const { origin } of delta.changes.values())
    if (origin !== undefined && !delta.changes.has(origin.path)) paths.add(origin.path);
  const states = new Map<string, FileState>();
  const past = from.past && new PastFiles(context, from.past);
  await eachBounded(paths, async (path) => {
    const state = await stateAt(context, past, path, options);
    if (state !== undefined) states.set(path, state);
  });
  return states;
}

/** Makes the diff of files whose bytes are looked for in the history and at their paths, a few at a time. */
async function diffPairs(
  context: WorkspaceContext,
  pairs: readonly PathPair[],
  wanted: WantedDiff,
  options: CancelOptions,
): Promise<TreeDiff> {
  const { hashing, limits } = context;
  const diff = beginDiff(wanted);
  for (let at = 0; at < pairs.length; at += mostAtOnce) {
    const some = pairs.slice(at, at + mostAtOnce);
    const contents = new Map<string, Uint8Array>();
    // What does not fit any more is listed by its name, and needs no bytes.
    if (diff.room > 0)
      await eachBounded(some, async (pair) => await loadSides(context, pair, contents, options));
    const making = {
      ...wanted,
      hashing,
      textBytes: limits.textBytes,
      contentOf: (contentId: string) => contents.get(contentId),
    };
    await driveSteps(addToDiff(diff, some, making), timeSlice(options));
  }
  return finishDiff(diff);
}

async function loadSides(
  context: WorkspaceContext,
  { before, after }: PathPair,
  contents: Map<string, Uint8Array>,
  options: CancelOptions,
): Promise<void> {
  if (before?.state.contentId === after?.state.contentId) return;
  const paths = [before, after].flatMap((side) => side?.path ?? []);
  for (const side of [before, after]) {
    if (side === undefined || contents.has(side.state.contentId)) continue;
    const bytes = await sideContent(context, side, paths, options);
    if (bytes !== undefined) contents.set(side.state.contentId, bytes);
  }
}

async function sideContent(
  context: WorkspaceContext,
  { state }: DiffSide,
  paths: readonly string[],
  options: CancelOptions,
): Promise<Uint8Array | undefined> {
  // A longer file is told to have changed, and not how.
  if (state.byteLength > context.limits.textBytes) return undefined;
  return await knownContent(context, state, paths, options);
}
