import { expect, test } from "vitest";
import { failPlan } from "../support/simulated-disk/live-failures.ts";
import { type CampaignOptions, cutPlan, emptyTally } from "../support/simulated-disk/power-campaign.ts";
import { makePlan, type OperationKind, type PlanShape } from "../support/simulated-disk/power-plans.ts";
import { showViolations } from "../support/simulated-disk/power-runs.ts";
import { seededRandom } from "../support/simulated-disk/random.ts";

interface Fault {
  readonly fault: string;
  readonly operations: readonly (readonly [OperationKind, "same" | "other"])[];
  readonly shape: PlanShape;
  readonly large?: boolean;
  /** How it is looked for, where it is rare. */
  readonly how?: Partial<CampaignOptions>;
}

const killsOnly: Partial<CampaignOptions> = { killsOnly: true, everySecond: 1, goOnOneIn: 1 };

/** Faults that cuts of power have shown, each with the smallest plan that showed it. */
const faults: readonly Fault[] = [
  {
    fault: "the name of the state folder itself was not durable",
    operations: [["create", "same"]],
    shape: "alone",
  },
  {
    fault: "folders on the way to a new file were not durable when the log was sealed",
    operations: [["mkdir", "other"]],
    shape: "earlier, sealed after",
  },
  {
    fault:
      "a torn file was removed before it was written anew, and a second cut took it for deleted by others",
    operations: [
      ["fileToFolder", "same"],
      ["create", "other"],
    ],
    shape: "earlier",
  },
  {
    fault: "a torn pre-image was taken for a write by others",
    operations: [
      ["move", "other"],
      ["replace", "same"],
    ],
    shape: "earlier, sealed after",
  },
  {
    fault: "pre-images whose removal was lost stayed for ever",
    operations: [
      ["replace", "same"],
      ["delete", "same"],
    ],
    shape: "after a kill",
  },
  {
    fault: "permission bits that were set after a file was made were lost",
    operations: [
      ["replace", "same"],
      ["move", "same"],
    ],
    shape: "earlier, sealed between",
  },
  {
    fault: "a segment whose maker was killed before its name was durable was written on",
    operations: [
      ["create", "same"],
      ["mkdir", "same"],
    ],
    shape: "sealed after, then more",
  },
  {
    fault: "a large content lost its one name",
    operations: [
      ["fileToFolder", "same"],
      ["create", "other"],
    ],
    shape: "sealed after, then more",
    large: true,
  },
  {
    fault: "a large content was lost with a new folder",
    operations: [["mkdir", "other"]],
    shape: "after a kill",
    large: true,
  },
  {
    fault: "a staged content was not durable with the commit that appended to it",
    operations: [["create", "same"]],
    shape: "with a staged content",
  },
  {
    fault: "a file that others had just written was torn, and taken for their edit",
    operations: [["replace", "same"]],
    shape: "after edits by hand",
  },
  {
    fault: "the log was taken for recovered when the first recovery after the cut was killed",
    operations: [["move", "same"]],
    shape: "earlier, sealed after",
  },
  {
    fault: "an empty file that had only reserved a name was taken for what others wrote into a removed one",
    operations: [
      ["create", "same"],
      ["mkdir", "same"],
      ["mkdir", "same"],
    ],
    shape: "with a staged content",
    how: { only: /^acknowledged$/, samples: 300, everySecond: 1000, goOnOneIn: 1 },
  },
  {
    fault:
      "a removed large content stood where it was made and was swept, or lost its last name at the sealing",
    operations: [
      ["delete", "other"],
      ["move", "same"],
      ["folderToFile", "same"],
    ],
    shape: "in three segments",
    large: true,
    how: killsOnly,
  },
  {
    fault: "a reserved name had the inode of a lost content, and was taken for it",
    operations: [
      ["delete", "same"],
      ["folderToFile", "other"],
    ],
    shape: "with a staged content",
    how: { only: /^create #6\/put$/, samples: 40, everySecond: 1, secondMoments: 12 },
  },
  {
    fault: "a folder was gone before the large content that was removed from it had another name",
    operations: [
      ["delete", "other"],
      ["folderToFile", "same"],
    ],
    shape: "with a staged content",
    large: true,
    how: { only: /^rmdir #3\/same$/, samples: 40, everySecond: 1, secondMoments: 8, goOnOneIn: 1 },
  },
  {
    fault:
      "the log told of the end of a large content that had no second name yet, and it was swept where it was made",
    operations: [["create", "same"]],
    shape: "in three segments",
    large: true,
    how: { only: /^write .*\.log$/, samples: 200, everySecond: 1000 },
  },
];

test.each(faults)(
  "No cut shows again that $fault",
  async ({ operations, shape, large = false, how = {} }) => {
    process.umask(0o022);
    const plan = makePlan(
      operations.map(([kind, place]) => ({ kind, place })),
      shape,
      large,
    );
    const tally = emptyTally();
    const random = seededRandom(5);
    const most = large ? 900 : 1800;
    await cutPlan(
      plan,
      {
        random,
        exhaustiveUpTo: 2,
        samples: 8,
        everyMoment: 1,
        everySecond: 3,
        enough: ({ states }) => states >= 4 * most,
        ...how,
      },
      tally,
    );
    expect(tally.violations.length, showViolations(tally.violations)).toBe(0);
    expect(tally.states).toBeGreaterThan(300);
  },
  120_000,
);

test.each([
  // Tidying up after a failed flush threw, and the commit was answered with "no" though the log had it.
  { what: "answers yes or no to what a power cut shows otherwise", code: "EIO", sticky: true },
  // A flush that failed was done again by the next process, which then took the log for durable.
  {
    what: "loses what a later process has made of entries that it could not flush",
    code: "EXDEV",
    sticky: true,
  },
  // Taking back, cut and done again, took its own restored folders and torn files for those of others.
  { what: "makes conflicts out of what it takes back itself", code: "EMFILE", sticky: false },
] as const)(
  "No disk that fails from some call on ($code, for good: $sticky) $what",
  async ({ code, sticky }) => {
    process.umask(0o022);
    const tally = emptyTally();
    const random = seededRandom(6);
    const plan = makePlan(
      [
        { kind: "folderToFile", place: "same" },
        { kind: "mkdir", place: "other" },
      ],
      "earlier, sealed after",
    );
    const calls = function* ({ length }: { readonly length: number }) {
      for (let at = 1; at <= length; at++) yield { at, code, sticky };
    };
    await failPlan(
      plan,
      calls,
      { random, exhaustiveUpTo: 0, samples: 4, everyMoment: 1, everySecond: 6 },
      tally,
    );
    expect(tally.violations.length, showViolations(tally.violations)).toBe(0);
    expect(tally.liveFailures).toBeGreaterThan(60);
  },
  120_000,
);

test("No process seals what another one may have failed to flush", async () => {
  process.umask(0o022);
  const tally = emptyTally();
  const plan = makePlan(
    [
      { kind: "create", place: "same" },
      { kind: "delete", place: "same" },
      { kind: "mode", place: "same" },
    ],
    "earlier, sealed between",
  );
  const calls = function* (all: readonly string[]) {
    for (const [index, call] of all.entries())
      if (call === "flush") yield { at: index + 1, code: "EACCES", sticky: true } as const;
  };
  const options = { exhaustiveUpTo: 0, samples: 2, everyMoment: 1, everySecond: 2, goOnOneIn: 1 };
  const enough = () => tally.states >= 3000 || tally.violations.length > 0;
  const checkpoint = plan.steps.findIndex((step) => step.do === "checkpoint");
  for (let seed = 1; !enough(); seed++)
    await failPlan(plan, calls, { ...options, random: seededRandom(seed), enough }, tally, checkpoint);
  expect(tally.violations.length, showViolations(tally.violations)).toBe(0);
}, 60_000);
