import { utf8 } from "../base/bytes.ts";
import type { Steps } from "../base/steps.ts";
import { decodeLines } from "./decode-text.ts";
import { findText, splitAtLineEnds } from "./find-text.ts";
import { lineAt, lineStart, type TextDocument } from "./text-document.ts";

/** The place of a file that comes nearest to a text, and in what it differs. */
export interface NearestText {
  /** Line where it begins, from 1. */
  readonly startLine: number;
  /** What stands there, cut at 200 characters. */
  readonly text: string;
  /** In what it differs from the text that was sought. */
  readonly differs: "whitespace" | "lineEnding" | "lookalike" | "text";
}

type Difference = NearestText["differs"];

const mostLooks = 8;
const mostBytes = 2 * 1024 * 1024;
const mostTextCharacters = 200;
const linesPerStep = 1024;
const leastLikeness = 0.5;

/** Ways of writing that hide small differences, the mildest first. */
const folds: readonly (readonly [Difference, (text: string) => string])[] = [
  ["lineEnding", (text) => text.replace(/\r\n?|[\u0085\u2028\u2029]/g, "\n")],
  ["whitespace", (text) => text.replace(/[\s\u0085\u200b]+/g, "")],
  ["lookalike", (text) => foldLookalikes(text).replace(/[\s\u200b]+/g, "")],
];

function foldLookalikes(text: string): string {
  return text
    .normalize("NFKC")
    .replace(/[\u2018-\u201b\u2032\u00b4\u0060\u02bc]/g, "'")
    .replace(/[\u201c-\u201f\u2033\u00ab\u00bb]/g, '"')
    .replace(/[\u2010-\u2015\u2212\u00ad]/g, "-");
}

/** A file written in one of the ways that hide differences. */
interface FoldedFile {
  readonly bytes: Uint8Array;
  /** For each line where it begins in those bytes. */
  readonly starts: readonly number[];
}

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
 * Finds the place that comes nearest to a text that is not in the file. The work is bounded: only the first few texts of one search are looked for, and only in the first 2 MiB.
 *
 * @returns The place; `undefined` when nothing is near or the work is used up.
 */
export function* findNearest(search: NearestSearch, oldText: string): Steps<NearestText | undefined> {
  if (search.looksLeft === 0) return undefined;
  search.looksLeft--;
  const lines = search.lines ?? (yield* firstLines(search.document));
  search.lines = lines;
  for (const [differs, fold] of folds) {
    const sought = utf8(fold(oldText));
    if (sought.byteLength === 0) continue;
    const file = search.folded.get(differs) ?? (yield* foldFile(lines, fold));
    search.folded.set(differs, file);
    const [start] = (yield* findText(file.bytes, 0, sought)).firstStarts;
    if (start === undefined) continue;
    const line = lastAtOrBefore(file.starts, start);
    return { startLine: line + 1, text: excerpt(lines, line, oldText), differs };
  }
  return yield* mostAlike(lines, oldText);
}

function* firstLines(document: TextDocument): Steps<string[]> {
  const { lineCount, bomLength } = document;
  const all = lineStart(document, lineCount + 1) <= mostBytes;
  const endLine = all ? lineCount : Math.max(1, lineAt(document, bomLength + mostBytes) - 1);
  const encoding = document.encoding === "utf-8" ? "utf-8" : "latin1";
  const decoded = yield* decodeLines(document, { startLine: 1, endLine, encoding, maxBytes: mostBytes });
  return (decoded.text ?? "")
    .split("\n")
    .map((line, index, { length }) => (index < length - 1 ? `${line}\n` : line));
}

function* foldFile(lines: readonly string[], fold: (text: string) => string): Steps<FoldedFile> {
  const starts: number[] = [];
  const parts: string[] = [];
  let length = 0;
  for (const [index, line] of lines.entries()) {
    const part = fold(line);
    starts.push(length);
    parts.push(part);
    length += utf8(part).byteLength;
    if (index % linesPerStep === 0) yield;
  }
  return { bytes: utf8(parts.join("")), starts };
}

function lastAtOrBefore(starts: readonly number[], offset: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] as number) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
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
