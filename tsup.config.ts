import { defineConfig, type Options } from "tsup";
import { entryNames } from "./test/support/test-target.ts";

const shared: Options = {
  entry: entryNames.map((name) => `src/${name}.ts`),
  tsconfig: "tsconfig.dts.json",
  target: "es2022",
  platform: "neutral",
  // Both are needed: without the first, "node:" imports do not resolve here; without the second, the prefix is cut off.
  external: [/^node:/],
  removeNodeProtocol: false,
  sourcemap: true,
  dts: { compilerOptions: { ignoreDeprecations: "6.0" } },
};

// CommonJS with split chunks would be rewritten by a second compiler that changes how classes behave, so
// each CommonJS entry carries its own copy of what it shares with the others.
export default defineConfig([
  { ...shared, format: "esm", splitting: true },
  { ...shared, format: "cjs", splitting: false },
]);
