import type { Steps } from "../base/steps.ts";
import { diffLines } from "../text/diff-lines.ts";
import { lineCountOf, lineOffset } from "../text/diffed-lines.ts";
import type { ComparedTexts } from "../text/hunk-range.ts";
import { openDocument, type TextDocument } from "../text/text-document.ts";

/** Why two contents have no lines to compare: they have none, or they are longer than any text may be. */
export type Incomparable = "binary" | "tooLong";

/** Bytes at the beginning of a file that are too few to take long, and tell most binary files. */
const beginning = 8000;

/** Compares two contents line by line. */
export function* compareTexts(
  before: Uint8Array,
  after: Uint8Array,
  textBytes: number,
): Steps<ComparedTexts | Incomparable> {
  const old = yield* openSide(before, textBytes);
  if (old === "binary") return old;
  const now = yield* openSide(after, textBytes);
  if (now === "binary" || old === "tooLong" || now === "tooLong") return now === "binary" ? now : "tooLong";
  const [oldEnd, newEnd] = [lineCountOf(old), lineCountOf(now)];
  const isWhole = old.lineCount === 0 || now.lineCount === 0;
  const whole = oldEnd + newEnd === 0 ? [] : [{ oldStart: 0, oldEnd, newStart: 0, newEnd }];
  return { before: old, after: now, changes: isWhole ? whole : yield* diffLines(old, now) };
}

function* openSide(bytes: Uint8Array, textBytes: number): Steps<TextDocument | Incomparable> {
  const isLong = bytes.byteLength > textBytes;
  const document = yield* openDocument(isLong ? bytes.subarray(0, beginning) : bytes);
  if (document.kind === "binary") return "binary";
  return isLong ? "tooLong" : document;
}

/** Says how much of two texts is the same, in percent; 100 only when all of it is. */
export function similarityOf({ before, after, changes }: ComparedTexts): number {
  let same = before.bytes.byteLength;
  for (const { oldStart, oldEnd } of changes)
    same -= lineOffset(before, oldEnd) - lineOffset(before, oldStart);
  const longest = Math.max(before.bytes.byteLength, after.bytes.byteLength);
  return longest === 0 ? 100 : Math.floor((100 * same) / longest);
}
