import { utf8 } from "../base/bytes.ts";
import type { Steps } from "../base/steps.ts";
import { decodeLines } from "./decode-text.ts";
import { splitAtLineEnds } from "./find-text.ts";
import { type Difference, type FoldedFile, foldLines, folds, lineOfFolded } from "./fold-lines.ts";
import { searchText } from "./search-text.ts";
import { lineAt, lineStart, type TextDocument } from "./text-document.ts";

/** The place of a file that comes nearest to a text, and in what it differs. */
export interface NearestText {
  /** Line where it begins, from 1. */
  readonly startLine: number;
  /** What stands there, cut at 200 characters. */
  readonly text: string;
  /** In what it differs from the text that was sought. */
  readonly differs: Difference | "text";
}

/** What messages say about a place that comes nearest. */
export const differenceHints: Readonly<Record<NearestText["differs"], string>> = {
  whitespace: "where only white space differs",
  lineEnding: "where only line ends differ",
  lookalike: "where only quotes, dashes or other look-alike characters differ",
  text: "where the text differs",
};

const mostLooks = 8;
const mostBytes = 2 * 1024 * 1024;
const mostLines = 128 * 1024;
const mostSoughtCharacters = 64 * 1024;
const mostTextCharacters = 200;
const linesPerStep = 1024;
const leastLikeness = 0.5;

/** What looking for near texts in one file has found out so far, so that it is found out once. */
export interface NearestSearch {
  /** The file. */
  readonly document: TextDocument;
  /** Texts that may still be looked for. */
  looksLeft: number;
  /** The lines that are looked at, once they are needed. */
  lines: readonly string[] | undefined;
  /** The file in the ways that hide differences. */
  readonly folded: Map<Difference, FoldedFile>;
}

/** Begins looking for near texts in a file. */
export function openNearestSearch(document: TextDocument): NearestSearch {
  return { document, looksLeft: mostLooks, lines: undefined, folded: new Map() };
}

/**
 * Finds the place that comes nearest to a text that is not in the file. The work is bounded: only the first few texts of one search are looked for, only in the first 2 MiB and 131072 lines, and texts of more than 65536 characters only by their longest line.
 *
 * @returns The place; `undefined` when nothing is near or the work is used up.
 */
export function* findNearest(search: NearestSearch, oldText: string): Steps<NearestText | undefined> {
  if (search.looksLeft === 0) return undefined;
  search.looksLeft--;
  const lines = search.lines ?? (yield* firstLines(search.document));
  search.lines = lines;
  if (oldText.length > mostSoughtCharacters)
    return yield* mostAlike(lines, oldText.slice(0, mostSoughtCharacters));
  for (const [differs, fold] of folds) {
    const sought = utf8(fold(oldText));
    yield;
    if (sought.byteLength === 0) continue;
    const file = search.folded.get(differs) ?? (yield* foldLines(lines, fold));
    search.folded.set(differs, file);
    const [start] = (yield* searchText(file.search, sought)).firstStarts;
    if (start === undefined) continue;
    const line = lineOfFolded(file, start);
    return { startLine: line + 1, text: excerpt(lines, line, oldText), differs };
  }
  return yield* mostAlike(lines, oldText);
}

function* firstLines(document: TextDocument): Steps<string[]> {
  const { lineCount, bomLength } = document;
  const all = lineStart(document, lineCount + 1) <= mostBytes;
  const within = all ? lineCount : Math.max(1, lineAt(document, bomLength + mostBytes) - 1);
  const endLine = Math.min(within, mostLines);
  const encoding = document.encoding === "utf-8" ? "utf-8" : "latin1";
  const decoded = yield* decodeLines(document, { startLine: 1, endLine, encoding, maxBytes: mostBytes });
  const text = decoded.text ?? "";
  const lines: string[] = [];
  for (let start = 0; start <= text.length; ) {
    const lineFeed = text.indexOf("\n", start);
    const end = lineFeed < 0 ? text.length + 1 : lineFeed + 1;
    lines.push(text.slice(start, end));
    start = end;
    if (lines.length % linesPerStep === 0) yield;
  }
  return lines;
}

/** Finds the line that is most like the longest line of the text, by what they share at both ends. */
function* mostAlike(lines: readonly string[], oldText: string): Steps<NearestText | undefined> {
  const soughtLines = splitAtLineEnds(oldText).map((line) => line.trim().slice(0, mostTextCharacters));
  const longest = soughtLines.reduce((best, line) => (line.length > best.length ? line : best));
  let best = { line: -1, likeness: leastLikeness };
  for (const [line, text] of lines.entries()) {
    const likeness = likenessOf(
      longest,
      text
        .slice(0, 4 * mostTextCharacters)
        .trim()
        .slice(0, mostTextCharacters),
    );
    if (likeness > best.likeness) best = { line, likeness };
    if (line % linesPerStep === 0) yield;
  }
  if (best.line < 0) return undefined;
  const line = Math.max(0, best.line - soughtLines.indexOf(longest));
  return { startLine: line + 1, text: excerpt(lines, line, oldText), differs: "text" };
}

/** Measures how much two lines share at both ends, 0 to 1. */
function likenessOf(a: string, b: string): number {
  const shorter = Math.min(a.length, b.length);
  let head = 0;
  while (head < shorter && a[head] === b[head]) head++;
  let tail = 0;
  while (tail < shorter - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++;
  return (head + tail) / Math.max(1, a.length, b.length);
}

/** Gives as many lines as the text has, without the last terminator, cut at the end of a character. */
function excerpt(lines: readonly string[], line: number, oldText: string): string {
  const count = splitAtLineEnds(oldText.replace(/\r?\n$/, "")).length;
  let text = "";
  for (
    let index = line;
    index < Math.min(line + count, lines.length) && text.length <= mostTextCharacters;
    index++
  )
    text += (lines[index] as string).slice(0, mostTextCharacters + 1);
  const cut = text.slice(0, mostTextCharacters).replace(/[\ud800-\udbff]$/, "");
  return text.length > mostTextCharacters ? cut : text.replace(/\r?\n$/, "");
}
