import ts from "typescript";
import { expect, test } from "vitest";
import { parseSource, readRepositoryFile, typeScriptFiles, visitNodes } from "../support/source-files.ts";

const sourceFileLimit = 300;
const functionLimit = 60;
const testFileLimit = 400;

function lineCount(file: string): number {
  return readRepositoryFile(file).replace(/\n$/, "").split("\n").length;
}

function longFiles(folder: string, limit: number): readonly string[] {
  return typeScriptFiles(folder)
    .map((file) => ({ file, lines: lineCount(file) }))
    .filter(({ lines }) => lines > limit)
    .map(({ file, lines }) => `${file}: ${lines} lines`);
}

function longFunctions(source: ts.SourceFile, limit: number): readonly string[] {
  const found: string[] = [];
  visitNodes(source, (node) => {
    if (!ts.isFunctionLike(node) || !("body" in node) || node.body === undefined) return;
    const first = source.getLineAndCharacterOfPosition(node.getStart()).line;
    const last = source.getLineAndCharacterOfPosition(node.getEnd()).line;
    const lines = last - first + 1;
    if (lines > limit) found.push(`${source.fileName}:${first + 1}: a function of ${lines} lines`);
  });
  return found;
}

test(`no source file is longer than ${sourceFileLimit} lines`, () => {
  expect(typeScriptFiles("src").length).toBeGreaterThan(0);
  expect(longFiles("src", sourceFileLimit)).toEqual([]);
});

test(`no test file is longer than ${testFileLimit} lines`, () => {
  expect(longFiles("test", testFileLimit)).toEqual([]);
});

test(`no function of the sources is longer than ${functionLimit} lines`, () => {
  const found = typeScriptFiles("src").flatMap((file) => longFunctions(parseSource(file), functionLimit));
  expect(found).toEqual([]);
});

test("the measure counts a function from its first to its last line", () => {
  const body = (lines: number) =>
    `class A {\n  /** About b. */\n  b() {\n${"    c();\n".repeat(lines - 2)}  }\n}\n`;
  expect(longFunctions(parseSource("a.ts", body(60)), 60)).toEqual([]);
  expect(longFunctions(parseSource("a.ts", body(61)), 60)).toEqual(["a.ts:3: a function of 61 lines"]);
});
