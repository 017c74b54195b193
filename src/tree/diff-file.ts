import type { Hashing } from "../base/hashing.ts";
import type { Steps } from "../base/steps.ts";
import { workCounter } from "../base/work-counter.ts";
import { type ComparedTexts, hunkByteLength, hunkRanges } from "../text/hunk-range.ts";
import { compareTexts, similarityOf } from "./compare-texts.ts";
import { binaryLines, headerLines, textLines } from "./git-header.ts";
import type { DiffSide, PathPair } from "./pair-paths.ts";
import type { FileDiff } from "./tree-diff.ts";
import { writeHunks } from "./write-hunks.ts";

/** What diffs are made with. */
export interface DiffFileOptions {
  /** Names hunks. */
  readonly hashing: Hashing;
  /** Gives the bytes of a content id; `undefined` when they are not at hand. */
  readonly contentOf: (contentId: string) => Uint8Array | undefined;
  /** Lines shown around each change. */
  readonly contextLines: number;
  /** Bytes of a file that is looked through for lines. */
  readonly textBytes: number;
}

/** The diff of a file, and what it adds to the sums. */
export interface MeasuredDiff {
  readonly file: FileDiff;
  /** Bytes of the unified text, written in its encoding. */
  readonly byteLength: number;
  readonly additions: number;
  readonly removals: number;
}

/**
 * Makes the diff of one file; `undefined` when its unified text has more bytes than there is room for, or its contents are not at hand. Whether it
 * fits is known before any of it is written.
 */
export function* diffFile(
  pair: PathPair,
  options: DiffFileOptions,
  room: number,
): Steps<MeasuredDiff | undefined> {
  const { before, after } = pair;
  if (before?.state.contentId === after?.state.contentId)
    return withoutHunks(pair, headerLines(pair, 100), room);
  if (headerLines(pair, 0).join("\n").length >= room) return undefined;
  const [old, now] = [bytesOf(before, options), bytesOf(after, options)];
  if (old === undefined || now === undefined) return undefined;
  const texts = yield* compareTexts(old, now, options.textBytes);
  if (texts === "tooLong") return undefined;
  if (texts === "binary")
    return withoutHunks(pair, [...headerLines(pair, 0), ...binaryLines(pair)], room, true);
  const header = headerLines(pair, similarityOf(texts));
  if (texts.changes.length === 0) return withoutHunks(pair, header, room);
  return yield* withHunks(pair, texts, [...header, ...textLines(pair)], options, room);
}

const noBytes = new Uint8Array(0);

function bytesOf(side: DiffSide | undefined, { contentOf }: DiffFileOptions): Uint8Array | undefined {
  return side === undefined ? noBytes : contentOf(side.state.contentId);
}

function withoutHunks(
  pair: PathPair,
  lines: readonly string[],
  room: number,
  binary = false,
): MeasuredDiff | undefined {
  const unified = `${lines.join("\n")}\n`;
  if (unified.length > room) return undefined;
  const file = { ...namesOf(pair), binary, hunks: [], unified };
  return { file, byteLength: unified.length, additions: 0, removals: 0 };
}

function* withHunks(
  pair: PathPair,
  texts: ComparedTexts,
  header: readonly string[],
  { contextLines, hashing }: DiffFileOptions,
  room: number,
): Steps<MeasuredDiff | undefined> {
  const due = workCounter();
  const start = `${header.join("\n")}\n`;
  const ranges = yield* hunkRanges(texts, contextLines);
  let byteLength = start.length;
  for (const range of ranges) {
    byteLength += hunkByteLength(texts, range);
    if (byteLength > room) return undefined;
    if (due(range.endChange - range.firstChange)) yield;
  }
  let [additions, removals] = [0, 0];
  for (const { oldStart, oldEnd, newStart, newEnd } of texts.changes) {
    additions += newEnd - newStart;
    removals += oldEnd - oldStart;
  }
  const isUtf8 = texts.before.encoding === "utf-8" && texts.after.encoding === "utf-8";
  const encoding = isUtf8 ? "utf-8" : "latin1";
  const { hunks, text } = yield* writeHunks(texts, ranges, { path: pair.path, encoding, hashing });
  const file: FileDiff = {
    ...namesOf(pair),
    binary: false,
    ...(!isUtf8 && { encoding: "latin1" }),
    hunks,
    unified: start + text,
  };
  return { file, byteLength, additions, removals };
}

/** How a file is listed. */
export function namesOf({
  path,
  status,
  before,
}: PathPair): Pick<FileDiff, "path" | "previousPath" | "status"> {
  return { path, ...(before !== undefined && before.path !== path && { previousPath: before.path }), status };
}
