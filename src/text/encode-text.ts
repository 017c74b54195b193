import { concatInSteps, piecesOf } from "../base/byte-steps.ts";
import { utf8 } from "../base/bytes.ts";
import type { Problem } from "../base/holdfast-error.ts";
import type { Steps } from "../base/steps.ts";

/** How text becomes bytes: UTF-8, or one byte a character (U+0000 to U+00FF). */
export type WriteEncoding = "utf-8" | "latin1";

/** The bytes of a text, or why it has none. */
export type EncodedText =
  | { readonly bytes: Uint8Array; readonly problem?: undefined }
  | { readonly bytes?: undefined; readonly problem: Problem };

const loneSurrogate = /\p{Surrogate}/u;

/**
 * Turns text into bytes without changing a character: what the encoding cannot hold is refused.
 *
 * @param terminator - What each LF becomes. Default: LF.
 * @returns The bytes, or a problem: `INVALID_ARGUMENT` for half a surrogate pair or a NUL, `UNSUPPORTED_ENCODING` for a character above U+00FF in latin1.
 */
export function* encodeText(text: string, encoding: WriteEncoding, terminator?: "\r\n"): Steps<EncodedText> {
  const parts: Uint8Array[] = [];
  let from = 0;
  for (const piece of piecesOf(text)) {
    const problem = unwritable(piece, from, encoding);
    if (problem !== undefined) return { problem };
    const part = terminator === undefined ? piece : piece.replaceAll("\n", terminator);
    parts.push(encoding === "utf-8" ? utf8(part) : latin1Bytes(part));
    from += piece.length;
    yield;
  }
  return { bytes: parts.length === 1 ? (parts[0] as Uint8Array) : yield* concatInSteps(parts) };
}

function unwritable(part: string, from: number, encoding: WriteEncoding): Problem | undefined {
  const surrogate = part.search(loneSurrogate);
  if (surrogate >= 0)
    return invalid(
      `The text holds half a surrogate pair at character ${from + surrogate + 1}, which no encoding can hold.`,
    );
  const nul = part.indexOf("\0");
  if (nul >= 0)
    return invalid(
      `The text holds a NUL at character ${from + nul + 1}, which would make the file binary; binary files are written as bytes.`,
    );
  const above = encoding === "latin1" ? firstAbove(part, 0xff) : -1;
  if (above < 0) return undefined;
  const message = `The text holds a character above U+00FF at character ${from + above + 1}, which latin1 cannot hold.`;
  return { code: "UNSUPPORTED_ENCODING", message };
}

function firstAbove(text: string, most: number): number {
  for (let index = 0; index < text.length; index++) if (text.charCodeAt(index) > most) return index;
  return -1;
}

function invalid(message: string): Problem {
  return { code: "INVALID_ARGUMENT", message };
}

function latin1Bytes(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length);
  for (let index = 0; index < text.length; index++) bytes[index] = text.charCodeAt(index);
  return bytes;
}

/** Refuses characters that are not ASCII: what may be written into a file of unknown encoding. */
export function* requireAscii(text: string): Steps<Problem | undefined> {
  let from = 0;
  for (const piece of piecesOf(text)) {
    const at = firstAbove(piece, 0x7f);
    if (at >= 0) {
      const message = `The file is not UTF-8, and the new text is not ASCII at character ${from + at + 1}; name the encoding to write it.`;
      return { code: "UNSUPPORTED_ENCODING", message };
    }
    from += piece.length;
    yield;
  }
  return undefined;
}
