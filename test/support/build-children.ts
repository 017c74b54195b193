import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type BuildOptions, build } from "esbuild";
import { entryNames, testTarget } from "./test-target.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

/**
 * Bundles the child programs of tests (`test/<kind>/children/<name>.ts`) to `temp/children/<target>/<name>.mjs`.
 *
 * Node 20 cannot run TypeScript. The package name is bundled from the sources in a source run; else it stays
 * an import, so that the child loads the build through the package's own export map.
 */
export default async function buildChildren(): Promise<void> {
  const children = readdirSync(join(root, "test"), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => join(root, "test", entry.name, "children"))
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)))
    .filter((file) => file.endsWith(".ts"));
  if (children.length === 0) return;
  await build({
    absWorkingDir: root,
    entryPoints: children,
    entryNames: "[name]",
    outdir: join(root, "temp", "children", testTarget),
    outExtension: { ".js": ".mjs" },
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    logLevel: "warning",
    ...resolution(),
  });
}

function resolution(): BuildOptions {
  const thirdParty = ["zod", "xxhash-wasm", "@noble/hashes", "@modelcontextprotocol/*"];
  if (testTarget !== "src") return { external: ["holdfast", "holdfast/*", ...thirdParty] };
  const aliases = entryNames.map((name) => [
    name === "index" ? "holdfast" : `holdfast/${name}`,
    join(root, "src", `${name}.ts`),
  ]);
  return {
    alias: Object.fromEntries(aliases) as Record<string, string>,
    external: thirdParty,
  };
}
