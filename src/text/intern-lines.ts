import type { Steps } from "../base/steps.ts";
import { workCounter } from "../base/work-counter.ts";
import { internByOrder } from "./intern-by-order.ts";
import { LineBytes } from "./line-bytes.ts";
import type { TextDocument } from "./text-document.ts";

/** Lines of several documents as numbers: two lines have the same number if and only if their bytes are the same. */
export interface InternedLines {
  /** Lines that all documents have alike at their start. They have no numbers. */
  readonly head: number;
  /** For each document, the numbers of the lines behind that, up to the lines that all have alike at their end. */
  readonly lines: readonly Int32Array[];
  /** Numbers run from 0 up to, and without, this. */
  readonly distinct: number;
}

/** Lines alike at the start and at the end that get numbers all the same, so that changes can slide over them. */
const keptAtEnds = 32;
/** Lines of the first file that a line of another is compared with before it is looked up. */
const placesAhead = 3;
/** Lines that are compared with those of the first file in one go. */
const linesAtOnce = 256;
/** Places that may be looked at in vain for each line, on average, before the hashes count as made to collide. */
const looksPerLine = 8;

/** Gives each different line of the documents a number, in the order in which they first appear; lines that all have alike at both ends are left out. */
export function* internLines(documents: readonly TextDocument[]): Steps<InternedLines> {
  const files = documents.map((document) => new LineBytes(document));
  const { head, tail } = yield* commonEnds(files);
  const lines = files.map(({ lineCount }) => new Int32Array(lineCount - head - tail));
  const table = new LineTable(
    files,
    lines.reduce((sum, { length }) => sum + length, 0),
  );
  for (const owner of files.keys()) {
    if (owner === 0) yield* numberFirst(table, files, lines, head);
    else yield* numberFile(table, files, owner, lines, head);
    if (table.isCrowded()) return yield* internByOrder(files, head, lines);
  }
  return { head, lines, distinct: table.count };
}

function* numberFirst(
  table: LineTable,
  files: readonly LineBytes[],
  lines: readonly Int32Array[],
  head: number,
): Steps<void> {
  const file = files[0] as LineBytes;
  const numbers = lines[0] as Int32Array;
  const worked = workCounter();
  for (let at = 0; at < numbers.length && !table.isCrowded(); at++) {
    numbers[at] = table.numberOf(0, head + at);
    if (worked(2 + (file.lengthOf(head + at) >> 9))) yield;
  }
}

/** Numbers the lines of one file. Lines are looked for first where the first file goes on after the last line that was found there. */
function* numberFile(
  table: LineTable,
  files: readonly LineBytes[],
  owner: number,
  lines: readonly Int32Array[],
  head: number,
): Steps<void> {
  const file = files[owner] as LineBytes;
  const numbers = lines[owner] as Int32Array;
  const first = files[0] as LineBytes;
  const known = lines[0] as Int32Array;
  const worked = workCounter();
  let expected = 0;
  let missed = 0;
  for (let at = 0; at < numbers.length; ) {
    let place = expected;
    const last = Math.min(known.length, expected + placesAhead);
    while (place < last && !file.isSame(head + at, first, head + place)) place++;
    const from = at;
    if (place < last) {
      const most = Math.min(linesAtOnce, numbers.length - at, known.length - place);
      const end = at + file.sameLines(head + at, first, head + place, most);
      while (at < end) numbers[at++] = known[place++] as number;
      expected = place;
      missed = 0;
    } else {
      const number = table.numberOf(owner, head + at);
      numbers[at++] = number;
      if (table.isCrowded()) return;
      if (++missed >= placesAhead && table.isOfFirst(number)) expected = table.lineOf(number) - head + 1;
    }
    if (worked(1 + at - from + (file.lengthOfLines(head + from, head + at) >> 9))) yield;
  }
}

/** How many lines all files have alike at their start, and how many of the others at their end. */
function* commonEnds(files: readonly LineBytes[]): Steps<{ readonly head: number; readonly tail: number }> {
  const [first, ...others] = files as readonly [LineBytes, ...LineBytes[]];
  let head = Number.POSITIVE_INFINITY;
  let tail = Number.POSITIVE_INFINITY;
  for (const other of others) head = Math.min(head, yield* first.commonHead(other));
  for (const other of others) tail = Math.min(tail, yield* first.commonTail(other));
  const shortest = Math.min(...files.map(({ lineCount }) => lineCount));
  return {
    head: Math.max(0, head - keptAtEnds),
    tail: Math.max(0, Math.min(tail, shortest - head) - keptAtEnds),
  };
}

/** The different lines so far, found by a hash and told apart by their bytes. */
class LineTable {
  readonly #files: readonly LineBytes[];
  /** Two entries for each slot: the number that is there plus one, and its hash. */
  #slots: Int32Array;
  #mask: number;
  readonly #owners: Uint8Array;
  readonly #lines: Int32Array;
  #looksLeft: number;
  count = 0;

  constructor(files: readonly LineBytes[], total: number) {
    // Most lines of the others are lines of the first file.
    let size = 16;
    while (files.length * size < 2 * total) size *= 2;
    this.#files = files;
    this.#slots = new Int32Array(2 * size);
    this.#mask = size - 1;
    this.#owners = new Uint8Array(total);
    this.#lines = new Int32Array(total);
    this.#looksLeft = looksPerLine * total + 1024;
  }

  /** Whether lines meet in the table so often that it must have been meant. */
  isCrowded(): boolean {
    return this.#looksLeft < 0;
  }

  /** Whether a line of this number is in the first file. */
  isOfFirst(number: number): boolean {
    return this.#owners[number] === 0;
  }

  /** The first line that got a number. */
  lineOf(number: number): number {
    return this.#lines[number] as number;
  }

  numberOf(owner: number, line: number): number {
    const file = this.#files[owner] as LineBytes;
    const hash = file.hashOf(line);
    for (let slot = hash & this.#mask; ; slot = (slot + 1) & this.#mask) {
      const known = (this.#slots[2 * slot] as number) - 1;
      if (known < 0) return this.#add(slot, hash, owner, line);
      if (this.#slots[2 * slot + 1] === hash) {
        const other = this.#files[this.#owners[known] as number] as LineBytes;
        if (file.isSame(line, other, this.#lines[known] as number)) return known;
      }
      this.#looksLeft--;
    }
  }

  #add(slot: number, hash: number, owner: number, line: number): number {
    const number = this.count++;
    this.#slots[2 * slot] = number + 1;
    this.#slots[2 * slot + 1] = hash;
    this.#owners[number] = owner;
    this.#lines[number] = line;
    if (2 * this.count > this.#mask) this.#grow();
    return number;
  }

  #grow(): void {
    const slots = this.#slots;
    const grown = new Int32Array(2 * slots.length);
    const mask = grown.length / 2 - 1;
    for (let from = 0; from < slots.length; from += 2) {
      if (slots[from] === 0) continue;
      const hash = slots[from + 1] as number;
      let slot = hash & mask;
      while (grown[2 * slot] !== 0) slot = (slot + 1) & mask;
      grown[2 * slot] = slots[from] as number;
      grown[2 * slot + 1] = hash;
    }
    this.#slots = grown;
    this.#mask = mask;
  }
}
