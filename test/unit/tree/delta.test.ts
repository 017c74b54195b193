import { expect, test } from "vitest";
import { composeDeltas } from "../../../src/tree/compose-deltas.ts";
import {
  type Delta,
  emptyDelta,
  equalDeltas,
  isEmptyDelta,
  makeDelta,
  type Origin,
} from "../../../src/tree/delta.ts";
import { deltaFromJson, deltaToJson } from "../../../src/tree/delta-json.ts";
import { digestDelta } from "../../../src/tree/digest-delta.ts";
import type { FileState } from "../../../src/tree/file-state.ts";
import { invertDelta } from "../../../src/tree/invert-delta.ts";
import { contentIdOf, testHashing } from "../../support/planning-view.ts";

const state = (content: string, executable = false): FileState => ({
  kind: "file",
  contentId: contentIdOf(content),
  byteLength: content.length,
  executable,
});
const moved = (path: string): Origin => ({ kind: "moved", path });
const copied = (path: string): Origin => ({ kind: "copied", path });
const originAt = (delta: Delta, path: string) => delta.changes.get(path)?.origin;
const [a, b, c] = [state("a"), state("b"), state("c")];

const move = (from: string, to: string, before = a, after = before) =>
  makeDelta([
    [from, { before, after: undefined }],
    [to, { before: undefined, after, origin: moved(from) }],
  ]);
const copy = (from: string, to: string) =>
  makeDelta([[to, { before: undefined, after: a, origin: copied(from) }]]);
const write = (path: string, before: FileState | undefined, after: FileState | undefined) =>
  makeDelta([[path, { before, after }]]);

test("a delta leaves out what does not change and sorts what does", () => {
  const delta = makeDelta([
    ["z", { before: a, after: b }],
    ["same", { before: a, after: { ...a } }],
    ["B", { before: undefined, after: a }],
    ["none", { before: undefined, after: undefined }],
    ["mode", { before: a, after: state("a", true) }],
  ]);
  expect([...delta.changes.keys()]).toEqual(["B", "mode", "z"]);
  expect(isEmptyDelta(delta)).toBe(false);
  expect(isEmptyDelta(makeDelta([]))).toBe(true);
  expect(() =>
    makeDelta([
      ["a", { before: a, after: b }],
      ["a", { before: b, after: a }],
    ]),
  ).toThrow("once");
});

test("equality looks at states and not at origins", () => {
  expect(equalDeltas(copy("x", "y"), write("y", undefined, a))).toBe(true);
  expect(equalDeltas(write("y", undefined, a), write("y", undefined, b))).toBe(false);
  expect(equalDeltas(write("y", undefined, a), write("x", undefined, a))).toBe(false);
  expect(equalDeltas(write("y", undefined, a), emptyDelta)).toBe(false);
});

test("composing deltas that do not meet is a fault", () => {
  expect(() => composeDeltas(write("x", undefined, a), write("x", b, c))).toThrow(
    expect.objectContaining({ code: "INTERNAL" }),
  );
});

test.each<readonly [string, Delta, Delta, string, Origin | undefined]>([
  ["moved twice: came from the first", move("a", "b"), move("b", "c"), "c", moved("a")],
  ["moved, then edited: still moved", move("a", "b"), write("b", a, b), "b", moved("a")],
  ["edited, then moved: still moved", write("a", a, b), move("a", "b", b), "b", moved("a")],
  ["moved, then copied: a copy of the first", move("a", "b"), copy("b", "c"), "c", copied("a")],
  ["copied, then moved: a copy of the first", copy("a", "b"), move("b", "c"), "c", copied("a")],
  ["created, then moved: came from nowhere", write("a", undefined, a), move("a", "b"), "b", undefined],
  ["moved, and the source made anew: moved", move("a", "b"), write("a", undefined, c), "b", moved("a")],
  ["moved, and the source put back: a copy", move("a", "b"), write("a", undefined, a), "b", copied("a")],
  [
    "moved, deleted and made anew: came from nowhere",
    composeDeltas(move("a", "b"), write("b", a, undefined)),
    write("b", undefined, c),
    "b",
    undefined,
  ],
  ["moved away and back, edited: no origin", move("a", "b"), move("b", "a", a, b), "a", undefined],
])("%s", (_what, first, second, path, origin) => {
  expect(originAt(composeDeltas(first, second), path)).toEqual(origin);
});

test("the inverse of a move is the move back, over a replaced file too", () => {
  const inverse = invertDelta(move("a", "b"));
  expect(inverse.changes.get("a")).toEqual({ before: undefined, after: a, origin: moved("b") });
  expect(inverse.changes.get("b")).toEqual({ before: a, after: undefined });
  expect(originAt(invertDelta(inverse), "b")).toEqual(moved("a"));
  const over = makeDelta([
    ["a", { before: a, after: undefined }],
    ["b", { before: b, after: a, origin: moved("a") }],
  ]);
  expect(originAt(invertDelta(over), "a")).toEqual(moved("b"));
  expect(originAt(invertDelta(over), "b")).toBeUndefined();
});

test("the inverse of a copy is a deletion without origin", () => {
  expect([...invertDelta(copy("a", "b")).changes]).toEqual([["b", { before: a, after: undefined }]]);
});

test.each<readonly [string, Delta]>([
  ["another path", write("y", a, b)],
  ["another state before", write("x", c, b)],
  ["another state after", write("x", a, c)],
  ["another mode", write("x", a, state("b", true))],
  ["another kind", write("x", a, { ...b, kind: "symlink" })],
  ["absence before", write("x", undefined, b)],
  ["absence after", write("x", a, undefined)],
  ["the inverse", invertDelta(write("x", a, b))],
  ["nothing", emptyDelta],
])("%s has another digest", (_what, delta) => {
  expect(digestDelta(delta, testHashing)).not.toBe(digestDelta(write("x", a, b), testHashing));
});

test("an origin is no part of the digest, and neither is the order", () => {
  const digest = (delta: Delta) => digestDelta(delta, testHashing);
  expect(digest(copy("x", "y"))).toBe(digest(write("y", undefined, a)));
  const changes = [...move("a", "b").changes];
  expect(digest({ changes: new Map(changes.reverse()) })).toBe(digest(move("a", "b")));
});

test("a path named __proto__ goes through JSON like any other", () => {
  const delta = composeDeltas(move("__proto__", "constructor"), write("prototype", undefined, b));
  const back = deltaFromJson(JSON.parse(JSON.stringify(deltaToJson(delta))));
  expect(back).toEqual(delta);
  expect(([] as { polluted?: unknown }).polluted).toBeUndefined();
});

test.each([
  [null],
  [{}],
  [[null]],
  [[{ path: 1, before: null, after: null }]],
  [[{ path: "a", after: null }]],
  [[{ path: "a", before: null, after: {} }]],
  [[{ path: "a", before: null, after: { ...a, kind: "folder" } }]],
  [[{ path: "a", before: null, after: { ...a, contentId: "ABC" } }]],
  [[{ path: "a", before: null, after: { ...a, byteLength: -1 } }]],
  [[{ path: "a", before: null, after: { ...a, executable: 1 } }]],
  [[{ path: "a", before: null, after: { ...a }, origin: { kind: "stolen", path: "b" } }]],
  [
    [
      { path: "a", before: null, after: { ...a } },
      { path: "a", before: null, after: { ...a } },
    ],
  ],
])("%j is no delta", (json) => {
  expect(deltaFromJson(JSON.parse(JSON.stringify(json)))).toBeUndefined();
});
