import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { utf8 } from "../../../../src/base/bytes.ts";
import {
  applyDelta,
  commonEnds,
  decodeDelta,
  encodeDelta,
  isWorthDelta,
} from "../../../../src/storage/log/content-delta.ts";

const base = { offset: 2 ** 40 + 3, length: 17, delta: true };

describe("Common ends", () => {
  test.each([
    ["", "", 0, 0],
    ["abc", "abc", 3, 0],
    ["abc", "", 0, 0],
    ["abc", "abXc", 2, 1],
    ["aaa", "aaaa", 3, 0],
    ["abab", "ab", 2, 0],
    ["xyz", "abc", 0, 0],
    ["abc", "xbc", 0, 2],
  ])("of %j and %j are %i and %i bytes, and do not overlap", (old, text, prefix, suffix) => {
    expect(commonEnds(utf8(old), utf8(text))).toEqual({ prefix, suffix });
  });
});

test("a delta that is written and read back gives the content", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "b"), maxLength: 12 }).map(utf8);
  fc.assert(
    fc.property(text, text, (old, next) => {
      const { prefix, suffix } = commonEnds(old, next);
      const middle = next.subarray(prefix, next.byteLength - suffix);
      const delta = decodeDelta(encodeDelta({ base, prefix, suffix, middle }));
      expect(delta).toEqual({ base, prefix, suffix, middle });
      if (delta !== undefined) expect(applyDelta(old, delta)).toEqual(next);
    }),
  );
});

test("a delta for a longer base than there is gives nothing", () => {
  const delta = { base, prefix: 2, suffix: 2, middle: utf8("x") };
  expect(applyDelta(utf8("abc"), delta)).toBeUndefined();
  expect(applyDelta(utf8("abcd"), delta)).toEqual(utf8("abxcd"));
});

test("what is too short, or has an unknown mark, is no delta", () => {
  const bytes = encodeDelta({ base, prefix: 1, suffix: 1, middle: new Uint8Array() });
  expect(decodeDelta(bytes.subarray(1))).toBeUndefined();
  bytes[12] = 2;
  expect(decodeDelta(bytes)).toBeUndefined();
});

test("a delta is worth it when it saves half", () => {
  expect(isWorthDelta(100, 100)).toBe(true);
  expect(isWorthDelta(100, 74)).toBe(true);
  expect(isWorthDelta(100, 73)).toBe(false);
  expect(isWorthDelta(40, 40)).toBe(false);
});
