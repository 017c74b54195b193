import type { Steps } from "../base/steps.ts";
import { decodeBytes } from "./decode-text.ts";
import type { TextDocument } from "./text-document.ts";

const lineFeed = 10;

/** Bytes that are decoded in one go. */
const bytesPerPiece = 64 * 1024;

/** Counts lines as diffs see them: a byte order mark with nothing behind it is a line too. */
export function lineCountOf(document: TextDocument): number {
  return document.lineCount === 0 && document.bytes.byteLength > 0 ? 1 : document.lineCount;
}

/** Gives the offset of a line (from 0) as diffs see it: the first one begins with the byte order mark. */
export function lineOffset(document: TextDocument, line: number): number {
  if (line === 0) return 0;
  return document.lineStarts[line] ?? document.bytes.byteLength;
}

/** Says whether the last line has no terminator. */
export function endsWithoutNewline({ bytes }: TextDocument): boolean {
  return bytes.byteLength > 0 && bytes[bytes.byteLength - 1] !== lineFeed;
}

/** Gives lines (from 0, half-open) as texts without their line feed, a carriage return before it included. */
export function* lineTexts(
  document: TextDocument,
  from: number,
  to: number,
  encoding: "utf-8" | "latin1",
): Steps<readonly string[]> {
  const texts: string[] = [];
  for (let at = from; at < to; ) {
    const start = lineOffset(document, at);
    let end = at + 1;
    while (end < to && lineOffset(document, end + 1) - start <= bytesPerPiece) end++;
    const stop = lineOffset(document, end);
    const last = document.bytes[stop - 1] === lineFeed ? stop - 1 : stop;
    const text = yield* decodeBytes(document.bytes.subarray(start, last), encoding);
    // A line of its own may be very long, and is not looked through again.
    if (end === at + 1) texts.push(text);
    else for (const line of text.split("\n")) texts.push(line);
    at = end;
  }
  return texts;
}
