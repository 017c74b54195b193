import fc from "fast-check";
import type { Change, Workspace } from "holdfast";
import { expect, test } from "vitest";
import { runsHere } from "../support/grounds/runs-here.ts";
import { testWorkspace } from "../support/grounds/test-workspace.ts";
import { collect } from "../support/refusal.ts";

const paths = ["a", "b", "d/e", "d/f"];

/** What a commit does to a path, as far as the files allow it. */
type Step =
  | { readonly do: "write"; readonly path: string; readonly content: string }
  | { readonly do: "delete"; readonly path: string }
  | { readonly do: "move"; readonly path: string; readonly to: string };

const content = fc.constantFrom("one\n", "two\r\nthree", "", `${"long line of text\n".repeat(4)}`);
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constant("write" as const), path: fc.constantFrom(...paths), content }),
  fc.record({ do: fc.constant("delete" as const), path: fc.constantFrom(...paths) }),
  fc.record({
    do: fc.constant("move" as const),
    path: fc.constantFrom(...paths),
    to: fc.constantFrom(...paths),
  }),
);

/** Commits of one or two steps on different paths. */
const commits = fc.array(fc.uniqueArray(step, { selector: ({ path }) => path, maxLength: 2, minLength: 1 }), {
  minLength: 1,
  maxLength: 5,
});

async function changeOf(workspace: Workspace, one: Step): Promise<Change | undefined> {
  const there = await workspace.stat(one.path);
  const revision = there && (await workspace.readBytes(one.path)).revision;
  if (one.do === "write") return { action: "write", path: one.path, content: one.content, revision };
  if (revision === undefined) return undefined;
  if (one.do === "delete") return { action: "delete", path: one.path, revision };
  if (one.to === one.path || (await workspace.stat(one.to)) !== undefined) return undefined;
  return { action: "move", path: one.path, destination: one.to, revision };
}

/** Makes the commits and gives their workspace revisions with what the files were after each. */
async function make(workspace: Workspace, toJSON: () => object, steps: readonly (readonly Step[])[]) {
  const made: { readonly id: string; readonly files: object }[] = [];
  for (const some of steps) {
    const changes: Change[] = [];
    const named = new Set<string>();
    for (const one of some) {
      const change = await changeOf(workspace, one);
      const touched = one.do === "move" ? [one.path, one.to] : [one.path];
      if (change === undefined || touched.some((path) => named.has(path))) continue;
      for (const path of touched) named.add(path);
      changes.push(change);
    }
    if (changes.length === 0) continue;
    const { alreadyApplied, workspaceRevision } = await workspace.apply(changes);
    if (!alreadyApplied) made.push({ id: workspaceRevision, files: toJSON() });
  }
  return made;
}

const seeded = fc.record({ commits, take: fc.nat() });

test("taking back the newest commits leaves the files as they were before, and taking that back as they were after", async () => {
  await fc.assert(
    fc.asyncProperty(seeded, async ({ commits: steps, take }) => {
      await using ground = await testWorkspace({ a: "a\n", "d/e": `${"some line of it\n".repeat(4)}` });
      const { workspace, storage } = ground;
      const states = [storage.toJSON() as object];
      const made = await make(workspace, () => storage.toJSON(), steps);
      for (const { files } of made) states.push(files);
      if (made.length === 0) return;
      const from = take % made.length;
      const result = await workspace.revert(made.slice(from).map(({ id }) => id));
      expect(result.conflicts).toEqual([]);
      expect(storage.toJSON()).toEqual(states[from]);
      if (result.reverted) await workspace.revert(result.workspaceRevision);
      expect(storage.toJSON()).toEqual(states.at(-1));
      expect((await workspace.verifyHistory()).problems).toEqual([]);
    }),
    { numRuns: runsHere(60) },
  );
});

test("a view of each revision shows the files that its commit left, and the diff to now is empty where nothing changed", async () => {
  await fc.assert(
    fc.asyncProperty(commits, async (steps) => {
      await using ground = await testWorkspace({ a: "a\n", "d/e": "e\n" });
      const { workspace, storage } = ground;
      const made = await make(workspace, () => storage.toJSON(), steps);
      for (const { id, files } of made) {
        const view = workspace.at(id);
        const shown = new Map<string, string>();
        for (const { path, kind } of await collect(view.list()))
          if (kind === "file") shown.set(path, (await view.read(path)).text);
        expect(Object.fromEntries(shown)).toEqual(files);
        const differing = new Set([...Object.keys(files), ...Object.keys(storage.toJSON())]);
        const now = storage.toJSON() as Record<string, string>;
        for (const path of [...differing])
          if ((files as Record<string, string>)[path] === now[path]) differing.delete(path);
        const diff = await workspace.diff({ from: id });
        const told = diff.files.flatMap(({ path, previousPath, status }) =>
          status === "renamed" ? [path, previousPath ?? ""] : [path],
        );
        expect(told.sort()).toEqual([...differing].sort());
      }
    }),
    { numRuns: runsHere(40) },
  );
});
