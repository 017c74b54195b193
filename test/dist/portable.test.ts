import { createContext, runInContext } from "node:vm";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { beforeAll, describe, expect, test } from "vitest";
import { repositoryRoot } from "../support/source-files.ts";

/** What it has now, and a little: decision 0011 tells why it is more than the 60 KiB that are aimed at. */
const budget = 80 * 1024;

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

function sizes(bundle: Bundle): { readonly minified: number; readonly gzip: number } {
  const bytes = new TextEncoder().encode(bundle.text);
  return { minified: bytes.length, gzip: gzipSync(bytes, { level: 9 }).length };
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

  test(`it stays within ${budget} bytes after gzip, zod apart`, () => {
    const apart = sizes(withoutZod);
    const together = sizes(whole);
    console.log(`holdfast without zod: ${apart.minified} B minified, ${apart.gzip} B gzip`);
    console.log(`holdfast with zod: ${together.minified} B minified, ${together.gzip} B gzip`);
    expect(apart.gzip).toBeLessThanOrEqual(budget);
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
