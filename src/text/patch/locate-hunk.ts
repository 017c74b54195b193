import type { Problem } from "../../base/holdfast-error.ts";
import type { Steps } from "../../base/steps.ts";
import type { TextDocument } from "../text-document.ts";
import { type AnchorLines, findAnchorLines, resolveAnchors } from "./anchor-lines.ts";
import { contextProblems, type Unplaced } from "./context-problems.ts";
import { findPattern } from "./find-patterns.ts";
import {
  fits,
  type HunkSearch,
  linesOf,
  openHunkSearch,
  type SoughtHunk,
  searchHunks,
  shiftOf,
  standsAt,
} from "./hunk-search.ts";
import type { IndentShift } from "./indent-shift.ts";
import type { ContextGrade } from "./line-grades.ts";
import { findNamedPlaces } from "./named-places.ts";
import type { PatchHunk } from "./patch-section.ts";

/** Where a hunk belongs in the file. */
export interface LocatedHunk {
  readonly sought: SoughtHunk;
  /** How loosely its lines were compared. */
  readonly grade: ContextGrade;
  /** Its first line, from 0. */
  readonly from: number;
  /** Whether its new lines are there already, so that nothing is to be done. */
  readonly isPresent: boolean;
  /** By how much its lines are indented otherwise. */
  readonly shift?: IndentShift | undefined;
}

/** Where all hunks belong, or what keeps some from being found. */
export type LocatedHunks =
  | {
      readonly located: readonly LocatedHunk[];
      /** The lines of the file without their ends, where those are mixed. */
      readonly lines: readonly string[];
      readonly problems?: undefined;
    }
  | { readonly problems: readonly Problem[] };

/** A hunk in its first possible place. */
interface Placed {
  readonly sought: SoughtHunk;
  readonly from: number;
  readonly to: number;
  /** The line of its last anchor, or its first line. */
  readonly anchor: number;
  /** Whether something besides its place among the others says that it belongs here. */
  readonly isFixed: boolean;
}

/**
 * Finds the place of each hunk of one file. The hunks go in the order of the file and never overlap; they are placed when, at the grade of each, that is possible in one way only. An anchor
 * puts a hunk at the first place after it; the line number of a header decides between places only when it names one of them exactly.
 */
export function* locateHunks(document: TextDocument, hunks: readonly PatchHunk[]): Steps<LocatedHunks> {
  const search = openHunkSearch(document, hunks);
  const places = yield* findNamedPlaces(search);
  if (places !== undefined) {
    const located = search.hunks.map((sought, at) =>
      describe(search, { sought, from: places[at] as number }),
    );
    return { lines: yield* linesOfMixed(search), located };
  }
  yield* searchHunks(search);
  const anchors = yield* findAnchorLines(search, hunks);
  const placed: Placed[] = [];
  const unplaced = new Map<SoughtHunk, Unplaced>();
  for (const sought of search.hunks) {
    const place = yield* placeFirst(search, anchors, sought, placed.at(-1));
    if ("why" in place) unplaced.set(sought, place);
    else placed.push({ sought, ...place });
    yield;
  }
  yield* findOtherPlaces(search, placed, unplaced);
  if (unplaced.size > 0) return { problems: yield* contextProblems(search, unplaced) };
  return { lines: yield* linesOfMixed(search), located: placed.map((place) => describe(search, place)) };
}

/** Only where line ends are mixed do the lines that go matter for those that come. */
function* linesOfMixed(search: HunkSearch): Steps<readonly string[]> {
  return search.document.lineEnding === "mixed" ? yield* linesOf(search) : [];
}

function describe(search: HunkSearch, { sought, from }: Pick<Placed, "sought" | "from">): LocatedHunk {
  const { grade = "exact", isPresent = false } = sought.found ?? {};
  return {
    sought,
    from,
    grade,
    isPresent,
    shift: grade === "indent" ? shiftOf(search, sought, from) : undefined,
  };
}

/** Puts a hunk at the first place that it can have after the one before it. */
function* placeFirst(
  search: HunkSearch,
  anchors: AnchorLines,
  sought: SoughtHunk,
  previous: Placed | undefined,
): Steps<Omit<Placed, "sought"> | Unplaced> {
  const { hunk, found, before } = sought;
  const least = previous?.to ?? 0;
  const end = search.lineCount;
  const anchored = resolveAnchors(anchors, hunk, previous?.anchor ?? 0);
  if (anchored !== undefined && "why" in anchored) return anchored;
  if (before.length === 0 && found === undefined) {
    const from = anchored !== undefined ? anchored.line + 1 : hunk.atEnd || end === 0 ? end : -1;
    if (from < 0) return { why: "nowhere" };
    return from < least
      ? { why: "order" }
      : { from, to: from, anchor: anchored?.line ?? from, isFixed: true };
  }
  if (found === undefined) return { why: "missing" };
  const { ids, fileIds, count, first, grade } = found;
  const place = (from: number, isFixed: boolean) => ({
    from,
    to: from + ids.length,
    anchor: anchored?.line ?? from,
    isFixed,
  });
  const lowest = Math.max(least, anchored?.line ?? 0);
  if (count === 1) return first < lowest ? { why: "order" } : place(first, true);
  const named = (hunk.oldStart ?? 0) - 1;
  if (anchored === undefined && named >= lowest && standsAt(search, sought, found, named))
    return place(named, true);
  const range = { from: lowest, to: end, order: "first" } as const;
  const from = yield* findPattern(fileIds, ids, range, (start) => fits(search, sought, grade, start));
  return from < 0 ? { why: "order" } : place(from, anchored !== undefined);
}

/** Finds hunks that could also be further down, with all hunks after them in their last possible places. */
function* findOtherPlaces(
  search: HunkSearch,
  placed: readonly Placed[],
  unplaced: Map<SoughtHunk, Unplaced>,
): Steps<void> {
  let to = search.lineCount;
  for (const { sought, from, isFixed } of placed.toReversed()) {
    const { found } = sought;
    if (isFixed || found === undefined) {
      to = from;
      continue;
    }
    const { ids, fileIds, count, grade } = found;
    const accept = (start: number) => fits(search, sought, grade, start);
    const last = yield* findPattern(fileIds, ids, { from, to, order: "last" }, accept);
    if (last > from) {
      const lines = unplaced.size < mostListed ? yield* firstLines(search, sought) : [from + 1, last + 1];
      unplaced.set(sought, { why: "ambiguous", count, lines });
    }
    to = Math.max(from, last);
    yield;
  }
}

const mostLines = 8;
const mostListed = 8;

/** The first lines, from 1, at which a hunk could begin. */
function* firstLines(search: HunkSearch, sought: SoughtHunk): Steps<readonly number[]> {
  const { found } = sought;
  const starts: number[] = [];
  if (found === undefined) return starts;
  const { ids, fileIds, grade } = found;
  const accept = (start: number) => fits(search, sought, grade, start);
  for (let from = 0; starts.length < mostLines; ) {
    const start = yield* findPattern(fileIds, ids, { from, to: fileIds.length, order: "first" }, accept);
    if (start < 0) break;
    starts.push(start + 1);
    from = start + 1;
  }
  return starts;
}
