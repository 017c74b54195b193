import { existsSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { describe, expect, test } from "vitest";
import { floorOf, floors, importProblem } from "../support/layer-rules.ts";
import {
  importsOf,
  parseSource,
  repositoryRoot,
  typeScriptFiles,
  visitNodes,
} from "../support/source-files.ts";

const sources = typeScriptFiles("src").map((file) => parseSource(file));
const entries = new Set(["src/index.ts", "src/node.ts", "src/mcp.ts", "src/testing.ts"]);

describe("the order of floors", () => {
  test("every file stands on a known floor or is an entry", () => {
    const known = new Set<string>([...floors, "testing"]);
    const strangers = sources
      .map((source) => source.fileName)
      .filter((file) => !entries.has(file) && !known.has(floorOf(file) ?? ""));
    expect(sources.length).toBeGreaterThan(0);
    expect(strangers).toEqual([]);
  });

  test("every import of the sources goes downwards and stays in its place", () => {
    const problems = sources.flatMap((source) =>
      importsOf(source).flatMap((imported) => {
        const problem = importProblem(source.fileName, imported);
        return problem === undefined ? [] : [`${source.fileName}: ${problem}`];
      }),
    );
    expect(problems).toEqual([]);
  });

  test("every relative import names a file that exists", () => {
    const missing = sources.flatMap((source) =>
      importsOf(source)
        .filter(({ target }) => target !== undefined && !existsSync(join(repositoryRoot, target)))
        .map(({ specifier }) => `${source.fileName}: ${specifier}`),
    );
    expect(missing).toEqual([]);
  });

  test("an entry file is a list of names and nothing else", () => {
    const statements = sources
      .filter((source) => entries.has(source.fileName))
      .flatMap((source) =>
        source.statements
          .filter(
            (statement) => !ts.isExportDeclaration(statement) || statement.moduleSpecifier === undefined,
          )
          .map((statement) => `${source.fileName}: ${statement.getText().slice(0, 60)}`),
      );
    expect(statements).toEqual([]);
  });
});

describe("the pure floors", () => {
  const pure = sources.filter((source) => /^src\/(text|tree)\//.test(source.fileName));

  test("text and tree make no promises", () => {
    const promises = pure.flatMap((source) => {
      const found: string[] = [];
      visitNodes(source, (node) => {
        const isAsync = node.kind === ts.SyntaxKind.AsyncKeyword || ts.isAwaitExpression(node);
        if (isAsync || (ts.isIdentifier(node) && node.text === "Promise")) found.push(source.fileName);
      });
      return found;
    });
    expect(promises).toEqual([]);
  });

  test("text and tree read no clock and bring no hashing of their own", () => {
    const found = pure.flatMap((source) =>
      importsOf(source)
        .filter(({ target, typeOnly }) => !typeOnly && /^src\/base\/(clock|hashing)/.test(target ?? ""))
        .map(({ specifier }) => `${source.fileName}: ${specifier}`),
    );
    expect(found).toEqual([]);
  });
});

describe("the rule itself", () => {
  const refused: readonly [file: string, line: string, problem: RegExp][] = [
    ["src/text/a.ts", 'import { b } from "../core/b.ts";', /text may not import from core/],
    ["src/text/a.ts", 'export { b } from "../tree/b.ts";', /text may not import from tree/],
    ["src/core/a.ts", 'import { b } from "../testing/b.ts";', /core may not import from testing/],
    ["src/testing/a.ts", 'import { b } from "../core/b.ts";', /testing may not import from core/],
    ["src/core/a.ts", 'import type { b } from "../index.ts";', /entries are imported by nobody/],
    ["src/core/a.ts", 'import { b } from "./b";', /lacks its .ts/],
    ["src/core/a.ts", 'await import("node:fs");', /node:fs in a portable file/],
    ["src/core/a.ts", 'type B = import("../mcp/b.ts").B;', /core may not import from mcp/],
    ["src/storage/memory/a.ts", 'import { b } from "../directory/b.ts";', /memory adapter/],
    ["src/schema/a.ts", 'import { z } from "zod";', /namespace import/],
    ["src/core/a.ts", 'import * as z from "zod";', /zod outside its place/],
    ["src/core/a.ts", 'import load from "xxhash-wasm";', /xxhash-wasm outside its place/],
    ["src/base/a.ts", 'import { sha256 } from "@noble/hashes/sha2.js";', /@noble\/hashes outside its place/],
    ["src/core/a.ts", 'import left from "left-pad";', /left-pad is no dependency/],
    ["src/core/a.ts", 'import { b } from "../../test/b.ts";', /outside of src/],
  ];
  test.each(refused)("in %s it refuses %s", (file, line, problem) => {
    const [imported] = importsOf(parseSource(file, line));
    expect(imported && importProblem(file, imported)).toMatch(problem);
  });

  const allowed: readonly [file: string, line: string][] = [
    ["src/core/a.ts", 'import { b } from "../text/b.ts";'],
    ["src/schema/a.ts", 'import * as z from "zod";'],
    ["src/base/hashing.ts", 'import load from "xxhash-wasm";'],
    ["src/storage/directory/a.ts", 'import { open } from "node:fs/promises";'],
    ["src/storage/directory/a.ts", 'import { b } from "../log/b.ts";'],
    ["src/index.ts", 'export { b } from "./core/b.ts";'],
  ];
  test.each(allowed)("in %s it allows %s", (file, line) => {
    const [imported] = importsOf(parseSource(file, line));
    expect(imported).toBeDefined();
    expect(imported && importProblem(file, imported)).toBeUndefined();
  });
});
