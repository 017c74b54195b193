import type { Steps } from "../base/steps.ts";
import type { EditSplice } from "./edit-splice.ts";
import type { TextDocument } from "./text-document.ts";

const lineFeed = 10;

const splicesPerStep = 4096;

/**
 * Widens text splices that take away a line end without leaving one: the line after then becomes part of the same line, so they touch it too.
 *
 * @param splices - In the order of the file, each with the lines that it has bytes in.
 */
export function* joinLines(document: TextDocument, splices: readonly EditSplice[]): Steps<EditSplice[]> {
  const joined: EditSplice[] = [];
  let previous: EditSplice | undefined;
  let previousEndsLine = true;
  for (const splice of splices) {
    if (joined.length % splicesPerStep === splicesPerStep - 1) yield;
    if (!splice.wholeLines) {
      const startsLine = document.lineStarts[splice.fromLine] === splice.start;
      const beforeEndsLine: boolean = previous?.end === splice.start ? previousEndsLine : startsLine;
      previousEndsLine = splice.bytes.byteLength > 0 ? splice.bytes.at(-1) === lineFeed : beforeEndsLine;
      previous = splice;
    }
    const joins = !splice.wholeLines && !previousEndsLine && document.bytes[splice.end - 1] === lineFeed;
    joined.push(joins ? { ...splice, toLine: Math.min(splice.toLine + 1, document.lineCount) } : splice);
  }
  return joined;
}
