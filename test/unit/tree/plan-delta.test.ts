import { expect, test } from "vitest";
import { isHoldfastError } from "../../../src/base/holdfast-error.ts";
import { runSteps } from "../../../src/base/steps.ts";
import { type Delta, makeDelta, type PathChange } from "../../../src/tree/delta.ts";
import type { FileState } from "../../../src/tree/file-state.ts";
import type { LoadedFile, PlannedFile } from "../../../src/tree/plan.ts";
import { planDelta } from "../../../src/tree/plan-delta.ts";
import { contentIdOf, loadFile, type ModelFile } from "../../support/planning-view.ts";

/** What there is: a model file, or one whose bytes are left out. */
type Present = Readonly<Record<string, ModelFile | { readonly unread: string }>>;

function stateOf(file: ModelFile | undefined): FileState | undefined {
  if (file === undefined) return undefined;
  const { kind, contentId, byteLength, executable } = loadFile(file);
  return { kind, contentId, byteLength, executable };
}

function load(file: Present[string]): LoadedFile {
  if (typeof file !== "object" || !("unread" in file)) return loadFile(file);
  const { bytes: _bytes, ...rest } = loadFile(file.unread);
  return rest;
}

/** A delta by the contents that each path has before and after. */
function delta(
  entries: Readonly<Record<string, readonly [ModelFile | undefined, ModelFile | undefined, origin?: string]>>,
): Delta {
  return makeDelta(
    Object.entries(entries).map(([path, [before, after, origin]]): [string, PathChange] => {
      const [kind, from] = origin?.split(" ") ?? [];
      const change = { before: stateOf(before), after: stateOf(after) };
      return [
        path,
        from === undefined ? change : { ...change, origin: { kind: kind as "moved" | "copied", path: from } },
      ];
    }),
  );
}

interface Options {
  readonly present?: Present;
  readonly news?: readonly (string | Uint8Array)[];
  readonly textBytes?: number;
}

function plan(of: Delta, { present = {}, news = [], textBytes = 1000 }: Options) {
  const relies = new Map<string, LoadedFile | undefined>(
    [...of.changes.keys()].map((path) => [path, undefined]),
  );
  for (const [path, file] of Object.entries(present)) relies.set(path, load(file));
  const contents = new Map(
    news.map((one) => [contentIdOf(one), typeof one === "string" ? new TextEncoder().encode(one) : one]),
  );
  return runSteps(planDelta(of, { relies, contentOf: (id) => contents.get(id), textBytes }));
}

function files(of: Delta, options: Options): readonly PlannedFile[] {
  return plan(of, options).files;
}

const unchangedLines = { changedRanges: [], lineShifts: [], additions: 0, removals: 0 };

test("a new file gets its bytes and all its lines", () => {
  expect(files(delta({ a: [undefined, "x\ny\n"] }), { news: ["x\ny\n"] })).toEqual([
    {
      path: "a",
      operation: "created",
      bytes: new TextEncoder().encode("x\ny\n"),
      totalLines: 2,
      changedRanges: [{ startLine: 1, endLine: 2, added: 2, removed: 0 }],
      lineShifts: [],
      additions: 2,
      removals: 0,
    },
  ]);
});

test("a changed file tells each place that changed, and how the lines between and after them moved", () => {
  const [before, after] = ["1\n2\n3\n4\n5\n6\n", "1\nnew\n2\n3\n5\nsix\n"];
  const [file] = files(delta({ a: [before, after] }), { present: { a: before }, news: [after] });
  expect(file).toMatchObject({
    operation: "modified",
    totalLines: 6,
    changedRanges: [
      { startLine: 2, endLine: 2, added: 1, removed: 0 },
      { startLine: 5, endLine: 4, added: 0, removed: 1 },
      { startLine: 6, endLine: 6, added: 1, removed: 1 },
    ],
    lineShifts: [
      { fromLine: 2, by: 1 },
      { fromLine: 5, by: 0 },
    ],
    additions: 2,
    removals: 2,
  });
});

test("a deleted file tells how many lines went", () => {
  expect(files(delta({ a: ["x\ny\n", undefined] }), { present: { a: "x\ny\n" } })).toEqual([
    { path: "a", operation: "deleted", ...unchangedLines, removals: 2 },
  ]);
});

test("a change of the mode takes the bytes from the file itself, also where they are known as new ones", () => {
  const executable = { content: "x\n", executable: true };
  const changed = delta({ a: ["x\n", executable] });
  expect(files(changed, { present: { "0": "x\n", a: "x\n" }, news: ["x\n"] })).toEqual([
    { path: "a", operation: "modified", from: "a", totalLines: 1, ...unchangedLines },
  ]);
});

test("both ends of a move are one file, with the changes of its text on the way", () => {
  const moved = delta({ a: ["x\ny\n", undefined], b: [undefined, "x\nz\n", "moved a"] });
  expect(files(moved, { present: { a: "x\ny\n" }, news: ["x\nz\n"] })).toMatchObject([
    {
      path: "b",
      previousPath: "a",
      operation: "moved",
      changedRanges: [{ startLine: 2, endLine: 2, added: 1, removed: 1 }],
    },
  ]);
});

test("a move onto another file is compared with the file that moved", () => {
  const moved = delta({ a: ["x\n", undefined], b: ["old\n", "x\n", "moved a"] });
  expect(files(moved, { present: { a: "x\n", b: "old\n" } })).toEqual([
    { path: "b", previousPath: "a", operation: "moved", from: "a", totalLines: 1, ...unchangedLines },
  ]);
});

test("a file goes to one place only: what else came from it was copied", () => {
  const both = delta({
    a: ["x\n", undefined],
    b: [undefined, "x\n", "moved a"],
    c: [undefined, "x\n", "moved a"],
  });
  expect(files(both, { present: { a: "x\n" } })).toMatchObject([
    { path: "b", operation: "moved", previousPath: "a", from: "a" },
    { path: "c", operation: "copied", previousPath: "a", from: "a" },
  ]);
});

test("files that changed places were copied, for neither path is gone", () => {
  const swap = delta({ a: ["x\n", "y\n", "moved b"], b: ["y\n", "x\n", "moved a"] });
  expect(files(swap, { present: { a: "x\n", b: "y\n" } })).toMatchObject([
    { path: "a", operation: "copied", previousPath: "b", from: "b", additions: 0 },
    { path: "b", operation: "copied", previousPath: "a", from: "a", additions: 0 },
  ]);
});

test.each([
  ["is not known", {}],
  ["is a link, and the file none", { o: { content: "x\n", kind: "symlink" } as const }],
])("an origin that %s is no origin", (_why, present) => {
  const copied = delta({ a: [undefined, "x\n", "copied o"] });
  expect(files(copied, { present, news: ["x\n"] })).toMatchObject([{ path: "a", operation: "created" }]);
  expect(files(copied, { present, news: ["x\n"] })[0]).not.toHaveProperty("previousPath");
});

test("a file that came from its own path was changed there", () => {
  const changed = delta({ a: ["x\n", "y\n", "copied a"] });
  const [file] = files(changed, { present: { a: "x\n" }, news: ["y\n"] });
  expect(file).toMatchObject({ path: "a", operation: "modified" });
  expect(file).not.toHaveProperty("previousPath");
});

test("bytes that are not new come from any path that has them", () => {
  const made = delta({ n: [undefined, "x\n"] });
  expect(files(made, { present: { a: "y\n", b: "x\n", c: "x\n" } })).toMatchObject([
    { path: "n", operation: "created", from: "b", additions: 1 },
  ]);
});

test("the target of a link is not taken for the content of a file", () => {
  const made = delta({ n: [undefined, "x"] });
  expect(() => plan(made, { present: { link: { content: "x", kind: "symlink" } } })).toThrow(/not at hand/);
});

test("a file in place of a link shares no line with it", () => {
  const link = { content: "x\n", kind: "symlink" } as const;
  expect(files(delta({ a: [link, "x\n"] }), { present: { a: link }, news: ["x\n"] })).toMatchObject([
    {
      path: "a",
      operation: "modified",
      bytes: expect.any(Uint8Array),
      changedRanges: [{ startLine: 1, endLine: 1, added: 1, removed: 1 }],
      additions: 1,
      removals: 1,
    },
  ]);
  const binary = "\0";
  expect(files(delta({ a: [link, binary] }), { present: { a: link }, news: [binary] })).toMatchObject([
    { changedRanges: [], additions: 0, removals: 1 },
  ]);
});

test.each<[string, string, string, Partial<PlannedFile>]>([
  ["text that became binary", "x\ny\n", "\0", { changedRanges: [], additions: 0, removals: 2 }],
  ["binary that became text", "\0", "x\n", { totalLines: 1, additions: 1, removals: 0 }],
  ["text that became too long", "x\n", "0123456789\n", { changedRanges: [], additions: 0, removals: 1 }],
  ["text that became nothing", "x\n", "", { totalLines: 0, additions: 0, removals: 1 }],
  ["a byte order mark alone that got a line", "\ufeff", "x\n", { totalLines: 1, additions: 1, removals: 0 }],
])("a side without lines counts for none: %s", (_name, before, after, facts) => {
  const changed = delta({ a: [before, after] });
  const [file] = files(changed, { present: { a: before }, news: [after], textBytes: 10 });
  expect(file).toMatchObject({ operation: "modified", ...facts });
  expect("totalLines" in (file ?? {})).toBe("totalLines" in facts);
});

test("where bytes are not known nothing is told but how many lines there are", () => {
  const changed = delta({ a: ["x\n", "y\n"], b: ["x\n", undefined], c: [undefined, "k\n"] });
  const present = { a: { unread: "x\n" }, b: { unread: "x\n" }, k: { unread: "k\n" } };
  expect(files(changed, { present, news: ["y\n"] })).toEqual([
    { path: "a", operation: "modified", bytes: expect.any(Uint8Array), totalLines: 1, ...unchangedLines },
    { path: "b", operation: "deleted", ...unchangedLines },
    { path: "c", operation: "created", from: "k", ...unchangedLines },
  ]);
});

test("all that the caller relies on is relied on, in the delta or not, and nothing is located or remarked", () => {
  const made = delta({ n: [undefined, "x\n"] });
  const result = plan(made, { present: { kept: "y\n" }, news: ["x\n"] });
  expect([...result.relies.keys()]).toEqual(["n", "kept"]);
  expect(result).toMatchObject({ delta: made, warnings: [] });
  expect(result.located.size).toBe(0);
});

test.each<[string, Delta, Options]>([
  ["content is found nowhere", delta({ a: [undefined, "x\n"] }), {}],
  ["file is not as it was", delta({ a: ["x\n", "y\n"] }), { present: { a: "z\n" }, news: ["y\n"] }],
  ["file is gone", delta({ a: ["x\n", "y\n"] }), { news: ["y\n"] }],
  ["file is there that was not", delta({ a: [undefined, "y\n"] }), { present: { a: "y\n" } }],
])("a delta does not fit when a %s", (_why, of, options) => {
  let refused: unknown;
  try {
    plan(of, options);
  } catch (error) {
    refused = error;
  }
  expect(isHoldfastError(refused, "INTERNAL")).toBe(true);
});

test("a path that nobody looked at is not taken for absent", () => {
  const made = delta({ n: [undefined, "x\n"] });
  const source = { relies: new Map(), contentOf: () => new Uint8Array(), textBytes: 10 };
  expect(() => runSteps(planDelta(made, source))).toThrow(/begins at what is there/);
});
