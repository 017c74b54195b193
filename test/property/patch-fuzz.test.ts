import { expect, test } from "vitest";
import { fuzzPatches } from "../support/patch/fuzz-patches.ts";

const seed = Number(process.env["PATCH_SEED"] ?? 1);

test("damaged patches are applied as they are understood or refused by name, and what is refused writes nothing", async () => {
  const outcomes = await fuzzPatches(seed, 1_500);
  expect(outcomes.get("applied")).toBeGreaterThan(20);
  expect(outcomes.get("PATCH_INVALID")).toBeGreaterThan(200);
  expect(outcomes.size).toBeGreaterThan(6);
});
