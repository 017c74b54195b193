import { afterEach, describe, expect, it, vi } from "vitest";
import type { Steps } from "../../../src/base/steps.ts";
import { runSteps } from "../../../src/base/steps.ts";
import { diffLines } from "../../../src/text/diff-lines.ts";
import { LineBytes } from "../../../src/text/line-bytes.ts";
import { mergeText } from "../../../src/text/merge-text.ts";
import { openLines } from "../../support/merging/merge-tally.ts";
import { openBytes } from "../../support/merging/text-arbitraries.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

/** Runs to the end and counts the pieces: each is some thousand units of work. */
function countSteps<T>(steps: Steps<T>): { readonly value: T; readonly pieces: number } {
  for (let pieces = 1; ; pieces++) {
    const step = steps.next();
    if (step.done === true) return { value: step.value, pieces };
  }
}

const changes = (before: readonly string[], after: readonly string[]) =>
  runSteps(diffLines(openLines(before), openLines(after))).map(
    ({ oldStart, oldEnd, newStart, newEnd }) => `${oldStart}-${oldEnd}>${newStart}-${newEnd}`,
  );

describe("diffLines", () => {
  it.each([
    ["nothing", "abc", "abc", []],
    ["an addition", "ab", "axb", ["1-1>1-2"]],
    ["a removal", "axb", "ab", ["1-2>1-1"]],
    ["a replacement as one change", "axb", "ayzb", ["1-2>1-3"]],
    ["everything", "ab", "xyz", ["0-2>0-3"]],
    ["an addition that could stand higher, as far down as it goes", "a{}", "a{}{}", ["3-3>3-5"]],
    ["a removal among equal lines at their end", "abbbc", "abbc", ["3-4>3-3"]],
    ["a removal beside an addition, where it can slide there", "abbc", "abxc", ["2-3>2-3"]],
  ])("finds %s", (_, before, after, expected) => {
    expect(
      changes(
        [...before].map((c) => `${c}\n`),
        [...after].map((c) => `${c}\n`),
      ),
    ).toEqual(expected);
  });

  it("tells line ends, a missing last one and a byte order mark apart", () => {
    expect(changes(["a\n", "b\n"], ["a\r\n", "b\n"])).toEqual(["0-1>0-1"]);
    expect(changes(["a\n", "b\n"], ["a\n", "b"])).toEqual(["1-2>1-2"]);
    expect(changes(["a\n", "b\n"], ["\ufeffa\n", "b\n"])).toEqual(["0-1>0-1"]);
  });

  it("compares lines a bounded number of times, also when all are made to have one hash", () => {
    const same = vi.spyOn(LineBytes.prototype, "isSame");
    const compared = vi.spyOn(LineBytes.prototype, "compare");
    const lines = 4_000;
    const before = collidingLines(lines, 1);
    const after = new Uint8Array([...collidingLines(1, 77_777), ...before.subarray(9)]);
    const [a, b] = [openBytes(before), openBytes(after)];
    const hash = new LineBytes(a).hashOf(0);
    for (let line = 0; line < lines; line++) expect(new LineBytes(a).hashOf(line)).toBe(hash);
    vi.clearAllMocks();
    expect(runSteps(diffLines(a, b))).toEqual([{ oldStart: 0, oldEnd: 1, newStart: 0, newEnd: 1 }]);
    // There few lines are looked at; upside down all are.
    const turned = openBytes(upsideDown(before, 9));
    runSteps(diffLines(a, turned));
    expect(same.mock.calls.length).toBeLessThan(40 * lines);
    expect(compared.mock.calls.length).toBeGreaterThan(0);
    expect(compared.mock.calls.length).toBeLessThan(2 * 2 * lines * 14);
  });
});

/** Different lines of eight bytes with the same hash: the second word makes up for the first. */
function collidingLines(count: number, seed: number): Uint8Array {
  const bytes = new Uint8Array(9 * count);
  const view = new DataView(bytes.buffer);
  let word = seed;
  for (let line = 0; line < count; ) {
    word = (Math.imul(word, 1664525) + 1013904223) | 0;
    const at = 9 * line;
    const first = Math.imul(9 ^ word, 0x9e3779b1);
    view.setInt32(at, word, true);
    view.setInt32(at + 4, first ^ (first >>> 15) ^ 0x41424344, true);
    bytes[at + 8] = 10;
    if (!bytes.subarray(at, at + 8).some((byte) => byte === 10 || byte === 0 || byte >= 0xef)) line++;
  }
  return bytes;
}

function upsideDown(bytes: Uint8Array, length: number): Uint8Array {
  const turned = new Uint8Array(bytes.length);
  for (let at = 0; at < bytes.length; at += length)
    turned.set(bytes.subarray(at, at + length), bytes.length - at - length);
  return turned;
}

/** Texts in which a search could lose itself, as lines of a count. */
const hardTexts: Readonly<Record<string, (count: number) => readonly [string[], string[], string[]]>> = {
  "all lines equal, of three lengths": (count) => [
    repeat("}", count),
    repeat("}", count - 7),
    repeat("}", count + 9),
  ],
  "every other line blank": (count) => [
    numbered(count, (line) => (line % 2 === 0 ? "" : `${line}`)),
    numbered(count, (line) => (line % 2 === 0 ? "" : `${line % 10 === 3 ? "x" : ""}${line}`)),
    numbered(count, (line) => (line % 2 === 0 ? "" : `${line % 10 === 7 ? "y" : ""}${line}`)),
  ],
  "the same unique lines upside down": (count) => [
    numbered(count, String),
    numbered(count, (line) => `${count - line}`),
    numbered(count, String),
  ],
  "nothing in common but the kinds of lines": (count) => [
    numbered(count, (line) => `${noise(line) % 3}`),
    numbered(count, (line) => `${noise(line + 7_000_000) % 3}`),
    numbered(count, (line) => `${noise(line + 9_000_000) % 3}`),
  ],
  "two lines in turn, against the other turn": (count) => [
    numbered(count, (line) => "ab"[line % 2] as string),
    numbered(count, (line) => "ba"[line % 2] as string),
    numbered(count, (line) => "aab"[line % 3] as string),
  ],
  "many small changes among few kinds of lines": (count) => [
    numbered(count, (line) => `${noise(line) % 5}`),
    numbered(count, (line) => `${noise(line) % 5}${line % 10 === 3 ? "x" : ""}`),
    numbered(count, (line) => `${noise(line) % 5}${line % 10 === 8 ? "x" : ""}`),
  ],
};

function repeat(line: string, count: number): string[] {
  return new Array<string>(count).fill(`${line}\n`);
}

function numbered(count: number, of: (line: number) => string): string[] {
  return Array.from({ length: count }, (_, line) => `${of(line)}\n`);
}

function noise(value: number): number {
  const once = Math.imul(value ^ (value >>> 16), 0x45d9f3b);
  return (Math.imul(once ^ (once >>> 15), 0x2c1b3c6d) ^ (once >>> 13)) >>> 0;
}

describe("a merge", () => {
  it.each(Object.entries(hardTexts))("needs work in proportion to its lines for %s", (_, make) => {
    const piecesFor = (count: number) => {
      const [base, current, incoming] = make(count).map(openLines) as [never, never, never];
      return countSteps(mergeText(base, current, incoming)).pieces;
    };
    const small = piecesFor(4_000);
    const large = piecesFor(16_000);
    // Pieces of 4,096 units; a line may cost about a hundred of them in the worst of these.
    expect(large).toBeLessThan(2_000);
    expect(large).toBeLessThan(8 * small + 16);
  });
});
