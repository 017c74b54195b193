import { join } from "node:path";
import ts from "typescript";
import { describe, expect, test } from "vitest";
import { type CodeFence, codeFences, markdownPages } from "../support/markdown-pages.ts";
import { repositoryRoot } from "../support/source-files.ts";

/** Compiles each block as a module of its own, against the sources, and reports errors by page and line. */
function compileFences(fences: readonly CodeFence[]): readonly string[] {
  const configFile = ts.readConfigFile(join(repositoryRoot, "tsconfig.node.json"), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(configFile.config, ts.sys, repositoryRoot);
  const byFile = new Map(
    fences.map((fence, index) => [join(repositoryRoot, "temp", "fences", `fence-${index}.ts`), fence]),
  );
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists, readFile } = host;
  host.fileExists = (file) => byFile.has(file) || fileExists(file);
  host.readFile = (file) => byFile.get(file)?.code ?? readFile(file);
  host.getSourceFile = (file, ...rest) => {
    const fence = byFile.get(file);
    if (fence === undefined) return getSourceFile(file, ...rest);
    return ts.createSourceFile(file, `${fence.code}\nexport {};\n`, ts.ScriptTarget.ES2022, true);
  };
  const program = ts.createProgram(
    [...byFile.keys()],
    { ...options, noUnusedLocals: false, noUnusedParameters: false },
    host,
  );
  return [...byFile].flatMap(([file, fence]) => {
    const source = program.getSourceFile(file);
    return ts
      .getPreEmitDiagnostics(program, source)
      .map((diagnostic) => describeDiagnostic(diagnostic, fence));
  });
}

function describeDiagnostic(diagnostic: ts.Diagnostic, fence: CodeFence): string {
  const text = ts.flattenDiagnosticMessageText(diagnostic.messageText, " ");
  const offset =
    diagnostic.file && diagnostic.start !== undefined
      ? diagnostic.file.getLineAndCharacterOfPosition(diagnostic.start).line
      : 0;
  return `${fence.page}:${fence.line + offset}: ${text}`;
}

test("every TypeScript block of every page compiles against the library", () => {
  const fences = markdownPages().flatMap((page) => codeFences(page));
  expect(fences.length).toBeGreaterThan(0);
  expect(compileFences(fences)).toEqual([]);
});

describe("the reading of blocks", () => {
  const page =
    "# A\n\n```ts\nconst a: number = 1;\n```\n\ntext\n\n```ts continue\nconst b: string = a;\n```\n";

  test("a continued block is compiled with the one before, and an error has its line of the page", () => {
    expect(compileFences(codeFences("page.md", page))).toEqual([
      "page.md:10: Type 'number' is not assignable to type 'string'.",
    ]);
  });

  test("blocks of other languages are left alone", () => {
    expect(codeFences("page.md", "```sh\nnpm ci\n```\n")).toEqual([]);
  });
});
