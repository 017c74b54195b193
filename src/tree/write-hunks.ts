import type { Hashing } from "../base/hashing.ts";
import type { Steps } from "../base/steps.ts";
import { hunkLines, joinLinesInPieces } from "../text/hunk-lines.ts";
import { type ComparedTexts, type HunkRange, hunkHeading, startLine } from "../text/hunk-range.ts";
import { HunkNamer } from "./hunk-namer.ts";
import type { Hunk } from "./tree-diff.ts";

/** Hunks, and their unified text without the lines that name the file. */
export interface WrittenHunks {
  readonly hunks: readonly Hunk[];
  readonly text: string;
}

/** Writes the hunks of a file. */
export function* writeHunks(
  texts: ComparedTexts,
  ranges: readonly HunkRange[],
  how: { readonly path: string; readonly encoding: "utf-8" | "latin1"; readonly hashing: Hashing },
): Steps<WrittenHunks> {
  const namer = new HunkNamer(how.hashing, how.path);
  const hunks: Hunk[] = [];
  let text = "";
  for (const range of ranges) {
    const lines = yield* hunkLines(texts, range, how.encoding);
    const pieces: string[] = [];
    for (const piece of joinLinesInPieces(lines)) {
      pieces.push(piece);
      yield;
    }
    const { oldFrom, oldTo, newFrom, newTo } = range;
    hunks.push({
      id: yield* namer.name(pieces),
      oldStart: startLine(oldFrom, oldTo),
      oldLines: oldTo - oldFrom,
      newStart: startLine(newFrom, newTo),
      newLines: newTo - newFrom,
      lines,
    });
    text += `${hunkHeading(range)}\n`;
    for (const piece of pieces) text += piece;
  }
  return { hunks, text };
}
