import { afterAll, expect, test } from "vitest";
import { readFlushCalls } from "../support/simulated-disk/flush-calls.ts";
import { findFlushSites, flushingFunctions, lossWithout } from "../support/simulated-disk/flush-sites.ts";

process.umask(0o022);
const seed = Number(process.env["POWER_SEED"] ?? 23);

/** Every place in the code that flushes. A new one that no scenario needs fails here: it is of no use, or a scenario is missing. */
const sites = await findFlushSites(5, 60);
let caught = 0;

afterAll(
  () =>
    void process.stdout.write(
      `\nseed ${seed}: ${sites.length} places that flush, ${caught} caught when left out\n`,
    ),
);

test("Every call that flushes is come to", () => {
  const positions = new Map<string, Set<string>>();
  for (const { caller, position } of sites)
    positions.set(caller, new Set([...(positions.get(caller) ?? []), position]));
  const reached = [...positions].map(([caller, { size }]) => `${caller} ${size}`);
  const written = [...readFlushCalls(flushingFunctions)].map(([caller, count]) => `${caller} ${count}`);
  expect(reached.sort()).toEqual(written.sort());
});

test.each(sites)(
  "Something is lost when the flush of $name is left out",
  async (site) => {
    const { violations, states } = await lossWithout(site, seed, 20_000);
    expect(violations.length, `seed ${seed}: nothing was lost in ${states} states`).toBeGreaterThan(0);
    caught += 1;
  },
  300_000,
);
