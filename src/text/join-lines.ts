import type { EditSplice } from "./edit-splice.ts";
import type { TextDocument } from "./text-document.ts";

const lineFeed = 10;

/**
 * Widens text splices that take away a line end without leaving one: the line after then becomes part of the same line, so they touch it too.
 *
 * @param splices - Sorted, with the lines that each has bytes in.
 */
export function joinLines(document: TextDocument, splices: readonly EditSplice[]): EditSplice[] {
  let previous: EditSplice | undefined;
  let previousEndsLine = true;
  return splices.map((splice) => {
    if (splice.wholeLines) return splice;
    const continues = previous?.end === splice.start;
    const beforeEndsLine = continues
      ? previousEndsLine
      : document.lineStarts[splice.fromLine] === splice.start;
    previousEndsLine = splice.bytes.byteLength > 0 ? splice.bytes.at(-1) === lineFeed : beforeEndsLine;
    previous = splice;
    const joins = document.bytes[splice.end - 1] === lineFeed && !previousEndsLine;
    return joins ? { ...splice, toLine: Math.min(splice.toLine + 1, document.lineCount) } : splice;
  });
}
