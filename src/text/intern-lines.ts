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
  const worked = workCounter();
  for (const [owner, numbers] of lines.entries())
    for (let at = 0; at < numbers.length; at++) {
      numbers[at] = table.numberOf(owner, head + at);
      if (table.isCrowded()) return yield* internByOrder(files, head, lines);
      if (worked(2 + ((files[owner] as LineBytes).lengthOf(head + at) >> 9))) yield;
    }
  return { head, lines, distinct: table.count };
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
  readonly #slots: Int32Array;
  readonly #mask: number;
  readonly #owners: Uint8Array;
  readonly #lines: Int32Array;
  #looksLeft: number;
  count = 0;

  constructor(files: readonly LineBytes[], total: number) {
    let size = 16;
    while (size < 2 * total) size *= 2;
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
    return number;
  }
}
