/**
 * Makes a gate that lets so many pieces of work run at once; the others wait for their turn, in order. Work that holds files open goes through
 * one, for all callers of a process share what it may have open.
 *
 * @param most - How many.
 */
export function fewAtATime(most: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    // Whoever ends hands the place on without giving it free, so nobody who comes later slips in.
    if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
