import { expect, test } from "vitest";
import { lossWithout } from "../support/simulated-disk/flush-sites.ts";

/** Places that flush, by the functions on the way there: those whose absence is noticed soon. The deep campaign leaves out every one. */
const sites = [
  "makeDurable → flush → flush: file",
  "createSegment → placeInLog → replaceFile: file",
  "startSegment → createSegment → placeInLog: directory",
  "createSealedState → placeInLog → replaceFile: file",
  "runCheckpoint → flushPublished → canFlush: file",
  "runCheckpoint → flushPublished → flushFolder: directory",
  "flushPublished → keepLarge → copyDurably: file",
  "openSession → openStateFolder → writeFormat: directory",
  "openStateFolder → writeFormat → replaceFile: file",
  "preparePut → writeContent → makeFile: file",
  "commitList → prepareAll → prepareContents: directory",
  "finishPuts → bringForward → freshContent: file",
];

test.each(sites)(
  "Something is lost when the flush of %s is left out",
  async (site) => {
    process.umask(0o022);
    const { violations, states } = await lossWithout(site, 23, 6000);
    expect(violations.length, `nothing was lost in ${states} states`).toBeGreaterThan(0);
  },
  60_000,
);
