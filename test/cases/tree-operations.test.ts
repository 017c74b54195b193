import { type Change, Workspace } from "holdfast";
import { expect } from "vitest";
import { needing } from "../support/grounds/needing.ts";
import { testStorage } from "../support/grounds/test-storage.ts";
import { refusalOf } from "../support/refusal.ts";
import { type CaseWorkspace, testCase } from "./case-workspace.ts";

const textEdit = (path: string, oldText: string, newText: string): Change => ({
  action: "edit",
  path,
  edits: [{ op: "replace_text", oldText, newText }],
});

async function digest(on: CaseWorkspace, folder: string): Promise<string> {
  return (await on.workspace.stat(folder, { revision: true }))?.revision ?? "";
}

async function pathsOf(workspace: Workspace, under?: string): Promise<string[]> {
  const paths: string[] = [];
  for await (const { path } of workspace.list({ under })) paths.push(path);
  return paths;
}

needing("modes", "without them no file is read-only")(
  "#91 a file that may not be written stops the files before it too",
  async () => {
    const files = { "a.txt": "a\n", "b.txt": "b\n", "c.txt": "c\n" };
    const storage = testStorage({ files, readOnlyFiles: ["b.txt"] });
    await using workspace = await Workspace.open(storage);
    const error = await refusalOf(
      workspace.apply([
        textEdit("a.txt", "a", "1"),
        textEdit("b.txt", "b", "2"),
        textEdit("c.txt", "c", "3"),
      ]),
    );
    expect(error).toMatchObject({ code: "READ_ONLY", written: "no" });
    expect(storage.toJSON()).toEqual(files);
  },
);

testCase(
  "#92 a deletion is not done when a later change of its batch fails",
  { "a.txt": "a\n", "b.txt": "b\n" },
  async (on) => {
    const revision = await on.revision("a.txt");
    await on.refuses("TEXT_NOT_FOUND", () =>
      on.workspace.apply([{ action: "delete", path: "a.txt", revision }, textEdit("b.txt", "absent", "x")]),
    );
  },
);

testCase("#95 a move onto its own path is an edit, and never a deletion", { "a.txt": "a\n" }, async (on) => {
  const revision = await on.revision("a.txt");
  const move: Change = { action: "move", path: "a.txt", destination: "a.txt", revision };
  expect(await on.workspace.apply(move)).toMatchObject({
    alreadyApplied: true,
    files: [{ operation: "unchanged" }],
  });
  await on.workspace.apply({ ...move, edits: [{ op: "replace", startLine: 1, content: "b" }] });
  expect(await on.files()).toEqual({ "a.txt": "b\n" });
});

testCase("#97 a name is changed in case alone", { "docs/Readme.md": "text\n" }, async (on) => {
  const revision = await on.revision("docs/Readme.md");
  const { files } = await on.workspace.apply({
    action: "move",
    path: "docs/Readme.md",
    destination: "docs/README.md",
    revision,
  });
  expect(files).toMatchObject([{ operation: "moved", path: "docs/README.md" }]);
  expect(await on.files()).toEqual({ "docs/README.md": "text\n" });
});

needing("names that fold", "two spellings have to be one name")(
  "#97 a name is changed in case alone where the storage takes both spellings for one",
  async () => {
    const storage = testStorage({ files: { "Readme.md": "text\n" }, caseFold: true });
    await using workspace = await Workspace.open(storage);
    const { revision } = await workspace.read("Readme.md");
    await workspace.apply({ action: "move", path: "Readme.md", destination: "README.md", revision });
    expect(storage.toJSON()).toEqual({ "README.md": "text\n" });
    expect(await pathsOf(workspace)).toEqual(["README.md"]);
  },
);

testCase(
  "#98 another file is not overwritten because its name differs in case alone",
  { "readme.md": "mine\n", "README.md": "other\n" },
  async (on) => {
    const revision = await on.revision("readme.md");
    await on.refuses("ALREADY_EXISTS", () =>
      on.workspace.apply({ action: "move", path: "readme.md", destination: "README.md", revision }),
    );
  },
  { needs: ["names told apart by case", "there are two files whose names differ in nothing else"] },
);

testCase(
  "#100 a file makes way for a folder of its name, whatever the order of the changes",
  { p: "file\n", q: "file\n" },
  async (on) => {
    const remove = async (path: string): Promise<Change> => ({
      action: "delete",
      path,
      revision: await on.revision(path),
    });
    const add = (path: string): Change => ({ action: "create", path, content: "inside\n" });
    await on.workspace.apply([await remove("p"), add("p/c"), add("q/c"), await remove("q")]);
    expect(await on.files()).toEqual({ "p/c": "inside\n", "q/c": "inside\n" });
  },
);

testCase(
  "#101 a folder makes way for a file of its name",
  { "A/B/x.txt": "x\n", "A/B/c/y.txt": "y\n", "A/z.txt": "z\n" },
  async (on) => {
    await on.workspace.apply([
      { action: "create", path: "A/B", content: "file\n" },
      { action: "deleteTree", path: "A/B", revision: await digest(on, "A/B") },
    ]);
    expect(await on.files()).toEqual({ "A/B": "file\n", "A/z.txt": "z\n" });
  },
);

testCase(
  "#101 a folder that keeps a file makes no way",
  { "A/B/x.txt": "x\n", "A/B/y.txt": "y\n" },
  async (on) => {
    const revision = await on.revision("A/B/x.txt");
    await on.refuses("IS_DIRECTORY", () =>
      on.workspace.apply([
        { action: "create", path: "A/B", content: "file\n" },
        { action: "delete", path: "A/B/x.txt", revision },
      ]),
    );
  },
);

testCase(
  "#103 a folder that is deleted and written into again is listed with what it holds",
  { "f/abc/old.txt": "old\n" },
  async (on) => {
    const check = async () => {
      expect(await pathsOf(on.workspace, "f")).toEqual(["f/abc", "f/abc/d"]);
      expect(await on.workspace.stat("f/abc/d")).toMatchObject({ kind: "file" });
      expect(await on.files()).toEqual({ "f/abc/d": "new\n" });
    };
    await on.workspace.apply([
      { action: "deleteTree", path: "f/abc", revision: await digest(on, "f/abc") },
      { action: "create", path: "f/abc/d", content: "new\n" },
    ]);
    await check();
    await on.workspace.apply({ action: "deleteTree", path: "f/abc", revision: await digest(on, "f/abc") });
    expect(await pathsOf(on.workspace)).toEqual([]);
    await on.workspace.write("f/abc/d", "new\n");
    await check();
  },
);

testCase(
  "#104 one call does not name a path twice, so the same bytes never end as a deletion",
  { "f/a.txt": "a\n" },
  async (on) => {
    const revision = await digest(on, "f");
    await on.refuses("DUPLICATE_PATH", () =>
      on.workspace.apply([
        { action: "deleteTree", path: "f", revision },
        { action: "write", path: "f/a.txt", content: "a\n" },
      ]),
    );
  },
);

testCase(
  "#106 edits that overlap are refused, naming both",
  { "a.txt": "1\n2\n3\n4\n5\n6\n" },
  async (on) => {
    const revision = await on.revision("a.txt");
    const remove = { op: "delete", startLine: 1, endLine: 5 } as const;
    const error = await on.refuses("OVERLAPPING_EDITS", () =>
      on.workspace.edit("a.txt", [remove, { op: "insert_before", line: 1, content: "x" }, remove], {
        revision,
      }),
    );
    expect(error.problems).toMatchObject([
      {
        code: "OVERLAPPING_EDITS",
        editIndex: 2,
        changeIndex: 0,
        message: expect.stringMatching(/\b0 and 2\b/),
      },
    ]);
  },
);

testCase(
  "#107 a handler that writes what is there already ends the chain of events",
  { "a.txt": "a\n" },
  async (on) => {
    const own: unknown[] = [];
    const events = on.workspace.events();
    await on.workspace.edit(
      "a.txt",
      { op: "replace_text", oldText: "a", newText: "b" },
      { source: "formatter" },
    );
    for await (const event of events) {
      if (event.type !== "committed") continue;
      own.push(event.revision.source);
      const { text, revision } = await on.workspace.read("a.txt");
      const result = await on.workspace.write("a.txt", text, { revision, source: "formatter" });
      expect(result.alreadyApplied).toBe(true);
      if (own.length === 2) break;
      await on.workspace.write("end.txt", "end\n", { source: "test" });
    }
    expect(own).toEqual(["formatter", "test"]);
  },
);

testCase("#109 equal bytes and mode are not written again", { "a.txt": "a\n" }, async (on) => {
  const revision = await on.revision("a.txt");
  const { workspaceRevision } = await on.workspace.info();
  const changes: readonly Change[] = [
    { action: "write", path: "a.txt", content: "a\n", revision },
    { action: "create", path: "a.txt", content: "a\n" },
    { action: "chmod", path: "a.txt", revision, executable: false },
    textEdit("a.txt", "a", "a"),
  ];
  for (const change of changes)
    expect(await on.workspace.apply(change)).toMatchObject({
      alreadyApplied: true,
      workspaceRevision,
      files: [{ operation: "unchanged" }],
    });
  on.outside("a.txt", "outside\n");
  await on.refuses("REVISION_MISMATCH", () =>
    on.workspace.apply([...changes.slice(0, 1), { action: "create", path: "b.txt", content: "b\n" }]),
  );
});

testCase("#110 a deletion needs the revision of what it deletes", { "a.txt": "a\n" }, async (on) => {
  const revision = await on.revision("a.txt");
  await on.refuses("REVISION_REQUIRED", () => on.workspace.apply({ action: "delete", path: "a.txt" }));
  on.outside("a.txt", "other\n");
  await on.refuses("REVISION_MISMATCH", () =>
    on.workspace.apply({ action: "delete", path: "a.txt", revision }),
  );
});

testCase(
  "#169 a name that other tools take for a pattern is only a name",
  { ":(top)x": "top\n", x: "x\n", "a/:(glob)*": "glob\n", "a/y": "y\n" },
  async (on) => {
    for (const path of [":(top)x", "a/:(glob)*"]) {
      expect(await pathsOf(on.workspace, path)).toEqual([]);
      await on.workspace.update(path, (file) => `${file?.text}more\n`);
    }
    const listed: string[] = [];
    for await (const { path } of on.workspace.list({ glob: ":(top)x" })) listed.push(path);
    expect(listed).toEqual([":(top)x"]);
    const revision = await on.revision("a/:(glob)*");
    await on.workspace.apply({ action: "delete", path: "a/:(glob)*", revision });
    expect(await on.files()).toEqual({ ":(top)x": "top\nmore\n", x: "x\n", "a/y": "y\n" });
  },
);

testCase(
  "#170 both spellings of an accented name are kept as they were given",
  { "e\u0301.txt": "apart\n" },
  async (on) => {
    await on.refuses("PATH_COLLISION", () =>
      on.workspace.apply([
        { action: "create", path: "\u00e0.txt", content: "1" },
        { action: "create", path: "a\u0300.txt", content: "2" },
      ]),
    );
    await on.workspace.write("\u00e9.txt", "composed\n");
    expect((await pathsOf(on.workspace)).toSorted()).toEqual(["e\u0301.txt", "\u00e9.txt"]);
    expect(await on.workspace.read("e\u0301.txt")).toMatchObject({ text: "apart\n" });
  },
  { needs: ["names told apart by form", "there are two files whose names differ in nothing else"] },
);

needing("names that fold and keep their form", "one form of a name stands, the other is given")(
  "#170 the second spelling is refused where the storage takes both for one",
  async () => {
    const files = { "e\u0301.txt": "apart\n" };
    const storage = testStorage({ files, caseFold: true });
    await using workspace = await Workspace.open(storage);
    expect(await refusalOf(workspace.write("\u00e9.txt", "composed\n"))).toMatchObject({
      code: "PATH_COLLISION",
    });
    expect(storage.toJSON()).toEqual(files);
  },
);
