import type { CancelOptions } from "../base/clock.ts";
import { timeSlice } from "../base/clock.ts";
import { HoldfastError } from "../base/holdfast-error.ts";
import { driveSteps } from "../base/steps.ts";
import type { LoggedRevision, RevisionLog } from "../history/revision-log.ts";
import { composeAll } from "../tree/compose-all.ts";
import type { Delta, PathChange } from "../tree/delta.ts";
import type { FileState } from "../tree/file-state.ts";
import { ancestorsOf, isBelow } from "../tree/path-parts.ts";
import { stateOf } from "../tree/plan-context.ts";
import { quotePath } from "../tree/quote-path.ts";
import { loadFile } from "./load-folder.ts";
import { type LoadedView, loadView } from "./load-view.ts";
import type { WorkspaceContext } from "./workspace-context.ts";

type Besides = readonly (readonly [path: string, change: PathChange])[];

/** The files of now that a revert is made on. */
export interface RevertGround {
  /** All that was read. */
  readonly view: LoadedView;
  /** What is at each path that is taken back, and at those that its files were moved to since. */
  readonly states: ReadonlyMap<string, FileState | undefined>;
  /** Changes of now at other paths that matter for a change: files that stand in its way, or were moved on. */
  besides(change: Delta, states: ReadonlyMap<string, FileState | undefined>): Besides;
}

/** Whether the file that stood at a path in this state, and was moved on, is the one that the change is about. */
type Follows = (path: string, before: FileState | undefined) => boolean;

/** Commits that are looked through for where a file has gone that is no longer there. */
const mostFollowed = 1000;

/** Reads what is now at the paths of a change that was made on the files as these commits left them, and what stands in its way. */
export async function revertGround(
  { context, log }: { readonly context: WorkspaceContext; readonly log: RevisionLog },
  whole: Delta,
  revisions: readonly Pick<LoggedRevision, "sequence">[],
  options: CancelOptions & { readonly follows?: Follows | undefined },
): Promise<RevertGround> {
  const paths = [...whole.changes.keys()];
  let view = await viewOf(context, paths, options);
  const moved = await movesSince(log, whole, view, revisions, options);
  if (moved.size > 0) view = await viewOf(context, [...paths, ...moved.values()], options);
  const states = new Map<string, FileState | undefined>();
  for (const path of [...paths, ...moved.values()]) states.set(path, stateOf(view.file(path)));
  const obstacles = await obstaclesOf(context, whole, view, options);
  return {
    view,
    states,
    besides(change, now) {
      const found: [string, PathChange][] = [];
      for (const [from, to] of moved)
        if (change.changes.has(from) && !change.changes.has(to))
          found.push([to, { before: undefined, after: now.get(to), origin: { kind: "moved", path: from } }]);
      for (const [path, state] of obstacles)
        if (!change.changes.has(path) && !now.has(path))
          found.push([path, { before: undefined, after: state }]);
      return found;
    },
  };
}

async function viewOf(
  context: WorkspaceContext,
  paths: readonly string[],
  { signal }: CancelOptions,
): Promise<LoadedView> {
  // What a batch that writes them would be planned against: the files with their bytes, and all that can be in their way.
  const changes = paths.map((path) => ({ action: "write", path, content: "" }) as const);
  const view = await loadView(context, changes, { signal });
  for (const path of paths) {
    const file = view.file(path);
    if (file?.tooLong === undefined) continue;
    const { binaryBytes: maximum } = context.limits;
    throw new HoldfastError("LIMIT_EXCEEDED", {
      message: `${quotePath(path)} has ${file.byteLength} bytes, more than the ${maximum} that "binaryBytes" allows.`,
      details: { limit: "binaryBytes", maximum, actual: file.byteLength },
    });
  }
  return view;
}

/** Finds where files went that the revert would change and that are gone: later commits tell. */
async function movesSince(
  log: RevisionLog,
  whole: Delta,
  view: LoadedView,
  revisions: readonly Pick<LoggedRevision, "sequence">[],
  { signal, follows = () => true }: CancelOptions & { readonly follows?: Follows | undefined },
): Promise<ReadonlyMap<string, string>> {
  const moved = new Map<string, string>();
  const gone = new Set<string>();
  for (const [path, { before }] of whole.changes)
    if (before !== undefined && view.file(path) === undefined) gone.add(path);
  const newest = revisions[0]?.sequence;
  if (gone.size === 0 || newest === undefined) return moved;
  const taken = new Set(revisions.map(({ sequence }) => sequence));
  const later: Delta[] = [];
  for await (const { sequence, entry } of log.read({ signal, from: newest + 1 })) {
    if (!taken.has(sequence)) later.push(entry.delta);
    if (later.length >= mostFollowed) break;
  }
  const composed = await driveSteps(composeAll(later), timeSlice({ signal }));
  for (const [path, { origin, after }] of composed.changes) {
    if (origin?.kind !== "moved" || after === undefined) continue;
    if (!gone.has(origin.path) || whole.changes.has(path)) continue;
    if (follows(origin.path, composed.changes.get(origin.path)?.before)) moved.set(origin.path, path);
  }
  return moved;
}

/** Files of now that are where a file is to come, above it, below it, or in another spelling. */
async function obstaclesOf(
  context: WorkspaceContext,
  whole: Delta,
  view: LoadedView,
  { signal }: CancelOptions,
): Promise<ReadonlyMap<string, FileState>> {
  const found = new Map<string, FileState>();
  const add = async (path: string) => {
    if (whole.changes.has(path) || found.has(path)) return;
    const file =
      view.file(path) ?? (await loadFile(context, path, { signal, limit: "binaryBytes", keepBytes: false }));
    if (file !== undefined) found.set(path, stateOf(file));
  };
  for (const [path, { after }] of whole.changes) {
    if (after === undefined || view.file(path) !== undefined) continue;
    for (const folder of ancestorsOf(path)) if (view.file(folder) !== undefined) await add(folder);
    const below = view.below(path).find((other) => isBelow(other, path) && !whole.changes.has(other));
    if (below !== undefined) await add(below);
    const other = view.otherSpelling(path);
    if (other !== undefined) await add(other);
  }
  return found;
}
