import { utf8 } from "../../base/bytes.ts";
import type { Steps } from "../../base/steps.ts";
import { workCounter } from "../../base/work-counter.ts";
import { decodeText } from "../decode-text.ts";
import { hasFinalNewline, type TextDocument } from "../text-document.ts";
import { exactLineIds } from "./exact-line-ids.ts";
import { findPatterns, type LineIds, type LinePattern } from "./find-patterns.ts";
import { type IndentShift, shiftBetween } from "./indent-shift.ts";
import { type ContextGrade, grades, type LineFold } from "./line-grades.ts";
import { type PatchHunk, sideOf } from "./patch-section.ts";

/** A hunk that is looked for, and what has been found out about it. */
export interface SoughtHunk {
  /** Its index in the file's part of the patch, from 0. */
  readonly index: number;
  readonly hunk: PatchHunk;
  /** Its old lines, as the file would have them. */
  readonly before: readonly string[];
  /** Its new lines. */
  readonly after: readonly string[];
  /** Whether its first old line is written with the byte order mark of the file. */
  readonly takesBom: boolean;
  /** Whether it reaches to the end of the file. */
  readonly isLast: boolean;
  /** The grade at which its old lines were found; `present`: its new lines were. */
  found?: FoundHunk | undefined;
}

/** Where the lines of a hunk are. */
export interface FoundHunk {
  readonly grade: ContextGrade;
  /** Whether the new lines were found, and not the old ones. */
  readonly isPresent: boolean;
  /** The lines that were found, and the file, in numbers. */
  readonly ids: LineIds;
  readonly fileIds: LineIds;
  /** How many places there are. */
  readonly count: number;
  /** The first of them, from 0. */
  readonly first: number;
}

/** A file and the hunks that are looked for in it. */
export interface HunkSearch {
  readonly document: TextDocument;
  /** How many lines the file has. */
  readonly lineCount: number;
  /** They without their ends; decoded when they are first needed. */
  lines?: readonly string[];
  readonly hunks: readonly SoughtHunk[];
  /** Lines that may still be compared to find out by how much they are indented. */
  indentBudget: number;
}

const byteOrderMark = "\ufeff";
const leastIndentBudget = 1_000_000;

/** Takes a file and hunks that are to be looked for in it. */
export function openHunkSearch(document: TextDocument, hunks: readonly PatchHunk[]): HunkSearch {
  return {
    document,
    lineCount: document.lineCount,
    hunks: hunks.map((hunk, index) => soughtHunk(document, hunk, index)),
    indentBudget: leastIndentBudget + 64 * document.lineCount,
  };
}

/** Looks for every hunk in the whole file, grade by grade; hunks whose new lines are there already are found before looser grades are tried. */
export function* searchHunks(search: HunkSearch): Steps<void> {
  for (const [grade, fold] of grades) {
    const missing = search.hunks.filter(
      ({ found, before, after }) =>
        found === undefined && before.length > 0 && (grade === "exact" || !sameFolded(before, after, fold)),
    );
    yield* findSides(search, missing, { grade, fold, isPresent: false });
    if (grade !== "exact") continue;
    const evident = search.hunks.filter((sought) => sought.found === undefined && isStrongEvidence(sought));
    yield* findSides(search, evident, { grade, fold, isPresent: true });
  }
}

/** The lines of the file without their ends. */
export function* linesOf(search: HunkSearch): Steps<readonly string[]> {
  search.lines ??= yield* decodedLines(search.document);
  return search.lines;
}

function* decodedLines(document: TextDocument): Steps<readonly string[]> {
  const due = workCounter();
  const { text = "" } = yield* decodeText(document, document.encoding === "utf-8" ? "utf-8" : "latin1");
  const lines: string[] = [];
  for (let start = 0; start < text.length; ) {
    const found = text.indexOf("\n", start);
    const end = found < 0 ? text.length : found;
    const endsInCr = found > start && text.charCodeAt(found - 1) === 13;
    lines.push(text.slice(start, endsInCr ? end - 1 : end));
    start = end + 1;
    if (due()) yield;
  }
  return lines;
}

function soughtHunk(document: TextDocument, hunk: PatchHunk, index: number): SoughtHunk {
  const spell = (text: string) => (document.encoding === "utf-8" ? text : asBytes(text));
  const before = sideOf(hunk, "-").map(({ text }) => spell(text));
  const takesBom = document.bomLength > 0 && before[0]?.startsWith(byteOrderMark) === true;
  if (takesBom) before[0] = (before[0] as string).slice(1);
  const isLast = hunk.atEnd || hunk.oldOpen || hunk.newOpen;
  const after = sideOf(hunk, "+").map(({ text }) => spell(text));
  return { index, hunk, before, after, takesBom, isLast };
}

/** The UTF-8 bytes of a text, one character each: how the text would look in a file that is read so. */
function asBytes(text: string): string {
  if (/^\p{ASCII}*$/u.test(text)) return text;
  return Array.from(utf8(text), (byte) => String.fromCharCode(byte)).join("");
}

/** Whether all that a hunk changes is what a grade does not look at. */
function sameFolded(before: readonly string[], after: readonly string[], fold: LineFold): boolean {
  return (
    before.length === after.length && before.every((line, at) => fold(line) === fold(after[at] as string))
  );
}

/** Whether new lines that are there say for sure that the hunk has been applied: two lines or more with some letters or digits, one of them added. */
function isStrongEvidence({ hunk, after }: SoughtHunk): boolean {
  const isTelling = (text: string) => (text.match(/[\p{L}\p{N}]/gu) ?? []).length >= 4;
  return (
    hunk.lines.some(({ kind, text }) => kind === "+" && isTelling(text)) &&
    after.filter(isTelling).length >= 2
  );
}

interface Tally extends LinePattern {
  /** The same for tallies with the same lines. */
  readonly lines: string;
  readonly hunks: SoughtHunk[];
  count: number;
  first: number;
}

function* findSides(
  search: HunkSearch,
  wanted: readonly SoughtHunk[],
  how: { readonly grade: ContextGrade; readonly fold: LineFold; readonly isPresent: boolean },
): Steps<void> {
  if (wanted.length === 0) return;
  const { grade, fold, isPresent } = how;
  const due = workCounter();
  const numbers = new Map<string, number>();
  const tallies = new Map<string, Tally>();
  for (const sought of wanted) {
    const side = isPresent ? sought.after : sought.before;
    const ids = new Int32Array(side.length);
    for (const [at, line] of side.entries()) {
      const folded = fold(line);
      const number = numbers.get(folded) ?? numbers.size + 1;
      numbers.set(folded, number);
      ids[at] = number;
      if (due()) yield;
    }
    // Where a hunk may be depends on more than its folded lines when its indentation counts, or its place does.
    const alone = grade === "indent" || sought.isLast || sought.takesBom;
    const lines = ids.join();
    const key = alone ? `${sought.index}:${lines}` : lines;
    const tally = tallies.get(key) ?? { ids, lines, hunks: [], count: 0, first: -1 };
    tally.hunks.push(sought);
    tallies.set(key, tally);
  }
  const exact = grade === "exact" ? yield* exactLineIds(search.document, [...numbers.keys()]) : undefined;
  const fileIds = exact ?? (yield* foldedLineIds(yield* linesOf(search), numbers, fold));
  yield* tallyPlaces(search, tallies, fileIds, how);
  for (const { ids, hunks, count, first } of tallies.values())
    if (isPresent ? count === 1 : count > 0)
      for (const sought of hunks) sought.found = { grade, isPresent, ids, fileIds, count, first };
}

function* foldedLineIds(
  lines: readonly string[],
  numbers: ReadonlyMap<string, number>,
  fold: LineFold,
): Steps<LineIds> {
  const due = workCounter();
  const ids = new Int32Array(lines.length);
  for (const [at, line] of lines.entries()) {
    ids[at] = numbers.get(fold(line)) ?? 0;
    if (due()) yield;
  }
  return ids;
}

function* tallyPlaces(
  search: HunkSearch,
  tallies: ReadonlyMap<string, Tally>,
  fileIds: LineIds,
  { grade, isPresent }: { readonly grade: ContextGrade; readonly isPresent: boolean },
): Steps<void> {
  const groups = new Map<string, LinePattern & { readonly tallies: Tally[] }>();
  for (const tally of tallies.values()) {
    const [sought] = tally.hunks as [SoughtHunk];
    const pinned = pinnedStart(search, sought, tally.ids.length, isPresent);
    if (pinned === undefined) {
      const group = groups.get(tally.lines) ?? { ids: tally.ids, tallies: [] };
      group.tallies.push(tally);
      groups.set(tally.lines, group);
    } else if (standsAt(search, sought, { grade, ids: tally.ids, fileIds }, pinned)) note(tally, pinned);
  }
  if (groups.size === 0) return;
  yield* findPatterns(fileIds, [...groups.values()], (group, start) => {
    for (const tally of group.tallies)
      if (fits(search, tally.hunks[0] as SoughtHunk, grade, start)) note(tally, start);
  });
}

function note(tally: Tally, start: number): void {
  if (tally.count++ === 0) tally.first = start;
}

/** The only line, from 0, at which a hunk can begin; -1 when there is none, `undefined` when it is not tied to one. */
function pinnedStart(
  search: HunkSearch,
  { hunk, isLast, takesBom }: SoughtHunk,
  length: number,
  isPresent: boolean,
): number | undefined {
  const isOpen = isPresent ? hunk.newOpen : hunk.oldOpen;
  const isClosed = isPresent && hunk.oldOpen && !isOpen;
  if (hasFinalNewline(search.document) ? isOpen : isClosed) return -1;
  const atEnd = search.lineCount - length;
  if (takesBom) return isLast && atEnd !== 0 ? -1 : 0;
  return isLast ? atEnd : undefined;
}

/** Whether the lines of a hunk stand at a line, from 0. */
export function standsAt(
  search: HunkSearch,
  sought: SoughtHunk,
  { grade, ids, fileIds }: Pick<FoundHunk, "grade" | "ids" | "fileIds">,
  start: number,
): boolean {
  if (start < 0 || start + ids.length > fileIds.length) return false;
  return ids.every((id, at) => fileIds[start + at] === id) && fits(search, sought, grade, start);
}

/** Whether a place whose lines are those of the hunk is one for it: when lines are compared without indentation, all must be shifted alike. */
export function fits(search: HunkSearch, sought: SoughtHunk, grade: ContextGrade, start: number): boolean {
  return grade !== "indent" || shiftOf(search, sought, start) !== undefined;
}

/** By how much the lines of the file are indented differently from a hunk that stands there. */
export function shiftOf(
  search: HunkSearch,
  { before, hunk }: SoughtHunk,
  start: number,
): IndentShift | undefined {
  if (search.indentBudget <= 0) return undefined;
  const added = hunk.lines.filter(({ kind }) => kind === "+");
  search.indentBudget -= 1 + hunk.lines.length;
  return shiftBetween(before, added, (at) => {
    search.indentBudget--;
    return search.lines?.[start + at] ?? "";
  });
}
