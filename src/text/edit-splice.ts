import type { Problem } from "../base/holdfast-error.ts";
import type { MatchBudget } from "./keep-terminators.ts";
import type { NearestSearch } from "./nearest-text.ts";
import type { TextSearch } from "./search-text.ts";
import { type LineTerminator, type TextDocument, terminatorOf } from "./text-document.ts";

/** A byte range of the file and what stands there afterwards. */
export interface EditSplice {
  /** Which edit wants it, from 0. */
  readonly editIndex: number;
  /** Offset of the first byte that goes. */
  readonly start: number;
  /** Offset after the last byte that goes. */
  readonly end: number;
  /** The bytes that come. */
  readonly bytes: Uint8Array;
  /** Whether whole lines go and come: then every new line has a terminator here, also at the end of the file. */
  readonly wholeLines: boolean;
  /** Lines before the first one that it touches. */
  readonly fromLine: number;
  /** Lines up to the last one that it touches; `fromLine` for an insertion between two lines. */
  readonly toLine: number;
}

/** What one edit comes to. */
export interface ResolvedEdit {
  /** What it does to the bytes; empty when it has problems. */
  readonly splices: readonly EditSplice[];
  /** What is wrong with it. */
  readonly problems: readonly Problem[];
}

/** What resolving an edit needs besides the edit. */
export interface EditContext {
  /** The file as it was read. */
  readonly document: TextDocument;
  /** Whether text stands for one byte a character. */
  readonly encoding: "utf-8" | "latin1";
  /** Whether new text must be ASCII, because nobody said in which encoding the file is. */
  readonly asciiOnly: boolean;
  /** Work left for finding lines that stay. */
  readonly budget: MatchBudget;
  /** Looks for texts. */
  readonly search: TextSearch;
  /** Looks for what is near to a text that is not there. */
  readonly nearest: NearestSearch;
}

/** Gives the terminator that new lines between two lines of the file have when they replace none: that of the line before (when that is a last line without one: of the line before it), else of the line after, else the file's main one, else LF. */
export function neighbourTerminator(
  document: TextDocument,
  fromLine: number,
  toLine: number,
): LineTerminator {
  const at = (line: number) =>
    line >= 1 && line <= document.lineCount ? terminatorOf(document, line) : undefined;
  const beforeLast = fromLine === document.lineCount ? at(fromLine - 1) : undefined;
  return at(fromLine) ?? beforeLast ?? at(toLine + 1) ?? document.mainTerminator ?? "\n";
}
