import { expect, test } from "vitest";
import { quoteName } from "../../../src/text/quote-name.ts";

test.each([
  ["a/plain-1.txt", "a/plain-1.txt"],
  ["a/with blank", "a/with blank"],
  ["a/naïve.txt", '"a/na\\303\\257ve.txt"'],
  ["日本", '"\\346\\227\\245\\346\\234\\254"'],
  ['say "hi"', '"say \\"hi\\""'],
  ["back\\slash", '"back\\\\slash"'],
  ["\u0007\b\t\n\v\f\r", '"\\a\\b\\t\\n\\v\\f\\r"'],
  ["\u0000\u0001\u001b\u007f", '"\\000\\001\\033\\177"'],
  ["\u0085\u2028", '"\\302\\205\\342\\200\\250"'],
  ["x\n--- a\n+++ b", '"x\\n--- a\\n+++ b"'],
  ["~!@#$%^&*()'`|<>?;", "~!@#$%^&*()'`|<>?;"],
])("the name %j is written as %s", (name, quoted) => {
  expect(quoteName(name)).toBe(quoted);
});
