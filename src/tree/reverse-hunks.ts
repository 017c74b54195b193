import { concatInSteps } from "../base/byte-steps.ts";
import type { Steps } from "../base/steps.ts";
import { openDocument, type TextDocument } from "../text/text-document.ts";
import type { Hunk } from "./tree-diff.ts";

/**
 * Gives the new text with some of its hunks as in the old text: byte for byte, whatever the lines end with.
 *
 * @param before - The old text.
 * @param after - The new text.
 * @param hunks - Hunks of the diff of the two, in order.
 */
export function* reverseHunks(
  before: Uint8Array,
  after: Uint8Array,
  hunks: readonly Hunk[],
): Steps<Uint8Array> {
  const old = yield* openDocument(before);
  const now = yield* openDocument(after);
  if (old.kind === "binary" || now.kind === "binary") return after;
  const pieces: Uint8Array[] = [];
  let from = 0;
  for (const { oldStart, oldLines, newStart, newLines } of hunks) {
    const [start, end] = bytesOfLines(now, newStart, newLines);
    pieces.push(after.subarray(from, start), before.subarray(...bytesOfLines(old, oldStart, oldLines)));
    from = end;
  }
  pieces.push(after.subarray(from));
  return yield* concatInSteps(pieces);
}

/** Of no lines, `first` is the number of the line before them. */
function bytesOfLines(document: TextDocument, first: number, lines: number): [number, number] {
  const index = lines === 0 ? first : first - 1;
  return [startOf(document, index), startOf(document, index + lines)];
}

function startOf({ lineStarts, bytes }: TextDocument, index: number): number {
  return lineStarts[index] ?? bytes.byteLength;
}
