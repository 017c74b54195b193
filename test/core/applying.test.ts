import type { Edit } from "holdfast";
import { describe, expect, test } from "vitest";
import { needing } from "../support/grounds/needing.ts";
import { testWorkspace } from "../support/grounds/test-workspace.ts";
import { collect, refusalOf } from "../support/refusal.ts";

const replaceText = (oldText: string, newText: string): Edit => ({ op: "replace_text", oldText, newText });

describe("apply", () => {
  test("makes all changes of a call in one commit and tells of each in order", async () => {
    await using opened = await testWorkspace({ a: "1\n2\n3\n", b: "x", c: "y", d: "z" });
    const { workspace, storage } = opened;
    const revisionOf = async (path: string) => (await workspace.read(path)).revision;
    const [a, b, c, d] = await Promise.all(["a", "b", "c", "d"].map(revisionOf));
    const result = await workspace.apply([
      {
        action: "edit",
        path: "a",
        revision: a,
        edits: [{ op: "replace", startLine: 2, content: "two\nzwei" }],
      },
      { action: "delete", path: "b", revision: b },
      { action: "move", path: "c", revision: c, destination: "e/f" },
      { action: "copy", path: "d", revision: d, destination: "g" },
      { action: "create", path: "n", content: "new\n" },
    ]);
    expect(storage.toJSON()).toEqual({ a: "1\ntwo\nzwei\n3\n", d: "z", "e/f": "y", g: "z", n: "new\n" });
    expect(result.files.map(({ path, operation, previousPath }) => [path, operation, previousPath])).toEqual([
      ["a", "modified", undefined],
      ["b", "deleted", undefined],
      ["e/f", "moved", "c"],
      ["g", "copied", "d"],
      ["n", "created", undefined],
    ]);
    expect(result.files[0]).toMatchObject({
      totalLines: 4,
      changedRanges: [{ startLine: 2, endLine: 3, added: 2, removed: 1 }],
      lineShifts: [{ fromLine: 3, by: 1 }],
    });
    expect(result).toMatchObject({
      dryRun: false,
      alreadyApplied: false,
      idempotentReplay: false,
      revisionAlgorithm: "xxh64",
    });
    expect(await collect(workspace.history())).toHaveLength(1);
  });

  test("gives for each file the revision that a read gives afterwards", async () => {
    await using opened = await testWorkspace({ a: "1\n", b: "x", c: "y" });
    const { workspace } = opened;
    const revision = async (path: string) => (await workspace.read(path)).revision;
    const result = await workspace.apply([
      { action: "edit", path: "a", edits: [replaceText("1", "2")] },
      {
        action: "move",
        path: "b",
        revision: await revision("b"),
        destination: "b2",
        edits: [replaceText("x", "X")],
      },
      { action: "copy", path: "c", revision: await revision("c"), destination: "c2" },
      { action: "create", path: "n", content: new Uint8Array([0, 1]) },
    ]);
    for (const file of result.files) {
      const { revision: now } = await workspace.readBytes(file.path);
      expect(file.revision, file.path).toBe(now);
    }
  });

  test("tells every problem of every change at once, the code being the first by category, and writes nothing", async () => {
    await using opened = await testWorkspace({ a: "1\n", b: "x" });
    const { workspace, storage } = opened;
    const before = storage.toJSON();
    const refusal = await refusalOf(
      workspace.apply([
        { action: "create", path: "ok", content: "fine" },
        { action: "create", path: "b", content: "other" },
        {
          action: "edit",
          path: "a",
          edits: [replaceText("nowhere", ""), { op: "delete", startLine: 9 }],
          revision: "0".repeat(16),
        },
        { action: "delete", path: "gone", revision: "0".repeat(16) },
        { action: "write", path: ".git/config", content: "x" },
      ]),
    );
    expect(refusal.code).toBe("PROTECTED_PATH");
    expect(refusal.written).toBe("no");
    expect(refusal.problems.map(({ code, changeIndex, path }) => [changeIndex, code, path])).toEqual([
      [1, "ALREADY_EXISTS", "b"],
      [2, "REVISION_MISMATCH", "a"],
      [3, "NOT_FOUND", "gone"],
      [4, "PROTECTED_PATH", ".git/config"],
    ]);
    expect(storage.toJSON()).toEqual(before);
  });

  test("names near paths for a missing file", async () => {
    await using opened = await testWorkspace({ "src/config.ts": "" });
    const refusal = await refusalOf(opened.workspace.edit("src/confg.ts", replaceText("a", "b")));
    expect(refusal).toMatchObject({
      code: "NOT_FOUND",
      details: { path: "src/confg.ts", similar: ["src/config.ts"] },
    });
  });

  test("copies bytes at the call, so that the caller may use its array again", async () => {
    await using opened = await testWorkspace();
    const content = new TextEncoder().encode("first");
    const writing = opened.workspace.write("a", content);
    content.fill(120);
    await writing;
    expect(opened.storage.toJSON()).toEqual({ a: "first" });
  });

  test("of nothing does nothing", async () => {
    await using opened = await testWorkspace();
    const result = await opened.workspace.apply([]);
    expect(result).toMatchObject({ files: [], alreadyApplied: true, workspaceRevision: "r0" });
  });
});

describe("a change that changes nothing", () => {
  test("is not written: no commit, the same version", async () => {
    await using opened = await testWorkspace({ a: "x" });
    const { workspace, storage } = opened;
    const before = await storage.read("a", {});
    const { revision } = await workspace.read("a");
    const result = await workspace.apply([
      { action: "write", path: "a", content: "x", revision },
      { action: "assert", path: "b", revision: null },
    ]);
    expect(result).toMatchObject({
      alreadyApplied: true,
      additions: 0,
      removals: 0,
      workspaceRevision: "r0",
    });
    expect(result.files.map(({ operation }) => operation)).toEqual(["unchanged", "unchanged"]);
    expect(result.files[0]?.revision).toBe(revision);
    expect(await storage.read("a", {})).toEqual(before);
    expect(await collect(workspace.history())).toEqual([]);
  });

  test("still has to hold when another change of the call is committed", async () => {
    await using opened = await testWorkspace({ a: "x", b: "y" });
    const { workspace, storage } = opened;
    const { revision } = await workspace.read("a");
    const commit = storage.commit.bind(storage);
    storage.commit = async (batches, options) => {
      storage.writeOutside("a", "outside");
      return await commit(batches, options);
    };
    const refusal = await refusalOf(
      workspace.apply([
        { action: "assert", path: "a", revision },
        { action: "edit", path: "b", edits: [replaceText("y", "Y")] },
      ]),
    );
    expect(refusal.code).toBe("REVISION_MISMATCH");
    expect(storage.toJSON()).toEqual({ a: "outside", b: "y" });
  });
});

describe("a dry run", () => {
  test("tells what the call would do, and writes nothing, also in a workspace for inspection", async () => {
    for (const mode of ["autonomousTrusted", "inspectionOnly"] as const) {
      await using opened = await testWorkspace({ a: "x\n" }, { mode });
      const { workspace, storage } = opened;
      const result = await workspace.edit("a", replaceText("x", "y"), { dryRun: true });
      expect(result).toMatchObject({ dryRun: true, additions: 1, removals: 1, workspaceRevision: "r0" });
      expect(storage.toJSON()).toEqual({ a: "x\n" });
    }
  });

  test("gives what the real run then gives", async () => {
    await using opened = await testWorkspace({ a: "x\n" });
    const call = (dryRun: boolean) => opened.workspace.edit("a", replaceText("x", "y"), { dryRun });
    const { workspaceRevision: _w, dryRun: _d, ...planned } = await call(true);
    expect(await call(false)).toMatchObject(planned);
  });

  test("is refused as the real run is", async () => {
    await using opened = await testWorkspace({ a: "x\n" });
    expect((await refusalOf(opened.workspace.edit("a", replaceText("q", "y"), { dryRun: true }))).code).toBe(
      "TEXT_NOT_FOUND",
    );
  });
});

describe("a stale change", () => {
  test.each<[string, object, object, string]>([
    ["the same session", { sessionId: "s" }, { sessionId: "s" }, "thisSession"],
    ["another session", { sessionId: "s" }, { sessionId: "t" }, "otherSession"],
    ["the same program", { source: "p" }, { source: "p" }, "thisSession"],
    ["another program", { source: "p" }, { source: "q" }, "otherSession"],
    ["somebody with a session", { sessionId: "s" }, {}, "otherSession"],
    ["nobody who said who it is", {}, {}, "unknown"],
  ])("is told that %s changed the file", async (_name, first, second, changedBy) => {
    await using opened = await testWorkspace({ a: "x" });
    const { workspace } = opened;
    const { revision } = await workspace.read("a");
    await workspace.write("a", "y", { revision, ...first });
    const refusal = await refusalOf(workspace.write("a", "z", { revision, ...second }));
    expect(refusal).toMatchObject({
      code: "REVISION_MISMATCH",
      details: { path: "a", expectedRevision: revision, changedBy, totalLines: 1 },
    });
  });

  test("is told of a change from outside, whether the library wrote the file before or not", async () => {
    await using opened = await testWorkspace({ a: "x" });
    const { workspace, storage } = opened;
    const { revision } = await workspace.read("a");
    storage.writeOutside("a", "outside");
    const refusal = async () =>
      (await refusalOf(workspace.write("a", "z", { revision, sessionId: "s" }))).details;
    expect(await refusal()).toMatchObject({ changedBy: "outside" });
    await workspace.write("a", "y", { revision: (await workspace.read("a")).revision, sessionId: "s" });
    expect(await refusal()).toMatchObject({ changedBy: "thisSession" });
    storage.writeOutside("a", "outside again");
    expect(await refusal()).toMatchObject({ changedBy: "outside" });
    storage.writeOutside("a", null);
    expect(await refusal()).toMatchObject({ changedBy: "outside" });
  });

  test("never learns the current revision", async () => {
    await using opened = await testWorkspace({ a: "x" });
    const { workspace } = opened;
    const { revision } = await workspace.read("a");
    const { files } = await workspace.write("a", "y", { revision });
    const refusal = await refusalOf(workspace.edit("a", { op: "delete", startLine: 1 }, { revision }));
    expect(JSON.stringify(refusal)).not.toContain(files[0]?.revision);
  });
});

describe("changes of whole folders", () => {
  test("move and delete every file below, guarded by the folder's digest", async () => {
    await using opened = await testWorkspace({ "a/x": "1", "a/b/y": "2", z: "3" });
    const { workspace, storage } = opened;
    const digest = async (path: string) => (await workspace.stat(path, { revision: true }))?.revision ?? "";
    const stale = await digest("a");
    await workspace.write("a/new", "4");
    const move = (revision: string) =>
      workspace.apply({ action: "moveTree", path: "a", destination: "c/d", revision });
    expect((await refusalOf(move(stale))).code).toBe("REVISION_MISMATCH");
    const moved = await move(await digest("a"));
    expect(moved.files.map(({ path, previousPath }) => [previousPath, path])).toEqual([
      ["a/b/y", "c/d/b/y"],
      ["a/new", "c/d/new"],
      ["a/x", "c/d/x"],
    ]);
    await workspace.apply({ action: "deleteTree", path: "c", revision: await digest("c") });
    expect(storage.toJSON()).toEqual({ z: "3" });
  });
});

describe("names on a storage that folds them", () => {
  needing("names that fold", "two spellings have to be one name")(
    "collide with existing ones in another spelling, folders included",
    async () => {
      await using opened = await testWorkspace({ "Src/Readme.md": "" }, { caseFold: true });
      const { workspace } = opened;
      for (const path of ["src/other.md", "Src/README.md"]) {
        const refusal = await refusalOf(workspace.write(path, "x"));
        expect(refusal.code, path).toBe("PATH_COLLISION");
      }
      await workspace.write("Src/other.md", "x");
    },
  );

  needing("names that fold", "two spellings have to be one name")(
    "of a folder that is spelled otherwise are those of no folder",
    async () => {
      await using opened = await testWorkspace({ "Src/a": "" }, { caseFold: true });
      const { workspace, storage } = opened;
      const revision = (await workspace.stat("Src", { revision: true }))?.revision ?? "";
      const refusal = await refusalOf(workspace.apply({ action: "deleteTree", path: "src", revision }));
      expect(refusal).toMatchObject({ code: "NOT_FOUND", details: { path: "src", similar: ["Src"] } });
      await workspace.apply({ action: "moveTree", path: "Src", destination: "lib", revision });
      expect(storage.toJSON()).toEqual({ "lib/a": "" });
    },
  );

  needing("names that fold", "two spellings have to be one name")(
    "can be changed in case by a move alone",
    async () => {
      await using opened = await testWorkspace({ "readme.md": "x" }, { caseFold: true });
      const { workspace, storage } = opened;
      const { revision } = await workspace.read("readme.md");
      await workspace.apply({ action: "move", path: "readme.md", revision, destination: "README.md" });
      expect(storage.toJSON()).toEqual({ "README.md": "x" });
    },
  );
});

test("the cost of a change follows the change, not the tree", async () => {
  const calls = async (files: number) => {
    const tree = Object.fromEntries(
      Array.from({ length: files }, (_, index) => [`tree/d${index % 50}/f${index}`, "x"]),
    );
    await using opened = await testWorkspace({ ...tree, "a/b/c": "x" });
    const { workspace, storage } = opened;
    let count = 0;
    for (const name of ["stat", "read", "readRecord"] as const) {
      const original = storage[name].bind(storage) as (...args: unknown[]) => unknown;
      const counted = (...args: unknown[]) => {
        count += 1;
        return original(...args);
      };
      Object.assign(storage, { [name]: counted });
    }
    const list = storage.list.bind(storage);
    storage.list = async function* (options) {
      for await (const file of list(options)) {
        count += 1;
        yield file;
      }
      return undefined;
    };
    await workspace.edit("a/b/c", replaceText("x", "y"));
    await workspace.write("a/b/new", "1");
    return count;
  };
  expect(await calls(1000)).toBe(await calls(10));
});

test("files that had other hard links are told in warnings", async () => {
  await using opened = await testWorkspace({ a: "x" });
  const { workspace, storage } = opened;
  const commit = storage.commit.bind(storage);
  storage.commit = async (batches, options) =>
    (await commit(batches, options)).map((outcome) =>
      outcome.committed ? { ...outcome, hardLinksBroken: ["a"] } : outcome,
    );
  const { warnings } = await workspace.edit("a", replaceText("x", "y"));
  expect(warnings).toEqual([
    { code: "HARD_LINK_BROKEN", path: "a", message: expect.stringContaining('"a"') },
  ]);
});

test("an outcome with an error that is none of the library's is a failure of the storage", async () => {
  await using opened = await testWorkspace({ a: "x" });
  const cause = new Error("odd");
  opened.storage.commit = async (batches) =>
    batches.map(() => ({ committed: false, error: cause, written: "unknown" }));
  const refusal = await refusalOf(opened.workspace.edit("a", replaceText("x", "y")));
  expect(refusal).toMatchObject({ code: "STORAGE_FAILED", written: "unknown", cause });
});

test("write and edit take the encoding that text was read with, and give back its bytes", async () => {
  const bytes = new Uint8Array([0x63, 0x61, 0x66, 0xe9, 0x0a]);
  await using opened = await testWorkspace({ f: bytes, g: bytes });
  const { workspace } = opened;
  const { text, revision } = await workspace.read("f", { encoding: "latin1" });
  const written = await workspace.write("f", text.repeat(2), { revision, encoding: "latin1" });
  expect((await workspace.readBytes("f")).bytes).toEqual(new Uint8Array([...bytes, ...bytes]));
  const made = await workspace.write("new", text, { encoding: "latin1" });
  expect(made.files[0]?.revision).toBe(revision);
  const edit: Edit = { op: "append", content: "é" };
  const options = { revision: written.files[0]?.revision };
  expect((await refusalOf(workspace.edit("f", edit, options))).written).toBe("no");
  await workspace.edit("f", edit, { ...options, encoding: "latin1" });
  expect((await workspace.readBytes("f")).bytes.slice(-2)).toEqual(new Uint8Array([0xe9, 0x0a]));
  const wrong = { encoding: "utf-16" as "latin1" };
  expect((await refusalOf(workspace.write("h", "", wrong))).code).toBe("INVALID_ARGUMENT");
});

test("where names are POSIX's, a colon is a character like others, but not after the first", async () => {
  await using opened = await testWorkspace({}, { names: "posix" });
  const { workspace, storage } = opened;
  const free = ["ab:c", ":a", "d/a:b", "d/c:/x"];
  for (const path of free) await workspace.write(path, "1");
  expect(Object.keys(storage.toJSON()).sort()).toEqual([...free].sort());
  for (const path of ["a:b", "c:/x", "./a:b", "1:x", "é:x"])
    expect((await refusalOf(workspace.write(path, "1"))).code).toBe("INVALID_PATH");
});
