/** What the package name means in this test run: the sources, the ESM build or the CommonJS build. */
export type TestTarget = "src" | "dist" | "cjs";

/** The entries of the package: `index` is `holdfast`, any other is `holdfast/<name>`. */
export const entryNames = ["index", "node", "mcp", "testing"] as const;

/** The target of this run, read from the environment variable `TEST_TARGET`; the sources when it is not set. */
export const testTarget: TestTarget = parseTestTarget(process.env["TEST_TARGET"]);

function parseTestTarget(value: string | undefined): TestTarget {
  if (value === undefined || value === "") return "src";
  if (value === "src" || value === "dist" || value === "cjs") return value;
  throw new Error(`TEST_TARGET must be src, dist or cjs, but is "${value}".`);
}
