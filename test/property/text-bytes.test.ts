import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { concatBytes, equalBytes } from "../../src/base/bytes.ts";
import { runSteps } from "../../src/base/steps.ts";
import { contentForWrite } from "../../src/text/content-for-write.ts";
import { decodeLines, decodeText, type ReadEncoding } from "../../src/text/decode-text.ts";
import { findText } from "../../src/text/find-text.ts";
import { openDocument, type TextDocument } from "../../src/text/text-document.ts";

/** Bytes in which line ends, byte order marks, code points and broken ones are frequent; NUL only where asked. */
const bytes = fc
  .array(
    fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom("\n", "\r\n", "\r", "a", " ") },
      {
        weight: 2,
        arbitrary: fc.constantFrom(
          "\xef\xbb\xbf",
          "\xc3\xa9",
          "\xf0\x9f\x9f\xa2",
          "\xe2\x80\xa8",
          "\xef\xbf\xbd",
        ),
      },
      {
        weight: 1,
        arbitrary: fc.constantFrom(
          "\xff",
          "\xfe",
          "\xc3",
          "\xe2\x80",
          "\x80",
          "\xed\xa0\x80",
          "\xf4\x90\x80\x80",
        ),
      },
    ),
    { maxLength: 30 },
  )
  .map((parts) => Uint8Array.from(parts.join(""), (character) => character.charCodeAt(0)));

const anyBytes = fc.oneof(bytes, fc.uint8Array({ maxLength: 60 }));

function openText(content: Uint8Array): TextDocument | undefined {
  const document = runSteps(openDocument(content));
  return document.kind === "text" ? document : undefined;
}

function isValidUtf8(content: Uint8Array): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(content);
    return true;
  } catch {
    return false;
  }
}

describe("bytes as lines", () => {
  it("joined again are the same bytes, and every line ends in its only LF or at the end of the file", () => {
    fc.assert(
      fc.property(anyBytes, (content) => {
        const document = openText(content);
        if (document === undefined) return;
        const lines = Array.from({ length: document.lineCount }, (_, line) =>
          content.subarray(document.lineStarts[line], document.lineStarts[line + 1]),
        );
        const joined = concatBytes([content.subarray(0, document.bomLength), ...lines]);
        expect(equalBytes(joined, content)).toBe(true);
        for (const [index, line] of lines.entries()) {
          const end = line.indexOf(10);
          expect(end).toBe(end < 0 ? -1 : line.byteLength - 1);
          expect(end >= 0 || index === lines.length - 1).toBe(true);
          expect(line.byteLength).toBeGreaterThan(0);
        }
      }),
      { numRuns: 2000 },
    );
  });

  it("are binary exactly when they hold a NUL or begin with a UTF-16 mark, and UTF-8 exactly when a strict decoder takes them", () => {
    fc.assert(
      fc.property(anyBytes, (content) => {
        const [first, second] = content;
        const isMarked = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
        const document = openText(content);
        expect(document === undefined).toBe(content.includes(0) || isMarked);
        if (document === undefined) return;
        expect(document.encoding === "utf-8").toBe(isValidUtf8(content));
        if (document.firstInvalid === undefined) return;
        expect(isValidUtf8(content.subarray(0, document.firstInvalid))).toBe(true);
        expect(isValidUtf8(content.subarray(0, document.firstInvalid + 1))).toBe(false);
      }),
      { numRuns: 3000 },
    );
  });
});

describe("text that was read", () => {
  it.each(["utf-8", "latin1"] as const)("and is written back as %s gives the same bytes", (encoding) => {
    fc.assert(
      fc.property(anyBytes, (content) => {
        const document = openText(content);
        if (document === undefined) return;
        const { text } = runSteps(decodeText(document, encoding));
        expect(text === undefined).toBe(encoding === "utf-8" && document.encoding !== "utf-8");
        if (text === undefined) return;
        const options = encoding === "latin1" ? { encoding } : {};
        const written = runSteps(contentForWrite(document, text, options));
        expect(written.bytes).toEqual(content);
      }),
      { numRuns: 2000 },
    );
  });

  it("as latin1 and is written back without naming it is refused or gives the same bytes, in files that are not UTF-8", () => {
    fc.assert(
      fc.property(anyBytes, (content) => {
        const document = openText(content);
        if (document === undefined || document.encoding === "utf-8") return;
        const { text = "" } = runSteps(decodeText(document, "latin1"));
        expect(runSteps(contentForWrite(document, text)).problem?.code).toBe("UNSUPPORTED_ENCODING");
      }),
    );
  });

  it("in pages of any size is the same text, and no page ends inside a character", () => {
    const encodings: readonly ReadEncoding[] = ["utf-8", "latin1", "escape"];
    fc.assert(
      fc.property(
        bytes,
        fc.constantFrom(...encodings),
        fc.integer({ min: 1, max: 9 }),
        (content, encoding, maxBytes) => {
          const document = openText(content);
          if (document === undefined) return;
          const whole = runSteps(decodeText(document, encoding)).text;
          if (whole === undefined) return;
          let paged = "";
          let cuts = 0;
          for (let startLine = 1; startLine <= document.lineCount; ) {
            const page = runSteps(
              decodeLines(document, { startLine, endLine: document.lineCount, encoding, maxBytes }),
            );
            if (page.text === undefined) throw new Error("refused");
            expect(page.text).not.toMatch(/\p{Surrogate}/u);
            expect(page.text.length).toBeGreaterThan(0);
            const full =
              runSteps(decodeLines(document, { startLine, endLine: page.endLine, encoding })).text ?? "";
            expect(full.startsWith(page.text)).toBe(true);
            if (page.cutInLine) cuts++;
            else expect(full).toBe(page.text);
            paged += full;
            startLine = page.endLine + 1;
          }
          expect(paged).toBe(whole);
          if (maxBytes > content.byteLength) expect(cuts).toBe(0);
        },
      ),
      { numRuns: 2000 },
    );
  });
});

describe("findText", () => {
  const few = fc
    .array(fc.constantFrom("a", "b", "\n", "\r\n", "\r"), { maxLength: 14 })
    .map((parts) => parts.join(""));
  const encode = (text: string) => new TextEncoder().encode(text);

  /** Where each byte of the text with LF for CRLF stands in the text as it is. */
  function offsetsOf(text: string): number[] {
    const offsets: number[] = [];
    for (let at = 0; at < text.length; at++) {
      offsets.push(at);
      if (text.startsWith("\r\n", at)) at++;
    }
    return [...offsets, text.length];
  }

  it("finds what a plain search finds in the text with LF for CRLF", () => {
    fc.assert(
      fc.property(few, few, (text, sought) => {
        const plain = text.replaceAll("\r\n", "\n");
        const wanted = sought.replaceAll("\r\n", "\n");
        if (wanted === "") return;
        const offsets = offsetsOf(text);
        const starts: number[] = [];
        for (let at = plain.indexOf(wanted); at >= 0; at = plain.indexOf(wanted, at + 1)) starts.push(at);
        const taken: { start: number; end: number }[] = [];
        for (let at = plain.indexOf(wanted); at >= 0; at = plain.indexOf(wanted, at + wanted.length))
          taken.push({ start: offsets[at] as number, end: offsets[at + wanted.length] as number });
        const found = runSteps(findText(encode(text), 0, encode(wanted)));
        expect(found).toEqual({
          spans: taken,
          overlapping: starts.length,
          firstStarts: starts.slice(0, 8).map((at) => offsets[at]),
        });
      }),
      { numRuns: 5000 },
    );
  });
});
