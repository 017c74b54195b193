/** A stream of numbers that a seed decides. */
export interface Random {
  /** A whole number from 0 to below `limit`. */
  below(limit: number): number;
  /** One of a list. */
  pick<T>(list: readonly T[]): T;
}

/** Makes a stream of numbers from a seed (mulberry32). */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  return {
    below,
    pick: (list) => {
      const found = list[below(list.length)];
      if (found === undefined) throw new Error("There is nothing to pick from.");
      return found;
    },
  };
}
