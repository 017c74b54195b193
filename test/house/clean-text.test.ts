import { expect, test } from "vitest";
import { readRepositoryFile, repositoryFiles } from "../support/source-files.ts";

// The words are put together here, so that this file does not hold what it looks for.
const machineFolders = ["work", "tmp", "root", "home", "Users", "private/var"].map((name) => `/${name}/`);
const machinePath = new RegExp(`(^|[\\s"'\`(=:])(file://)?(${machineFolders.join("|")})\\w`);
const registryHost = new RegExp(
  ["registry\\.[a-z]", "npm" + "js\\.", "artifact" + "ory", "verda" + "ccio", "code" + "artifact"].join("|"),
  "i",
);
const binary = /\.(png|jpg|gif|ico|gz|tgz|zip|wasm|bin)$/;

const texts = repositoryFiles()
  .filter((file) => !binary.test(file))
  .map((file) => ({ file, lines: readRepositoryFile(file).split("\n") }));

function findLines(pattern: RegExp): readonly string[] {
  return texts.flatMap(({ file, lines }) =>
    lines.flatMap((line, index) =>
      pattern.test(line) ? [`${file}:${index + 1}: ${line.trim().slice(0, 100)}`] : [],
    ),
  );
}

test("no file of the repository names a folder of somebody's machine", () => {
  expect(texts.length).toBeGreaterThan(10);
  expect(findLines(machinePath)).toEqual([]);
});

test("no file of the repository names a package registry", () => {
  expect(findLines(registryHost)).toEqual([]);
});

test("the lock file holds no download addresses", () => {
  expect(readRepositoryFile("package-lock.json")).not.toContain('"resolved"');
});

test.each(machineFolders)("the search for machine paths finds one under %s", (folder) => {
  expect(machinePath.test(`read("${folder}project/a.ts")`)).toBe(true);
});
