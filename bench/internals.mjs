import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";

const top = join(import.meta.dirname ?? new URL(".", import.meta.url).pathname, "..");

/**
 * Loads names that no entry exports, made from the sources as the entries are made: `internals(folder, { "tree/merge-deltas.ts": ["mergeDeltas"] })`.
 */
export async function internals(folder, names) {
  const contents = Object.entries(names)
    .map(([file, exported]) => `export { ${exported.join(", ")} } from "./src/${file}";`)
    .join("\n");
  const outfile = join(folder, `internals-${process.pid}-${Date.now()}.mjs`);
  await build({
    stdin: { contents, resolveDir: top, loader: "ts" },
    bundle: true,
    format: "esm",
    platform: "neutral",
    target: "es2022",
    mainFields: ["module", "main"],
    outfile,
  });
  return await import(pathToFileURL(outfile).href);
}
