import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { beforeAll, describe, expect, test } from "vitest";
import { repositoryRoot } from "../support/source-files.ts";
import { entryNames } from "../support/test-target.ts";

const folder = join(repositoryRoot, "temp", "consumer");
const specifiers = entryNames.map((name) => (name === "index" ? "holdfast" : `holdfast/${name}`));

const program = `
import { isHoldfastError, MemoryStorage, Workspace } from "holdfast";
${specifiers.map((name, index) => `import type * as entry${index} from "${name}";`).join("\n")}

export type Entries = ${specifiers.map((_, index) => `typeof entry${index}`).join(" | ")};

export async function edit(): Promise<string> {
  const workspace = await Workspace.open(new MemoryStorage({ files: { "a.txt": "one" } }));
  try {
    await workspace.edit("a.txt", { op: "replace_text", oldText: "one", newText: "two" });
    const text: string = (await workspace.read("a.txt")).text;
    return text;
  } catch (error) {
    if (isHoldfastError(error, "NOT_FOUND")) return error.code satisfies "NOT_FOUND";
    throw error;
  } finally {
    await workspace.close();
  }
}
`;

/** Compiles the program as a consumer does: through the export map, with the declarations that are shipped checked too. */
function compile(file: string, options: ts.CompilerOptions): readonly string[] {
  const compiled = ts.createProgram([join(folder, file)], {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: false,
    noEmit: true,
    ...options,
  });
  return ts.getPreEmitDiagnostics(compiled).map((diagnostic) => {
    const text = ts.flattenDiagnosticMessageText(diagnostic.messageText, " ");
    return `${diagnostic.file?.fileName.replace(repositoryRoot, "") ?? ""}: ${text}`;
  });
}

describe("the shipped declarations", () => {
  beforeAll(() => {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    for (const file of ["consumer.mts", "consumer.cts"]) writeFileSync(join(folder, file), program);
  });

  const withNode = { types: ["node"], lib: ["lib.es2022.d.ts"] };
  const withDisposable = {
    types: [],
    lib: ["lib.es2022.d.ts", "lib.dom.d.ts", "lib.esnext.disposable.d.ts"],
  };

  test.each([
    ["an ES module with Node types", "consumer.mts", withNode],
    ["a CommonJS module with Node types", "consumer.cts", withNode],
    ["an ES module with DOM and disposable types", "consumer.mts", withDisposable],
    ["a CommonJS module with DOM and disposable types", "consumer.cts", withDisposable],
  ])("compile in %s", (_name, file, options) => {
    expect(compile(file, options)).toEqual([]);
  });

  test("give types that refuse a wrong call", () => {
    writeFileSync(join(folder, "wrong.mts"), program.replace('oldText: "one"', "oldText: 1"));
    expect(compile("wrong.mts", withNode)).toEqual([expect.stringContaining("'number' is not assignable")]);
  });
});
