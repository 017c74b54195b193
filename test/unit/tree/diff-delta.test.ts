import { describe, expect, test } from "vitest";
import { runSteps } from "../../../src/base/steps.ts";
import { makeDelta, type Origin } from "../../../src/tree/delta.ts";
import { diffDelta } from "../../../src/tree/diff-delta.ts";
import type { FileState } from "../../../src/tree/file-state.ts";
import { bytesOfText } from "../../support/diffs/apply-hunks.ts";
import { diffBytes, diffTrees, type Tree } from "../../support/diffs/diff-trees.ts";
import { contentIdOf, testHashing } from "../../support/planning-view.ts";

const moved = (path: string): Origin => ({ kind: "moved", path });
const copied = (path: string): Origin => ({ kind: "copied", path });
const script = (content: string) => ({ content, executable: true });
const link = (content: string) => ({ content, kind: "symlink" }) as const;
const binary = (...bytes: readonly number[]) => new Uint8Array([0, ...bytes]);

const listed = (before: Tree, after: Tree, origins: Readonly<Record<string, Origin>> = {}) =>
  diffTrees(before, after, { origins }).files.map(({ path, previousPath, status }) =>
    previousPath === undefined ? `${status} ${path}` : `${status} ${path} from ${previousPath}`,
  );

describe("what happened to each path", () => {
  test.each<[string, Tree, Tree, Readonly<Record<string, Origin>>, readonly string[]]>([
    [
      "a new, a changed and a deleted file",
      { b: "1", c: "1" },
      { a: "1", b: "2" },
      {},
      ["added a", "modified b", "deleted c"],
    ],
    ["a mode", { a: "1" }, { a: script("1") }, {}, ["mode a"]],
    ["a mode and bytes", { a: "1" }, { a: script("2") }, {}, ["modified a"]],
    ["a move", { b: "1" }, { a: "1" }, { a: moved("b") }, ["renamed a from b"]],
    ["a move with edits", { a: "1" }, { b: "2" }, { b: moved("a") }, ["renamed b from a"]],
    ["a move of a link", { a: link("x") }, { b: link("x") }, { b: moved("a") }, ["renamed b from a"]],
    ["a copy", { a: "1" }, { a: "1", b: "1" }, { b: copied("a") }, ["copied b from a"]],
    [
      "a copy of what then changed",
      { a: "1" },
      { a: "2", b: "1" },
      { b: copied("a") },
      ["modified a", "copied b from a"],
    ],
    [
      "a copy of what then went",
      { a: "1" },
      { b: "1" },
      { b: copied("a") },
      ["deleted a", "copied b from a"],
    ],
    [
      "a move from where something else is now",
      { a: "1" },
      { a: "2", b: "1" },
      { b: moved("a") },
      ["modified a", "copied b from a"],
    ],
    [
      "two moves from one path",
      { a: "1" },
      { b: "1", c: "1" },
      { b: moved("a"), c: moved("a") },
      ["renamed b from a", "copied c from a"],
    ],
    ["a move onto a file", { a: "1", b: "2" }, { b: "1" }, { b: moved("a") }, ["deleted a", "modified b"]],
    [
      "two files that changed places",
      { a: "1", b: "2" },
      { a: "2", b: "1" },
      { a: moved("b"), b: moved("a") },
      ["modified a", "modified b"],
    ],
    [
      "a chain of moves",
      { a: "1", b: "2" },
      { b: "1", c: "2" },
      { b: moved("a"), c: moved("b") },
      ["deleted a", "modified b", "copied c from b"],
    ],
    ["a file that became a link", { a: "1" }, { a: link("1") }, {}, ["deleted a", "added a"]],
    [
      "a link that came from a file",
      { a: "1" },
      { b: link("1") },
      { b: moved("a") },
      ["deleted a", "added b"],
    ],
    ["an origin that nobody knows", {}, { b: "1" }, { b: copied("a") }, ["added b"]],
  ])("%s", (_name, before, after, origins, expected) => {
    expect(listed(before, after, origins)).toEqual(expected);
  });
});

describe("contents without lines", () => {
  const unnamed = "index 0000000..0000000\n";
  test.each<[string, Uint8Array | string | undefined, Uint8Array | string | undefined, string]>([
    ["both", binary(1), binary(2), `${unnamed}Binary files a/f.txt and b/f.txt differ\n`],
    [
      "a new one",
      undefined,
      binary(1),
      `new file mode 100644\n${unnamed}Binary files /dev/null and b/f.txt differ\n`,
    ],
    [
      "a deleted one",
      binary(1),
      undefined,
      `deleted file mode 100644\n${unnamed}Binary files a/f.txt and /dev/null differ\n`,
    ],
    ["the old one", binary(1), "text\n", `${unnamed}Binary files a/f.txt and b/f.txt differ\n`],
    ["the new one", "text\n", binary(1), `${unnamed}Binary files a/f.txt and b/f.txt differ\n`],
    [
      "UTF-16",
      "text\n",
      new Uint8Array([0xff, 0xfe, 65]),
      `${unnamed}Binary files a/f.txt and b/f.txt differ\n`,
    ],
  ])("%s", (_name, before, after, rest) => {
    expect(diffBytes(before, after)).toMatchObject({
      binary: true,
      hunks: [],
      unified: `diff --git a/f.txt b/f.txt\n${rest}`,
    });
  });

  test("that moved or got a mode without changing are not called binary", () => {
    const { files } = diffTrees(
      { a: binary(1) },
      { b: { content: binary(1), executable: true } },
      { origins: { b: moved("a") } },
    );
    expect(files).toMatchObject([
      { status: "renamed", binary: false, unified: expect.stringContaining("similarity index 100%") },
    ]);
  });

  test("are told from text also where they are too long to be looked through", () => {
    const long = { textBytes: 100 };
    expect(diffBytes(binary(1), new Uint8Array(500), long)).toMatchObject({ binary: true });
    expect(diffBytes("a\n", "b\n".repeat(500), long)).toMatchObject({
      binary: false,
      hunks: [],
      unified: "",
    });
    expect(diffBytes("b\n".repeat(500), binary(1), long)).toMatchObject({ binary: true });
  });
});

describe("how much of a renamed file stayed", () => {
  test.each<[string, string, number]>([
    ["1\n2\n3\n4\n", "1\n2\n3\n4\n", 100],
    ["1\n2\n3\n4\n", "1\n2\n3\nx\n", 75],
    ["1\n2\n3\n4\n", "1\n2\n3\n4\n5\n6\n7\n8\n", 50],
    ["1\n2\n3\n4\n", "", 0],
    ["a\n".repeat(1000), `${"a\n".repeat(1000)}b`, 99],
  ])("%j to %j", (before, after, percent) => {
    const { files } = diffTrees({ a: before }, { b: after }, { origins: { b: moved("a") } });
    expect(files[0]?.unified).toContain(`similarity index ${percent}%\n`);
  });
});

describe("bounds", () => {
  const before: Tree = {
    a: "1\nnaïve",
    "b c": "é\r\n",
    d: Buffer.from("\xe9\n", "latin1"),
    "n\u00e9": "x\n",
  };
  const after: Tree = {
    a: "2\nnaïve\n",
    "b c": "è\r\n",
    d: Buffer.from("\xe8", "latin1"),
    m: "x\n",
    z: binary(1),
    e: "",
  };
  const origins = { m: moved("n\u00e9") };
  const whole = diffTrees(before, after, { origins });
  const size = whole.files.reduce((sum, file) => sum + bytesOfText(file.unified, file).byteLength, 0);

  test("count the bytes of the unified texts, to the very byte", () => {
    expect(whole).toMatchObject({ truncated: false });
    expect(whole.files.map(({ status }) => status)).toEqual([
      "modified",
      "modified",
      "modified",
      "added",
      "renamed",
      "added",
    ]);
    expect(diffTrees(before, after, { origins, maxBytes: size })).toEqual(whole);
    const short = diffTrees(before, after, { origins, maxBytes: size - 1 });
    expect(short.truncated).toBe(true);
    expect(short.files.map(({ unified }) => unified !== "")).toEqual([true, true, true, true, true, false]);
  });

  test("of any size leave out whole files, and name each of them", () => {
    for (let maxBytes = 0; maxBytes <= size; maxBytes += 5) {
      const { files, truncated, additions, removals } = diffTrees(before, after, { origins, maxBytes });
      const given = files.filter(({ unified }) => unified !== "");
      expect(files.map(({ path, status }) => [path, status])).toEqual(
        whole.files.map(({ path, status }) => [path, status]),
      );
      expect(
        given.every((file) => whole.files.some((one) => JSON.stringify(one) === JSON.stringify(file))),
      ).toBe(true);
      expect(truncated).toBe(given.length < files.length);
      const lines = given.flatMap(({ hunks }) => hunks.flatMap((hunk) => hunk.lines));
      expect([additions, removals]).toEqual(
        ["+", "-"].map((sign) => lines.filter((line) => line.startsWith(sign)).length),
      );
    }
  });

  test("of no bytes look at no contents", () => {
    const state: FileState = { kind: "file", contentId: contentIdOf("x"), byteLength: 1, executable: false };
    const diff = runSteps(
      diffDelta(makeDelta([["a", { before: undefined, after: state }]]), {
        hashing: testHashing,
        contentOf: () => {
          throw new Error("looked");
        },
        stateOf: () => undefined,
        wants: () => true,
        contextLines: 3,
        textBytes: 1000,
        maxBytes: 10,
      }),
    );
    expect(diff).toEqual({
      files: [{ path: "a", status: "added", binary: false, hunks: [], unified: "" }],
      additions: 0,
      removals: 0,
      truncated: true,
    });
  });

  test("contents that are not at hand are left out as well", () => {
    const diff = diffTrees({ a: "1\n" }, { a: "2\n" }, { contentOf: () => undefined });
    expect(diff).toMatchObject({ truncated: true, files: [{ path: "a", unified: "" }] });
  });

  test("a renamed file is wanted when one of its two paths is", () => {
    for (const path of ["m", "n\u00e9"])
      expect(
        diffTrees(before, after, { origins, wants: (one) => one === path }).files.map((file) => file.path),
      ).toEqual(["m"]);
  });
});

describe("the id of a hunk", () => {
  const block = (name: string) => `${name}\n1\n2\n3\n4\n5\n6\n7\n8\n`;
  const ids = (before: string, after: string, path?: string) =>
    diffBytes(before, after, { contextLines: 1, ...(path !== undefined && { path }) }).hunks.map(
      ({ id }) => id,
    );

  test("depends on path and lines, and not on where the lines stand", () => {
    const [first] = ids(block("a"), block("a").replace("4", "x"));
    expect(first).toMatch(/^[0-9a-f]{16}$/);
    expect(ids(`above\n${block("b")}`, `above\n${block("b").replace("4", "x")}`)).toEqual([first]);
    expect(ids(block("a"), block("a").replace("4", "y"))).not.toEqual([first]);
    expect(ids(block("a"), block("a").replace("4", "x"), "other.txt")).not.toEqual([first]);
  });

  test("tells equal hunks apart by their order, the same each time", () => {
    const before = block("a").repeat(300);
    const all = ids(before, before.replaceAll("4", "x"));
    expect(new Set(all).size).toBe(300);
    expect(ids(before, before.replaceAll("4", "x"))).toEqual(all);
    expect(ids(block("a").repeat(20), block("a").repeat(20).replaceAll("4", "x"))).toEqual(all.slice(0, 20));
  });

  test("covers all of a long line", () => {
    const long = "é".repeat(300_000);
    expect(new Set(ids("", `${long}\n`)).size).toBe(1);
    expect(ids("", `${long}\n`)).not.toEqual(ids("", `${long}é\n`));
  });
});
