import { storageContract } from "holdfast/testing";
import { describe, expect, test } from "vitest";
import type { PlantedFault } from "../support/faulty-naive-storages.ts";
import { NaiveStorage } from "../support/naive-storage.ts";
import { commitFaults, fileFaults, lifeFaults } from "../support/planted-faults.ts";
import { readingFaults } from "../support/planted-reading-faults.ts";
import { watchFaults } from "../support/planted-watch-faults.ts";

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

/** More turns of the event loop than anything takes that a naive storage does. */
const turns = 1000;

/** What becomes of a case. */
async function outcomeOf(run: Promise<void>): Promise<string> {
  let outcome = "waits";
  run.then(
    () => {
      outcome = "passed";
    },
    () => {
      outcome = "failed";
    },
  );
  for (let turn = 0; turn < turns && outcome === "waits"; turn += 1)
    await new Promise((resolve) => setImmediate(resolve));
  return outcome;
}

describe("The storage contract finds a storage in which", () => {
  test.each([...commitFaults, ...fileFaults, ...readingFaults, ...lifeFaults])("$fault", async (planted) => {
    await runCase(planted.foundBy, { make: () => new NaiveStorage() });
    const run = runCase(planted.foundBy, planted);
    await expect(run).rejects.toThrow();
    await expect(run).rejects.not.toBeInstanceOf(RangeError);
  });

  test.each(watchFaults)("$fault", async (planted) => {
    await runCase(planted.foundBy, { make: () => new NaiveStorage() });
    const outcome = await outcomeOf(runCase(planted.foundBy, planted));
    expect(outcome).toBe(planted.waits === true ? "waits" : "failed");
  });

  test("has a planted fault for each case that watches", () => {
    const found = new Set(watchFaults.map(({ foundBy }) => foundBy));
    const cases = storageContract(() => Promise.reject(new Error("Not run.")));
    const watching = cases.filter(({ needs }) => needs.includes("watch"));
    expect(watching.map(({ name }) => name).filter((name) => !found.has(name))).toEqual([]);
  });
});
