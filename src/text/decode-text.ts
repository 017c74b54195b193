import type { Problem } from "../base/holdfast-error.ts";
import type { Steps } from "../base/steps.ts";
import { findInvalidUtf8, isContinuation, sequenceLength } from "./find-invalid-utf8.ts";
import { lineStart, type TextDocument } from "./text-document.ts";

/** How bytes become text: UTF-8; one character a byte (U+0000 to U+00FF); or UTF-8 with other bytes shown as `\xNN`, for looking only. */
export type ReadEncoding = "utf-8" | "latin1" | "escape";

/** The text of bytes, or why they have none. */
export type DecodedText =
  | { readonly text: string; readonly problem?: undefined }
  | { readonly text?: undefined; readonly problem: Problem };

/** Which lines to decode. */
export interface DecodeLinesOptions {
  /** First line, from 1. */
  readonly startLine: number;
  /** Last line; must be in the file and not before `startLine`. */
  readonly endLine: number;
  /** How to decode. */
  readonly encoding: ReadEncoding;
  /** Bytes of the file to decode at most. Default: no bound. */
  readonly maxBytes?: number | undefined;
}

/** Decoded lines, or why there are none. */
export type DecodedLines =
  | {
      readonly text: string;
      /** The last line that is in the text. */
      readonly endLine: number;
      /** Whether the bound ended the text inside its only line, at the end of a character. */
      readonly cutInLine: boolean;
      readonly problem?: undefined;
    }
  | { readonly text?: undefined; readonly problem: Problem };

const bytesPerStep = 256 * 1024;
const bytesPerCall = 8 * 1024;

/**
 * Gives a whole document as text, its terminators included and its byte order mark left out. Writing the text back in the same encoding changes nothing, except for `escape`, which is for looking.
 *
 * @returns The text, or `UNSUPPORTED_ENCODING` with the offset of the first bad byte when UTF-8 is asked of a file that is not.
 */
export function* decodeText(document: TextDocument, encoding: ReadEncoding): Steps<DecodedText> {
  const problem = undecodable(document, encoding);
  if (problem !== undefined) return { problem };
  return { text: yield* decodeBytes(document.bytes.subarray(document.bomLength), encoding) };
}

/**
 * Gives lines of a document as text, their terminators included: whole lines, as many as `maxBytes` holds, but of the first line at least a beginning.
 *
 * @returns The text and where it ends, or `UNSUPPORTED_ENCODING` as {@link decodeText} does.
 */
export function* decodeLines(document: TextDocument, options: DecodeLinesOptions): Steps<DecodedLines> {
  const { startLine, endLine, encoding, maxBytes = Number.POSITIVE_INFINITY } = options;
  const problem = undecodable(document, encoding);
  if (problem !== undefined) return { problem };
  const start = lineStart(document, startLine);
  const fits = lineStart(document, endLine + 1) - start <= maxBytes;
  const last = fits ? endLine : lastLineWithin(document, startLine, endLine, start + maxBytes);
  const cutInLine = !fits && last < startLine;
  const end = cutInLine
    ? codePointEnd(document.bytes, start, start + Math.floor(maxBytes), encoding)
    : lineStart(document, last + 1);
  const text = yield* decodeBytes(document.bytes.subarray(start, end), encoding);
  return { text, endLine: cutInLine ? startLine : last, cutInLine };
}

function undecodable(document: TextDocument, encoding: ReadEncoding): Problem | undefined {
  if (encoding !== "utf-8" || document.firstInvalid === undefined) return undefined;
  const offset = document.firstInvalid;
  const message = `The byte at offset ${offset} is not UTF-8.`;
  return { code: "UNSUPPORTED_ENCODING", message, details: { offset } };
}

/** Finds the last line that ends at or before an offset; `startLine - 1` when not even the first does. */
function lastLineWithin(document: TextDocument, startLine: number, endLine: number, limit: number): number {
  let low = startLine - 1;
  let high = endLine;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (lineStart(document, middle + 1) <= limit) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Moves a cut back so that it cuts no character, but never to the start. */
function codePointEnd(bytes: Uint8Array, start: number, cut: number, encoding: ReadEncoding): number {
  if (encoding === "latin1") return Math.max(cut, start + 1);
  let end = cut;
  while (end > start && end > cut - 3 && isContinuation(bytes[end] ?? 0)) end--;
  const cuts = end < cut && end + sequenceLength(bytes, end) > cut;
  const kept = cuts ? end : cut;
  return kept > start ? kept : start + Math.max(1, sequenceLength(bytes, start));
}

/** Gives bytes as text, a byte order mark included; bytes that are not in the encoding are the caller's fault. */
export function* decodeBytes(bytes: Uint8Array, encoding: ReadEncoding): Steps<string> {
  if (encoding === "latin1") return yield* decodeLatin1(bytes);
  if (encoding === "escape") return yield* decodeEscaped(bytes);
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  let text = "";
  for (let from = 0; from < bytes.byteLength; from += bytesPerStep) {
    text += decoder.decode(bytes.subarray(from, from + bytesPerStep), { stream: true });
    yield;
  }
  return text + decoder.decode();
}

/** `TextDecoder("latin1")` is windows-1252, which moves the characters U+0080 to U+009F; hence by hand. */
function* decodeLatin1(bytes: Uint8Array): Steps<string> {
  let text = "";
  for (let from = 0; from < bytes.byteLength; from += bytesPerCall) {
    text += String.fromCharCode.apply(null, bytes.subarray(from, from + bytesPerCall) as unknown as number[]);
    if (from % bytesPerStep === 0) yield;
  }
  return text;
}

function* decodeEscaped(bytes: Uint8Array): Steps<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  let text = "";
  let nextYield = bytesPerStep;
  for (let at = 0; at < bytes.byteLength; ) {
    const { invalid, next } = findInvalidUtf8(bytes, at, Math.min(nextYield, bytes.byteLength));
    if (next > at) text += decoder.decode(bytes.subarray(at, next));
    if (invalid >= 0) text += `\\x${(bytes[invalid] as number).toString(16).padStart(2, "0")}`;
    at = invalid >= 0 ? invalid + 1 : next;
    if (at < nextYield) continue;
    nextYield = at + bytesPerStep;
    yield;
  }
  return text;
}
