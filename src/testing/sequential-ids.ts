import type { IdSource } from "../base/clock.ts";

/** Makes a source of ids that counts from 1 for each prefix: `tx_1`, `tx_2`, `rev_1`. */
export function sequentialIds(): IdSource {
  const last = new Map<string, number>();
  return (prefix) => {
    const next = (last.get(prefix) ?? 0) + 1;
    last.set(prefix, next);
    return `${prefix}_${next}`;
  };
}
