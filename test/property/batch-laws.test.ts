import fc from "fast-check";
import { type Change, isHoldfastError, Workspace } from "holdfast";
import { expect, test } from "vitest";
import { runsHere } from "../support/grounds/runs-here.ts";
import { testStorage } from "../support/grounds/test-storage.ts";
import { collect } from "../support/refusal.ts";
import { type ModelChange, spellChange } from "../support/workspace-model.ts";

const files = { a: "x\ny\n", b: "x", "d/x": "one\ntwo\nthree\n", "d/y": "", e: "x\nx\n" };

const path = fc.constantFrom(...Object.keys(files), "n", "d/z", "d", "a/b");
const guard = fc.constantFrom("none", "current", "current", "current", "stale");
const content = fc.constantFrom("", "x", "x\ny\n", "new\nlines\n");

const change: fc.Arbitrary<ModelChange> = fc.oneof(
  fc.record({ kind: fc.constant("create"), path, content }),
  fc.record({ kind: fc.constant("write"), path, content, guard }),
  fc.record({
    kind: fc.constant("text"),
    path,
    oldText: fc.constantFrom("x", "two"),
    newText: content,
    guard,
  }),
  fc.record({ kind: fc.constant("line"), path, line: fc.integer({ min: 1, max: 3 }), content, guard }),
  fc.record({ kind: fc.constant("delete"), path, guard }),
  fc.record({ kind: fc.constantFrom("move", "copy"), path, destination: path, guard }),
);

async function open() {
  const storage = testStorage({ files });
  const workspace = await Workspace.open(storage);
  const revisions = new Map<string, string>();
  for (const one of Object.keys(files)) revisions.set(one, (await workspace.read(one)).revision);
  const spell = (changes: readonly ModelChange[]): Change[] =>
    changes.map((one) => spellChange(one, (of) => revisions.get(of)));
  return { storage, workspace, spell };
}

test("a batch is applied whole or refused without a trace, and a dry run tells which", async () => {
  let applied = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 4 }), async (changes) => {
      const { storage, workspace, spell } = await open();
      const call = (dryRun: boolean) => workspace.apply(spell(changes), { dryRun });
      const planned = await call(true).catch((error: unknown) => error);
      expect(storage.toJSON()).toEqual(files);
      const done = await call(false).catch((error: unknown) => error);
      if (isHoldfastError(done)) {
        expect(isHoldfastError(planned) && planned.problems).toEqual(done.problems);
        expect(storage.toJSON()).toEqual(files);
        expect(await collect(workspace.history())).toEqual([]);
        return;
      }
      applied += 1;
      const { dryRun: _d, workspaceRevision: _w, ...told } = done as Awaited<ReturnType<typeof call>>;
      expect(planned).toMatchObject(told);
      const left = storage.toJSON();
      for (const file of told.files) {
        if (file.operation === "deleted") expect(left).not.toHaveProperty([file.path]);
        else expect((await workspace.read(file.path)).revision).toBe(file.revision);
        if (file.operation === "moved") expect(left).not.toHaveProperty([file.previousPath ?? ""]);
      }
      const named = told.files.flatMap(({ path: one, previousPath }) => [one, previousPath]);
      for (const [one, text] of Object.entries(files)) if (!named.includes(one)) expect(left[one]).toBe(text);
    }),
    { numRuns: runsHere(400) },
  );
  // A few tries can all be refused; so many cannot.
  if (runsHere(400) === 400) expect(applied).toBeGreaterThan(20);
});

test("changes of one batch on different paths come to the same in any order", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 2, maxLength: 4 }), async (changes) => {
      const results = [];
      for (const order of [changes, [...changes].reverse()]) {
        const { storage, workspace, spell } = await open();
        const refused = await workspace.apply(spell(order)).then(
          () => false,
          () => true,
        );
        results.push({ refused, files: storage.toJSON() });
      }
      expect(results[1]).toEqual(results[0]);
    }),
    { numRuns: runsHere(200) },
  );
});
