import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";

/**
 * Compiles a program of this folder and gives the path of what is run. The library is not compiled into it: the program loads the build of the
 * package by its name.
 */
export function compileProgram(name: "killed-writer" | "count-operations"): string {
  const folder = fileURLToPath(new URL("../../temp/demo/", import.meta.url));
  mkdirSync(folder, { recursive: true });
  const outfile = `${folder}${name}.mjs`;
  buildSync({
    entryPoints: [fileURLToPath(new URL(`./${name}.ts`, import.meta.url))],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    external: ["holdfast", "holdfast/*"],
  });
  return outfile;
}
