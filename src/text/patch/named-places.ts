import { equalBytes, utf8 } from "../../base/bytes.ts";
import type { Steps } from "../../base/steps.ts";
import { workCounter } from "../../base/work-counter.ts";
import { lineContentEnd, lineStart, type TextDocument } from "../text-document.ts";
import type { HunkSearch, SoughtHunk } from "./hunk-search.ts";

/**
 * Gives the first line of each hunk, from 0, when all stand exactly where their headers say, one behind the other. Each is placed there however many
 * other places it could have, so that nothing needs to be searched; `undefined` when one does not stand there, or when something else places it.
 */
export function* findNamedPlaces({ document, hunks }: HunkSearch): Steps<readonly number[] | undefined> {
  if (document.encoding !== "utf-8") return undefined;
  const due = workCounter();
  const places: number[] = [];
  let least = 0;
  for (const sought of hunks) {
    const { hunk, before } = sought;
    const from = (hunk.oldStart ?? 0) - 1;
    const end = from + before.length;
    if (isPlacedOtherwise(sought) || from < least || end > document.lineCount) return undefined;
    for (const [at, text] of before.entries()) {
      if (!isText(document, from + at + 1, text)) return undefined;
      if (due(1 + (text.length >> 9))) yield;
    }
    places.push(from);
    least = end;
  }
  return places;
}

function isPlacedOtherwise({ hunk, before, isLast, takesBom }: SoughtHunk): boolean {
  return before.length === 0 || hunk.anchors.length > 0 || isLast || takesBom;
}

/** Whether a line, from 1, is a text; may be denied of texts that are not well-formed. */
function isText(document: TextDocument, line: number, text: string): boolean {
  const { bytes } = document;
  const start = lineStart(document, line);
  const end = lineContentEnd(document, line);
  if (text.length > end - start) return false;
  let same = 0;
  while (same < text.length && text.charCodeAt(same) < 0x80 && text.charCodeAt(same) === bytes[start + same])
    same++;
  if (same === text.length) return same === end - start;
  if (text.charCodeAt(same) < 0x80 || /\p{Surrogate}/u.test(text)) return false;
  return equalBytes(bytes.subarray(start, end), utf8(text));
}
