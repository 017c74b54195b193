import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { loadPortableHashing } from "../../../src/base/hashing.ts";
import { runSteps } from "../../../src/base/steps.ts";
import { argumentDigest } from "../../../src/history/argument-digest.ts";

const hashing = await loadPortableHashing();
const digest = (args: unknown, operation = "apply") => runSteps(argumentDigest(hashing, operation, args));

test("the form is fixed: SHA-256 of JSON with sorted names", () => {
  const form = '["apply",{"a":[1,true,null,"x",],"b":{"c":"d",},},]';
  expect(digest({ b: { c: "d" }, a: [1, true, null, "x"] })).toBe(
    createHash("sha256").update(form).digest("hex"),
  );
});

test.each<[string, unknown, unknown]>([
  ["the order of fields", { a: 1, b: 2 }, { b: 2, a: 1 }],
  ["a field that is undefined", { a: 1 }, { a: 1, b: undefined }],
  [
    "the array that holds equal bytes",
    { a: new Uint8Array([1, 2]) },
    { a: new Uint8Array([0, 1, 2]).subarray(1) },
  ],
])("%s makes no difference", (_name, a, b) => {
  expect(digest(a)).toBe(digest(b));
});

test.each<[string, unknown, unknown]>([
  ["another value", { a: 1 }, { a: 2 }],
  ["another name", { a: 1 }, { b: 1 }],
  ["a number as text", { a: 1 }, { a: "1" }],
  ["the order of a list", [1, 2], [2, 1]],
  ["the nesting of lists", [[1], 2], [[1, 2]]],
  ["bytes instead of their text", { a: new TextEncoder().encode("x") }, { a: "x" }],
  ["a text cut in two", ["ab"], ["a", "b"]],
  ["null instead of nothing", { a: null }, {}],
  ["the last character of a long text", `${"x".repeat(200_000)}a`, `${"x".repeat(200_000)}b`],
])("%s makes a difference", (_name, a, b) => {
  expect(digest(a)).not.toBe(digest(b));
});

test("the operation makes a difference", () => {
  expect(digest({}, "apply")).not.toBe(digest({}, "update"));
});

test("lone surrogates of different kinds are different texts", () => {
  expect(digest(["\ud800"])).not.toBe(digest(["\ud801"]));
});

test("a long text is digested in short pieces", () => {
  const steps = argumentDigest(hashing, "apply", ["é".repeat(1_000_000)]);
  let pieces = 0;
  while (steps.next().done !== true) pieces += 1;
  expect(pieces).toBeGreaterThan(10);
});
