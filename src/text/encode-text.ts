import { concatInSteps } from "../base/byte-steps.ts";
import { utf8 } from "../base/bytes.ts";
import type { Problem } from "../base/holdfast-error.ts";
import type { Steps } from "../base/steps.ts";

/** How text becomes bytes: UTF-8, or one byte a character (U+0000 to U+00FF). */
export type WriteEncoding = "utf-8" | "latin1";

/** The bytes of a text, or why it has none. */
export type EncodedText =
  | { readonly bytes: Uint8Array; readonly problem?: undefined }
  | { readonly bytes?: undefined; readonly problem: Problem };

const charactersPerStep = 256 * 1024;
const loneSurrogate = /\p{Surrogate}/u;

/**
 * Turns text into bytes without changing a character: what the encoding cannot hold is refused.
 *
 * @returns The bytes, or a problem: `INVALID_ARGUMENT` for half a surrogate pair or a NUL, `UNSUPPORTED_ENCODING` for a character above U+00FF in latin1.
 */
export function* encodeText(text: string, encoding: WriteEncoding): Steps<EncodedText> {
  const parts: Uint8Array[] = [];
  for (let from = 0; from < text.length; ) {
    const to = characterBoundary(text, from + charactersPerStep);
    const part = from === 0 && to === text.length ? text : text.slice(from, to);
    const problem = unwritable(part, from, encoding);
    if (problem !== undefined) return { problem };
    parts.push(encoding === "utf-8" ? utf8(part) : latin1Bytes(part));
    from = to;
    yield;
  }
  return { bytes: parts.length === 1 ? (parts[0] as Uint8Array) : yield* concatInSteps(parts) };
}

/** Gives the nearest offset, at most one before, that does not cut a surrogate pair. */
function characterBoundary(text: string, at: number): number {
  if (at >= text.length) return text.length;
  const isLow = (text.charCodeAt(at) & 0xfc00) === 0xdc00;
  return isLow && (text.charCodeAt(at - 1) & 0xfc00) === 0xd800 ? at - 1 : at;
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
export function requireAscii(text: string): Problem | undefined {
  const at = firstAbove(text, 0x7f);
  if (at < 0) return undefined;
  const message = `The file is not UTF-8, and the new text is not ASCII at character ${at + 1}; name the encoding to write it.`;
  return { code: "UNSUPPORTED_ENCODING", message };
}
