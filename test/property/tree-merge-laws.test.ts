import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { runSteps } from "../../src/base/steps.ts";
import { composeDeltas } from "../../src/tree/compose-deltas.ts";
import type { Conflict, ConflictSide } from "../../src/tree/conflict.ts";
import { emptyDelta, equalDeltas, isEmptyDelta } from "../../src/tree/delta.ts";
import { invertDelta } from "../../src/tree/invert-delta.ts";
import type { TreeMerge } from "../../src/tree/merge.ts";
import { mergeDeltas } from "../../src/tree/merge-deltas.ts";
import { pathKey } from "../../src/tree/path-key.ts";
import { ancestorsOf } from "../../src/tree/path-parts.ts";
import type { Resolutions } from "../../src/tree/resolution.ts";
import { resolveConflicts } from "../../src/tree/resolve-conflicts.ts";
import { modelMerge } from "../support/merge/merge-model.ts";
import { inputOf, mergeInput, mergeOptions, mergeTriple } from "../support/merge/merge-triple.ts";
import { treeAfter } from "../support/merge/tree-notation.ts";
import {
  contentsOf,
  deltaOf,
  makeTriple,
  type TreeTriple,
  type TripleFile,
  type TripleTree,
} from "../support/merge/tree-triples.ts";
import { revisionOf } from "../support/planning-view.ts";

/** Trees with moves, edits, folders that become files and so on. */
const grown = fc.integer({ min: 0, max: 2 ** 31 }).map(makeTriple);

const paths = ["a", "A", "b", "b/in", "b/x", "B/x", "c/d/e", "c/d", "__proto__"];
const line = fc.constantFrom("1", "2", "3");
const file: fc.Arbitrary<TripleFile> = fc.record({
  // Lines that stay keep those apart that a side may change.
  content: fc.tuple(line, line, line).map(([a, b, c]) => `a${a}\nx\ny\nb${b}\nz\nw\nc${c}\n`),
  executable: fc.boolean(),
  kind: fc.constantFrom("file", "file", "file", "symlink"),
});

/** A tree that a storage can hold. */
const tree: fc.Arbitrary<TripleTree> = fc
  .array(fc.tuple(fc.constantFrom(...paths), file), { maxLength: 6 })
  .map((entries) => {
    const files = new Map<string, TripleFile>();
    for (const [path, one] of entries)
      if ([...files.keys()].every((other) => !other.startsWith(`${path}/`) && !path.startsWith(`${other}/`)))
        files.set(path, { ...one, executable: one.executable && one.kind === "file" });
    return files;
  });

/** Whole small trees; what moved is not told, and each file says its name, so that none looks moved. */
const small = fc.tuple(tree, tree, tree).map(([base, current, incoming]): TreeTriple => {
  const side = (files: TripleTree) => ({ files: named(files), origins: new Map(), done: [] });
  return { base: named(base), current: side(current), incoming: side(incoming) };
});

function named(files: TripleTree): TripleTree {
  return new Map([...files].map(([path, one]) => [path, { ...one, content: `${path}\n\n${one.content}` }]));
}

const triples = fc.oneof(grown, small);

function swap({ base, current, incoming }: TreeTriple): TreeTriple {
  return { base, current: incoming, incoming: current };
}

const swappedVerdicts = { current: "incoming", incoming: "current" } as const;

describe("a merge of trees", () => {
  test("with an unchanged side gives the other side", () => {
    fc.assert(
      fc.property(triples, ({ base, current }) => {
        const delta = deltaOf(base, current);
        const merge = (mine: typeof delta, theirs: typeof delta) =>
          runSteps(mergeDeltas({ current: mine, incoming: theirs, contents: new Map() }, mergeOptions()));
        const brought = merge(emptyDelta, delta);
        expect(brought.conflicts).toEqual([]);
        expect(equalDeltas(brought.delta, delta)).toBe(true);
        expect(brought.takenPaths).toEqual([...delta.changes.keys()]);
        const kept = merge(delta, emptyDelta);
        expect(kept.conflicts).toEqual([]);
        expect(isEmptyDelta(kept.delta)).toBe(true);
      }),
    );
  });

  test("of equal changes is clean and does nothing", () => {
    fc.assert(
      fc.property(triples, fc.constantFrom("content", "path"), ({ base, current }, mergePolicy) => {
        const delta = deltaOf(base, current);
        const input = { current: delta, incoming: delta, contents: new Map() };
        const merge = runSteps(mergeDeltas(input, mergeOptions({ mergePolicy })));
        expect(merge.conflicts).toEqual([]);
        expect(isEmptyDelta(merge.delta)).toBe(true);
        expect([...merge.verdicts.values()].every((verdict) => verdict === "same")).toBe(true);
      }),
    );
  });

  test("is symmetric up to the names of the sides", () => {
    fc.assert(
      fc.property(triples, (triple) => {
        const one = mergeTriple(triple);
        const other = mergeTriple(swap(triple));
        const facts = ({ path, kind, regions }: Conflict) => ({ path, kind, regions: regions?.length });
        expect(other.conflicts.map(facts)).toEqual(one.conflicts.map(facts));
        for (const [at, { current, incoming }] of one.conflicts.entries()) {
          expect(other.conflicts[at]?.incoming).toEqual(current);
          expect(other.conflicts[at]?.current).toEqual(incoming);
        }
        const verdicts = [...one.verdicts].map(([path, verdict]) => [
          path,
          verdict === "current" || verdict === "incoming" ? swappedVerdicts[verdict] : verdict,
        ]);
        expect([...other.verdicts]).toEqual(verdicts);
        if (one.conflicts.length === 0)
          expect(sorted(treeAfter(swap(triple), other))).toEqual(sorted(treeAfter(triple, one)));
      }),
    );
  });

  test("tells of every path of both deltas once, truly, and touches no other", () => {
    fc.assert(
      fc.property(triples, fc.constantFrom("content", "path"), (triple, mergePolicy) => {
        const { base, current, incoming } = triple;
        const merge = mergeTriple(triple, mergeOptions({ mergePolicy }));
        const after = treeAfter(triple, merge);
        const changed = [deltaOf(base, current), deltaOf(base, incoming)].flatMap(({ changes }) => [
          ...changes.keys(),
        ]);
        expect([...merge.verdicts.keys()]).toEqual([...new Set(changed)].sort());
        for (const path of new Set([...base.keys(), ...current.files.keys(), ...incoming.files.keys()])) {
          const verdict = merge.verdicts.get(path) ?? "current";
          const now = current.files.get(path);
          const brought = incoming.files.get(path);
          if (verdict === "current" || verdict === "conflict") expect(after.get(path)).toEqual(now);
          if (verdict === "incoming") expect(after.get(path)).toEqual(brought);
          if (verdict === "same") expect([after.get(path), brought]).toEqual([now, now]);
        }
        expect(merge.mergedPaths).toEqual(pathsOf(merge, "merged"));
        expect(merge.takenPaths).toEqual(pathsOf(merge, "incoming"));
        if (mergePolicy === "path") expect(merge.mergedPaths).toEqual([]);
      }),
    );
  });

  test("loses nothing: what a side wrote is in the result, merged, or in a conflict", () => {
    fc.assert(
      fc.property(triples, (triple) => {
        const merge = mergeTriple(triple);
        const after = treeAfter(triple, merge);
        const kept = new Set([...after.values()].map(({ content }) => revisionOf(latin1(content))));
        for (const { base, current, incoming } of merge.conflicts)
          for (const side of [base, current, incoming]) for (const one of revisionsOf(side)) kept.add(one);
        const merged = [...after].filter(([path]) => merge.verdicts.get(path) === "merged");
        for (const side of ["current", "incoming"] as const) {
          for (const [path, one] of triple[side].files) {
            if (kept.has(revisionOf(latin1(one.content)))) continue;
            const isNew = (text: string) => !holdsLine(triple.base, text);
            const isMerged = (text: string) => merged.some(([, { content }]) => content.includes(text));
            const lost = one.content.split("\n").filter((text) => isNew(text) && !isMerged(text));
            expect({ side, path, lost }).toEqual({ side, path, lost: [] });
          }
        }
      }),
    );
  });

  test("is what a merge of whole trees gives", () => {
    fc.assert(
      fc.property(small, (triple) => {
        const { base, current, incoming } = triple;
        // Of a tree that has two spellings of one folder, more is put into a conflict than meets there.
        fc.pre([base, current.files, incoming.files].every(foldsApart));
        const merge = mergeTriple(triple);
        const model = modelMerge(base, current.files, incoming.files);
        const open = [...merge.verdicts]
          .filter(([, verdict]) => verdict === "conflict")
          .map(([path]) => path);
        expect(open).toEqual([...model.conflicts].sort());
        expect(sorted(treeAfter(triple, merge))).toEqual(sorted(model.tree));
      }),
      { numRuns: 500 },
    );
  });

  test("goes on from where it came: what is brought first merges the same in two parts, and its inverse takes it back", () => {
    fc.assert(
      fc.property(triples, (triple) => {
        const { base, current, incoming } = triple;
        const merge = mergeTriple(triple);
        fc.pre(merge.conflicts.length === 0);
        const mine = deltaOf(base, current);
        const whole = composeDeltas(mine, merge.delta);
        // Merged again, there is nothing more to bring.
        const again = mergeInput(
          whole,
          deltaOf(base, incoming),
          new Map([...contentsOf(triple), ...merge.contents]),
        );
        const more = runSteps(mergeDeltas(again, mergeOptions()));
        if (merge.mergedPaths.length === 0) {
          expect(more.conflicts).toEqual([]);
          expect(isEmptyDelta(more.delta)).toBe(true);
        }
        expect(equalDeltas(composeDeltas(whole, invertDelta(merge.delta)), mine)).toBe(true);
      }),
    );
  });
});

describe("resolutions", () => {
  const sides = ["base", "current", "incoming"] as const;

  test("by taking one side everywhere are never refused for a side that was there", () => {
    fc.assert(
      fc.property(triples, fc.constantFrom("current", "incoming"), (triple, take) => {
        const { conflicts } = mergeTriple(triple);
        const resolutions: Resolutions = Object.fromEntries(conflicts.map(({ path }) => [path, { take }]));
        const resolved = runSteps(resolveConflicts(inputOf(triple), resolutions, mergeOptions()));
        expect(resolved.problems).toBeUndefined();
        if (resolved.merge === undefined) return;
        expect([...resolved.merge.verdicts.values()]).not.toContain("conflict");
        treeAfter(triple, resolved.merge);
      }),
    );
  });

  test("of any kind make a tree that a storage can hold, or are refused", () => {
    fc.assert(
      fc.property(triples, fc.infiniteStream(fc.nat()), (triple, numbers) => {
        const { conflicts } = mergeTriple(triple);
        const pick = <T>(items: readonly T[]) => items[(numbers.next().value as number) % items.length] as T;
        const resolutions = Object.fromEntries(
          conflicts.map(({ path, regions }) => [
            path,
            pick([
              { take: pick(sides) },
              { content: "given\n" },
              { delete: true as const },
              {
                regions: Object.fromEntries(
                  (regions ?? []).map(({ id }) => [id, pick([pick(sides), { content: "given" }])]),
                ),
              },
            ]),
          ]),
        );
        const resolved = runSteps(resolveConflicts(inputOf(triple), resolutions, mergeOptions()));
        if (resolved.merge === undefined) {
          expect(resolved.problems.length).toBeGreaterThan(0);
          return;
        }
        const after = [...treeAfter(triple, resolved.merge).keys()];
        expect(after.filter((path) => after.some((other) => other.startsWith(`${path}/`)))).toEqual([]);
      }),
    );
  });
});

test("conflicts come back from JSON as they were", () => {
  fc.assert(
    fc.property(triples, (triple) => {
      const { conflicts } = mergeTriple(triple);
      expect(JSON.parse(JSON.stringify(conflicts))).toEqual(conflicts);
    }),
  );
});

function pathsOf({ verdicts }: TreeMerge, wanted: string): readonly string[] {
  return [...verdicts].filter(([, verdict]) => verdict === wanted).map(([path]) => path);
}

function sorted(files: TripleTree): readonly (readonly [string, TripleFile])[] {
  return [...files].sort(([a], [b]) => (a < b ? -1 : 1));
}

function latin1(content: string): Uint8Array {
  return Uint8Array.from(content, (character) => character.charCodeAt(0));
}

function revisionsOf(side: ConflictSide | undefined): readonly string[] {
  return [side, ...(side?.files ?? [])].flatMap((one) => one?.revision ?? []);
}

function holdsLine(files: TripleTree, text: string): boolean {
  return [...files.values()].some(({ content }) => content.includes(text));
}

/** Whether a storage that folds names could hold a tree. */
function foldsApart(files: TripleTree): boolean {
  const nodes = new Set([...files.keys()].flatMap((path) => [...ancestorsOf(path), path]));
  return new Set([...nodes].map(pathKey)).size === nodes.size;
}
