import type { Steps } from "../base/steps.ts";
import { workCounter } from "../base/work-counter.ts";
import type { LineRange, MergeStretch, NumberedTexts } from "./merge-text.ts";
import {
  hasSeveralResults,
  type MergeStep,
  moves,
  searchVolume,
  separateChanges,
  type ThreeStretches,
  volumeOf,
} from "./separate-changes.ts";

/** Kept lines before and behind a conflict that are read with it. */
const conflictContext = 6;
/** The same for changes of different sides that only one kept line holds apart. */
const neighbourContext = 1;
/** Work that all searches of one merge may take together; what is left then stays as it was read first. */
const searchesVolume = 1 << 27;

type Ranges = Omit<MergeStretch, "kind">;

/**
 * Reads again where equal lines can be paired in several ways. A conflict goes when the changes can keep apart and all ways lead to one text, and
 * where changes of the two sides lie close together and the ways lead to several texts, a conflict comes.
 */
export function* rereadStretches(
  stretches: readonly MergeStretch[],
  texts: NumberedTexts,
): Steps<readonly MergeStretch[]> {
  if (!(yield* hasDoubts(stretches))) return stretches;
  const reader = new Rereader(texts);
  const worked = workCounter();
  reader.rest = [...stretches].reverse();
  for (let next = reader.rest.pop(); next !== undefined; next = reader.rest.pop()) {
    reader.done.push(next);
    const volume = next.kind === "conflict" ? reader.resolve() : 0;
    if (worked(1 + (volume >> 7))) yield;
  }
  reader.rest = reader.done.reverse();
  reader.done = [];
  for (let next = reader.rest.pop(); next !== undefined; next = reader.rest.pop()) {
    reader.done.push(next);
    const volume = reader.doubt();
    if (worked(1 + (volume >> 7))) yield;
  }
  return reader.done;
}

/** Whether there is anything to read again: a conflict, or changes of different sides that are close neighbours. */
function* hasDoubts(stretches: readonly MergeStretch[]): Steps<boolean> {
  const worked = workCounter();
  for (let index = 0; index < stretches.length; index++) {
    if (stretches[index]?.kind === "conflict" || areNeighbours(stretches, index)) return true;
    if (worked()) yield;
  }
  return false;
}

/** Whether only one kept line, at most, holds a change and one of the other side two stretches before it apart. */
function areNeighbours(stretches: readonly MergeStretch[], index: number): boolean {
  const change = stretches[index];
  if (index < 2 || change === undefined || !isOneSided(change)) return false;
  const before = stretches[index - 2] as MergeStretch;
  const gap = stretches[index - 1] as MergeStretch;
  return gap.kind === "same" && lengthOf(gap.base) <= 1 && isOneSided(before) && before.kind !== change.kind;
}

class Rereader {
  readonly #texts: NumberedTexts;
  /** What has been read, and what is still to be read, the next last. */
  done: MergeStretch[] = [];
  rest: MergeStretch[] = [];
  #volumeLeft = searchesVolume;

  constructor(texts: NumberedTexts) {
    this.#texts = texts;
  }

  /** Puts in the place of a conflict, which is the last that was read, what it is when read better, if it is. */
  resolve(): number {
    const window = this.#windowAround(conflictContext);
    const slices = this.#slices(window);
    const volume = this.#spend(slices);
    const way = volume > 0 ? separateChanges(slices) : undefined;
    if (way !== undefined) {
      cutOut(window, this.done, this.rest);
      this.done.push(...stretchesOf(way, window));
    }
    return volume;
  }

  /** Makes a conflict of a change and the one of the other side before it when they could change places. */
  doubt(): number {
    if (!areNeighbours(this.done, this.done.length - 1)) return 0;
    const [before, gap, change] = this.done.slice(-3) as [MergeStretch, MergeStretch, MergeStretch];
    const joined = mapSides((side) => ({ from: before[side].from, to: change[side].to }));
    this.done.splice(-3, 3, { kind: "conflict", ...joined });
    const slices = this.#slices(this.#windowAround(neighbourContext));
    const volume = this.#spend(slices);
    if (volume === 0 || !hasSeveralResults(slices)) this.done.splice(-1, 1, before, gap, change);
    return volume;
  }

  /** The last stretch that was read with kept lines before it and behind it, as far as lines have numbers. */
  #windowAround(context: number): Ranges {
    const window = windowAround(this.done, this.rest, context);
    const { head } = this.#texts;
    return mapSides((side) => ({
      from: Math.max(head, window[side].from),
      to: Math.min(head + this.#texts[side].length, window[side].to),
    }));
  }

  #slices(window: Ranges): ThreeStretches {
    const { head } = this.#texts;
    return mapSides((side) => this.#texts[side].subarray(window[side].from - head, window[side].to - head));
  }

  /** What a search costs; 0 when it would lead to nothing or cost too much. */
  #spend(slices: ThreeStretches): number {
    const volume = volumeOf(slices);
    if (volume > Math.min(searchVolume, this.#volumeLeft) || !hasRepeats(slices)) return 0;
    this.#volumeLeft -= volume;
    return volume;
  }
}

function isOneSided({ kind }: MergeStretch): boolean {
  return kind === "current" || kind === "incoming";
}

/** The last of the stretches that are done, with kept lines before it and behind it; the line next to the window is kept, too. */
function windowAround(done: readonly MergeStretch[], rest: readonly MergeStretch[], context: number): Ranges {
  const conflict = done.at(-1) as MergeStretch;
  let before: Ranges = conflict;
  let wanted = context;
  for (let at = done.length - 2; at >= 0 && wanted >= 0; at--) {
    const stretch = done[at] as MergeStretch;
    before = stretch.kind === "same" ? lastLines(stretch, wanted) : stretch;
    if (stretch.kind === "same")
      wanted -= lengthOf(stretch.base) > wanted ? context + 1 : lengthOf(stretch.base);
  }
  let behind: Ranges = conflict;
  wanted = context;
  for (let at = rest.length - 1; at >= 0 && wanted >= 0; at--) {
    const stretch = rest[at] as MergeStretch;
    behind = stretch.kind === "same" ? firstLines(stretch, wanted) : stretch;
    if (stretch.kind === "same")
      wanted -= lengthOf(stretch.base) > wanted ? context + 1 : lengthOf(stretch.base);
  }
  return mapSides((side) => ({ from: before[side].from, to: behind[side].to }));
}

const sides = ["base", "current", "incoming"] as const;

function mapSides<T>(of: (side: keyof Ranges) => T): Record<keyof Ranges, T> {
  return { base: of("base"), current: of("current"), incoming: of("incoming") };
}

function firstLines(stretch: Ranges, count: number): Ranges {
  const taken = Math.min(count, lengthOf(stretch.base));
  return mapSides((side) => ({ from: stretch[side].from, to: stretch[side].from + taken }));
}

function lastLines(stretch: Ranges, count: number): Ranges {
  const taken = Math.min(count, lengthOf(stretch.base));
  return mapSides((side) => ({ from: stretch[side].to - taken, to: stretch[side].to }));
}

function lengthOf({ from, to }: LineRange): number {
  return to - from;
}

/** Where each line is alone in its text, lines can be paired in one way only. */
function hasRepeats({ base, current, incoming }: ThreeStretches): boolean {
  return [base, current, incoming].some((lines) => new Set(lines).size < lines.length);
}

/** Takes the lines of a window out of the stretches before it and behind it. */
function cutOut(window: Ranges, done: MergeStretch[], rest: MergeStretch[]): void {
  for (let last = done.at(-1); last !== undefined && reaches(window, last); last = done.at(-1)) {
    done.pop();
    if (last.kind === "same" && last.base.from < window.base.from)
      done.push({ kind: "same", ...firstLines(last, window.base.from - last.base.from) });
  }
  for (let next = rest.at(-1); next !== undefined && reaches(next, window); next = rest.at(-1)) {
    rest.pop();
    if (next.kind === "same" && next.base.to > window.base.to)
      rest.push({ kind: "same", ...lastLines(next, next.base.to - window.base.to) });
  }
}

/** Whether stretches reach behind the start of others; one may have no lines of a text. */
function reaches(later: Ranges, earlier: Ranges): boolean {
  return sides.some((side) => earlier[side].to > later[side].from);
}

const kinds = ["same", "current", "incoming", "both"] as const;

function stretchesOf(way: readonly MergeStep[], window: Ranges): MergeStretch[] {
  const stretches: MergeStretch[] = [];
  const at = mapSides((side) => window[side].from);
  for (const step of way) {
    const [base, current, incoming, mode] = moves[step];
    const kind = kinds[mode] as MergeStretch["kind"];
    const from = { ...at };
    at.base += base;
    at.current += current;
    at.incoming += incoming;
    const last = stretches.at(-1);
    const joined = last?.kind === kind ? stretches.pop() : undefined;
    stretches.push({
      kind,
      ...mapSides((side) => ({ from: (joined?.[side] ?? { from: from[side] }).from, to: at[side] })),
    });
  }
  return stretches;
}
