import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";

export const rows = [8];

/** Bytes of the main entry with all it imports except zod, minified and compressed. */
export async function run({ dist }) {
  const { outputFiles } = await build({
    entryPoints: [join(dist, "index.js")],
    bundle: true,
    minify: true,
    format: "esm",
    platform: "neutral",
    external: ["zod"],
    write: false,
  });
  const [{ contents }] = outputFiles;
  const value = gzipSync(contents, { level: 9 }).length / 1024;
  const note = `${(contents.length / 1024).toFixed(1)} KiB before compression`;
  return [
    { row: 8, name: "core bundle, minified and gzip, without zod", unit: "KiB", value, target: 60, note },
  ];
}
