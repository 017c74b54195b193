import { storageContract } from "holdfast/testing";
import { describe, test } from "vitest";

type Create = Parameters<typeof storageContract>[0];

/** Runs the whole storage contract; what a storage cannot do is skipped, and the name of the test says why. */
export function runContract(
  title: string,
  create: Create,
  abilities: readonly string[],
  unfit: Readonly<Record<string, string>> = {},
): void {
  describe(title, () => {
    for (const { name, needs, run } of storageContract(create)) {
      const reason = unfit[name];
      if (reason !== undefined) {
        test.skip(`${name} (${reason})`, run);
        continue;
      }
      const missing = needs.filter((need) => !abilities.includes(need));
      if (missing.length === 0) test(name, run);
      else test.skip(`${name} (this storage has no ${missing.join(", ")})`, run);
    }
  });
}
