import { type ApplyResult, describeError, type HoldfastError, MemoryStorage, Workspace } from "holdfast";
import { DirectoryStorage } from "holdfast/node";
import { describe, expect, test } from "vitest";
import { refusalOf } from "../support/refusal.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { envelopeScenarios } from "./envelope-scenarios.ts";
import { matchingScenarios } from "./matching-scenarios.ts";
import type { PatchScenario, ScenarioFiles } from "./patch-scenario.ts";
import { unifiedScenarios } from "./unified-scenarios.ts";

const scenarios = [...envelopeScenarios, ...unifiedScenarios, ...matchingScenarios];

/** Every file, as scenarios write them. */
async function filesOf(workspace: Workspace): Promise<ScenarioFiles> {
  const found: Record<string, string> = {};
  for await (const { path, kind } of workspace.list()) {
    if (kind === "directory") continue;
    const { bytes, executable } = await workspace.readBytes(path);
    found[executable ? `${path}*` : path] = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  }
  return found;
}

async function plant(workspace: Workspace, files: ScenarioFiles): Promise<void> {
  const changes = Object.entries(files).map(([name, content]) => ({
    action: "create" as const,
    path: name.replace(/\*$/, ""),
    content: new TextEncoder().encode(content),
    executable: name.endsWith("*"),
  }));
  if (changes.length > 0) await workspace.apply(changes);
}

function apply(workspace: Workspace, scenario: PatchScenario, dryRun: boolean): Promise<ApplyResult> {
  const { patch, change } = scenario;
  if (change === undefined) return workspace.applyPatch(patch, { dryRun });
  return workspace.apply({ action: "patch", patch, ...change }, { dryRun });
}

async function check(workspace: Workspace, scenario: PatchScenario): Promise<void> {
  const { files, after, refused, says } = scenario;
  await plant(workspace, files);
  const history = (await workspace.info()).workspaceRevision;
  if (refused !== undefined) {
    const error: HoldfastError = await refusalOf(() => apply(workspace, scenario, false));
    expect(error.problems.map(({ code }) => code)).toEqual(refused.map(([code]) => code));
    for (const [at, [, text]] of refused.entries()) expect(error.problems[at]?.message).toContain(text);
    expect(error.written).toBe("no");
    expect(describeError(error).length).toBeLessThan(4000);
    expect((await workspace.info()).workspaceRevision).toBe(history);
    expect(await filesOf(workspace)).toEqual(files);
    return;
  }
  const planned = await apply(workspace, scenario, true);
  expect(await filesOf(workspace)).toEqual(files);
  const done = await apply(workspace, scenario, false);
  expect(await filesOf(workspace)).toEqual(after);
  expect(planned.files).toEqual(done.files);
  expect(JSON.stringify([done.files, done.warnings])).toContain(says ?? "");
  expect(done.alreadyApplied).toBe(JSON.stringify(files) === JSON.stringify(after));
}

describe("in memory", () => {
  test.each(scenarios.map((scenario) => [scenario.name, scenario] as const))(
    "%s",
    async (_name, scenario) => {
      await using workspace = await Workspace.open(new MemoryStorage());
      await check(workspace, scenario);
    },
  );
});

describe("on a directory", () => {
  const some = scenarios.filter((_scenario, at) => at % 5 === 0);
  test.each(some.map((scenario) => [scenario.name, scenario] as const))("%s", async (_name, scenario) => {
    const folder = temporaryFolder("quick");
    try {
      await using workspace = await Workspace.open(new DirectoryStorage({ root: folder.path }));
      await check(workspace, scenario);
    } finally {
      folder.remove();
    }
  });
});

test("the corpus has more than 120 scenarios, and no name twice", () => {
  expect(scenarios.length).toBeGreaterThan(120);
  expect(new Set(scenarios.map(({ name }) => name)).size).toBe(scenarios.length);
});
