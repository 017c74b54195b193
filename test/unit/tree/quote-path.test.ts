import { expect, test } from "vitest";
import { quotePath } from "../../../src/tree/quote-path.ts";

test.each([
  ["src/app.ts", '"src/app.ts"'],
  ['a"b\\c', '"a\\"b\\\\c"'],
  ["a\n\u0000b", '"a\\n\\u0000b"'],
  ["a\u0085\u2028\u202e\u200c\ufeffb", '"a\\u0085\\u2028\\u202e\\u200c\\ufeffb"'],
  ["日本 é", '"日本 é"'],
  ["\ud800", '"\\ud800"'],
  ["x".repeat(300), `"${"x".repeat(200)}…"`],
])("%j is shown as %s", (path, shown) => {
  expect(quotePath(path)).toBe(shown);
});
