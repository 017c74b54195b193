import type { Box, MarkedLines } from "./shortest-edit.ts";

/** A place on a way through a stretch of two texts. */
export interface Middle {
  readonly old: number;
  readonly fresh: number;
  /** Whether it lies on a shortest way; else it is the farthest place that was reached from an end. */
  readonly isShortest: boolean;
  /** Whether the search gave up before its limit, because it was not going to come to an end. */
  readonly isGivenUp: boolean;
  /** Lines that were looked at to find it. */
  readonly work: number;
}

/** Edits that a search may try from each end. */
const editLimit = 256;
/** Edits after which a search looks how far it came. */
const givingUpAfter = [64, 128];
/** Equal lines that it may walk along. */
const walkLimit = 1 << 20;
const center = editLimit + 2;
const nowhere = -1;
const far = 0x3fffffff;

/** Looks for places in the middle of shortest edits, from both ends at once (Myers, "An O(ND) difference algorithm and its variations", section 4b). */
export class MiddleSearch {
  readonly #before: Int32Array;
  readonly #after: Int32Array;
  /** For each diagonal, counted from the corner where the search starts, how far it came in the old text. */
  readonly #forward = new Int32Array(2 * center + 1);
  readonly #backward = new Int32Array(2 * center + 1);
  #oldFrom = 0;
  #newFrom = 0;
  #width = 0;
  #height = 0;
  #work = 0;

  constructor({ before, after }: MarkedLines) {
    this.#before = before;
    this.#after = after;
  }

  /** A place in a stretch whose first lines differ, and whose last lines do. A search that may give up does so when it advances too slowly to end. */
  middleOf({ oldFrom, oldTo, newFrom, newTo }: Box, mayGiveUp: boolean): Middle {
    this.#oldFrom = oldFrom;
    this.#newFrom = newFrom;
    this.#width = oldTo - oldFrom;
    this.#height = newTo - newFrom;
    this.#work = 0;
    const walks = Math.min(walkLimit, 65_536 + 4 * (this.#width + this.#height));
    this.#forward[center + 1] = 0;
    this.#forward[center - 1] = nowhere;
    this.#backward[center - 1] = this.#width;
    this.#backward[center + 1] = far;
    const isOdd = ((this.#width - this.#height) & 1) !== 0;
    let edits = 0;
    for (; edits < editLimit && this.#work < walks; edits++) {
      if (mayGiveUp && givingUpAfter.includes(edits) && this.#isSlow(edits)) break;
      this.#openDiagonals(edits);
      const found = this.#stepForward(edits, isOdd) ?? this.#stepBackward(edits, !isOdd);
      if (found !== undefined) return found;
    }
    return { ...this.#farthest(edits - 1), isGivenUp: edits < editLimit && this.#work < walks };
  }

  /** Whether, going on as up to now, the two ends would be far from meeting after the last edit that may be tried. */
  #isSlow(edits: number): boolean {
    const sum = this.#width + this.#height;
    let forward = 0;
    let backward = 0;
    for (let k = 1 - edits; k < edits; k += 2) {
      const x = this.#forward[center + k] as number;
      if (x >= 0) forward = Math.max(forward, 2 * x - k);
      const back = this.#backward[center + k] as number;
      if (back !== far) backward = Math.max(backward, sum - (2 * back - (k + this.#width - this.#height)));
    }
    this.#work += edits;
    return (forward + backward) * editLimit * 4 < sum * edits * 3;
  }

  /** The diagonals beside those of the last round have not been reached. */
  #openDiagonals(edits: number): void {
    this.#forward[center - edits - 1] = nowhere;
    this.#backward[center + edits + 1] = far;
    if (edits === 0) return;
    this.#forward[center + edits + 1] = nowhere;
    this.#backward[center - edits - 1] = far;
  }

  #stepForward(edits: number, canMeet: boolean): Middle | undefined {
    const width = this.#width;
    const height = this.#height;
    const forward = this.#forward;
    const backward = this.#backward;
    const before = this.#before;
    const after = this.#after;
    const oldFrom = this.#oldFrom;
    const newFrom = this.#newFrom;
    const high = edits - 2 * Math.max(0, edits - width);
    let walked = 0;
    for (let k = -edits + 2 * Math.max(0, edits - height); k <= high; k += 2) {
      const left = forward[center + k - 1] as number;
      const above = forward[center + k + 1] as number;
      let x = left >= 0 && left < width ? left + 1 : nowhere;
      if (above > x && above - k <= height) x = above;
      const from = x;
      if (x >= 0) while (x < width && x - k < height && before[oldFrom + x] === after[newFrom + x - k]) x++;
      forward[center + k] = x;
      walked += 1 + x - from;
      const other = k - width + height;
      if (canMeet && other > -edits && other < edits && x >= (backward[center + other] as number)) {
        this.#work += walked;
        return this.#place(x, k, true);
      }
    }
    this.#work += walked;
    return undefined;
  }

  #stepBackward(edits: number, canMeet: boolean): Middle | undefined {
    const width = this.#width;
    const height = this.#height;
    const forward = this.#forward;
    const backward = this.#backward;
    const before = this.#before;
    const after = this.#after;
    const oldBefore = this.#oldFrom - 1;
    const newBefore = this.#newFrom - 1;
    const difference = width - height;
    const high = edits - 2 * Math.max(0, edits - height);
    let walked = 0;
    for (let k = -edits + 2 * Math.max(0, edits - width); k <= high; k += 2) {
      const diagonal = k + difference;
      const right = backward[center + k + 1] as number;
      const below = backward[center + k - 1] as number;
      let x = right <= width && right > 0 ? right - 1 : far;
      if (below < x && below >= diagonal) x = below;
      const from = x;
      if (x !== far)
        while (x > 0 && x > diagonal && before[oldBefore + x] === after[newBefore + x - diagonal]) x--;
      backward[center + k] = x;
      walked += 1 + from - x;
      if (canMeet && diagonal >= -edits && diagonal <= edits && x <= (forward[center + diagonal] as number)) {
        this.#work += walked;
        return this.#place(x, diagonal, true);
      }
    }
    this.#work += walked;
    return undefined;
  }

  /** The place farthest from the corner where its search started. */
  #farthest(edits: number): Middle {
    const sum = this.#width + this.#height;
    let best = -1;
    let place = this.#place(this.#width, this.#width, false);
    for (let k = -edits; k <= edits; k++) {
      const x = this.#forward[center + k] as number;
      if (x >= 0 && 2 * x - k > best) {
        best = 2 * x - k;
        place = this.#place(x, k, false);
      }
      const back = this.#backward[center + k] as number;
      const diagonal = k + this.#width - this.#height;
      if (back !== far && sum - (2 * back - diagonal) > best) {
        best = sum - (2 * back - diagonal);
        place = this.#place(back, diagonal, false);
      }
    }
    return place;
  }

  #place(x: number, diagonal: number, isShortest: boolean): Middle {
    return {
      old: this.#oldFrom + x,
      fresh: this.#newFrom + x - diagonal,
      isShortest,
      isGivenUp: false,
      work: this.#work,
    };
  }
}
