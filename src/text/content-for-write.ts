import { concatInSteps } from "../base/byte-steps.ts";
import type { Steps } from "../base/steps.ts";
import { type EncodedText, encodeText, requireAscii } from "./encode-text.ts";
import { hasBom, type TextDocument } from "./text-document.ts";

const bom = new Uint8Array([0xef, 0xbb, 0xbf]);

/**
 * Makes the bytes of a text that is written over a file, or into a new one. Nothing is added at the end and no character is changed. From the existing file come:
 *
 * - the byte order mark, also when the text has none; a text that begins with U+FEFF brings its own, which is not doubled;
 * - CRLF, when all terminators of the file are CRLF and all of the text are LF; otherwise terminators stay as given;
 * - the encoding: a file that is not UTF-8 takes ASCII text only, unless `latin1` is named.
 *
 * So a text that was read, written back in the encoding it was read in, gives the same bytes for every file.
 *
 * @param existing - The file that is written over; `undefined` when there is none, or it is binary.
 * @returns The bytes, or a problem as {@link encodeText} gives them.
 */
export function* contentForWrite(
  existing: TextDocument | undefined,
  text: string,
  options: { readonly encoding?: "latin1" | undefined } = {},
): Steps<EncodedText> {
  const encoding = options.encoding ?? "utf-8";
  if (existing?.encoding === "unknown-8bit" && options.encoding === undefined) {
    const problem = yield* requireAscii(text);
    if (problem !== undefined) return { problem };
  }
  const takesCrlf = existing?.lineEnding === "crlf" && !text.includes("\r\n");
  const encoded = yield* encodeText(text, encoding, takesCrlf ? "\r\n" : undefined);
  if (encoded.problem !== undefined || existing === undefined || existing.bomLength === 0) return encoded;
  const bringsOwn = text.startsWith("\ufeff") && !hasBom(existing.bytes, existing.bomLength);
  return bringsOwn ? encoded : { bytes: yield* concatInSteps([bom, encoded.bytes]) };
}
