import { concatBytes, utf8 } from "../base/bytes.ts";
import type { Steps } from "../base/steps.ts";
import { openTextSearch, type TextSearch } from "./search-text.ts";

/** Small differences that a way of writing hides. */
export type Difference = "whitespace" | "lineEnding" | "lookalike";

/** Writes text in a way that hides differences. */
export type Fold = (text: string) => string;

/** Lines written in one of the ways that hide differences. */
export interface FoldedFile {
  /** Looks for texts in them. */
  readonly search: TextSearch;
  /** For each line where it begins in the searched bytes. */
  readonly starts: readonly number[];
}

const linesPerStep = 512;
const charactersPerStep = 16 * 1024;
const mostFoldedBytes = 8 * 1024 * 1024;

/** Ways of writing that hide small differences, the mildest first. */
export const folds: readonly (readonly [Difference, Fold])[] = [
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

/** Folds lines, very long ones in pieces; stops once the result has 8 MiB. */
export function* foldLines(lines: readonly string[], fold: Fold): Steps<FoldedFile> {
  const starts: number[] = [];
  const encoded: Uint8Array[] = [];
  let pending = "";
  let length = 0;
  let sinceYield = 0;
  for (const [index, line] of lines.entries()) {
    if (length > mostFoldedBytes) break;
    starts.push(length);
    for (let at = 0; at < line.length; ) {
      const end = pieceEnd(line, at);
      const folded = fold(line.slice(at, end));
      pending += folded;
      length += utf8(folded).byteLength;
      sinceYield += end - at;
      at = end;
      if (sinceYield < charactersPerStep) continue;
      encoded.push(utf8(pending));
      pending = "";
      sinceYield = 0;
      yield;
    }
    if (index % linesPerStep === linesPerStep - 1) yield;
  }
  encoded.push(utf8(pending));
  return { search: openTextSearch(concatBytes(encoded), 0), starts };
}

/** Ends a piece of a line where no surrogate pair and no CRLF is cut. */
function pieceEnd(line: string, start: number): number {
  const end = start + charactersPerStep;
  if (end >= line.length) return line.length;
  const cutsPair = (line.charCodeAt(end) & 0xfc00) === 0xdc00;
  return cutsPair || line.startsWith("\r\n", end - 1) ? end + 1 : end;
}

/** Gives the line, from 0, that holds the byte at an offset of folded lines. */
export function lineOfFolded(file: FoldedFile, offset: number): number {
  const { starts } = file;
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] as number) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}
