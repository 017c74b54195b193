import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Change } from "../../src/tree/change.ts";
import type { FileState } from "../../src/tree/file-state.ts";
import { applyDelta } from "../support/apply-delta.ts";
import {
  folderRevisionOf,
  loadFile,
  type ModelFile,
  planned,
  planOn,
  planOptions,
  revisionOf,
} from "../support/planning-view.ts";

type Tree = ReadonlyMap<string, { readonly content: string; readonly executable: boolean }>;

const names = ["a", "b", "A", "d/e", "d/f", "d/g/h", "D/e", "a/x", "__proto__"];
const text = fc.constantFrom("", "one\n", "one\ntwo\n", "two\r\nthree", "one");
const file = fc.record({ content: text, executable: fc.boolean() });

/** A tree in which no path is both a file and a folder. */
const tree: fc.Arbitrary<Tree> = fc
  .uniqueArray(fc.tuple(fc.constantFrom(...names), file), { selector: ([path]) => path })
  .map((entries) => {
    const kept = new Map<string, { content: string; executable: boolean }>();
    for (const [path, value] of entries)
      if (![...kept.keys()].some((other) => other.startsWith(`${path}/`) || path.startsWith(`${other}/`)))
        kept.set(path, value);
    return kept;
  });

const revisionAt = (files: Tree, path: string) => revisionOf(files.get(path)?.content ?? "none");

/** A change that names right revisions most of the time, on paths that may or may not be there. */
const changeOn = (files: Tree): fc.Arbitrary<Change> => {
  const path = fc.constantFrom(...names);
  const withRevision = path.chain((at) =>
    fc.record({
      path: fc.constant(at),
      revision: fc.oneof(
        { weight: 9, arbitrary: fc.constant(revisionAt(files, at)) },
        { weight: 1, arbitrary: fc.constant(revisionOf("stale")) },
      ),
    }),
  );
  const mode = fc.option(fc.boolean(), { nil: undefined });
  return fc.oneof(
    fc.record({ action: fc.constant("create" as const), path, content: text, executable: mode }),
    fc.tuple(withRevision, text, mode).map(
      ([at, content, executable]): Change => ({
        action: "write",
        ...at,
        revision: files.has(at.path) ? at.revision : undefined,
        content,
        executable,
      }),
    ),
    fc.tuple(withRevision, fc.constantFrom("", "x", "x\ny")).map(
      ([at, content]): Change => ({
        action: "edit",
        ...at,
        edits: [{ op: "append", content }],
      }),
    ),
    withRevision.map((at): Change => ({ action: "delete", ...at })),
    fc.tuple(fc.constantFrom("move" as const, "copy" as const), withRevision, path).map(
      ([action, at, destination]): Change => ({
        action,
        ...at,
        destination,
        destinationRevision: files.has(destination) ? revisionAt(files, destination) : undefined,
      }),
    ),
    fc.tuple(withRevision, fc.boolean()).map(
      ([at, executable]): Change => ({
        action: "chmod",
        ...at,
        executable,
      }),
    ),
    fc.constantFrom("d", "d/g").map(
      (at): Change => ({
        action: "deleteTree",
        path: at,
        revision: folderRevisionOf(files as ReadonlyMap<string, ModelFile>, at) ?? "0".repeat(64),
      }),
    ),
    fc.tuple(fc.constantFrom("d", "d/g"), fc.constantFrom("n", "d/n", "D")).map(
      ([at, destination]): Change => ({
        action: "moveTree",
        path: at,
        destination,
        revision: folderRevisionOf(files as ReadonlyMap<string, ModelFile>, at) ?? "0".repeat(64),
      }),
    ),
  );
};

const batch = tree.chain((files) =>
  fc.record({
    files: fc.constant(files),
    changes: fc.array(changeOn(files), { minLength: 1, maxLength: 4 }),
    folds: fc.boolean(),
  }),
);

const statesOf = (files: ReadonlyMap<string, ModelFile>) =>
  new Map(
    [...files].map(([path, value]): [string, FileState] => {
      const { kind, contentId, byteLength, executable } = loadFile(value);
      return [path, { kind, contentId, byteLength, executable }];
    }),
  );

/** What a batch comes to when removals happen first and then everything else, each from what was there at the start. */
function naiveOutcome(files: Tree, changes: readonly Change[]): Map<string, ModelFile> {
  const result = new Map<string, { content: string; executable: boolean }>(files);
  const below = (folder: string) => [...files.keys()].filter((path) => path.startsWith(`${folder}/`));
  for (const change of changes) {
    if (change.action === "delete" || change.action === "move") result.delete(change.path);
    if (change.action === "deleteTree" || change.action === "moveTree")
      for (const path of below(change.path)) result.delete(path);
  }
  for (const change of changes) {
    const old = files.get(change.path) ?? { content: "", executable: false };
    const { executable = old.executable } = change as { executable?: boolean | undefined };
    switch (change.action) {
      case "create":
      case "write": {
        const crlf = change.action === "write" && /\r\n/.test(old.content) && !/[^\r]\n/.test(old.content);
        const given = change.content as string;
        const content = crlf && !given.includes("\r\n") ? given.replaceAll("\n", "\r\n") : given;
        result.set(change.path, {
          content,
          executable: change.action === "create" ? (change.executable ?? false) : executable,
        });
        break;
      }
      case "edit":
        result.set(change.path, { content: appended(old.content, change.edits), executable });
        break;
      case "move":
      case "copy":
        result.set(change.destination, { ...old, executable });
        break;
      case "chmod":
        result.set(change.path, { ...old, executable });
        break;
      case "moveTree":
        for (const path of below(change.path))
          result.set(change.destination + path.slice(change.path.length), files.get(path) ?? old);
    }
  }
  return result;
}

/** Appends whole lines as a person would: with the file's line ends, and its last line as terminated as before. */
function appended(old: string, edits: readonly unknown[]): string {
  const [{ content }] = edits as [{ content: string }];
  if (content === "") return old;
  const lines = content.split(/\r?\n/);
  const end = old.includes("\r\n") ? "\r\n" : "\n";
  if (old === "") return lines.join(end);
  const terminated = old.endsWith("\n");
  return old + (terminated ? "" : end) + lines.join(end) + (terminated ? end : "");
}

describe("planning a batch", () => {
  test("gives a delta that does what the changes say, and relies on all that it changes", () => {
    let accepted = 0;
    fc.assert(
      fc.property(batch, ({ files, changes, folds }) => {
        const { plan } = planOn(files, changes, planOptions({ folds }));
        if (plan === undefined) return;
        accepted++;
        const outcome = applyDelta(statesOf(files), plan.delta);
        expect(new Map([...outcome].sort())).toEqual(
          new Map([...statesOf(naiveOutcome(files, changes))].sort()),
        );
        for (const [path, { before }] of plan.delta.changes) {
          expect(plan.relies.has(path)).toBe(true);
          expect(plan.relies.get(path)?.contentId).toBe(before?.contentId);
        }
        const paths = [...outcome.keys()];
        for (const path of paths) expect(paths.some((other) => other.startsWith(`${path}/`))).toBe(false);
      }),
      { numRuns: 3000 },
    );
    expect(accepted).toBeGreaterThan(300);
  });

  test("gives the same again, problems included, and leaves its arguments alone", () => {
    fc.assert(
      fc.property(batch, ({ files, changes, folds }) => {
        const before = structuredClone({ files, changes });
        const options = planOptions({ folds });
        expect(planOn(files, changes, options)).toEqual(planOn(files, changes, options));
        expect({ files, changes }).toEqual(before);
      }),
    );
  });

  test("gives problems that name their change, in order, and never a present revision", () => {
    fc.assert(
      fc.property(batch, ({ files, changes }) => {
        const { problems } = planOn(files, changes);
        const indexes = problems?.map(({ changeIndex }) => changeIndex ?? -1) ?? [];
        expect(indexes).toEqual([...indexes].sort((a, b) => a - b));
        for (const index of indexes) expect(changes[index]).toBeDefined();
        for (const problem of problems ?? []) {
          if (problem.code !== "REVISION_MISMATCH") continue;
          const present = files.get(problem.path ?? "");
          if (present !== undefined)
            expect(JSON.stringify(problem)).not.toContain(revisionOf(present.content));
        }
      }),
    );
  });

  test("gives counts and shifts that fit the bytes", () => {
    fc.assert(
      fc.property(batch, ({ files, changes }) => {
        for (const planned of planOn(files, changes).plan?.files ?? []) {
          if (planned.operation !== "modified" || planned.bytes === undefined) continue;
          const old = linesOf(files.get(planned.path)?.content ?? "");
          const now = linesOf(new TextDecoder().decode(planned.bytes));
          expect(planned.totalLines).toBe(now.length);
          expect(planned.additions - planned.removals).toBe(now.length - old.length);
          const { fromLine = old.length + 1, by = 0 } = planned.lineShifts.at(-1) ?? {};
          for (let line = fromLine; line <= old.length; line++)
            expect(now[line + by - 1]).toBe(old[line - 1]);
        }
      }),
      { numRuns: 1000 },
    );
  });

  test("to write what was read is to change nothing", () => {
    const anyText = fc
      .array(fc.constantFrom("a", "é", "🟢", "\n", "\r\n", "\r", "\u2028", "\f", " "))
      .map((parts) => parts.join(""));
    fc.assert(
      fc.property(anyText, fc.boolean(), (content, bom) => {
        const stored = bom ? `\ufeff${content}` : content;
        const plan = planned({ f: stored }, [
          { action: "write", path: "f", content, revision: revisionOf(stored) },
        ]);
        expect(plan.delta.changes.size).toBe(0);
        expect(plan.files[0]?.operation).toBe("unchanged");
      }),
      { numRuns: 1000 },
    );
  });
});

function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}
