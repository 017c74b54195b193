import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { entryNames, testTarget } from "./test/support/test-target.ts";

const extensions = { src: ".ts", dist: ".js", cjs: ".cjs" } as const;
const folder = testTarget === "src" ? "src" : "dist";

function entryFile(name: string): string {
  return fileURLToPath(new URL(`./${folder}/${name}${extensions[testTarget]}`, import.meta.url));
}

/** Kinds of tests that reach the library by its package name alone, so that they run on sources and on both builds. */
const publicKinds = ["contract", "property", "race", "crash", "cases", "core", "mcp"];

/** Kinds of tests that look at sources, or at what does not depend on the build. */
const sourceKinds = ["unit", "docs", "house", "types"];

const kinds = testTarget === "src" ? [...sourceKinds, ...publicKinds] : [...publicKinds, "dist"];

export default defineConfig({
  resolve: {
    alias: entryNames.map((name) => ({
      find: name === "index" ? /^holdfast$/ : new RegExp(`^holdfast/${name}$`),
      replacement: entryFile(name),
    })),
  },
  test: {
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
    },
    projects: kinds.map((kind) => ({
      extends: true as const,
      test: { name: kind, include: [`test/${kind}/**/*.test.ts`] },
    })),
  },
});
