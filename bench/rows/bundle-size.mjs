import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";

export const rows = [8];

/** Bytes of the main entry with all it imports except zod, minified and compressed: what is loaded at first, and in a note what there is in all. */
export async function run({ dist }) {
  const options = {
    entryPoints: [join(dist, "index.js")],
    bundle: true,
    minify: true,
    format: "esm",
    platform: "neutral",
    external: ["zod"],
    write: false,
    logLevel: "error",
  };
  const split = await build({ ...options, splitting: true, outdir: join(dist, "split"), metafile: true });
  const { outputFiles } = await build(options);
  const note = `everything together ${kibibytes([outputFiles[0].contents]).toFixed(1)} KiB: what is not loaded at first is loaded when it is first called`;
  const value = kibibytes(firstLoad(split));
  return [
    {
      row: 8,
      name: "core bundle as first loaded, minified and gzip, without zod",
      unit: "KiB",
      value,
      target: 60,
      note,
    },
  ];
}

/** The entry and all files that it imports statically. */
function firstLoad({ metafile, outputFiles }) {
  const { outputs } = metafile;
  const wanted = Object.keys(outputs).filter((name) => outputs[name].entryPoint?.endsWith("index.js"));
  for (const name of wanted)
    for (const { path, kind } of outputs[name].imports)
      if (kind === "import-statement" && path in outputs && !wanted.includes(path)) wanted.push(path);
  return outputFiles
    .filter(({ path }) => wanted.some((name) => path.endsWith(name)))
    .map(({ contents }) => contents);
}

function kibibytes(files) {
  return gzipSync(Buffer.concat(files), { level: 9 }).length / 1024;
}
