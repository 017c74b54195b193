import type { Steps } from "../base/steps.ts";
import { workCounter } from "../base/work-counter.ts";
import type { MarkedLines } from "./shortest-edit.ts";

/**
 * Moves runs of removed and of added lines to where they are read best, without another edit coming of it: a run that can slide over equal lines
 * is joined with its neighbours, put beside a run of the other side where there is one, and else put as far down as it goes.
 */
export function* slideChanges({ before, after, removed, added }: MarkedLines): Steps<void> {
  yield* slideSide(before, removed, added);
  yield* slideSide(after, added, removed);
}

/** Work for each line that sliding may cost; runs that come later stay where they are. */
const workPerLine = 8;
/** Lines that are gone through between two looks at the work done. */
const stride = 1024;

interface Run {
  start: number;
  end: number;
  /** Where the run of the other side that stands beside this one starts; it may be empty. */
  other: number;
}

function* slideSide(lines: Int32Array, marks: Uint8Array, others: Uint8Array): Steps<void> {
  const worked = workCounter();
  const side = new SlidingSide(lines, marks, others, worked);
  let other = 0;
  for (let at = 0; at < lines.length; ) {
    const from = at;
    for (const stop = Math.min(lines.length, from + stride); at < stop && marks[at] === 0; at++) {
      while (others[other] === 1) other++;
      other++;
    }
    if (worked(1 + ((at - from) >> 3))) yield;
    if (marks[at] !== 1) continue;
    const run: Run = { start: at, end: at, other };
    while (marks[run.end] === 1) run.end++;
    if (worked((run.end - run.start) >> 3)) yield;
    if (side.canMove(run)) yield* side.settle(run);
    at = run.end;
    other = run.other;
  }
}

class SlidingSide {
  readonly #lines: Int32Array;
  readonly #marks: Uint8Array;
  readonly #others: Uint8Array;
  readonly #worked: (units?: number) => boolean;
  #workLeft: number;

  constructor(lines: Int32Array, marks: Uint8Array, others: Uint8Array, worked: (units?: number) => boolean) {
    this.#lines = lines;
    this.#marks = marks;
    this.#others = others;
    this.#worked = worked;
    this.#workLeft = workPerLine * (lines.length + others.length);
  }

  /** The start of the other side's next run, behind the line that stays after this one. */
  nextOther(other: number): number {
    let at = other;
    while (this.#others[at] === 1) at++;
    return at + 1;
  }

  canMove(run: Run): boolean {
    return this.#canGoUp(run) || this.#canGoDown(run);
  }

  *settle(run: Run): Steps<void> {
    let beside: number;
    let length: number;
    do {
      length = run.end - run.start;
      while (this.#canGoUp(run)) if (this.#worked(this.#goUp(run))) yield;
      beside = this.#others[run.other] === 1 ? run.end : -1;
      while (this.#canGoDown(run)) {
        if (this.#worked(this.#goDown(run))) yield;
        if (this.#others[run.other] === 1) beside = run.end;
      }
    } while (run.end - run.start !== length);
    if (beside >= 0) while (run.end > beside) if (this.#worked(this.#goUp(run))) yield;
  }

  #canGoUp({ start, end }: Run): boolean {
    return start > 0 && this.#lines[start - 1] === this.#lines[end - 1] && this.#workLeft > 0;
  }

  #canGoDown({ start, end }: Run): boolean {
    return end < this.#lines.length && this.#lines[start] === this.#lines[end] && this.#workLeft > 0;
  }

  #goUp(run: Run): number {
    this.#marks[--run.start] = 1;
    this.#marks[--run.end] = 0;
    const from = run.other;
    run.other--;
    while (run.other > 0 && this.#others[run.other - 1] === 1) run.other--;
    const joined = run.start;
    while (run.start > 0 && this.#marks[run.start - 1] === 1) run.start--;
    return this.#spend(from - run.other + joined - run.start);
  }

  #goDown(run: Run): number {
    this.#marks[run.start++] = 0;
    this.#marks[run.end++] = 1;
    const from = run.other;
    run.other = this.nextOther(run.other);
    const joined = run.end;
    while (this.#marks[run.end] === 1) run.end++;
    return this.#spend(run.other - from + run.end - joined);
  }

  #spend(work: number): number {
    this.#workLeft -= work;
    return 1 + (work >> 3);
  }
}
