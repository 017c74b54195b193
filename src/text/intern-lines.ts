import type { Steps } from "../base/steps.ts";
import { workCounter } from "../base/work-counter.ts";
import type { TextDocument } from "./text-document.ts";

/** Lines of several documents as numbers: two lines have the same number if and only if their bytes are the same. */
export interface InternedLines {
  /** For each document, the number of each of its lines. */
  readonly lines: readonly Int32Array[];
  /** Numbers run from 0 up to, and without, this. */
  readonly distinct: number;
}

interface Table {
  slots: Int32Array;
  hashes: Int32Array;
  owners: Int32Array;
  starts: Int32Array;
  ends: Int32Array;
  count: number;
}

/** Gives each different line of the documents a number, in the order in which they first appear. */
export function* internLines(documents: readonly TextDocument[]): Steps<InternedLines> {
  const total = documents.reduce((sum, { lineCount }) => sum + lineCount, 0);
  const table = makeTable(total);
  const worked = workCounter();
  const lines: Int32Array[] = [];
  for (const [owner, document] of documents.entries()) {
    const numbers = new Int32Array(document.lineCount);
    for (let line = 0; line < numbers.length; line++) {
      const from = startOf(document, line);
      const to = document.lineStarts[line + 1] as number;
      numbers[line] = numberOf(table, documents, owner, from, to);
      if (worked(1 + ((to - from) >> 8))) yield;
    }
    lines.push(numbers);
  }
  return { lines, distinct: table.count };
}

/** The first line includes the byte order mark. */
function startOf(document: TextDocument, line: number): number {
  return line === 0 ? 0 : (document.lineStarts[line] as number);
}

function makeTable(total: number): Table {
  let size = 16;
  while (size < 2 * total) size *= 2;
  const make = () => new Int32Array(total);
  return {
    slots: new Int32Array(size).fill(-1),
    hashes: make(),
    owners: make(),
    starts: make(),
    ends: make(),
    count: 0,
  };
}

function numberOf(
  table: Table,
  documents: readonly TextDocument[],
  owner: number,
  from: number,
  to: number,
): number {
  const { bytes } = documents[owner] as TextDocument;
  const hash = hashOf(bytes, from, to);
  const mask = table.slots.length - 1;
  for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
    const known = table.slots[slot] as number;
    if (known < 0) {
      const number = table.count++;
      table.slots[slot] = number;
      table.hashes[number] = hash;
      table.owners[number] = owner;
      table.starts[number] = from;
      table.ends[number] = to;
      return number;
    }
    if (table.hashes[known] !== hash) continue;
    const start = table.starts[known] as number;
    if ((table.ends[known] as number) - start !== to - from) continue;
    const other = (documents[table.owners[known] as number] as TextDocument).bytes;
    if (sameBytes(bytes, from, to, other, start)) return known;
  }
}

function sameBytes(bytes: Uint8Array, from: number, to: number, other: Uint8Array, start: number): boolean {
  let at = from;
  const shift = start - from;
  while (at < to && bytes[at] === other[at + shift]) at++;
  return at === to;
}

function hashOf(bytes: Uint8Array, from: number, to: number): number {
  let hash = 0x811c9dc5 | 0;
  for (let at = from; at < to; at++) hash = Math.imul(hash ^ (bytes[at] as number), 0x01000193);
  hash ^= hash >>> 15;
  hash = Math.imul(hash, 0x2c1b3c6d);
  return hash ^ (hash >>> 12);
}
