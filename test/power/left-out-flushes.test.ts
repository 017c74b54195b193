import { expect, test } from "vitest";
import { findFlushSites, lossWithout } from "../support/simulated-disk/flush-sites.ts";

process.umask(0o022);

/** Every place in the code that flushes. A new one that no scenario needs fails here: it is of no use, or a scenario is missing. */
const sites = await findFlushSites(5, 60);

test("Every kind of place that flushes is come to", () => {
  const names = sites.map(({ name }) => name);
  for (const part of [
    "writeFormat",
    "startSegment",
    "makeDurable",
    "seal",
    "takeBack",
    "keepImage",
    "freshContent",
  ])
    expect(names.filter((name) => name.startsWith(part)).length, part).toBeGreaterThan(0);
});

/** Not yet caught, and not yet shown to be of no use. */
const open: ReadonlySet<string> = new Set(["freshContent: a file (2)", "takeBack: a file"]);

test.each(sites.filter(({ name }) => !open.has(name)))(
  "Something is lost when the flush of $name is left out",
  async (site) => {
    const { violations, states } = await lossWithout(site, 23, 20_000);
    expect(violations.length, `nothing was lost in ${states} states`).toBeGreaterThan(0);
  },
  300_000,
);
