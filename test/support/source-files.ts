import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";

/** The root folder of the repository, with a trailing slash. */
export const repositoryRoot = fileURLToPath(new URL("../../", import.meta.url));

/** One import or re-export of a source file. */
export interface SourceImport {
  /** The specifier as written. */
  readonly specifier: string;
  /** The file that a relative specifier names, relative to the repository root. */
  readonly target?: string;
  /** Whether it is erased when types are stripped. */
  readonly typeOnly: boolean;
  /** The imported names; `*` for a namespace or star, `default` for a default import. */
  readonly names: readonly string[];
}

/** Folders that hold what is made, not what is written. */
const madeFolders = new Set([".git", "node_modules", "dist", "temp", "coverage"]);

/**
 * Lists the files of the repository, sorted and relative to its root: what git tracks or would track, or, where there is
 * no git (an unpacked archive), all that lies outside of the folders for made things.
 */
export function repositoryFiles(): readonly string[] {
  const files = gitFiles() ?? walkFiles("");
  return [...new Set(files)].filter((file) => existsSync(join(repositoryRoot, file))).sort();
}

function gitFiles(): readonly string[] | undefined {
  // The folder may belong to another user than the one who runs the tests, which git refuses unless told.
  const command = ["-c", "safe.directory=*", "ls-files", "-z", "--cached", "--others", "--exclude-standard"];
  const run = spawnSync("git", command, {
    cwd: repositoryRoot,
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  });
  return run.status === 0 ? run.stdout.split("\0").filter((file) => file !== "") : undefined;
}

function walkFiles(folder: string): readonly string[] {
  return readdirSync(join(repositoryRoot, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = posix.join(folder, entry.name);
    if (!entry.isDirectory()) return [path];
    const isMade = madeFolders.has(entry.name) && path !== "test/dist";
    return isMade ? [] : walkFiles(path);
  });
}

/** Lists the TypeScript files under a folder of the repository. */
export function typeScriptFiles(folder: string): readonly string[] {
  return repositoryFiles().filter((file) => file.startsWith(`${folder}/`) && file.endsWith(".ts"));
}

/** Reads a file of the repository as text. */
export function readRepositoryFile(file: string): string {
  return readFileSync(join(repositoryRoot, file), "utf8");
}

/** Parses TypeScript text without resolving anything. */
export function parseSource(file: string, text = readRepositoryFile(file)): ts.SourceFile {
  return ts.createSourceFile(file, text, ts.ScriptTarget.ES2022, true);
}

/** Visits every node below and including the given one. */
export function visitNodes(node: ts.Node, visit: (node: ts.Node) => void): void {
  visit(node);
  ts.forEachChild(node, (child) => visitNodes(child, visit));
}

/** Finds every import and re-export of a file, dynamic ones and import types too. */
export function importsOf(source: ts.SourceFile): readonly SourceImport[] {
  const imports: SourceImport[] = [];
  const add = (specifier: string, typeOnly: boolean, names: readonly string[]) => {
    const target = specifier.startsWith(".")
      ? { target: posix.normalize(`${dirname(source.fileName)}/${specifier}`) }
      : {};
    imports.push({ specifier, typeOnly, names, ...target });
  };
  visitNodes(source, (node) => {
    if (ts.isImportDeclaration(node) && ts.isStringLiteral(node.moduleSpecifier)) {
      const clause = node.importClause;
      add(
        node.moduleSpecifier.text,
        clause?.phaseModifier === ts.SyntaxKind.TypeKeyword,
        importNames(clause),
      );
    } else if (
      ts.isExportDeclaration(node) &&
      node.moduleSpecifier &&
      ts.isStringLiteral(node.moduleSpecifier)
    ) {
      add(node.moduleSpecifier.text, node.isTypeOnly, exportNames(node));
    } else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      const [argument] = node.arguments;
      if (argument && ts.isStringLiteral(argument)) add(argument.text, false, ["*"]);
    } else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
      if (ts.isStringLiteral(node.argument.literal)) add(node.argument.literal.text, true, ["*"]);
    }
  });
  return imports;
}

function importNames(clause: ts.ImportClause | undefined): readonly string[] {
  if (clause === undefined) return [];
  const names = clause.name === undefined ? [] : ["default"];
  const bindings = clause.namedBindings;
  if (bindings === undefined) return names;
  if (ts.isNamespaceImport(bindings)) return [...names, "*"];
  return [...names, ...bindings.elements.map((element) => (element.propertyName ?? element.name).text)];
}

function exportNames(node: ts.ExportDeclaration): readonly string[] {
  if (node.exportClause === undefined || ts.isNamespaceExport(node.exportClause)) return ["*"];
  return node.exportClause.elements.map((element) => (element.propertyName ?? element.name).text);
}
