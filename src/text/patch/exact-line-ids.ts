import { utf8 } from "../../base/bytes.ts";
import type { Steps } from "../../base/steps.ts";
import { workCounter } from "../../base/work-counter.ts";
import { hashOfBytes } from "../line-bytes.ts";
import { openDocument, type TextDocument } from "../text-document.ts";
import type { LineIds } from "./find-patterns.ts";

const lineFeed = 10;
const carriageReturn = 13;
/** Characters of sought lines that are encoded in one go. */
const mostCharacters = 1 << 22;
/** Slots that may be looked at in vain for each line, on average, before the hashes count as made to collide. */
const looksPerLine = 8;

/**
 * Numbers the lines of a file without decoding them: a line that is one of some texts has the place of that text, from 1, any other has 0.
 *
 * @param texts - All different, without line feeds.
 * @returns `undefined` for files and texts whose bytes do not tell whether they are the same text.
 */
export function* exactLineIds(document: TextDocument, texts: readonly string[]): Steps<LineIds | undefined> {
  // An empty line in front keeps a byte order mark from being taken for that of the texts.
  const joined = `\n${texts.join("\n")}\n`;
  if (document.encoding !== "utf-8" || joined.length > mostCharacters || /\p{Surrogate}/u.test(joined))
    return undefined;
  const sought = yield* openDocument(utf8(joined));
  if (sought.kind === "binary" || sought.lineCount !== texts.length + 1) return undefined;
  const table = new TextTable(
    sought,
    document.bytes,
    looksPerLine * (document.lineCount + sought.lineCount) + 1024,
  );
  const due = workCounter();
  for (let line = 1; line < sought.lineCount; line++) {
    table.enter(line);
    if (due()) yield;
  }
  const { bytes, lineCount, lineStarts } = document;
  const ids = new Int32Array(lineCount);
  for (let at = 0; at < lineCount; at++) {
    const start = lineStarts[at] as number;
    let end = lineStarts[at + 1] as number;
    if (bytes[end - 1] === lineFeed) end -= end - start > 1 && bytes[end - 2] === carriageReturn ? 2 : 1;
    ids[at] = table.idOf(start, end);
    if (due(1 + ((end - start) >> 9))) yield;
    if (table.isCrowded()) return undefined;
  }
  return ids;
}

/** The lines of a text behind its first one, found by a hash and told apart by their bytes. */
class TextTable {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #fileBytes: Uint8Array;
  readonly #fileView: DataView;
  readonly #starts: Uint32Array;
  readonly #hashes: Int32Array;
  readonly #slots: Int32Array;
  readonly #mask: number;
  /** Whether some line has a length; the last entry is for all greater ones. */
  readonly #lengths = new Uint8Array(1024);
  #looksLeft: number;

  constructor({ bytes, lineStarts, lineCount }: TextDocument, file: Uint8Array, looks: number) {
    let size = 16;
    while (size < 2 * lineCount) size *= 2;
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#fileBytes = file;
    this.#fileView = new DataView(file.buffer, file.byteOffset, file.byteLength);
    this.#starts = lineStarts;
    this.#hashes = new Int32Array(lineCount);
    this.#slots = new Int32Array(size);
    this.#mask = size - 1;
    this.#looksLeft = looks;
  }

  isCrowded(): boolean {
    return this.#looksLeft < 0;
  }

  enter(line: number): void {
    const start = this.#starts[line] as number;
    const end = (this.#starts[line + 1] as number) - 1;
    const hash = hashOfBytes(this.#view, start, end);
    let slot = hash & this.#mask;
    while (this.#slots[slot] !== 0 && !this.isCrowded()) {
      slot = (slot + 1) & this.#mask;
      this.#looksLeft--;
    }
    this.#slots[slot] = line;
    this.#hashes[line] = hash;
    this.#lengths[Math.min(end - start, this.#lengths.length - 1)] = 1;
  }

  /** The line that stands between two offsets of the file; 0 when it is none. */
  idOf(start: number, end: number): number {
    if (this.#lengths[Math.min(end - start, this.#lengths.length - 1)] === 0) return 0;
    const hash = hashOfBytes(this.#fileView, start, end);
    for (let slot = hash & this.#mask; ; slot = (slot + 1) & this.#mask) {
      const line = this.#slots[slot] as number;
      if (line === 0 || (this.#hashes[line] === hash && this.#isLine(line, start, end))) return line;
      if (this.#looksLeft-- < 0) return 0;
    }
  }

  #isLine(line: number, start: number, end: number): boolean {
    const own = this.#starts[line] as number;
    if ((this.#starts[line + 1] as number) - 1 - own !== end - start) return false;
    let at = start;
    while (at < end && this.#fileBytes[at] === this.#bytes[own + at - start]) at++;
    return at === end;
  }
}
