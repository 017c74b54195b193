import { describe, expect, test } from "vitest";
import { isHoldfastError } from "../../../src/base/holdfast-error.ts";
import { runSteps } from "../../../src/base/steps.ts";
import {
  decodeRevisionEntry,
  encodeRevisionEntry,
  type RevisionEntry,
} from "../../../src/history/revision-entry.ts";
import { makeDelta } from "../../../src/tree/delta.ts";

const state = { kind: "file", contentId: "a".repeat(64), byteLength: 3, executable: false } as const;

const entry: RevisionEntry = {
  time: "2024-01-01T00:00:00.000Z",
  cause: "apply",
  operation: "apply",
  source: "me",
  sessionId: "s1",
  exchange: 3,
  reason: "to see",
  metadata: { a: "b", __proto__x: "c" },
  idempotencyKey: "key",
  delta: makeDelta([
    ["a", { before: undefined, after: state }],
    ["__proto__", { before: state, after: undefined }],
  ]),
  result: {
    alreadyApplied: false,
    revisionAlgorithm: "xxh64",
    files: [{ path: "a", operation: "created", revision: "0".repeat(16), changedRanges: [], lineShifts: [] }],
    additions: 1,
    removals: 0,
    warnings: [{ code: "TRAILING_BLANK_LINE", message: "m" }],
  },
};

function bytesOf(value: unknown): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(value));
}

function jsonOf(bytes: Uint8Array): Record<string, unknown> {
  return JSON.parse(new TextDecoder().decode(bytes));
}

describe("an entry", () => {
  test("comes back as it was written", () => {
    expect(decodeRevisionEntry(runSteps(encodeRevisionEntry(entry)))).toEqual(entry);
  });

  test.each([
    ["one long", [600]],
    ["long ones first, between and last", [600, 0, 1, 2000, 1, 513]],
    ["many short ones around a long one", [...Array(600).fill(1), 5000, ...Array(600).fill(0)]],
  ])("with files of many changed places comes back so, in short pieces: %s", (_name, counts: number[]) => {
    const files = counts.map((count, index) => ({
      path: `f${index}`,
      operation: "modified" as const,
      changedRanges: Array.from({ length: count }, (_, at) => ({
        startLine: 2 * at + 1,
        endLine: 2 * at + 1,
        added: 1,
        removed: 1,
      })),
      lineShifts: [{ fromLine: 3, by: 1 }],
    }));
    const given = { ...entry, result: { ...entry.result, files } };
    const steps = encodeRevisionEntry(given);
    let yields = 0;
    let step = steps.next();
    for (; step.done !== true; step = steps.next()) yields += 1;
    expect(decodeRevisionEntry(step.value)).toEqual(given);
    expect(yields).toBeGreaterThanOrEqual(counts.reduce((sum, count) => sum + count, 0) / 512);
  });

  test("with nothing optional comes back so", () => {
    const {
      source: _s,
      sessionId: _i,
      exchange: _e,
      reason: _r,
      metadata: _m,
      idempotencyKey: _k,
      ...bare
    } = entry;
    expect(decodeRevisionEntry(runSteps(encodeRevisionEntry(bare)))).toMatchObject(bare);
  });

  test("of many paths is written in short pieces and comes back as it was", () => {
    const many = Array.from({ length: 2000 }, (_, index) => `f${String(index).padStart(4, "0")}`);
    const delta = makeDelta(many.map((path) => [path, { before: undefined, after: state }]));
    const files = many.map(
      (path) => ({ path, operation: "created", changedRanges: [], lineShifts: [] }) as const,
    );
    const steps = encodeRevisionEntry({ ...entry, delta, result: { ...entry.result, files } });
    let pieces = 0;
    let step = steps.next();
    for (; step.done !== true; step = steps.next()) pieces += 1;
    expect(pieces).toBe(8);
    const read = decodeRevisionEntry(step.value);
    expect([...read.delta.changes.keys()]).toEqual(many);
    expect(read.result.files).toEqual(files);
  });

  test("says its format first, so that another version can tell whether it reads it", () => {
    expect(new TextDecoder().decode(runSteps(encodeRevisionEntry(entry)))).toMatch(/^\{"format":1,/);
  });

  test("with fields of a newer version of the same format is read", () => {
    const newer = { ...jsonOf(runSteps(encodeRevisionEntry(entry))), mood: "good", evidence: [1, 2] };
    expect(decodeRevisionEntry(bytesOf(newer))).toEqual(entry);
  });

  test("of a newer format is refused, saying so", () => {
    try {
      decodeRevisionEntry(bytesOf({ ...jsonOf(runSteps(encodeRevisionEntry(entry))), format: 2 }));
      expect.unreachable();
    } catch (error) {
      expect(isHoldfastError(error, "STORAGE_FAILED") && error.message).toMatch(/format 2.*up to 1/);
    }
  });

  const whole = jsonOf(runSteps(encodeRevisionEntry(entry)));
  test.each<[string, Uint8Array]>([
    ["no JSON", new TextEncoder().encode("{")],
    ["no UTF-8", new Uint8Array([0xff])],
    ["a list", bytesOf([])],
    ["no format", bytesOf({ ...whole, format: undefined })],
    ["a delta that is none", bytesOf({ ...whole, delta: [{ path: "a" }] })],
    ["no result", bytesOf({ ...whole, result: null })],
    ["a result without files", bytesOf({ ...whole, result: {} })],
    ["no time", bytesOf({ ...whole, time: 5 })],
  ])("that is damaged is refused as a failure of the storage: %s", (_name, bytes) => {
    try {
      decodeRevisionEntry(bytes);
      expect.unreachable();
    } catch (error) {
      expect(isHoldfastError(error, "STORAGE_FAILED")).toBe(true);
    }
  });
});
