import type { Steps } from "../base/steps.ts";
import { workCounter } from "../base/work-counter.ts";
import { type Delta, deltaInSteps, type Origin, type PathChange } from "./delta.ts";
import { equalStates, type FileState } from "./file-state.ts";
import type { MergeInput, MergeVerdict, TreeMerge } from "./merge.ts";
import { compareText } from "./path-parts.ts";
import { sortInSteps } from "./sort-in-steps.ts";
import type { Place, TrackedFile } from "./track-files.ts";

/** Where a file of a merge ends. */
export interface PlacedFile {
  readonly file: TrackedFile;
  /** Where, and in which state; `undefined`: gone. */
  readonly place: Place | undefined;
  /** Whether the content was made of both sides. */
  readonly byContent?: boolean;
  /** The bytes, when the merge or its resolution made them. */
  readonly bytes?: Uint8Array | undefined;
  /** Whether the sides still disagree, so that the place is the present one. */
  readonly open?: boolean;
}

/** Makes the answer of where all files end. */
export function* assembleMerge(
  input: MergeInput,
  placed: readonly PlacedFile[],
): Steps<Omit<TreeMerge, "conflicts">> {
  const due = workCounter();
  const after = new Map<string, FileState | undefined>();
  const cameFrom = new Map<string, string>();
  const contents = new Map<string, Uint8Array>();
  const byContent = new Set<string>();
  const open = new Set<string>();
  for (const { file, place, ...rest } of placed) {
    if (due()) yield;
    const { current } = file;
    if (current !== undefined && current.path !== place?.path && !after.has(current.path))
      after.set(current.path, undefined);
    if (place !== undefined) after.set(place.path, place.state);
    if (place !== undefined && current !== undefined && current.path !== place.path)
      cameFrom.set(place.path, current.path);
    if (place !== undefined && rest.bytes !== undefined) contents.set(place.state.contentId, rest.bytes);
    if (place !== undefined && rest.byContent === true) byContent.add(place.path);
    if (rest.open === true)
      for (const one of [file.base, current, file.incoming]) if (one !== undefined) open.add(one.path);
  }
  const delta = yield* deltaOf(input, after, cameFrom);
  const { verdicts, takenPaths, mergedPaths } = yield* judge(input, after, byContent, open);
  return { delta, contents, verdicts, takenPaths, mergedPaths };
}

function* deltaOf(
  input: MergeInput,
  after: ReadonlyMap<string, FileState | undefined>,
  cameFrom: ReadonlyMap<string, string>,
): Steps<Delta> {
  const due = workCounter();
  const entries: [string, PathChange][] = [];
  for (const [path, state] of after) {
    if (due()) yield;
    const origin = state && originOf(input, after, cameFrom, path);
    entries.push([
      path,
      { before: stateNow(input, path), after: state, ...(origin !== undefined && { origin }) },
    ]);
  }
  return yield* deltaInSteps(entries);
}

/** Where a file of the result comes from, as seen from what is there now. */
function originOf(
  input: MergeInput,
  after: ReadonlyMap<string, FileState | undefined>,
  cameFrom: ReadonlyMap<string, string>,
  path: string,
): Origin | undefined {
  const source = cameFrom.get(path);
  if (source !== undefined) return { kind: "moved", path: source };
  const told = input.incoming.changes.get(path)?.origin;
  if (told === undefined) return undefined;
  // What neither side touched is there.
  const isTouched = input.current.changes.has(told.path) || input.incoming.changes.has(told.path);
  const now = stateNow(input, told.path);
  if (isTouched && now === undefined) return undefined;
  const changes = after.has(told.path) && !equalStates(now, after.get(told.path));
  return changes ? told : { kind: "copied", path: told.path };
}

/** What is at a path of one of the deltas now. */
function stateNow({ current, incoming }: MergeInput, path: string): FileState | undefined {
  const changed = current.changes.get(path);
  return changed === undefined ? incoming.changes.get(path)?.before : changed.after;
}

function* judge(
  { current, incoming }: MergeInput,
  after: ReadonlyMap<string, FileState | undefined>,
  byContent: ReadonlySet<string>,
  open: ReadonlySet<string>,
): Steps<Pick<TreeMerge, "verdicts" | "takenPaths" | "mergedPaths">> {
  const due = workCounter();
  const verdicts = new Map<string, MergeVerdict>();
  const takenPaths: string[] = [];
  const mergedPaths: string[] = [];
  const paths = [...new Set([...current.changes.keys(), ...incoming.changes.keys()])];
  for (const path of yield* sortInSteps(paths, compareText)) {
    if (due(2)) yield;
    const mine = current.changes.get(path);
    const theirs = incoming.changes.get(path);
    const now = mine === undefined ? theirs?.before : mine.after;
    const brought = theirs === undefined ? mine?.before : theirs.after;
    // A path that no file ends at and none left stays as it is: it is absent on both sides.
    const result = after.has(path) ? after.get(path) : now;
    const verdict = open.has(path)
      ? "conflict"
      : byContent.has(path)
        ? "merged"
        : verdictOf(now, brought, result);
    verdicts.set(path, verdict);
    if (verdict === "incoming") takenPaths.push(path);
    if (verdict === "merged") mergedPaths.push(path);
  }
  return { verdicts, takenPaths, mergedPaths };
}

function verdictOf(
  now: FileState | undefined,
  brought: FileState | undefined,
  result: FileState | undefined,
): MergeVerdict {
  if (equalStates(now, brought) && equalStates(now, result)) return "same";
  if (equalStates(now, result)) return "current";
  return equalStates(brought, result) ? "incoming" : "merged";
}
