import { execFileSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { repositoryRoot } from "../support/source-files.ts";
import { entryNames } from "../support/test-target.ts";

const specifiers = entryNames.map((name) => (name === "index" ? "holdfast" : `holdfast/${name}`));

/** Loads every entry in a Node of its own, by package name and through the package's export map. */
function loadNames(format: "module" | "commonjs"): Readonly<Record<string, readonly string[]>> {
  const load = format === "module" ? "await import(name)" : "require(name)";
  const program = `
    const names = {};
    for (const name of ${JSON.stringify(specifiers)}) names[name] = Object.keys(${load}).sort();
    console.log(JSON.stringify(names));`;
  const output = execFileSync(process.execPath, [`--input-type=${format}`, "--eval", program], {
    cwd: repositoryRoot,
    encoding: "utf8",
  });
  return JSON.parse(output) as Record<string, readonly string[]>;
}

/** What each entry gives at run time. A change here is a change of the public surface: say it in the changelog. */
const pinned: Readonly<Record<string, readonly string[]>> = {
  holdfast: [
    "HoldfastError",
    "MemoryStorage",
    "Workspace",
    "chainHash",
    "concatBytes",
    "describeError",
    "describeResult",
    "errorCodes",
    "firstPreviousHash",
    "formatConflict",
    "formatDiff",
    "hashBytes",
    "isHoldfastError",
    "libraryLimits",
    "loadPortableHashing",
    "numberLines",
    "shiftLine",
    "tooLongToRead",
    "toolLimits",
  ],
  "holdfast/node": ["DirectoryStorage", "HoldfastError", "openDirectory"],
  "holdfast/mcp": ["HoldfastError", "createTools", "registerTools", "toJsonSchemas"],
  "holdfast/testing": ["faultyStorage", "fixedClock", "sequentialIds", "storageContract", "yieldingStorage"],
};

describe("what the entries give", () => {
  const names = { module: loadNames("module"), commonjs: loadNames("commonjs") };

  test.each(specifiers)("%s gives the pinned names as an ES module", (specifier) => {
    expect(names.module[specifier]).toEqual(pinned[specifier]);
  });

  test.each(specifiers)("%s gives the same names to CommonJS", (specifier) => {
    expect(names.commonjs[specifier]).toEqual(names.module[specifier]);
  });
});
