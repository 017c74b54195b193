import { createContext, runInContext } from "node:vm";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { beforeAll, describe, expect, test } from "vitest";
import { repositoryRoot } from "../support/source-files.ts";

/** What it has now, and a little: decision 0011 tells why that is more than the 60 KiB that are aimed at. */
const budgets = { first: 76 * 1024, all: 128 * 1024 };

interface Bundle {
  readonly text: string;
  readonly inputs: readonly string[];
}

/** Bundles the core entry for a browser, where a Node built-in does not resolve and thus fails the build. */
async function bundleCore(external: readonly string[], format: "esm" | "iife" = "esm"): Promise<Bundle> {
  const result = await build({
    absWorkingDir: repositoryRoot,
    entryPoints: ["dist/index.js"],
    bundle: true,
    write: false,
    minify: true,
    metafile: true,
    platform: "browser",
    format,
    globalName: "holdfast",
    target: "es2022",
    external: [...external],
    logLevel: "silent",
  });
  const [output] = result.outputFiles;
  if (output === undefined) throw new Error("esbuild wrote no bundle.");
  return { text: output.text, inputs: Object.keys(result.metafile.inputs) };
}

/** The files that a bundler which splits loads before anything is called: the entry, and all that it imports statically. */
async function firstLoad(external: readonly string[]): Promise<readonly Uint8Array[]> {
  const { outputFiles, metafile } = await build({
    absWorkingDir: repositoryRoot,
    entryPoints: ["dist/index.js"],
    outdir: "temp/first-load",
    bundle: true,
    splitting: true,
    write: false,
    minify: true,
    metafile: true,
    platform: "browser",
    format: "esm",
    target: "es2022",
    external: [...external],
    logLevel: "silent",
  });
  const wanted = Object.keys(metafile.outputs).filter((name) =>
    metafile.outputs[name]?.entryPoint?.endsWith("dist/index.js"),
  );
  for (const name of wanted)
    for (const { path, kind } of metafile.outputs[name]?.imports ?? [])
      if (kind === "import-statement" && metafile.outputs[path] !== undefined && !wanted.includes(path))
        wanted.push(path);
  return outputFiles
    .filter(({ path }) => wanted.some((name) => path.endsWith(name)))
    .map(({ contents }) => contents);
}

function gzipped(files: readonly Uint8Array[]): number {
  return gzipSync(Buffer.concat(files), { level: 9 }).length;
}

describe("the entry holdfast in a browser", () => {
  let whole: Bundle;
  let withoutZod: Bundle;
  beforeAll(async () => {
    whole = await bundleCore([]);
    withoutZod = await bundleCore(["zod"]);
  });

  test("it bundles without any Node built-in", () => {
    expect(whole.inputs.length).toBeGreaterThan(1);
    expect(whole.text).not.toMatch(/["']node:/);
    expect(whole.inputs.filter((input) => input.startsWith("node:"))).toEqual([]);
  });

  // A class may have a method of that name, so only uses as a global count.
  test.each([
    ["Buffer", /(?<![.\w$])Buffer[.(]/],
    ["process", /(?<![.\w$])process[.[]/],
    ["require", /(?<![.\w$])require\(/],
    ["__dirname", /__dirname/],
  ])("it does not use the Node global %s", (_name, use) => {
    expect(whole.text).not.toMatch(use);
  });

  test("it holds no test kit, no tools and no directory storage", () => {
    expect(whole.text).not.toContain("holdfast/testing");
    expect(whole.inputs.filter((input) => /dist\/(node|mcp|testing)\.js$/.test(input))).toEqual([]);
  });

  test("it stays within its bounds after gzip, zod apart: what is loaded at first, and all of it", async () => {
    const first = gzipped(await firstLoad(["zod"]));
    const all = gzipped([new TextEncoder().encode(withoutZod.text)]);
    console.log(`holdfast without zod: ${first} B gzip at first, ${all} B in all`);
    expect(first).toBeLessThanOrEqual(budgets.first);
    expect(all).toBeLessThanOrEqual(budgets.all);
  });

  test("it edits files in a realm that has only what browsers have", async () => {
    const script = await bundleCore([], "iife");
    const realm = createContext(webGlobals());
    runInContext(script.text, realm);
    const text: unknown = await runInContext(
      `(async () => {
        const storage = new holdfast.MemoryStorage({ files: { "a.txt": "one\\ntwo\\n" } });
        const workspace = await holdfast.Workspace.open(storage);
        await workspace.edit("a.txt", { op: "replace_text", oldText: "two", newText: "2" });
        const file = await workspace.read("a.txt");
        await workspace.close();
        return file.text;
      })()`,
      realm,
    );
    expect(text).toBe("one\n2\n");
  });
});

/** What the platform of browsers gives besides the language; the realm has no process, Buffer, require or module. */
function webGlobals(): Record<string, unknown> {
  return {
    AbortController,
    AbortSignal,
    ArrayBuffer,
    DOMException,
    MessageChannel,
    TextDecoder,
    TextEncoder,
    Uint8Array,
    atob,
    btoa,
    clearTimeout,
    crypto,
    performance,
    queueMicrotask,
    setTimeout,
    structuredClone,
  };
}
