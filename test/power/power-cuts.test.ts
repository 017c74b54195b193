import { afterAll, describe, expect, test } from "vitest";
import { emptyTally, type Tally } from "../support/simulated-disk/power-campaign.ts";
import { type RunKind, runPower, showViolations } from "../support/simulated-disk/power-runs.ts";

const seed = Number(process.env["POWER_SEED"] ?? 20_260_101);
const second = 1_000_000_000n;

interface Campaign {
  readonly name: string;
  readonly kind: RunKind;
  readonly states: number;
  readonly granularityNs?: bigint;
  readonly largeOneIn?: number;
  readonly only?: RegExp;
}

const campaigns: readonly Campaign[] = [
  { name: "power cuts and kills", kind: "cuts", states: 22_000 },
  { name: "failing calls, then power cuts and kills", kind: "failures", states: 9_000 },
  { name: "edits by others between a cut and the next opening", kind: "edits", states: 7_000 },
  {
    name: "power cuts where times of files are two seconds apart",
    kind: "cuts",
    states: 5_000,
    granularityNs: 2n * second,
  },
  {
    name: "power cuts while the log tells of contents that it does not hold",
    kind: "cuts",
    states: 5_000,
    largeOneIn: 1,
    only: /^write .*\.log$/,
  },
];

const results: (readonly [string, Tally])[] = [];

function table(): string {
  const rows = results.map(([name, { states, secondCrashes, liveFailures, foreignEdits, violations }]) =>
    [name, states, secondCrashes, liveFailures, foreignEdits, violations.length].map(String),
  );
  const head = [`seed ${seed}`, "states", "second crashes", "live failures", "foreign edits", "violations"];
  const all = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  return all
    .map((row) =>
      row
        .map((cell, column) =>
          column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
        )
        .join("  "),
    )
    .join("\n");
}

afterAll(() => void process.stdout.write(`\n${table()}\n`));

describe("A storage on a disk that loses what is not flushed", () => {
  test.each(campaigns)(
    "keeps every commit whole or absent, and those it acknowledged, through $name",
    async ({ name, kind, states, granularityNs, largeOneIn, only }) => {
      process.umask(0o022);
      const tally = await runPower(
        kind,
        {
          seed,
          states,
          exhaustiveUpTo: 2,
          samples: 5,
          everyMoment: 3,
          everySecond: 8,
          granularityNs,
          largeOneIn,
          only,
        },
        emptyTally(),
      );
      results.push([name, tally]);
      expect(tally.violations.length, showViolations(tally.violations)).toBe(0);
      expect(tally.states).toBeGreaterThanOrEqual(states);
      if (kind !== "edits") expect(tally.secondCrashes).toBeGreaterThan(states / 10);
      if (kind === "failures") expect(tally.liveFailures).toBeGreaterThan(200);
      if (kind === "edits") expect(tally.foreignEdits).toBe(tally.states);
    },
    240_000,
  );
});
