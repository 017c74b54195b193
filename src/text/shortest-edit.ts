import type { Steps } from "../base/steps.ts";
import { workCounter } from "../base/work-counter.ts";

/** Two sequences of numbered lines, and which lines of each have no partner in the other. */
export interface MarkedLines {
  readonly before: Int32Array;
  readonly after: Int32Array;
  readonly removed: Uint8Array;
  readonly added: Uint8Array;
}

/** A stretch of both sequences, half-open. */
export interface Box {
  readonly oldFrom: number;
  readonly oldTo: number;
  readonly newFrom: number;
  readonly newTo: number;
}

/** Edits that a search for the middle of a shortest edit may try from each end; then the best place so far is taken. */
const searchLimit = 512;
const nowhere = -1;
const far = 0x3fffffff;

/**
 * Marks the lines of a stretch that a short edit removes and adds: the shortest one where it is not too far
 * away (Myers' search from both ends, in linear space), else a correct longer one.
 */
export function* markShortestEdit(lines: MarkedLines, whole: Box): Steps<void> {
  const search = new MiddleSearch(lines);
  const worked = workCounter();
  const open: Box[] = [whole];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const box = trimmed(lines, next);
    if (worked(1 + ((next.oldTo - next.oldFrom - box.oldTo + box.oldFrom) >> 2))) yield;
    if (box.oldFrom === box.oldTo || box.newFrom === box.newTo) {
      lines.removed.fill(1, box.oldFrom, box.oldTo);
      lines.added.fill(1, box.newFrom, box.newTo);
      continue;
    }
    const [x, y] = yield* search.middleOf(box);
    open.push({ ...box, oldFrom: x, newFrom: y }, { ...box, oldTo: x, newTo: y });
  }
}

/** A stretch without the lines that are the same at its two ends. */
export function trimmed({ before, after }: MarkedLines, box: Box): Box {
  let { oldFrom, oldTo, newFrom, newTo } = box;
  while (oldFrom < oldTo && newFrom < newTo && before[oldFrom] === after[newFrom]) {
    oldFrom++;
    newFrom++;
  }
  while (oldFrom < oldTo && newFrom < newTo && before[oldTo - 1] === after[newTo - 1]) {
    oldTo--;
    newTo--;
  }
  return { oldFrom, oldTo, newFrom, newTo };
}

class MiddleSearch {
  readonly #lines: MarkedLines;
  readonly #forward = new Int32Array(2 * searchLimit + 5);
  readonly #backward = new Int32Array(2 * searchLimit + 5);
  #work = 0;

  constructor(lines: MarkedLines) {
    this.#lines = lines;
  }

  /** A place on a shortest path through a stretch whose ends differ, or on a good one when the shortest is too far. */
  *middleOf(box: Box): Steps<readonly [number, number]> {
    const center = searchLimit + 2;
    const forward = this.#forward;
    const backward = this.#backward;
    const width = box.oldTo - box.oldFrom;
    const height = box.newTo - box.newFrom;
    const difference = width - height;
    forward[center + 1] = 0;
    forward[center - 1] = nowhere;
    backward[center - 1] = width;
    backward[center + 1] = far;
    const worked = workCounter();
    this.#work = 0;
    for (let edits = 0; edits <= searchLimit; edits++) {
      forward[center - edits - 1] = nowhere;
      if (edits > 0) forward[center + edits + 1] = nowhere;
      backward[center + edits + 1] = far;
      if (edits > 0) backward[center - edits - 1] = far;
      const low = -edits + 2 * Math.max(0, edits - height);
      const high = edits - 2 * Math.max(0, edits - width);
      for (let k = low; k <= high; k += 2) {
        const x = this.#goForward(box, k, center + k, width, height);
        const other = k - difference;
        if (
          (difference & 1) !== 0 &&
          other > -edits &&
          other < edits &&
          x >= (backward[center + other] as number)
        )
          return [box.oldFrom + x, box.newFrom + x - k];
      }
      const lowBack = -edits + 2 * Math.max(0, edits - width);
      const highBack = edits - 2 * Math.max(0, edits - height);
      for (let k = lowBack; k <= highBack; k += 2) {
        const x = this.#goBackward(box, k + difference, center + k, width, height);
        const other = k + difference;
        if (
          (difference & 1) === 0 &&
          other >= -edits &&
          other <= edits &&
          x <= (forward[center + other] as number)
        )
          return [box.oldFrom + x, box.newFrom + x - other];
      }
      if (worked((high - low + this.#work) >> 3)) yield;
      this.#work = 0;
    }
    return this.#bestSoFar(box, center, width, height);
  }

  #goForward(box: Box, k: number, at: number, width: number, height: number): number {
    const forward = this.#forward;
    const left = forward[at - 1] as number;
    const above = forward[at + 1] as number;
    let x = left >= 0 && left < width ? left + 1 : nowhere;
    if (above > x && above - k <= height) x = above;
    if (x >= 0) {
      const { before, after } = this.#lines;
      const start = x;
      while (x < width && x - k < height && before[box.oldFrom + x] === after[box.newFrom + x - k]) x++;
      this.#work += x - start;
    }
    forward[at] = x;
    return x;
  }

  #goBackward(box: Box, k: number, at: number, width: number, _height: number): number {
    const backward = this.#backward;
    const right = backward[at + 1] as number;
    const below = backward[at - 1] as number;
    let x = right <= width && right > 0 ? right - 1 : far;
    if (below < x && below - k >= 0) x = below;
    if (x !== far) {
      const { before, after } = this.#lines;
      const start = x;
      while (x > 0 && x - k > 0 && before[box.oldFrom + x - 1] === after[box.newFrom + x - k - 1]) x--;
      this.#work += start - x;
    }
    backward[at] = x;
    return x;
  }

  /** The place farthest from the start or the end that was reached; both halves are solved on. */
  #bestSoFar(box: Box, center: number, width: number, height: number): readonly [number, number] {
    let best = -1;
    let place: readonly [number, number] = [box.oldTo, box.newFrom];
    for (let k = -searchLimit; k <= searchLimit; k++) {
      const x = this.#forward[center + k] as number;
      if (x >= 0 && x <= width && x - k <= height && 2 * x - k > best) {
        best = 2 * x - k;
        place = [box.oldFrom + x, box.newFrom + x - k];
      }
      const back = this.#backward[center + k] as number;
      const y = back - k - (width - height);
      if (back !== far && y >= 0 && width + height - back - y > best) {
        best = width + height - back - y;
        place = [box.oldFrom + back, box.newFrom + y];
      }
    }
    return place;
  }
}
