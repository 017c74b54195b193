import { describe, expect, test } from "vitest";
import { loadPortableHashing } from "../../../src/base/hashing.ts";
import { libraryLimits } from "../../../src/base/limits.ts";
import { mergeOnto, type OntoInput } from "../../../src/core/merge-onto.ts";
import type { ViewContext } from "../../../src/core/workspace-context.ts";
import { MemoryStorage } from "../../../src/storage/memory/memory-storage.ts";
import { lines, treeAfter, tripleOf, type WrittenTree } from "../../support/merge/tree-notation.ts";
import { contentsOf, deltaOf, stateOf } from "../../support/merge/tree-triples.ts";

const context: ViewContext = {
  files: new MemoryStorage(),
  hashing: await loadPortableHashing(),
  limits: libraryLimits,
  revisionAlgorithm: "xxh64",
  names: "portable",
};

type Trees = readonly [base: WrittenTree, current: WrittenTree, incoming: WrittenTree];

const mine = lines({ 2: "mine" });
const theirs = lines({ 2: "theirs" });
const disputed: Trees = [{ a: lines() }, { a: mine }, { a: theirs }];

async function onto(trees: Trees, changed: Partial<OntoInput> = {}) {
  const triple = tripleOf(...trees);
  const known = contentsOf(triple);
  const asked: string[] = [];
  const textOf = (bytes: Uint8Array | undefined) => new TextDecoder().decode(bytes);
  const result = await mergeOnto(
    context,
    {
      incoming: deltaOf(triple.base, triple.incoming),
      current(path) {
        const file = triple.current.files.get(path);
        return file && stateOf(file);
      },
      async contentOf(contentId) {
        asked.push(textOf(known.get(contentId)));
        return known.get(contentId);
      },
      mergePolicy: "content",
      ...changed,
    },
    {},
  );
  const texts = () => {
    if (result.problems !== undefined) throw new Error(JSON.stringify(result.problems));
    const after = treeAfter(triple, result.merge);
    return Object.fromEntries([...after].map(([path, { content }]) => [path, content]));
  };
  return { result, asked, texts, contents: [...(result.contents?.values() ?? [])].map(textOf) };
}

describe("a change merged onto the state of now", () => {
  test("has the lines of both sides, and gives the bytes that it made", async () => {
    const both = lines({ 2: "mine", 8: "theirs" });
    const { result, texts, contents } = await onto([
      { a: lines(), b: "b\n" },
      { a: mine, b: "other\n" },
      { a: lines({ 8: "theirs" }), b: "b\n" },
    ]);
    expect(texts()).toEqual({ a: both, b: "other\n" });
    expect(result.merge?.conflicts).toEqual([]);
    expect(result.merge?.mergedPaths).toEqual(["a"]);
    expect(contents).toContain(both);
  });

  test("is the change itself where nothing happened meanwhile", async () => {
    const tree = { a: lines(), b: "b\n" };
    const { texts, asked } = await onto([tree, tree, { a: mine }]);
    expect(texts()).toEqual({ a: mine });
    expect(asked).toEqual([]);
  });

  test("is empty where others did the same", async () => {
    const { result, asked } = await onto([{ a: "a\n" }, { a: mine, c: "c\n" }, { a: mine, c: "c\n" }]);
    expect(result.merge?.delta.changes.size).toBe(0);
    expect(asked).toEqual([]);
  });

  test("asks for the bytes of what both sides changed, once each, and for no others", async () => {
    const [base, current, incoming] = disputed;
    const { asked } = await onto([
      { ...base, copy: lines(), c: "c\n" },
      { ...current, copy: mine, c: "c\n" },
      { ...incoming, copy: theirs, c: "only incoming\n" },
    ]);
    expect(asked.sort()).toEqual([lines(), mine, theirs].sort());
  });

  test("looks at its own paths only", async () => {
    const triple = tripleOf({ a: lines(), z: "z\n" }, { a: lines(), z: "z\n" }, { a: mine, z: "z\n" });
    const seen: string[] = [];
    const current = (path: string) => {
      seen.push(path);
      const file = triple.current.files.get(path);
      return file && stateOf(file);
    };
    await onto([{ a: lines(), z: "z\n" }, { a: lines() }, { a: mine, z: "z\n" }], { current });
    expect(seen).toEqual(["a"]);
  });

  test("moves what others edited", async () => {
    const { texts } = await onto([{ a: lines() }, { a: mine }, { b: `a < ${lines()}` }]);
    expect(texts()).toEqual({ b: mine });
  });
});

describe("what does not go together", () => {
  test.each<[string, Trees, string]>([
    ["lines that both changed", disputed, "content"],
    ["an edit of what is gone", [{ a: lines() }, {}, { a: mine }], "modifyDelete"],
    ["a deletion of what was edited", [{ a: lines() }, { a: mine }, {}], "modifyDelete"],
    ["two new files", [{}, { a: mine }, { a: theirs }], "addAdd"],
    ["a move of what is gone", [{ a: lines() }, {}, { b: `a < ${lines()}` }], "renameDelete"],
    [
      "a move to where a file is by now",
      [{ a: lines() }, { a: lines(), b: mine }, { b: `a < ${lines()}` }],
      "addAdd",
    ],
    ["two links", [{ a: "-> x" }, { a: "-> y" }, { a: "-> z" }], "symlink"],
    ["bytes", [{ a: "\0a" }, { a: "\0b" }, { a: "\0c" }], "binary"],
  ])("is a conflict and stays as it is: %s", async (_name, trees, kind) => {
    const { result, texts } = await onto(trees);
    expect(result.merge?.conflicts.map((conflict) => conflict.kind)).toEqual([kind]);
    const written = trees[1] as Record<string, string>;
    const current = Object.entries(written).map(([path, text]) => [path, text.replace(/^-> /, "")]);
    expect(texts()).toEqual(Object.fromEntries(current));
  });

  test("keeps its sides with their revisions and texts", async () => {
    const { result } = await onto(disputed);
    const [conflict] = result.merge?.conflicts ?? [];
    expect(conflict?.base?.revision).toMatch(/^[0-9a-f]{16}$/);
    expect([conflict?.base?.text, conflict?.current?.text, conflict?.incoming?.text]).toEqual([
      lines(),
      mine,
      theirs,
    ]);
  });

  test("says so when bytes of a side are not known any more", async () => {
    const { result } = await onto(disputed, { contentOf: async () => undefined });
    expect(result.merge?.conflicts).toMatchObject([{ path: "a", kind: "content", unmerged: "bytesUnknown" }]);
  });

  test("is every file that both sides changed, by the policy of paths", async () => {
    const trees: Trees = [{ a: lines() }, { a: mine }, { a: lines({ 8: "theirs" }) }];
    const { result } = await onto(trees, { mergePolicy: "path" });
    expect(result.merge?.conflicts).toMatchObject([
      { kind: "content", suggestion: lines({ 2: "mine", 8: "theirs" }) },
    ]);
  });
});

describe("resolutions", () => {
  test("decide every conflict, and their bytes are given", async () => {
    const given = await onto(disputed, { resolutions: { a: { content: "given\n" } } });
    expect(given.texts()).toEqual({ a: "given\n" });
    expect(given.contents).toContain("given\n");
    const based = await onto(disputed, { resolutions: { a: { take: "base" } } });
    expect(based.texts()).toEqual({ a: lines() });
    expect(based.contents).toContain(lines());
  });

  test("leave the conflicts in the merge when there are none", async () => {
    const { result } = await onto(disputed, { resolutions: {} });
    expect(result.merge?.conflicts).toHaveLength(1);
  });

  test("are refused with all that is wrong with them", async () => {
    const { result } = await onto(
      [
        { a: lines(), b: lines() },
        { a: mine, b: mine },
        { a: theirs, b: theirs },
      ],
      { resolutions: { b: { regions: {} }, c: { take: "current" } } },
    );
    expect(result.merge).toBeUndefined();
    expect(result.problems?.map(({ code, path }) => [code, path])).toEqual([
      ["MERGE_CONFLICT", "a"],
      ["MERGE_CONFLICT", "b"],
      ["INVALID_ARGUMENT", "c"],
    ]);
  });
});

test("a signal that has fired ends the merge with its reason", async () => {
  const reason = new Error("enough");
  const triple = tripleOf(...disputed);
  const incoming = deltaOf(triple.base, triple.incoming);
  const input = {
    incoming,
    current: () => undefined,
    contentOf: async () => undefined,
    mergePolicy: "content",
  } as const;
  const merging = mergeOnto(context, input, { signal: AbortSignal.abort(reason) });
  await expect(merging).rejects.toBe(reason);
});
