import { expect, test } from "vitest";
import { pathKey } from "../../../src/tree/path-key.ts";

test.each([
  ["Readme.md", "README.md"],
  ["straße", "STRASSE"],
  ["straße", "strasse"],
  ["STRAẞE", "strasse"],
  ["é", "e\u0301"],
  ["É", "e\u0301"],
  ["ΟΔΟΣ", "οδος"],
  ["οδοσ", "οδος"],
  ["ΑΣ/x", "ας/X"],
  ["\u212a", "k"],
  ["\u212b", "å"],
  ["I", "ı"],
  ["İ", "i"],
  ["ﬁle", "FILE"],
  ["ſ", "s"],
  ["Ǆ", "ǆ"],
  ["ǅ", "ǆ"],
])("%j and %j have one key", (a, b) => {
  expect(pathKey(a)).toBe(pathKey(b));
});

test.each([
  ["a", "b"],
  ["a/b", "ab"],
  ["e", "é"],
  ["o", "ø"],
  ["²", "2"],
])("%j and %j have two keys", (a, b) => {
  expect(pathKey(a)).not.toBe(pathKey(b));
});
