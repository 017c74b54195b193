import { describe, expect, test } from "vitest";
import { isHoldfastError } from "../../../src/base/holdfast-error.ts";
import { matchesGlob, parseGlob } from "../../../src/core/glob.ts";

const matches = (glob: string, path: string) => matchesGlob(parseGlob(glob), path);

test.each<[string, readonly string[], readonly string[]]>([
  ["a.ts", ["a.ts", "x/a.ts", "x/y/a.ts"], ["b.ts", "a.tsx", "a.ts/b"]],
  ["*.ts", ["a.ts", "x/a.ts", ".ts", "x/.b.ts"], ["a.js", "a.ts/b"]],
  ["/*.ts", ["a.ts"], ["x/a.ts"]],
  ["src/*.ts", ["src/a.ts"], ["src/x/a.ts", "a.ts", "x/src/a.ts"]],
  ["./src/*.ts", ["src/a.ts"], ["x/src/a.ts"]],
  ["src/**", ["src", "src/a", "src/a/b"], ["srcs/a", "x/src/a"]],
  ["src/**/*.ts", ["src/a.ts", "src/x/y/a.ts"], ["a.ts", "src/a.js"]],
  ["**/test/**", ["test/a", "x/test/a", "x/test/y/z"], ["tests/a"]],
  ["docs/", ["docs", "docs/a", "x/docs/a/b"], ["doc/a", "docs.md"]],
  ["src/docs/", ["src/docs/a"], ["x/src/docs/a"]],
  ["a?c", ["abc", "a😀c"], ["ac", "abbc", "a/c"]],
  ["a*b*c", ["abc", "axbxc", "abcbc"], ["ab", "acb", "abcd"]],
  ["*", ["a", "x/y"], []],
  ["**", ["a", "x/y/z"], []],
  ["{a,b}.ts", ["a.ts", "b.ts", "x/b.ts"], ["c.ts", "{a,b}.ts"]],
  ["src/{a,b/c}.ts", ["src/a.ts", "src/b/c.ts"], ["src/b.ts"]],
  ["{a,{b,c}d}", ["a", "bd", "cd"], ["b", "d"]],
  ["a{,b}", ["a", "ab"], ["b"]],
  ["[id].ts", ["[id].ts", "x/[id].ts"], ["i.ts"]],
  ["a+(b).$c^", ["a+(b).$c^"], ["aab"]],
  ["x}y", ["x}y"], ["xy"]],
])("the glob %s", (glob, wanted, unwanted) => {
  for (const path of wanted) expect(matches(glob, path), path).toBe(true);
  for (const path of unwanted) expect(matches(glob, path), path).toBe(false);
});

describe("a glob is refused", () => {
  test.each([
    ["src\\*.ts", /backslash/],
    ["{a,b", /without its \}/],
    ["{a,{b}", /without its \}/],
    ["{1,2,3,4}{1,2,3,4}{1,2,3,4}{1,2,3,4}{1,2}", /256/],
  ])("%s", (glob, message) => {
    try {
      parseGlob(glob);
      expect.unreachable();
    } catch (error) {
      expect(isHoldfastError(error, "INVALID_ARGUMENT")).toBe(true);
      expect((error as Error).message).toMatch(message);
    }
  });
});

// A matcher that tries every way would run until the test's time is up.
test("shapes that make other matchers take ages are decided at once", () => {
  const stars = parseGlob(`${"*a".repeat(60)}b`);
  const folders = parseGlob(`${"**/a/".repeat(100)}b`);
  expect(matchesGlob(stars, "a".repeat(255))).toBe(false);
  expect(matchesGlob(folders, `${"a/".repeat(250)}c`)).toBe(false);
});
