import ts from "typescript";
import { expect, test } from "vitest";
import { parseSource, repositoryFiles, typeScriptFiles, visitNodes } from "../support/source-files.ts";

const drawers = /(^|\/)(utils?|helpers?|common|misc|types|shared|lib)(\.|\/)/;
const kebabCase = /^[a-z0-9]+(-[a-z0-9]+)*(\.(test|config|bench))?\.ts$/;
const sources = typeScriptFiles("src");

test("no file or folder is a drawer", () => {
  const folders = ["src", "test", "examples", "bench", "scripts"];
  const files = repositoryFiles().filter((file) => folders.some((folder) => file.startsWith(`${folder}/`)));
  expect(files.length).toBeGreaterThan(0);
  // Tests of types are a kind of test, and that folder is named after it.
  expect(files.filter((file) => drawers.test(file) && !file.startsWith("test/types/"))).toEqual([]);
});

test("every TypeScript file has a kebab-case name", () => {
  const files = ["src", "test", "examples", "bench", "scripts"].flatMap((folder) => typeScriptFiles(folder));
  expect(files.filter((file) => !kebabCase.test(file.split("/").at(-1) ?? ""))).toEqual([]);
});

test("only the package's own entry is called index", () => {
  expect(sources.filter((file) => file.endsWith("/index.ts"))).toEqual(["src/index.ts"]);
});

function exportProblems(source: ts.SourceFile): readonly string[] {
  const found: string[] = [];
  for (const statement of source.statements) {
    if (ts.isExportDeclaration(statement)) {
      const { exportClause } = statement;
      if (exportClause === undefined || ts.isNamespaceExport(exportClause)) found.push("star export");
      else if (exportClause.elements.some(({ name }) => name.text === "default"))
        found.push("default export");
    }
    if (ts.isExportAssignment(statement)) found.push("default export");
    const modifiers = ts.canHaveModifiers(statement) ? ts.getModifiers(statement) : undefined;
    if (modifiers?.some(({ kind }) => kind === ts.SyntaxKind.DefaultKeyword)) found.push("default export");
  }
  return found;
}

test("no source file has a star export or a default export", () => {
  const found = sources.flatMap((file) =>
    exportProblems(parseSource(file)).map((problem) => `${file}: ${problem}`),
  );
  expect(found).toEqual([]);
});

test.each([
  ['export * from "./a.ts";', "star export"],
  ['export * as a from "./a.ts";', "star export"],
  ["export default 1;", "default export"],
  ["export default function a() {}", "default export"],
  ["const a = 1; export { a as default };", "default export"],
])("the search for exports finds %s", (text, problem) => {
  expect(exportProblems(parseSource("src/base/a.ts", text))).toEqual([problem]);
});

test("public classes hide their state in #fields, not behind the word private", () => {
  const found: string[] = [];
  for (const file of sources) {
    visitNodes(parseSource(file), (node) => {
      if (node.kind === ts.SyntaxKind.PrivateKeyword && !ts.isConstructorDeclaration(node.parent))
        found.push(file);
    });
  }
  expect(found).toEqual([]);
});
