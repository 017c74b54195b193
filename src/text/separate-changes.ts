/** Three stretches of numbered lines that belong together. */
export interface ThreeStretches {
  readonly base: Int32Array;
  readonly current: Int32Array;
  readonly incoming: Int32Array;
}

/** One step along three texts: a line that all keep, or a line that one side or both take away or bring. */
export type MergeStep =
  | "keep"
  | "currentRemoves"
  | "currentAdds"
  | "incomingRemoves"
  | "incomingAdds"
  | "bothRemove"
  | "bothAdd";

/** Places in a search that is worth its cost. */
export const searchVolume = 1 << 18;

/** How many places a search for these stretches has to remember. */
export function volumeOf({ base, current, incoming }: ThreeStretches): number {
  return 4 * (base.length + 1) * (current.length + 1) * (incoming.length + 1);
}

const current = ["currentRemoves", "currentAdds"] as const;
const incoming = ["incomingRemoves", "incomingAdds"] as const;
const both = ["bothRemove", "bothAdd"] as const;

/** Steps in orders that differ as much as they can: where ways give different texts, these mostly do. The first two, and the last two, are each other's mirror. */
const apart: readonly (readonly MergeStep[])[] = [
  ["keep", ...current, ...incoming],
  ["keep", ...incoming, ...current],
  [...current, ...incoming, "keep"],
  [...incoming, ...current, "keep"],
];
const together: readonly (readonly MergeStep[])[] = [
  ["keep", ...both, ...current, ...incoming],
  ["keep", ...both, ...incoming, ...current],
  [...current, ...incoming, ...both, "keep"],
  [...incoming, ...current, ...both, "keep"],
];

/**
 * Reads the changes of two sides in another way, as short as before, in which they keep apart: between lines that one side changes and lines that the
 * other changes stands a line that both keep. Answers `undefined` when there is no such way, and when other ways, those in which the changes
 * touch or are the same ones among them, lead to another text.
 */
export function separateChanges(texts: ThreeStretches): readonly MergeStep[] | undefined {
  const search = new WaySearch(texts, false);
  const [first, mirrored] = apart.slice(0, 2).map((order) => search.way(order));
  if (first === undefined || mirrored === undefined || !sameItems(first, mirrored)) return undefined;
  const result = resultOf(texts, first);
  const touching = new WaySearch(texts, true);
  return leadTo(texts, result, search, apart) && leadTo(texts, result, touching, together)
    ? first
    : undefined;
}

/** Whether changes that keep apart can be read in ways, as short as each other, that lead to different texts. */
export function hasSeveralResults(texts: ThreeStretches): boolean {
  const search = new WaySearch(texts, false);
  const first = search.way(apart[0] as readonly MergeStep[]);
  return first !== undefined && !leadTo(texts, resultOf(texts, first), search, apart);
}

function leadTo(
  texts: ThreeStretches,
  result: readonly number[],
  search: WaySearch,
  orders: readonly (readonly MergeStep[])[],
): boolean {
  return orders.every((order) => {
    const way = search.way(order);
    return way !== undefined && sameItems(resultOf(texts, way), result);
  });
}

function resultOf(
  { current: ours, incoming: theirs }: ThreeStretches,
  way: readonly MergeStep[],
): readonly number[] {
  const result: number[] = [];
  let our = 0;
  let their = 0;
  for (const step of way) {
    if (step === "keep" || step === "currentAdds" || step === "bothAdd") result.push(ours[our] as number);
    else if (step === "incomingAdds") result.push(theirs[their] as number);
    our += moves[step][1];
    their += moves[step][2];
  }
  return result;
}

function sameItems<T>(a: readonly T[], b: readonly T[]): boolean {
  return a.length === b.length && a.every((item, index) => item === b[index]);
}

/** How far each place between two texts is from their starts and from their ends, in removed and added lines. */
class EditGrid {
  readonly #width: number;
  readonly #fromStart: Uint16Array;
  readonly #fromEnd: Uint16Array;
  readonly #shortest: number;

  constructor(before: Int32Array, after: Int32Array) {
    const rows = before.length;
    const columns = after.length;
    const width = columns + 1;
    const start = new Uint16Array((rows + 1) * width);
    const end = new Uint16Array((rows + 1) * width);
    for (let row = 0; row <= rows; row++)
      for (let column = 0; column <= columns; column++) {
        const at = row * width + column;
        if (row === 0 || column === 0) start[at] = row + column;
        else if (before[row - 1] === after[column - 1]) start[at] = start[at - width - 1] as number;
        else start[at] = 1 + Math.min(start[at - 1] as number, start[at - width] as number);
      }
    for (let row = rows; row >= 0; row--)
      for (let column = columns; column >= 0; column--) {
        const at = row * width + column;
        if (row === rows || column === columns) end[at] = rows - row + columns - column;
        else if (before[row] === after[column]) end[at] = end[at + width + 1] as number;
        else end[at] = 1 + Math.min(end[at + 1] as number, end[at + width] as number);
      }
    this.#width = width;
    this.#fromStart = start;
    this.#fromEnd = end;
    this.#shortest = start[start.length - 1] as number;
  }

  /** Whether the step from a place to the next, which costs that much, is part of a shortest edit. */
  leads(row: number, column: number, rows: number, columns: number, cost: number): boolean {
    const from = row * this.#width + column;
    const to = from + rows * this.#width + columns;
    return (this.#fromStart[from] as number) + cost + (this.#fromEnd[to] as number) === this.#shortest;
  }
}

const dead = 1;
const alive = 2;

/** Which kind of change a place lies in: none, one of the current side, of the incoming side, or the same of both. */
type Mode = 0 | 1 | 2 | 3;

class WaySearch {
  readonly #texts: ThreeStretches;
  readonly #current: EditGrid;
  readonly #incoming: EditGrid;
  readonly #states: Uint8Array;
  /** Whether changes of the two sides may touch. */
  readonly #canTouch: boolean;

  constructor(texts: ThreeStretches, canTouch: boolean) {
    this.#texts = texts;
    this.#current = new EditGrid(texts.base, texts.current);
    this.#incoming = new EditGrid(texts.base, texts.incoming);
    this.#states = new Uint8Array(volumeOf(texts));
    this.#canTouch = canTouch;
  }

  /** The first way to the end, trying the steps in an order at each place. */
  way(order: readonly MergeStep[]): readonly MergeStep[] | undefined {
    const steps: MergeStep[] = [];
    return this.#reaches(0, 0, 0, 0, order, steps) ? steps.reverse() : undefined;
  }

  #reaches(
    base: number,
    our: number,
    their: number,
    mode: Mode,
    order: readonly MergeStep[],
    steps: MergeStep[],
  ): boolean {
    const { base: lines, current, incoming } = this.#texts;
    if (base === lines.length && our === current.length && their === incoming.length) return true;
    const state = ((base * (current.length + 1) + our) * (incoming.length + 1) + their) * 4 + mode;
    if (this.#states[state] === dead) return false;
    for (const step of order) {
      if (!this.#allows(step, base, our, their, mode)) continue;
      const [rows, ours, theirs, next] = moves[step];
      if (!this.#reaches(base + rows, our + ours, their + theirs, this.#canTouch ? 0 : next, order, steps))
        continue;
      this.#states[state] = alive;
      steps.push(step);
      return true;
    }
    this.#states[state] = dead;
    return false;
  }

  #allows(step: MergeStep, base: number, our: number, their: number, mode: Mode): boolean {
    const { base: lines, current, incoming } = this.#texts;
    const [rows, ours, theirs, next] = moves[step];
    if (next !== 0 && mode !== 0 && mode !== next) return false;
    if (base + rows > lines.length || our + ours > current.length || their + theirs > incoming.length)
      return false;
    if (rows === 1 && ours === 1 && lines[base] !== current[our]) return false;
    if (rows === 1 && theirs === 1 && lines[base] !== incoming[their]) return false;
    if (step === "bothAdd" && current[our] !== incoming[their]) return false;
    return (
      (rows + ours === 0 || this.#current.leads(base, our, rows, ours, rows === ours ? 0 : 1)) &&
      (rows + theirs === 0 || this.#incoming.leads(base, their, rows, theirs, rows === theirs ? 0 : 1))
    );
  }
}

/** How far each step goes in the base, the current and the incoming text, and what it is a part of. */
export const moves: Readonly<Record<MergeStep, readonly [number, number, number, Mode]>> = {
  keep: [1, 1, 1, 0],
  currentRemoves: [1, 0, 1, 1],
  currentAdds: [0, 1, 0, 1],
  incomingRemoves: [1, 1, 0, 2],
  incomingAdds: [0, 0, 1, 2],
  bothRemove: [1, 0, 0, 3],
  bothAdd: [0, 1, 1, 3],
};
