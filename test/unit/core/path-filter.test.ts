import { describe, expect, test } from "vitest";
import { pathsFilter } from "../../../src/core/path-filter.ts";

describe("a list of paths", () => {
  const all = ["a.ts", "src/a.ts", "src/deep/b.md", "srcs/a.ts", "x/src/c.ts", "odd{1}/d"];
  test.each<[readonly string[], readonly string[]]>([
    [[], []],
    [["src/a.ts"], ["src/a.ts"]],
    [["src/deep"], ["src/deep/b.md"]],
    [["./src/deep/"], ["src/deep/b.md"]],
    [["src"], ["src/a.ts", "src/deep/b.md"]],
    [["*.md"], ["src/deep/b.md"]],
    [["src/*.ts"], ["src/a.ts"]],
    [["**/*.ts"], ["a.ts", "src/a.ts", "srcs/a.ts", "x/src/c.ts"]],
    [["odd{1}"], ["odd{1}/d"]],
    [
      ["a.ts", "*.md"],
      ["a.ts", "src/a.ts", "src/deep/b.md", "srcs/a.ts"],
    ],
    [["A.ts", "nowhere"], []],
  ])("%j takes %j", (paths, taken) => {
    expect(all.filter(pathsFilter(paths))).toEqual(taken);
  });
});
