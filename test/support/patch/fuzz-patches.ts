import { type ErrorCode, isHoldfastError, MemoryStorage, Workspace } from "holdfast";
import { parsePatch } from "../../../src/text/patch/parse-patch.ts";
import { envelopeScenarios } from "../../patch/envelope-scenarios.ts";
import { matchingScenarios } from "../../patch/matching-scenarios.ts";
import { unifiedScenarios } from "../../patch/unified-scenarios.ts";
import { chooser, mutatePatch } from "./mutate-patch.ts";

/** What damaged patches came to: how often each code, and `applied`. */
export type FuzzOutcomes = Map<ErrorCode | "applied", number>;

/** Codes with which a damaged patch may be refused; anything else is a fault of the library. */
const expected: ReadonlySet<string> = new Set<ErrorCode>([
  "PATCH_INVALID",
  "PATCH_CONTEXT_NOT_FOUND",
  "PATCH_CONTEXT_AMBIGUOUS",
  "INVALID_ARGUMENT",
  "INVALID_PATH",
  "PROTECTED_PATH",
  "DUPLICATE_PATH",
  "PATH_COLLISION",
  "NOT_FOUND",
  "IS_DIRECTORY",
  "ALREADY_EXISTS",
  "BINARY_FILE",
  "UNSUPPORTED_ENCODING",
]);

const scenarios = [...envelopeScenarios, ...unifiedScenarios, ...matchingScenarios];

/** Pieces of work that reading a patch may take: few, and no more than its length allows. */
function mostPieces(patch: string): number {
  return 64 + patch.length;
}

function piecesToRead(patch: string): number {
  let pieces = 0;
  for (const steps = parsePatch(patch); steps.next().done !== true; ) pieces++;
  return pieces;
}

/** Applies damaged patches, each to the tree that it was meant for; throws at the first that is not answered as it must be, with its seed. */
export async function fuzzPatches(firstSeed: number, count: number): Promise<FuzzOutcomes> {
  const outcomes: FuzzOutcomes = new Map();
  for (let seed = firstSeed; seed < firstSeed + count; seed++) {
    const choose = chooser(seed);
    const scenario = scenarios[choose(scenarios.length)];
    if (scenario === undefined) continue;
    const patch = mutatePatch(scenario.patch, choose);
    const storage = new MemoryStorage({ files: filesOf(scenario.files) });
    await using workspace = await Workspace.open(storage);
    const before = JSON.stringify(storage.toJSON());
    const outcome = await outcomeOf(workspace, patch, scenario.change);
    const fail = (what: string): never => {
      throw new Error(`seed ${seed}: ${what}\n${JSON.stringify(patch)}`);
    };
    if (piecesToRead(patch) > mostPieces(patch)) fail("took more work than its length allows");
    if (typeof outcome !== "string") fail(`threw ${String(outcome)}`);
    else {
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
      if (outcome !== "applied" && !expected.has(outcome)) fail(`was refused with ${outcome}`);
    }
    const unchanged = JSON.stringify(storage.toJSON()) === before;
    if (outcome !== "applied" && !unchanged) fail("was refused and wrote");
    for (const path of Object.keys(storage.toJSON()))
      if (path.split("/").includes("..") || path.startsWith(".git/")) fail(`wrote ${path}`);
  }
  return outcomes;
}

function filesOf(files: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(files).map(([path, content]) => [path.replace(/\*$/, ""), content]),
  );
}

async function outcomeOf(
  workspace: Workspace,
  patch: string,
  change: (typeof scenarios)[number]["change"],
): Promise<ErrorCode | "applied" | { readonly error: unknown }> {
  try {
    if (change === undefined) await workspace.applyPatch(patch);
    else await workspace.apply({ action: "patch", patch, ...change });
    return "applied";
  } catch (error) {
    return isHoldfastError(error) ? error.code : { error };
  }
}
