import { expect, test } from "vitest";
import { emptyTally } from "../support/simulated-disk/power-campaign.ts";
import { showViolations } from "../support/simulated-disk/power-runs.ts";
import { seededRandom } from "../support/simulated-disk/random.ts";
import { rareMoments } from "../support/simulated-disk/scenarios.ts";

const seed = Number(process.env["POWER_SEED"] ?? 8);

test.each(rareMoments)(
  "No power cut loses anything in $name",
  async ({ run }) => {
    process.umask(0o022);
    const tally = emptyTally();
    await run(
      {
        random: seededRandom(seed),
        exhaustiveUpTo: 0,
        samples: 6,
        everyMoment: 1,
        everySecond: 4,
        shuffle: true,
        enough: ({ states, violations }) => states >= 800 || violations.length > 0,
      },
      tally,
    );
    expect(tally.violations.length, `seed ${seed}\n${showViolations(tally.violations)}`).toBe(0);
    expect(tally.states).toBeGreaterThanOrEqual(800);
  },
  60_000,
);
