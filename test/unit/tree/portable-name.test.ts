import { expect, test } from "vitest";
import {
  oddlyNamedFolders,
  portableNameProblem,
  portablePathProblem,
} from "../../../src/tree/portable-name.ts";

test.each([
  "con",
  "CON",
  "Con.txt",
  "aux.tar.gz",
  "prn",
  "NUL",
  "nul .txt",
  "nul:x",
  "COM0",
  "com1",
  "com9.log",
  "COM¹",
  "lpt³.txt",
  "LPT0",
  "CONIN$",
  "conout$.x",
  " leading",
  "\u00a0leading",
  "trailing ",
  "trailing.",
  "a:b",
  "a.txt:s",
  "a<b",
  "a>b",
  'a"b',
  "a|b",
  "a?b",
  "a*b",
])("%j works not everywhere", (name) => {
  expect(portableNameProblem(name)).toContain(JSON.stringify(name).slice(1, 3));
});

test.each([
  "console",
  "con1",
  "com",
  "com10",
  "COM¹⁰",
  "lpt",
  "auxiliary.ts",
  "null",
  "a b",
  ".env",
  "a.b.c",
  "conin",
  "é",
])("%j works everywhere", (name) => {
  expect(portableNameProblem(name)).toBeUndefined();
});

test("folders that exist may keep their odd names, the new name may not have one", () => {
  const exists = (folder: string) => folder === "aux" || folder === "aux/b:c";
  expect(portablePathProblem("aux/b:c/new.txt", exists)).toBeUndefined();
  expect(portablePathProblem("aux/d:e/new.txt", exists)).toContain("d:e");
  expect(portablePathProblem("aux/b:c/con", exists)).toContain("con");
  expect(oddlyNamedFolders("aux/x/b:c/con")).toEqual(["aux", "aux/x/b:c"]);
});
