import fc from "fast-check";
import { expect, it } from "vitest";
import { runSteps } from "../../src/base/steps.ts";
import { diffLines, type LineChange } from "../../src/text/diff-lines.ts";
import { bytesOfLines } from "../../src/text/merge-text.ts";
import type { TextDocument } from "../../src/text/text-document.ts";
import {
  byteText,
  editedText,
  linesOf,
  lineText,
  openBytes,
  shortestEdit,
} from "../support/merging/text-arbitraries.ts";

function diff(before: TextDocument, after: TextDocument): readonly LineChange[] {
  return runSteps(diffLines(before, after));
}

function applyDiff(before: TextDocument, after: TextDocument, changes: readonly LineChange[]): Uint8Array {
  const parts: Uint8Array[] = [];
  let at = 0;
  for (const { oldStart, oldEnd, newStart, newEnd } of changes) {
    parts.push(bytesOfLines(before, { from: at, to: oldStart }));
    parts.push(bytesOfLines(after, { from: newStart, to: newEnd }));
    at = oldEnd;
  }
  parts.push(bytesOfLines(before, { from: at, to: before.lineCount }));
  return new Uint8Array(Buffer.concat(parts));
}

const pair = fc.oneof(
  fc.tuple(byteText, byteText),
  lineText.chain((lines) =>
    fc.tuple(fc.constant(lines), editedText(lines)).map(([a, b]) => [join(a), join(b)] as const),
  ),
);

function join(lines: readonly string[]): Uint8Array {
  return new TextEncoder().encode(lines.join(""));
}

it("gives the other text when it is applied, whatever bytes the two have", () => {
  fc.assert(
    fc.property(pair, ([before, after]) => {
      const [a, b] = [openBytes(before), openBytes(after)];
      // A byte order mark without a line is no part of any line.
      fc.pre(a.lineCount > 0 && b.lineCount > 0);
      expect(applyDiff(a, b, diff(a, b))).toEqual(after);
    }),
    { numRuns: 400 },
  );
});

it("is in order, covers only what changes, and leaves a kept line between two changes", () => {
  fc.assert(
    fc.property(pair, ([before, after]) => {
      const [a, b] = [openBytes(before), openBytes(after)];
      const changes = diff(a, b);
      let old = -1;
      let fresh = -1;
      for (const { oldStart, oldEnd, newStart, newEnd } of changes) {
        expect(oldStart).toBeGreaterThan(old);
        expect(newStart).toBeGreaterThan(fresh);
        expect(oldEnd - oldStart + newEnd - newStart).toBeGreaterThan(0);
        old = oldEnd;
        fresh = newEnd;
      }
      expect(diff(a, a)).toEqual([]);
    }),
    { numRuns: 300 },
  );
});

it("is the shortest where lines repeat, and the same each time", () => {
  fc.assert(
    fc.property(fc.tuple(lineText, lineText), ([before, after]) => {
      const [a, b] = [openBytes(join(before)), openBytes(join(after))];
      const changes = diff(a, b);
      const size = changes.reduce((sum, c) => sum + c.oldEnd - c.oldStart + c.newEnd - c.newStart, 0);
      expect(size).toBe(shortestEdit(linesOf(a), linesOf(b)));
      expect(diff(a, b)).toEqual(changes);
    }),
    { numRuns: 300 },
  );
});
