import type { Steps } from "../base/steps.ts";
import { workCounter } from "../base/work-counter.ts";
import type { ConflictKind } from "./conflict.ts";
import type { Delta } from "./delta.ts";
import { type Claim, CollisionFinder, currentBit, incomingBit, type SideMask } from "./find-collisions.ts";
import type { MergeContext } from "./merge-content.ts";
import { type FileMerge, mergeFile } from "./merge-file.ts";
import { compareText } from "./path-parts.ts";
import { sortInSteps } from "./sort-in-steps.ts";
import { isContested, type Place, type TrackedFile, trackFiles, uncontestedPlace } from "./track-files.ts";

/** A file with what became of it. */
export interface AnalysedFile {
  readonly file: TrackedFile;
  readonly merge: FileMerge;
}

/** Files that are in conflict together. */
export interface ConflictGroup {
  /** Names the conflict. */
  readonly name: string;
  readonly kind: ConflictKind;
  /** One, or all that cannot stay where the others are, sorted by name. */
  readonly members: readonly AnalysedFile[];
}

/** Everything that is known of a merge before it is told. */
export interface MergeAnalysis {
  /** Files that the sides go together on. */
  readonly settled: readonly AnalysedFile[];
  /** What they do not go together on, sorted by name. */
  readonly groups: readonly ConflictGroup[];
}

/** Merges file by file, and finds which of the results cannot stand beside each other. */
export function* analyseMerge(context: MergeContext): Steps<MergeAnalysis> {
  const due = workCounter();
  const analysed: AnalysedFile[] = [];
  for (const file of yield* trackFiles(context.input.current, context.input.incoming)) {
    analysed.push({ file, merge: yield* mergeFile(context, file) });
    if (due(4)) yield;
  }
  const finder = yield* findCollisions(
    analysed.map(({ file }) => file),
    (index) => {
      const { file, merge } = analysed[index] as AnalysedFile;
      return merge.kind === undefined ? claimsOf(file, merge.place) : sideClaims(file);
    },
  );
  const settled: AnalysedFile[] = [];
  const groups: ConflictGroup[] = [];
  const together = new Map<number, AnalysedFile[]>();
  for (const [index, one] of analysed.entries()) {
    if (due()) yield;
    const group = finder.groupOf(index);
    if (group !== undefined) {
      const members = together.get(group.root);
      if (members !== undefined) members.push(one);
      else {
        const first = [one];
        together.set(group.root, first);
        groups.push({ name: "", kind: group.kind, members: first });
      }
    } else if (one.merge.kind === undefined) settled.push(one);
    else groups.push({ name: one.file.name, kind: one.merge.kind, members: [one] });
  }
  const named = groups.map((group) =>
    group.name === "" ? { ...group, name: nameOf(group.members) } : group,
  );
  return { settled, groups: yield* sortInSteps(named, (a, b) => compareText(a.name, b.name)) };
}

function* findCollisions(
  files: readonly TrackedFile[],
  claimsAt: (index: number) => readonly Claim[],
): Steps<CollisionFinder> {
  const due = workCounter();
  const finder = new CollisionFinder((index) => sideClaims(files[index] as TrackedFile));
  for (const index of files.keys()) {
    if (due()) yield;
    yield* finder.add(index, claimsAt(index));
  }
  return finder;
}

/** Lists the files that are in conflict, or may be once their contents are looked at. */
export function* possiblyInConflict(current: Delta, incoming: Delta): Steps<readonly TrackedFile[]> {
  const files = yield* trackFiles(current, incoming);
  const claimsAt = (index: number) => {
    const file = files[index] as TrackedFile;
    return isContested(file) ? sideClaims(file) : claimsOf(file, uncontestedPlace(file));
  };
  const finder = yield* findCollisions(files, claimsAt);
  return files.filter((file, index) => isContested(file) || finder.groupOf(index) !== undefined);
}

/** The first of the paths that the files may come to: of a file and what is below it, the file. */
function nameOf(members: readonly AnalysedFile[]): string {
  let first: string | undefined;
  for (const { file, merge } of members) {
    const places = merge.kind === undefined ? [merge.place] : [file.current, file.incoming];
    for (const place of places)
      if (place !== undefined && !(first !== undefined && first <= place.path)) first = place.path;
  }
  return first ?? "";
}

/** The path that a file ends at, with the sides that have it there; nothing when both do, for what both trees have collides with nothing. */
function claimsOf(file: TrackedFile, place: Place | undefined): readonly Claim[] {
  if (place === undefined) return [];
  const claim = { path: place.path, sides: sidesAt(file, place.path) };
  return claim.sides === 3 ? [] : [claim];
}

function sideClaims({ current, incoming }: TrackedFile): readonly Claim[] {
  if (current?.path === incoming?.path) return [];
  return [
    ...(current === undefined ? [] : [{ path: current.path, sides: currentBit } as const]),
    ...(incoming === undefined ? [] : [{ path: incoming.path, sides: incomingBit } as const]),
  ];
}

/** Tells which sides have a file at a path. */
export function sidesAt({ current, incoming }: TrackedFile, path: string): SideMask {
  const mask = (current?.path === path ? currentBit : 0) | (incoming?.path === path ? incomingBit : 0);
  return mask as SideMask;
}
