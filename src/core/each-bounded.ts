/** Reads that run at once; more gain nothing and can use up file handles. */
const mostAtOnce = 16;

/** Does work for each item, some at a time. After the first failure no more is begun; it rejects with that failure when all that ran has ended. */
export async function eachBounded<T>(
  items: readonly T[] | ReadonlySet<T>,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const iterator = items[Symbol.iterator]();
  const failures: unknown[] = [];
  const runner = async () => {
    while (failures.length === 0) {
      const next = iterator.next();
      if (next.done === true) return;
      await work(next.value).catch((error: unknown) => failures.push(error));
    }
  };
  const count = "size" in items ? items.size : items.length;
  await Promise.all(Array.from({ length: Math.min(mostAtOnce, count) }, runner));
  if (failures.length > 0) throw failures[0];
}
