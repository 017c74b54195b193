import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { groundsOf } from "./test/support/grounds/ground-kinds.ts";
import { entryNames, testTarget } from "./test/support/test-target.ts";

const extensions = { src: ".ts", dist: ".js", cjs: ".cjs" } as const;
const folder = testTarget === "src" ? "src" : "dist";

function entryFile(name: string): string {
  return fileURLToPath(new URL(`./${folder}/${name}${extensions[testTarget]}`, import.meta.url));
}

/** Kinds of tests that reach the library by its package name alone, so that they run on the sources and on both builds. */
const publicKinds = ["contract", "property", "core", "mcp", "patch"];

/** Kinds of tests that are run once: on the sources, or, for `dist`, on what is shipped. */
const sourceKinds = ["unit", "docs", "house", "types", "race", "crash", "power", "cases", "switches"];
const shippedKinds = testTarget === "dist" ? ["dist"] : [];

const kinds = testTarget === "src" ? [...sourceKinds, ...publicKinds] : [...publicKinds, ...shippedKinds];

/** Kinds of storages that the suites below are taken to besides memory. */
const extent = process.env["TEST_GROUNDS"] === "all" ? "all" : "decisive";
const grounds = testTarget === "src" ? groundsOf(extent) : [];

/** Tests whose workspaces come from `test/support/grounds`. */
const groundSuites = {
  core: "test/core/!(event-loop).test.ts",
  cases: "test/cases/{attack-paths,stale-edits,tree-operations}.test.ts",
  property: "test/property/{workspace-model,batch-laws,listing-laws,write-what-was-read}.test.ts",
  mcp: "test/mcp/!(stdio|tool-list).test.ts",
};

export default defineConfig({
  resolve: {
    alias: entryNames.map((name) => ({
      find: name === "index" ? /^holdfast$/ : new RegExp(`^holdfast/${name}$`),
      replacement: entryFile(name),
    })),
  },
  test: {
    // Left to itself the runner keeps one core free, which on two cores doubles the time.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    testTimeout: 30_000,
    hookTimeout: 60_000,
    globalSetup: ["./test/support/build-children.ts"],
    reporters: ["default", ["json", { outputFile: `temp/vitest-${testTarget}.json` }]],
    coverage: {
      provider: "v8",
      include: ["src/**/*.ts"],
      exclude: entryNames.map((name) => `src/${name}.ts`),
      reportsDirectory: "temp/coverage",
      reporter: ["text-summary", "html"],
      thresholds: { lines: 90, functions: 90, branches: 85 },
    },
    projects: [
      ...kinds.map((kind) => ({
        extends: true as const,
        test: { name: kind, include: [`test/${kind}/**/*.test.ts`] },
      })),
      ...grounds.map(({ kind, suites }) => ({
        extends: true as const,
        test: {
          name: `on ${kind}`,
          include: suites.map((suite) => groundSuites[suite]),
          env: { TEST_GROUND: kind },
          setupFiles: ["./test/support/grounds/leave-after-each-test.ts"],
          isolate: false,
        },
      })),
    ],
  },
});
