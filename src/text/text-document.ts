import { wordsOf } from "../base/bytes.ts";
import type { Steps } from "../base/steps.ts";
import { findInvalidUtf8 } from "./find-invalid-utf8.ts";

/** What ends a line; nothing else does. */
export type LineTerminator = "\n" | "\r\n";

/**
 * A file seen as lines, which are slices of its bytes. It shares the bytes with whoever opened it; they must not change. Lines are numbered from 1; bytes after the byte order mark that end
 * without a terminator are a line of their own, so `a\nb` and `a\nb\n` have two lines, `\n` has one, and nothing has none.
 */
export interface TextDocument {
  /** Text, not binary. */
  readonly kind: "text";
  /** The whole file, byte order mark included. */
  readonly bytes: Uint8Array;
  /** Length of the UTF-8 byte order mark, which is no part of the first line. */
  readonly bomLength: 0 | 3;
  /** `unknown-8bit`: neither valid UTF-8 nor binary. */
  readonly encoding: "utf-8" | "unknown-8bit";
  /** Offset of the first byte that is not UTF-8; left out for valid files. */
  readonly firstInvalid?: number;
  /** Number of lines. */
  readonly lineCount: number;
  /** Offset of each line's first byte, and one entry more for the end of the file. */
  readonly lineStarts: Uint32Array;
  /** Which terminators the file has; `none` when it has none at all. */
  readonly lineEnding: "lf" | "crlf" | "mixed" | "none";
  /** The terminator that most lines have (LF when as many have each); left out when no line has one. */
  readonly mainTerminator?: LineTerminator;
}

/** A file that has no lines. */
export interface BinaryDocument {
  /** Binary, not text. */
  readonly kind: "binary";
  /** Why: it holds a NUL byte, or begins with a byte order mark of UTF-16. */
  readonly binary: "nul" | "utf-16";
}

/** A file as lines, or the reason why it has none. */
export type OpenedDocument = TextDocument | BinaryDocument;

const lineFeed = 10;
const carriageReturn = 13;
const bytesPerStep = 256 * 1024;

const startsPerBlock = 65_536;

/** Line starts in blocks, so that a file of many lines is never copied in one go while it is scanned. */
interface Scan {
  readonly blocks: Uint32Array[];
  block: Uint32Array;
  used: number;
  lastStart: number;
  crlf: number;
  binary: boolean;
}

/**
 * Opens bytes as text: finds their lines, line ends, byte order mark and encoding.
 *
 * A line ends at LF or CRLF only. Bytes with a NUL, or with a UTF-16 byte order mark, are binary.
 */
export function* openDocument(bytes: Uint8Array): Steps<OpenedDocument> {
  if (isUtf16Marked(bytes)) return { kind: "binary", binary: "utf-16" };
  const bomLength = hasBom(bytes, 0) ? 3 : 0;
  const block = new Uint32Array(Math.min(startsPerBlock, 16 + (bytes.byteLength >> 4)));
  const scan: Scan = { blocks: [], block, used: 0, lastStart: -1, crlf: 0, binary: false };
  if (bytes.byteLength > bomLength) addLine(scan, bomLength);
  let firstInvalid = -1;
  let checked = bomLength;
  for (let from = bomLength; from < bytes.byteLength; from += bytesPerStep) {
    const to = Math.min(from + bytesPerStep, bytes.byteLength);
    const isAscii = scanLines(scan, bytes, from, to);
    if (scan.binary) return { kind: "binary", binary: "nul" };
    if (isAscii && checked === from) checked = to;
    if (firstInvalid < 0 && checked < to) {
      const { invalid, next } = findInvalidUtf8(bytes, checked, to);
      firstInvalid = invalid;
      checked = next;
    }
    yield;
  }
  return yield* finish(bytes, bomLength, scan, firstInvalid);
}

/** Notes the line ends of a stretch, and says whether it is all ASCII; words of four bytes that are ASCII above a line feed are passed over whole. */
function scanLines(scan: Scan, bytes: Uint8Array, from: number, to: number): boolean {
  const words = (bytes.byteOffset & 3) === 0 ? wordsOf(bytes) : undefined;
  if (words === undefined) return scanBytes(scan, bytes, from, to);
  const start = Math.min(to, (from + 3) & ~3);
  const last = to >> 2;
  let isAscii = scanBytes(scan, bytes, from, start);
  let word = start >> 2;
  while (isAscii && word < last) {
    while (word < last && isPlain(words[word] as number)) word++;
    if (word === last) break;
    isAscii = scanBytes(scan, bytes, word << 2, (word + 1) << 2);
    word++;
  }
  while (word < last) {
    while (word < last && !hasSmallByte(words[word] as number)) word++;
    if (word === last) break;
    scanBytes(scan, bytes, word << 2, (word + 1) << 2);
    word++;
  }
  return scanBytes(scan, bytes, Math.max(start, last << 2), to) && isAscii;
}

/** Whether all of the four bytes are above a line feed and below 128; some that are may be taken for others beside one that is not. */
function isPlain(word: number): boolean {
  return (((word - 0x0b0b0b0b) | word) & 0x80808080) === 0;
}

/** Whether one of the four bytes is at most a line feed (Mycroft's test for a byte below a bound). */
function hasSmallByte(word: number): boolean {
  return (((word - 0x0b0b0b0b) | 0) & ~word & 0x80808080) !== 0;
}

/** Notes the line ends of a stretch byte by byte, and says whether it is all ASCII. */
function scanBytes(scan: Scan, bytes: Uint8Array, from: number, to: number): boolean {
  let all = 0;
  for (let at = from; at < to; at++) {
    const byte = bytes[at] as number;
    all |= byte;
    if (byte > lineFeed) continue;
    if (byte === 0) scan.binary = true;
    if (byte !== lineFeed) continue;
    if (at > 0 && bytes[at - 1] === carriageReturn) scan.crlf++;
    addLine(scan, at + 1);
  }
  return all < 0x80;
}

function addLine(scan: Scan, start: number): void {
  if (scan.used === scan.block.length) {
    scan.blocks.push(scan.block);
    scan.block = new Uint32Array(Math.min(startsPerBlock, 2 * scan.block.length));
    scan.used = 0;
  }
  scan.block[scan.used++] = start;
  scan.lastStart = start;
}

function* joinBlocks(scan: Scan): Steps<Uint32Array> {
  if (scan.blocks.length === 0) return scan.block.slice(0, scan.used);
  const starts = new Uint32Array(scan.blocks.reduce((sum, { length }) => sum + length, scan.used));
  let at = 0;
  for (const block of [...scan.blocks, scan.block.subarray(0, scan.used)]) {
    starts.set(block, at);
    at += block.length;
    yield;
  }
  return starts;
}

function* finish(bytes: Uint8Array, bomLength: 0 | 3, scan: Scan, firstInvalid: number): Steps<TextDocument> {
  const endsOpen = scan.lastStart !== bytes.byteLength;
  if (endsOpen) addLine(scan, bytes.byteLength);
  const lineStarts = yield* joinBlocks(scan);
  const lineCount = lineStarts.length - 1;
  const terminators = endsOpen ? Math.max(0, lineCount - 1) : lineCount;
  const { crlf } = scan;
  const lf = terminators - crlf;
  return {
    kind: "text",
    bytes,
    bomLength,
    encoding: firstInvalid < 0 ? "utf-8" : "unknown-8bit",
    ...(firstInvalid < 0 ? {} : { firstInvalid }),
    lineCount,
    lineStarts,
    lineEnding: terminators === 0 ? "none" : lf === 0 ? "crlf" : crlf === 0 ? "lf" : "mixed",
    ...(terminators === 0 ? {} : { mainTerminator: crlf > lf ? "\r\n" : "\n" }),
  };
}

function isUtf16Marked(bytes: Uint8Array): boolean {
  return (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
}

/** Says whether a UTF-8 byte order mark stands at an offset. */
export function hasBom(bytes: Uint8Array, at: number): boolean {
  return bytes[at] === 0xef && bytes[at + 1] === 0xbb && bytes[at + 2] === 0xbf;
}

/** Gives the terminator of a line (from 1), or `undefined` for a last line without one. */
export function terminatorOf(document: TextDocument, line: number): LineTerminator | undefined {
  const start = lineStart(document, line);
  const end = lineStart(document, line + 1);
  if (end === start || document.bytes[end - 1] !== lineFeed) return undefined;
  return end - start >= 2 && document.bytes[end - 2] === carriageReturn ? "\r\n" : "\n";
}

/** Gives the offset of the first byte of a line (from 1); of the line after the last: the end of the file. */
export function lineStart(document: TextDocument, line: number): number {
  return document.lineStarts[line - 1] as number;
}

/** Gives the offset after the last byte of a line (from 1) that is not its terminator. */
export function lineContentEnd(document: TextDocument, line: number): number {
  return lineStart(document, line + 1) - (terminatorOf(document, line)?.length ?? 0);
}

/** Gives the number (from 1) of the line that holds the byte at an offset; for the end of the file: of the last line. */
export function lineAt(document: TextDocument, offset: number): number {
  const { lineStarts, lineCount } = document;
  let low = 0;
  let high = lineCount - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((lineStarts[middle] as number) <= offset) low = middle;
    else high = middle - 1;
  }
  return low + 1;
}

/** Says whether the last line has a terminator; false for a file without lines. */
export function hasFinalNewline(document: TextDocument): boolean {
  return document.lineCount > 0 && terminatorOf(document, document.lineCount) !== undefined;
}
