import { expect, test } from "vitest";
import { similarPaths } from "../../../src/tree/similar-paths.ts";

test.each<readonly [string, readonly string[], readonly string[]]>([
  ["src/ap.ts", ["src/app.ts", "test/other.ts", "src/api.ts"], ["src/api.ts", "src/app.ts"]],
  ["src/app.tsx", ["src/app.ts", "lib/app.tsx"], ["lib/app.tsx", "src/app.ts"]],
  ["Readme.md", ["README.md", "docs/x.md"], ["README.md"]],
  ["src/pap.ts", ["src/app.ts"], ["src/app.ts"]],
  ["a", ["zzzzzz"], []],
  ["x.ts", ["x.ts"], []],
  ["abcd", ["abce", "abcf", "abcg", "abch"], ["abce", "abcf", "abcg"]],
])("near %j among %j are %j", (path, candidates, near) => {
  expect(similarPaths(path, candidates)).toEqual(near);
});

test("paths too long to compare whole are compared by their ends", () => {
  const deep = "deep/".repeat(800);
  expect(similarPaths(`${deep}file.ts`, [`${deep}other.ts`, `${deep}fil.ts`, `${deep}file.tsx`], 2)).toEqual([
    `${deep}fil.ts`,
    `${deep}file.tsx`,
  ]);
});
