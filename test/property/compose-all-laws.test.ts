import fc from "fast-check";
import { expect, test } from "vitest";
import { runSteps } from "../../src/base/steps.ts";
import { composeAll } from "../../src/tree/compose-all.ts";
import { composeDeltas } from "../../src/tree/compose-deltas.ts";
import { type Delta, emptyDelta, equalDeltas, makeDelta } from "../../src/tree/delta.ts";
import type { FileState } from "../../src/tree/file-state.ts";
import { applyDelta, type ModelTree } from "../support/apply-delta.ts";
import { contentIdOf } from "../support/planning-view.ts";

const paths = ["a", "b", "c/d", "__proto__"];

const state: fc.Arbitrary<FileState> = fc.record({
  kind: fc.constant("file"),
  contentId: fc.constantFrom("x", "y").map(contentIdOf),
  byteLength: fc.constant(1),
  executable: fc.boolean(),
});

const write = fc.tuple(fc.constantFrom(...paths), fc.option(state, { nil: undefined }));

/** Deltas that follow each other, each of some writes. */
const chain = fc.array(fc.uniqueArray(write, { selector: ([path]) => path, maxLength: 3 })).map((steps) => {
  let tree: ModelTree = new Map();
  return steps.map((writes): Delta => {
    const delta = makeDelta(writes.map(([path, after]) => [path, { before: tree.get(path), after }]));
    tree = applyDelta(tree, delta);
    return delta;
  });
});

test("composing a chain at once gives what composing it one by one gives", () => {
  fc.assert(
    fc.property(chain, (deltas) => {
      const oneByOne = deltas.reduce(composeDeltas, emptyDelta);
      expect(equalDeltas(runSteps(composeAll(deltas)), oneByOne)).toBe(true);
    }),
  );
});

test("with gaps, the first state and the last of each path count", () => {
  fc.assert(
    fc.property(chain, fc.nat(), (deltas, index) => {
      const rest = deltas.filter((_delta, at) => at !== index % Math.max(1, deltas.length));
      const composed = runSteps(composeAll(rest));
      for (const path of paths) {
        const touching = rest.flatMap(({ changes }) => changes.get(path) ?? []);
        const change = composed.changes.get(path);
        const [first, last] = [touching[0], touching.at(-1)];
        if (change === undefined) expect(last?.after).toEqual(first?.before);
        else expect([change.before, change.after]).toEqual([first?.before, last?.after]);
      }
    }),
  );
});

test("origins go through moves from step to step, and back to nothing when the file is back", () => {
  const file = { kind: "file", contentId: contentIdOf("x"), byteLength: 1, executable: false } as const;
  const move = (from: string, to: string): Delta =>
    makeDelta([
      [from, { before: file, after: undefined }],
      [to, { before: undefined, after: file, origin: { kind: "moved", path: from } }],
    ]);
  const through = runSteps(composeAll([move("a", "b"), move("b", "c")]));
  expect([...through.changes]).toMatchObject([
    ["a", { after: undefined }],
    ["c", { origin: { kind: "moved", path: "a" } }],
  ]);
  expect(runSteps(composeAll([move("a", "b"), move("b", "a")])).changes.size).toBe(0);
});
