import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { runSteps } from "../../src/base/steps.ts";
import { describePlan } from "../../src/core/describe-plan.ts";
import { shiftLine } from "../../src/core/shift-line.ts";
import type { WorkspaceContext } from "../../src/core/workspace-context.ts";
import type { Edit } from "../../src/text/edit.ts";
import type { Change } from "../../src/tree/change.ts";
import { composeDeltas } from "../../src/tree/compose-deltas.ts";
import type { Delta } from "../../src/tree/delta.ts";
import { invertDelta } from "../../src/tree/invert-delta.ts";
import type { LoadedFile, Plan, PlannedFile } from "../../src/tree/plan.ts";
import { planDelta } from "../../src/tree/plan-delta.ts";
import {
  contentIdOf,
  folderRevisionOf,
  loadFile,
  type ModelFile,
  planOn,
  revisionOf,
} from "../support/planning-view.ts";

type Tree = ReadonlyMap<string, { readonly content: string; readonly executable: boolean }>;

const names = ["a", "b", "c", "d/e", "d/f", "__proto__"];
const text = fc
  .array(fc.constantFrom("x\n", "x\n", "y\n", "z\r\n", "}\n"), { maxLength: 8 })
  .chain((lines) => fc.constantFrom("", "end").map((end) => lines.join("") + end));
const tree: fc.Arbitrary<Tree> = fc
  .uniqueArray(fc.tuple(fc.constantFrom(...names), fc.record({ content: text, executable: fc.boolean() })), {
    selector: ([path]) => path,
    minLength: 2,
  })
  .map((entries) => new Map(entries));

const line = fc.nat({ max: 8 });
const edit: fc.Arbitrary<Edit> = fc.oneof(
  fc.record({
    op: fc.constant("replace" as const),
    startLine: line,
    content: fc.constantFrom("x", "n\nx", ""),
  }),
  fc.record({ op: fc.constant("delete" as const), startLine: line }),
  fc.record({ op: fc.constant("insert_after" as const), line, content: fc.constantFrom("x", "m\nn") }),
  fc.record({
    op: fc.constant("replace_text" as const),
    oldText: fc.constantFrom("x\n", "y"),
    newText: fc.constantFrom("", "w\n", "x\nx\n"),
    replaceAll: fc.constant(true),
  }),
);
const edits = fc.array(edit, { minLength: 1, maxLength: 2 });
const mode = fc.option(fc.boolean(), { nil: undefined });

/** What somebody may want, before it is known what is there. */
type Wish = (files: Tree) => Change;

const revisionAt = (files: Tree, path: string) => revisionOf(files.get(path)?.content ?? "none");
const path = fc.constantFrom(...names);
const wish: fc.Arbitrary<Wish> = fc.oneof(
  fc.tuple(path, text, mode).map(
    ([at, content, executable]): Wish =>
      (files) => {
        const revision = files.has(at) ? revisionAt(files, at) : undefined;
        return { action: "write", path: at, content, revision, executable };
      },
  ),
  fc.tuple(path, edits, mode).map(
    ([at, list, executable]): Wish =>
      (files) => {
        return { action: "edit", path: at, revision: revisionAt(files, at), edits: list, executable };
      },
  ),
  path.map(
    (at): Wish =>
      (files) => ({ action: "delete", path: at, revision: revisionAt(files, at) }),
  ),
  fc
    .tuple(fc.constantFrom("move" as const, "copy" as const), path, path, fc.option(edits, { nil: [] }), mode)
    .map(
      ([action, at, destination, list, executable]): Wish =>
        (files) => ({
          action,
          path: at,
          revision: revisionAt(files, at),
          destination,
          destinationRevision: files.has(destination) ? revisionAt(files, destination) : undefined,
          edits: list,
          executable,
        }),
    ),
  fc.tuple(path, fc.boolean()).map(
    ([at, executable]): Wish =>
      (files) => {
        return { action: "chmod", path: at, revision: revisionAt(files, at), executable };
      },
  ),
  fc.constantFrom("n", "d/n").map(
    (destination): Wish =>
      (files) => {
        const revision = folderRevisionOf(files as ReadonlyMap<string, ModelFile>, "d") ?? "0".repeat(64);
        return { action: "moveTree", path: "d", destination, revision };
      },
  ),
);
const batch = fc.array(wish, { minLength: 1, maxLength: 4 });

const context = {
  revisionAlgorithm: "xxh64",
  hashing: { xxh64: () => shortHash(), sha256: () => shortHash() },
} as unknown as WorkspaceContext;

/** Gives the revisions that the model gives. */
function shortHash() {
  const parts: Uint8Array[] = [];
  return {
    update: (bytes: Uint8Array) => void parts.push(bytes.slice()),
    digest: () => revisionOf(new Uint8Array(parts.flatMap((part) => [...part]))),
  };
}

const decode = (bytes: Uint8Array | undefined) => new TextDecoder().decode(bytes);
const linesOf = (of: string) => of.match(/[^\n]*\n|[^\n]+$/g) ?? [];
const contentsOf = (plans: readonly Plan[]) => {
  const contents = new Map<string, Uint8Array>();
  for (const { files, relies } of plans) {
    for (const { bytes } of files) if (bytes !== undefined) contents.set(contentIdOf(bytes), bytes);
    for (const file of relies.values())
      if (file?.bytes !== undefined) contents.set(file.contentId, file.bytes);
  }
  return contents;
};

/** The tree after a delta whose contents are known. */
function treeAfter(files: Tree, delta: Delta, contents: ReadonlyMap<string, Uint8Array>): Tree {
  const all = new Map(contents);
  for (const file of files.values()) all.set(loadFile(file).contentId, loadFile(file).bytes as Uint8Array);
  const result = new Map(files);
  for (const [at, { after }] of delta.changes) {
    if (after === undefined) result.delete(at);
    else result.set(at, { content: decode(all.get(after.contentId)), executable: after.executable });
  }
  return result;
}

/** All files, and `undefined` for other paths that the delta names. */
function reliesOn(files: Tree, delta: Delta): Map<string, LoadedFile | undefined> {
  const relies = new Map<string, LoadedFile | undefined>();
  for (const at of delta.changes.keys()) relies.set(at, undefined);
  for (const [at, file] of files) relies.set(at, loadFile(file));
  return relies;
}

/** The shortest edit, in lines, by the table that everybody knows. */
function shortest(before: readonly string[], after: readonly string[]): number {
  let row = Array.from({ length: after.length + 1 }, (_, at) => at);
  for (const [index, old] of before.entries()) {
    const next = [index + 1];
    for (const [at, now] of after.entries()) {
      const kept = old === now ? (row[at] as number) : Number.POSITIVE_INFINITY;
      next.push(Math.min(kept, (row[at + 1] as number) + 1, (next[at] as number) + 1));
    }
    row = next;
  }
  return row.at(-1) as number;
}

/** Checks that a file's description leads from its old text to its new one. */
function checkDescription(file: PlannedFile, files: Tree, after: Tree): void {
  const { bytes: _bytes, from: _from, ...applied } = file;
  const old = linesOf(files.get(file.previousPath ?? file.path)?.content ?? "");
  const now = linesOf(after.get(file.path)?.content ?? "");
  expect(file.additions - file.removals).toBe(now.length - old.length);
  if (file.operation === "deleted") return;
  expect(file.totalLines).toBe(now.length);
  const kept = old.flatMap((one, index) => {
    const line = shiftLine(applied, index + 1);
    if (line !== undefined) expect(now[line - 1]).toBe(one);
    return line ?? [];
  });
  expect(kept.length).toBe(old.length - file.removals);
  expect(kept).toEqual([...new Set(kept)].sort((a, b) => a - b));
  // No entry says what the one before it said already.
  let by = 0;
  for (const shift of file.lineShifts) {
    expect(shift.by).not.toBe(by);
    by = shift.by;
  }
  const written = new Set(
    file.changedRanges.flatMap(({ startLine, added }) =>
      Array.from({ length: added }, (_, at) => startLine + at),
    ),
  );
  expect([...written, ...kept].sort((a, b) => a - b)).toEqual(now.map((_, index) => index + 1));
}

/** Checks a plan of a delta on a tree in all that does not need another plan to compare with. */
function checkPlan(plan: Plan, delta: Delta, files: Tree, after: Tree): void {
  expect(plan.delta).toBe(delta);
  const told = plan.files.flatMap(({ path: at, operation, previousPath }) =>
    operation === "moved" ? [at, previousPath as string] : [at],
  );
  expect(told.sort()).toEqual([...delta.changes.keys()].sort());
  const order = plan.files.map((file) => file.path);
  expect(order).toEqual([...order].sort());
  for (const file of plan.files) {
    checkDescription(file, files, after);
    const content = file.from === undefined ? decode(file.bytes) : files.get(file.from)?.content;
    if (file.operation !== "deleted") expect(content).toBe(after.get(file.path)?.content);
  }
}

describe("planning a delta", () => {
  test("tells of the delta of a plan what the plan tells, in the order of paths", () => {
    let compared = 0;
    fc.assert(
      fc.property(tree, batch, (files, wishes) => {
        const changes = wishes.map((one) => one(files));
        const { plan } = planOn(files as ReadonlyMap<string, ModelFile>, changes);
        if (plan === undefined) return;
        const contents = contentsOf([plan]);
        const source = { relies: plan.relies, textBytes: 1000, contentOf: (id: string) => contents.get(id) };
        const again = runSteps(planDelta(plan.delta, source));
        const after = treeAfter(files, plan.delta, contents);
        const described = runSteps(describePlan(context, again));
        const wanted = new Map(runSteps(describePlan(context, plan)).files.map((one) => [one.path, one]));
        for (const [index, file] of again.files.entries()) {
          const planned = plan.files.find((one) => one.path === file.path);
          // A move to where the same file is already leaves nothing in the delta but that its source goes.
          if (planned === undefined) {
            expect(file.operation).toBe("deleted");
            continue;
          }
          compared++;
          expect([file.operation, file.previousPath]).toEqual([planned.operation, planned.previousPath]);
          expect(described.files[index]?.revision).toBe(wanted.get(file.path)?.revision);
          const old = linesOf(files.get(file.previousPath ?? file.path)?.content ?? "");
          const now = linesOf(after.get(file.path)?.content ?? "");
          const { additions, removals } = planned;
          if (additions + removals === shortest(old, now))
            expect(file).toMatchObject({ additions, removals });
        }
        expect(described.alreadyApplied).toBe(plan.delta.changes.size === 0);
      }),
      { numRuns: 2000 },
    );
    expect(compared).toBeGreaterThan(500);
  });

  test("tells rightly where each line of each file went, and where its bytes are, after several batches and back", () => {
    let moved = 0;
    fc.assert(
      fc.property(tree, fc.array(batch, { minLength: 1, maxLength: 4 }), (files, batches) => {
        const plans: Plan[] = [];
        let now = files;
        let composed: Delta = { changes: new Map() };
        for (const wishes of batches) {
          const { plan } = planOn(
            now as ReadonlyMap<string, ModelFile>,
            wishes.map((one) => one(now)),
          );
          if (plan === undefined) continue;
          plans.push(plan);
          composed = composeDeltas(composed, plan.delta);
          now = treeAfter(now, plan.delta, contentsOf(plans));
        }
        const contents = contentsOf(plans);
        const contentOf = (id: string) => contents.get(id);
        const there = { relies: reliesOn(files, composed), contentOf, textBytes: 1000 };
        const plan = runSteps(planDelta(composed, there));
        checkPlan(plan, composed, files, now);
        moved += plan.files.filter(({ operation }) => operation === "moved").length;

        const inverse = invertDelta(composed);
        const back = new Map(contents);
        for (const file of files.values())
          back.set(loadFile(file).contentId, loadFile(file).bytes as Uint8Array);
        const here = {
          relies: reliesOn(now, inverse),
          contentOf: (id: string) => back.get(id),
          textBytes: 1000,
        };
        checkPlan(runSteps(planDelta(inverse, here)), inverse, now, files);
      }),
      { numRuns: 1500 },
    );
    expect(moved).toBeGreaterThan(100);
  });
});
