import { expect, test } from "vitest";
import { findFlushSites, lossWithout } from "../support/simulated-disk/flush-sites.ts";

process.umask(0o022);

/** Places whose absence is noticed soon. */
const noticed = [
  "openStateFolder → writeFormat: a folder",
  "openStateFolder → writeFormat: a file",
  "append → startSegment: the folder log",
  "enter → makeDurable: a file",
  "beginCheckpoint → startSegment: a file",
  "flushPublished → canFlush: a file",
  "runCheckpoint → flushPublished: a folder",
  "finishCheckpoint: the folder images",
  "finishCheckpoint → seal: a file",
];
const sites = (await findFlushSites(5, 100)).filter(({ name }) => noticed.includes(name));

test("The places that flush are found", () => {
  expect(sites.map(({ name }) => name).sort()).toEqual([...noticed].sort());
});

test.each(sites)(
  "Something is lost when the flush of $name is left out",
  async (site) => {
    const { violations, states } = await lossWithout(site, 23, 20_000);
    expect(violations.length, `nothing was lost in ${states} states`).toBeGreaterThan(0);
  },
  120_000,
);
