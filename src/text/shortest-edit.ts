import type { Steps } from "../base/steps.ts";
import { workCounter } from "../base/work-counter.ts";
import { AnchorFinder } from "./line-anchors.ts";
import { type Middle, MiddleSearch } from "./middle-search.ts";
import { trimBox } from "./trim-box.ts";

/** Two sequences of numbered lines, and which lines of each have no partner in the other. */
export interface MarkedLines {
  readonly before: Int32Array;
  readonly after: Int32Array;
  readonly removed: Uint8Array;
  readonly added: Uint8Array;
  /** The numbers are below this. */
  readonly distinct: number;
}

/** A stretch of both sequences, half-open. */
export interface Box {
  readonly oldFrom: number;
  readonly oldTo: number;
  readonly newFrom: number;
  readonly newTo: number;
}

/** Lengths of the runs that are looked for to pair, one after the other, where a search found no end. */
const anchorWidths = [1, 8, 20, 48];
/** Work for each line, beyond which the rest of a text counts as changed. */
const workPerLine = 256;
const leastWork = 1 << 24;
const workPerAnchorLine = 8;

interface OpenBox extends Box {
  /** How many lengths of runs have been tried since the stretch was last cut in half. */
  readonly tried: number;
  /** How many lines it had then. */
  readonly size: number;
}

/**
 * Marks the lines that a short edit removes and adds. It is the shortest one (Myers' search from both ends, in linear space) where that is
 * not too far away. Elsewhere runs of lines that stand once in each text are paired first, and past a bound all that is left counts as changed.
 */
export function* markShortEdit(lines: MarkedLines): Steps<void> {
  const search = new MiddleSearch(lines);
  const anchors = new AnchorFinder(lines);
  const worked = workCounter();
  const whole = { oldFrom: 0, oldTo: lines.before.length, newFrom: 0, newTo: lines.after.length };
  const open: OpenBox[] = [{ ...whole, tried: 0, size: sizeOf(whole) }];
  let workLeft = leastWork + workPerLine * sizeOf(whole);
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const box = trimBox(lines, next);
    let work = 1 + ((sizeOf(next) - sizeOf(box)) >> 1);
    if (box.oldFrom === box.oldTo || box.newFrom === box.newTo || workLeft < 0) {
      lines.removed.fill(1, box.oldFrom, box.oldTo);
      lines.added.fill(1, box.newFrom, box.newTo);
    } else {
      let { tried } = next;
      let middle = search.middleOf(box, tried < anchorWidths.length);
      work += middle.work;
      let parts: readonly Box[] = [];
      for (; !middle.isShortest && parts.length === 0 && tried < anchorWidths.length; tried++) {
        parts = yield* anchors.between(box, anchorWidths[tried] as number);
        work += workPerAnchorLine * sizeOf(box);
      }
      if (parts.length === 0 && middle.isGivenUp) {
        middle = search.middleOf(box, false);
        work += middle.work;
      }
      if (parts.length === 0) parts = halvesOf(box, middle);
      for (const part of parts) open.push(opened(part, tried, next.size));
    }
    workLeft -= work;
    if (worked(1 + (work >> 3))) yield;
  }
}

function opened(part: Box, tried: number, size: number): OpenBox {
  const { oldFrom, oldTo, newFrom, newTo } = part;
  const own = sizeOf(part);
  const isHalf = 2 * own <= size;
  return { oldFrom, oldTo, newFrom, newTo, tried: isHalf ? 0 : tried, size: isHalf ? own : size };
}

function halvesOf({ oldFrom, oldTo, newFrom, newTo }: Box, { old, fresh }: Middle): readonly Box[] {
  return [
    { oldFrom, oldTo: old, newFrom, newTo: fresh },
    { oldFrom: old, oldTo, newFrom: fresh, newTo },
  ];
}

function sizeOf({ oldFrom, oldTo, newFrom, newTo }: Box): number {
  return oldTo - oldFrom + newTo - newFrom;
}
