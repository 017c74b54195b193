import { storageContract } from "holdfast/testing";
import { describe, expect, test } from "vitest";
import type { PlantedFault } from "../support/faulty-naive-storages.ts";
import { NaiveStorage } from "../support/naive-storage.ts";
import { commitFaults, fileFaults, lifeFaults } from "../support/planted-faults.ts";
import { readingFaults } from "../support/planted-reading-faults.ts";

/** Runs one case of the contract on what a maker makes. */
async function runCase(name: string, { make, reopen }: Pick<PlantedFault, "make" | "reopen">): Promise<void> {
  const cases = storageContract(async () => {
    const storage = make();
    return {
      storage,
      reopen: async () => reopen?.(storage) ?? storage,
      writeOutside: async (path, bytes) => storage.writeOutside(path, bytes),
    };
  });
  const found = cases.find((each) => each.name === name);
  if (found === undefined) throw new RangeError(`The contract has no case "${name}".`);
  await found.run();
}

describe("The storage contract finds a storage in which", () => {
  test.each([...commitFaults, ...fileFaults, ...readingFaults, ...lifeFaults])("$fault", async (planted) => {
    await runCase(planted.foundBy, { make: () => new NaiveStorage() });
    const run = runCase(planted.foundBy, planted);
    await expect(run).rejects.toThrow();
    await expect(run).rejects.not.toBeInstanceOf(RangeError);
  });
});
