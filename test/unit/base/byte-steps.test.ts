import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import {
  concatInSteps,
  copyInSteps,
  equalInSteps,
  hashInSteps,
  piecesOf,
  utf8LengthInSteps,
} from "../../../src/base/byte-steps.ts";
import { loadPortableHashing } from "../../../src/base/hashing.ts";
import { runSteps, type Steps } from "../../../src/base/steps.ts";

const mebibyte = 1024 * 1024;
const pattern = (length: number) => new Uint8Array(length).map((_, index) => (index * 31) % 253);

/** Runs steps and counts how often they could have been interrupted. */
function countYields<T>(steps: Steps<T>): { readonly value: T; readonly yields: number } {
  for (let yields = 0; ; yields++) {
    const step = steps.next();
    if (step.done === true) return { value: step.value, yields };
  }
}

describe("copyInSteps and concatInSteps", () => {
  test.each([0, 1, mebibyte - 1, mebibyte, 3 * mebibyte + 5])("copy %i bytes", (length) => {
    const bytes = pattern(length);
    const copy = runSteps(copyInSteps(bytes));
    expect(Buffer.compare(copy, bytes)).toBe(0);
    expect(copy.buffer).not.toBe(bytes.buffer);
  });

  test("join parts in their order, empty ones too", () => {
    const parts = [pattern(3), new Uint8Array(0), pattern(mebibyte), pattern(700_000)];
    expect(Buffer.compare(runSteps(concatInSteps(parts)), Buffer.concat(parts))).toBe(0);
    expect(runSteps(concatInSteps([])).byteLength).toBe(0);
  });

  test("copy at most half a mebibyte between two yields, however the bytes are cut up", () => {
    expect(countYields(copyInSteps(pattern(8 * mebibyte))).yields).toBeGreaterThanOrEqual(16);
    const small = Array.from({ length: 8192 }, () => pattern(1024));
    expect(countYields(concatInSteps(small)).yields).toBeGreaterThanOrEqual(16);
  });
});

describe("equalInSteps", () => {
  const base = pattern(300_001);
  const changedAt = (at: number) => {
    const changed = base.slice();
    changed[at] = (changed[at] ?? 0) ^ 1;
    return changed;
  };
  test.each([0, 1, 2, 3, 4, 131_071, 131_072, 131_073, 299_999, 300_000])("sees a change at %i", (at) => {
    expect(runSteps(equalInSteps(base, changedAt(at)))).toBe(false);
    expect(runSteps(equalInSteps(base.subarray(1), changedAt(at).subarray(1)))).toBe(at === 0);
  });

  test.each([
    [0, 0],
    [0, 1],
    [1, 0],
    [2, 2],
    [3, 1],
  ])("compares bytes that lie at offsets %i and %i of their buffers", (a, b) => {
    const place = (offset: number) => {
      const room = new Uint8Array(base.byteLength + offset);
      room.set(base, offset);
      return room.subarray(offset);
    };
    expect(runSteps(equalInSteps(place(a), place(b)))).toBe(true);
  });

  test("knows different lengths at once", () => {
    expect(countYields(equalInSteps(pattern(mebibyte), pattern(mebibyte + 1)))).toEqual({
      value: false,
      yields: 0,
    });
  });

  test("compares at most 128 KiB between two yields", () => {
    const steps = equalInSteps(pattern(4 * mebibyte), pattern(4 * mebibyte));
    expect(countYields(steps).yields).toBeGreaterThanOrEqual(31);
  });
});

describe("hashInSteps", () => {
  test.each([0, 1, 131_072, 131_073, mebibyte + 1])("gives the SHA-256 of %i bytes", async (length) => {
    const bytes = pattern(length);
    const expected = createHash("sha256").update(bytes).digest("hex");
    expect(runSteps(hashInSteps(await loadPortableHashing(), "sha256", bytes))).toBe(expected);
  });

  test("hashes at most 128 KiB between two yields", async () => {
    const pieces: number[] = [];
    const hashing = await loadPortableHashing();
    const state = { update: (bytes: Uint8Array) => void pieces.push(bytes.byteLength), digest: () => "" };
    const steps = hashInSteps({ ...hashing, sha256: () => state }, "sha256", pattern(4 * mebibyte));
    expect(countYields(steps).yields).toBe(31);
    expect(Math.max(...pieces)).toBe(131_072);
  });
});

describe("piecesOf and utf8LengthInSteps", () => {
  test.each([
    ["nothing", ""],
    ["a short text", "a\u00e9\u{1f600}"],
    ["pairs across every cut", `a${"\u{1f600}".repeat(300_000)}`],
    ["a long text", "line of text\n".repeat(50_000)],
    ["half pairs", "\ud83d".repeat(131_073) + "\ude00".repeat(3)],
  ])("cut and measure %s", (_name, text) => {
    const pieces = [...piecesOf(text)];
    expect(pieces.join("") === text).toBe(true);
    expect(Buffer.concat(pieces.map((piece) => Buffer.from(piece))).equals(Buffer.from(text))).toBe(true);
    expect(runSteps(utf8LengthInSteps(text))).toBe(Buffer.byteLength(text));
  });

  test("measure at most 131072 characters between two yields", () => {
    expect(countYields(utf8LengthInSteps("x".repeat(mebibyte))).yields).toBeGreaterThanOrEqual(8);
  });
});
