import type { Transaction } from "holdfast";
import { describe, expect, test } from "vitest";
import { needing } from "../support/grounds/needing.ts";
import { testWorkspace } from "../support/grounds/test-workspace.ts";
import { collect, refusalOf } from "../support/refusal.ts";
import { lines } from "../support/stale-file.ts";

const put = (tx: Transaction, path: string, text: string | null) => tx.update(path, () => text);

const move = async (tx: Transaction, path: string, destination: string) =>
  tx.apply({ action: "move", path, destination, revision: (await tx.read(path)).revision });

describe("reading through a transaction", () => {
  test("sees what is staged over what is there now, in every way of reading", async () => {
    await using opened = await testWorkspace({ a: lines(), "folder/b": "b\n", gone: "gone\n", old: "old\n" });
    const { workspace, storage } = opened;
    const tx = await workspace.beginTransaction();
    await put(tx, "a", lines({ 2: "needle" }));
    await put(tx, "folder/new", "a needle\n");
    await put(tx, "gone", null);
    await move(tx, "old", "moved/here");
    storage.writeOutside("live", "needle of now\n");
    expect((await tx.read("a")).text).toBe(lines({ 2: "needle" }));
    expect(await tx.readLines("a", { startLine: 2, endLine: 2 })).toMatchObject({
      text: "needle\n",
      lineCount: 12,
    });
    expect((await tx.readBytes("moved/here")).bytes).toEqual(new TextEncoder().encode("old\n"));
    expect((await tx.read("live")).text).toBe("needle of now\n");
    expect(await tx.stat("moved")).toMatchObject({ kind: "directory" });
    expect(await tx.stat("folder/new")).toMatchObject({ kind: "file", byteLength: 9 });
    for (const path of ["gone", "old"]) {
      expect(await tx.stat(path)).toBeUndefined();
      expect((await refusalOf(tx.read(path))).code).toBe("NOT_FOUND");
    }
    const files = (await collect(tx.list())).filter(({ kind }) => kind === "file");
    expect(files.map(({ path }) => path)).toEqual(["a", "folder/b", "folder/new", "live", "moved/here"]);
    expect((await collect(tx.list({ under: "folder" }))).map(({ path }) => path)).toEqual([
      "folder/b",
      "folder/new",
    ]);
    const found = await collect(tx.search("needle"));
    expect(found.map(({ path, line }) => [path, line])).toEqual([
      ["a", 2],
      ["folder/new", 1],
      ["live", 1],
    ]);
    expect(await collect(workspace.search("a needle"))).toEqual([]);
  });

  test("sees a file in the place of a folder, and a folder in the place of a file", async () => {
    await using opened = await testWorkspace({ "one/a": "a\n", two: "two\n" });
    const { workspace, storage } = opened;
    const tx = await workspace.beginTransaction();
    await put(tx, "one/a", null);
    await put(tx, "one", "a file\n");
    await put(tx, "two", null);
    await put(tx, "two/b", "b\n");
    expect(await tx.stat("one")).toMatchObject({ kind: "file" });
    expect(await tx.stat("two")).toMatchObject({ kind: "directory" });
    expect((await collect(tx.list())).map(({ path }) => path)).toEqual(["one", "two", "two/b"]);
    await tx.commit();
    expect(storage.toJSON()).toEqual({ one: "a file\n", "two/b": "b\n" });
  });

  needing("modes", "one is staged")("sees a staged mode, and commits it", async () => {
    await using opened = await testWorkspace({ a: "a\n" });
    const { workspace } = opened;
    const tx = await workspace.beginTransaction();
    const { revision } = await tx.read("a");
    await tx.apply({ action: "chmod", path: "a", revision, executable: true });
    expect(await tx.stat("a")).toMatchObject({ executable: true });
    expect(await workspace.stat("a")).toMatchObject({ executable: false });
    await tx.commit();
    expect(await workspace.stat("a")).toMatchObject({ executable: true });
  });

  test("keeps a file of which one page was read, when that was expected", async () => {
    await using opened = await testWorkspace({ a: lines() });
    const tx = await opened.workspace.beginTransaction();
    const { revision } = await tx.readLines("a", { maxLines: 2 });
    await put(tx, "a", lines({ 8: "mine" }));
    const page = tx.readLines("a", { startLine: 3, expectedRevision: revision });
    expect((await refusalOf(page)).code).toBe("REVISION_MISMATCH");
  });
});

describe("discarding", () => {
  test("paths takes them back out as one step, folders and both ends of a move as a whole", async () => {
    for (const paths of [["from"], ["to"], ["to/*"]]) {
      await using opened = await testWorkspace({ "from/a": "a\n", b: "b\n" });
      const tx = await opened.workspace.beginTransaction();
      await move(tx, "from/a", "to/a");
      await put(tx, "b", "B\n");
      expect(await tx.discard({ paths })).toMatchObject({ revision: 3, changedPaths: ["b"] });
      expect((await tx.read("from/a")).text).toBe("a\n");
      expect(await tx.undo()).toMatchObject({ revision: 2, changedPaths: ["b", "from/a", "to/a"] });
      await tx.redo();
      await tx.commit();
      expect(opened.storage.toJSON()).toEqual({ "from/a": "a\n", b: "B\n" });
    }
  });

  test.each<[string, before: string, after: string, hunks: readonly number[], expected: string]>([
    ["the first of two", lines(), lines({ 1: "x", 12: "y" }), [0], lines({ 12: "y" })],
    ["the last of two", lines(), lines({ 1: "x", 12: "y" }), [1], lines({ 1: "x" })],
    ["both of two", lines(), lines({ 1: "x", 12: "y" }), [0, 1], lines()],
    ["one with CRLF", "a\r\nb\r\n", "a\r\nB\r\n", [0], "a\r\nb\r\n"],
    ["one without a final newline", "a\nb", "a\nB", [0], "a\nb"],
    ["one that brought the final newline", "a\nb", "a\nb\n", [0], "a\nb"],
    ["one that emptied the file", "a\n", "", [0], "a\n"],
  ])("hunks takes out %s", async (_name, before, after, hunks, expected) => {
    await using opened = await testWorkspace({ a: before });
    const tx = await opened.workspace.beginTransaction();
    await put(tx, "a", after);
    const ids = (await tx.diff()).files[0]?.hunks.map(({ id }) => id) ?? [];
    const info = await tx.discard({ hunks: hunks.map((at) => ids[at] as string) });
    expect(info).toMatchObject({ revision: 2, changedPaths: expected === before ? [] : ["a"] });
    expect((await tx.read("a")).text).toBe(expected);
  });

  test("all hunks of a new file takes the file away, and of a deleted one brings it back", async () => {
    await using opened = await testWorkspace({ gone: "gone\n" });
    const tx = await opened.workspace.beginTransaction();
    await put(tx, "new", "new\n");
    await put(tx, "gone", null);
    const hunks = (await tx.diff()).files.flatMap((file) => file.hunks.map(({ id }) => id));
    expect((await tx.discard({ hunks })).changedPaths).toEqual([]);
    expect(await tx.stat("new")).toBeUndefined();
    expect((await tx.read("gone")).text).toBe("gone\n");
    expect((await tx.commit()).committed).toBe(false);
  });

  test("a hunk that is not staged is refused, and so is nothing at all", async () => {
    await using opened = await testWorkspace({ a: "a\n" });
    const tx = await opened.workspace.beginTransaction();
    await put(tx, "a", "A\n");
    const before = await tx.info();
    for (const what of [{ hunks: ["none"] }, {}, { paths: [] }])
      expect((await refusalOf(tx.discard(what))).code).toBe("INVALID_ARGUMENT");
    expect(await tx.info()).toEqual(before);
  });
});

test("the events of a workspace tell of each step, of the conflict and of the commit", async () => {
  await using opened = await testWorkspace({ a: lines() });
  const { workspace, storage } = opened;
  const events = workspace.events()[Symbol.asyncIterator]();
  const tx = await workspace.beginTransaction();
  await put(tx, "a", lines({ 8: "mine" }));
  expect((await events.next()).value).toMatchObject({
    type: "transactionUpdated",
    transactionId: tx.id,
    paths: ["a"],
  });
  storage.writeOutside("a", lines({ 2: "theirs and more" }));
  await tx.info();
  let told = (await events.next()).value;
  while (told?.type === "external") told = (await events.next()).value;
  expect(told).toMatchObject({ type: "conflicted", transactionId: tx.id, paths: ["a"] });
});
