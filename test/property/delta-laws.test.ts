import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { composeDeltas } from "../../src/tree/compose-deltas.ts";
import { type Delta, equalDeltas, isEmptyDelta, makeDelta, type PathChange } from "../../src/tree/delta.ts";
import { deltaFromJson, deltaToJson } from "../../src/tree/delta-json.ts";
import { digestDelta } from "../../src/tree/digest-delta.ts";
import { equalStates, type FileState } from "../../src/tree/file-state.ts";
import { invertDelta } from "../../src/tree/invert-delta.ts";
import { applyDelta, type ModelTree } from "../support/apply-delta.ts";
import { contentIdOf, testHashing } from "../support/planning-view.ts";

const paths = ["a", "b", "c/d", "c/e", "__proto__", "ß"];

const state: fc.Arbitrary<FileState> = fc.record({
  kind: fc.constantFrom("file", "file", "symlink"),
  contentId: fc.constantFrom("x", "y", "z").map(contentIdOf),
  byteLength: fc.constant(1),
  executable: fc.boolean(),
});

const tree: fc.Arbitrary<ModelTree> = fc
  .uniqueArray(fc.tuple(fc.constantFrom(...paths), state), { selector: ([path]) => path })
  .map((entries) => new Map(entries));

/** One write, deletion, move or copy, as far as the tree allows it. */
type Step =
  | { readonly do: "write"; readonly path: string; readonly state: FileState | undefined }
  | { readonly do: "moved" | "copied"; readonly path: string; readonly to: string };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    do: fc.constant("write" as const),
    path: fc.constantFrom(...paths),
    state: fc.option(state, { nil: undefined }),
  }),
  fc.record({
    do: fc.constantFrom("moved" as const, "copied" as const),
    path: fc.constantFrom(...paths),
    to: fc.constantFrom(...paths),
  }),
);

function deltaOf(base: ModelTree, change: Step): Delta {
  const before = base.get(change.path);
  if (change.do === "write") return makeDelta([[change.path, { before, after: change.state }]]);
  if (before === undefined || change.path === change.to) return makeDelta([]);
  const entries: [string, PathChange][] = [
    [
      change.to,
      { before: base.get(change.to), after: before, origin: { kind: change.do, path: change.path } },
    ],
  ];
  if (change.do === "moved") entries.push([change.path, { before, after: undefined }]);
  return makeDelta(entries);
}

/** A tree and deltas that follow each other on it, each made of several steps. */
const chain = (length: number) =>
  fc
    .tuple(tree, fc.array(fc.array(step, { maxLength: 4 }), { minLength: length, maxLength: length }))
    .map(([base, groups]) => {
      let now = base;
      const deltas = groups.map((group) => {
        let joined = makeDelta([]);
        for (const change of group) {
          const delta = deltaOf(now, change);
          now = applyDelta(now, delta);
          joined = composeDeltas(joined, delta);
        }
        return joined;
      });
      return { base, deltas: deltas as [Delta, Delta, Delta], end: now };
    });

describe("deltas", () => {
  test("compose to what they do one after another", () => {
    fc.assert(
      fc.property(chain(2), ({ base, deltas: [first, second], end }) => {
        expect(applyDelta(base, composeDeltas(first, second))).toEqual(end);
      }),
    );
  });

  test("compose in any grouping", () => {
    fc.assert(
      fc.property(chain(3), ({ deltas: [first, second, third] }) => {
        const left = composeDeltas(composeDeltas(first, second), third);
        const right = composeDeltas(first, composeDeltas(second, third));
        expect(equalDeltas(left, right)).toBe(true);
      }),
    );
  });

  test("compose with their inverse to nothing", () => {
    fc.assert(
      fc.property(chain(1), ({ base, deltas: [delta], end }) => {
        expect(isEmptyDelta(composeDeltas(delta, invertDelta(delta)))).toBe(true);
        expect(applyDelta(end, invertDelta(delta))).toEqual(base);
      }),
    );
  });

  test("are the inverse of their inverse", () => {
    fc.assert(
      fc.property(chain(1), ({ deltas: [delta] }) => {
        expect(equalDeltas(invertDelta(invertDelta(delta)), delta)).toBe(true);
      }),
    );
  });

  test("invert in the opposite order", () => {
    fc.assert(
      fc.property(chain(2), ({ deltas: [first, second] }) => {
        const whole = invertDelta(composeDeltas(first, second));
        expect(equalDeltas(whole, composeDeltas(invertDelta(second), invertDelta(first)))).toBe(true);
      }),
    );
  });

  test("name only origins that their tree had, and that moved sources leave", () => {
    fc.assert(
      fc.property(chain(3), ({ base, deltas, end }) => {
        const whole = deltas.reduce(composeDeltas);
        for (const [path, { after, origin }] of whole.changes) {
          if (origin === undefined) continue;
          expect(after).toBeDefined();
          expect(origin.path).not.toBe(path);
          expect(base.has(origin.path)).toBe(true);
          if (origin.kind === "moved")
            expect(equalStates(base.get(origin.path), end.get(origin.path))).toBe(false);
        }
      }),
    );
  });

  test("have one digest in any order, and another when they do something else", () => {
    fc.assert(
      fc.property(chain(2), fc.infiniteStream(fc.nat()), ({ deltas: [first, second] }, numbers) => {
        const key = new Map([...first.changes.keys()].map((path) => [path, numbers.next().value as number]));
        const shuffled = [...first.changes].sort(([a], [b]) => (key.get(a) ?? 0) - (key.get(b) ?? 0));
        const digest = digestDelta(first, testHashing);
        expect(digestDelta({ changes: new Map(shuffled) }, testHashing)).toBe(digest);
        expect(digestDelta(second, testHashing) === digest).toBe(equalDeltas(first, second));
      }),
    );
  });

  test("come back from JSON as they were", () => {
    fc.assert(
      fc.property(chain(1), ({ deltas: [delta] }) => {
        expect(deltaFromJson(JSON.parse(JSON.stringify(deltaToJson(delta))))).toEqual(delta);
      }),
    );
  });
});
