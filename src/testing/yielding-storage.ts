import { nextMacrotask } from "../base/clock.ts";
import type { StorageAdapter } from "../storage/storage-adapter.ts";
import { interceptStorage } from "./intercept-storage.ts";
import { seededRandom } from "./seeded-random.ts";

/**
 * Makes a storage whose every call lets others run before and after its work, as often as the seed says: what two callers do then meets in
 * many orders, and in the same ones again for the same seed.
 *
 * @param seed - Any whole number.
 */
export function yieldingStorage(inner: StorageAdapter, seed: number): StorageAdapter {
  const random = seededRandom(seed);
  const pause = async () => {
    for (let turns = Math.floor(random() * 3); turns > 0; turns -= 1) {
      if (random() < 0.5) await nextMacrotask();
      else await Promise.resolve();
    }
  };
  const step = async <T>(work: () => Promise<T>): Promise<T> => {
    await pause();
    try {
      return await work();
    } finally {
      await pause();
    }
  };
  return interceptStorage(inner, { call: (_method, work) => step(work), step });
}
