import { numberLines, type Workspace } from "holdfast";
import { describe, expect, test } from "vitest";
import { needing } from "../support/grounds/needing.ts";
import { testWorkspace } from "../support/grounds/test-workspace.ts";
import { refusalOf } from "../support/refusal.ts";

const bytes = (...values: number[]) => new Uint8Array(values);

describe("read", () => {
  test.each<[string, string | Uint8Array, object]>([
    [
      "text",
      "a\nb\n",
      { text: "a\nb\n", lineCount: 2, byteLength: 4, lineEnding: "lf", bom: false, encoding: "utf-8" },
    ],
    ["text without a final newline", "a", { text: "a", lineCount: 1, lineEnding: "none" }],
    ["CRLF", "a\r\nb\r\n", { text: "a\r\nb\r\n", lineCount: 2, lineEnding: "crlf" }],
    ["mixed ends", "a\r\nb\n", { lineCount: 2, lineEnding: "mixed" }],
    ["nothing", "", { text: "", lineCount: 0, byteLength: 0, lineEnding: "none" }],
    ["a byte order mark, which is hidden", "\ufeffa", { text: "a", bom: true, byteLength: 4 }],
    ["only LF as the end of a line", "a\rb\u2028c\fd\u0085e", { lineCount: 1, lineEnding: "none" }],
  ])("gives %s", async (_name, content, expected) => {
    await using opened = await testWorkspace({ f: content });
    expect(await opened.workspace.read("f")).toMatchObject({ path: "f", executable: false, ...expected });
  });

  test("gives a revision that names the bytes and nothing else", async () => {
    await using opened = await testWorkspace({ a: "x", b: "x", c: "y", d: "\ufeffx" });
    const [a, b, c, d] = await Promise.all(["a", "b", "c", "d"].map((path) => opened.workspace.read(path)));
    expect(a?.revision).toBe("5c80c09683041123");
    expect(b?.revision).toBe(a?.revision);
    expect(new Set([a?.revision, c?.revision, d?.revision]).size).toBe(3);
  });

  test("of bytes that are not UTF-8 says where, and takes them as latin1 or shows them when asked", async () => {
    await using opened = await testWorkspace({ f: bytes(0x61, 0xe9, 0x80, 0x0a) });
    const { workspace } = opened;
    const refusal = await refusalOf(workspace.read("f"));
    expect(refusal).toMatchObject({ code: "UNSUPPORTED_ENCODING", details: { path: "f", offset: 1 } });
    expect(await workspace.read("f", { encoding: "latin1" })).toMatchObject({
      text: "a\u00e9\u0080\n",
      encoding: "latin1",
    });
    expect(await workspace.read("f", { encoding: "escape" })).toMatchObject({
      text: "a\\xe9\\x80\n",
      encoding: "unknown-8bit",
    });
  });

  test.each<[string, Uint8Array]>([
    ["a NUL byte", bytes(0x61, 0)],
    ["UTF-16", bytes(0xff, 0xfe, 0x61, 0)],
  ])("refuses %s as binary, whose bytes can still be read", async (_name, content) => {
    await using opened = await testWorkspace({ f: content });
    expect((await refusalOf(opened.workspace.read("f"))).code).toBe("BINARY_FILE");
    expect((await refusalOf(opened.workspace.readLines("f"))).code).toBe("BINARY_FILE");
    expect((await opened.workspace.readBytes("f")).bytes).toEqual(content);
  });

  test("names near paths when there is no file", async () => {
    await using opened = await testWorkspace({
      "src/config.ts": "",
      "src/Config.js": "",
      "other/app.ts": "",
    });
    const near = async (path: string) => (await refusalOf(opened.workspace.read(path))).details;
    expect(await near("src/confg.ts")).toEqual({
      path: "src/confg.ts",
      similar: ["src/config.ts", "src/Config.js"],
    });
    expect(await near("src/app.ts")).toEqual({ path: "src/app.ts", similar: ["other/app.ts"] });
    expect(await near("zzzzzzzzzz")).toEqual({ path: "zzzzzzzzzz", similar: [] });
  });

  test.each<[string, string, string]>([
    ["a folder", "src", "IS_DIRECTORY"],
    ["a path below a file", "src/a/b", "NOT_FOUND"],
    ["a path out of the root", "../a", "INVALID_PATH"],
    ["an absolute path", "/a", "INVALID_PATH"],
    ["data of version control", ".git/config", "PROTECTED_PATH"],
  ])("refuses %s", async (_name, path, code) => {
    await using opened = await testWorkspace({ "src/a": "" });
    for (const call of ["read", "readLines", "readBytes"] as const)
      expect((await refusalOf(opened.workspace[call](path))).code).toBe(code);
  });

  test("refuses what is no path", async () => {
    await using opened = await testWorkspace();
    for (const path of [5, undefined, null, {}])
      expect((await refusalOf(opened.workspace.read(path as never))).code).toBe("INVALID_ARGUMENT");
  });

  test("refuses a file beyond the limit before it is read", async () => {
    await using opened = await testWorkspace({ f: "12345" }, { limits: { textBytes: 4, binaryBytes: 3 } });
    const { workspace } = opened;
    expect((await refusalOf(workspace.read("f"))).details).toEqual({
      limit: "textBytes",
      maximum: 4,
      actual: 5,
    });
    expect((await refusalOf(workspace.readLines("f"))).code).toBe("LIMIT_EXCEEDED");
    expect((await refusalOf(workspace.readBytes("f"))).details).toMatchObject({ limit: "binaryBytes" });
  });

  test("with an expected revision gives that one or refuses", async () => {
    await using opened = await testWorkspace({ f: "x" });
    const { workspace, storage } = opened;
    const { revision } = await workspace.read("f");
    expect((await workspace.read("f", { expectedRevision: revision })).text).toBe("x");
    storage.writeOutside("f", "y");
    const refusal = await refusalOf(workspace.read("f", { expectedRevision: revision }));
    expect(refusal).toMatchObject({
      code: "REVISION_MISMATCH",
      details: { path: "f", expectedRevision: revision },
    });
    expect(JSON.stringify(refusal)).not.toContain((await workspace.read("f")).revision);
    const malformed = await refusalOf(workspace.read("f", { expectedRevision: "latest" }));
    expect(malformed.code).toBe("INVALID_ARGUMENT");
  });
});

describe("readLines", () => {
  const lines = Array.from({ length: 10 }, (_, index) => `line ${index + 1}`);
  const open = () => testWorkspace({ f: `${lines.join("\n")}\n`, empty: "", wide: `${"é".repeat(10)}\nb\n` });

  test("gives pages that joined are the file", async () => {
    await using opened = await open();
    let text = "";
    for (let startLine: number | undefined = 1; startLine !== undefined; ) {
      const page: Awaited<ReturnType<Workspace["readLines"]>> = await opened.workspace.readLines("f", {
        startLine,
        maxLines: 3,
      });
      text += page.text;
      startLine = page.nextStartLine;
    }
    expect(text).toBe((await opened.workspace.read("f")).text);
  });

  test("tells of the whole file beside the page", async () => {
    await using opened = await open();
    const whole = await opened.workspace.read("f");
    const page = await opened.workspace.readLines("f", { startLine: 2, endLine: 3 });
    expect(page).toEqual({ ...whole, text: "line 2\nline 3\n", startLine: 2, endLine: 3 });
    expect(numberLines(page)).toBe("2\tline 2\n3\tline 3");
  });

  test("cuts at whole lines when bytes run out", async () => {
    await using opened = await open();
    const page = await opened.workspace.readLines("f", { maxBytes: 15 });
    expect(page).toMatchObject({
      text: "line 1\nline 2\n",
      endLine: 2,
      nextStartLine: 3,
      truncatedBy: "bytes",
    });
  });

  test("gives the beginning of a first line that is too long, cutting no character", async () => {
    await using opened = await open();
    const page = await opened.workspace.readLines("wide", { maxBytes: 5 });
    expect(page).toMatchObject({
      text: "éé",
      startLine: 1,
      endLine: 1,
      nextStartLine: 2,
      truncatedBy: "bytes",
    });
  });

  test("of an empty file is an empty page", async () => {
    await using opened = await open();
    expect(await opened.workspace.readLines("empty")).toMatchObject({
      text: "",
      lineCount: 0,
      startLine: 1,
      endLine: 0,
    });
  });

  test("beyond the end says how many lines there are", async () => {
    await using opened = await open();
    const refusal = await refusalOf(opened.workspace.readLines("f", { startLine: 11 }));
    expect(refusal).toMatchObject({ code: "LINE_OUT_OF_RANGE", details: { path: "f", lineCount: 10 } });
    expect(refusal.message).toContain("10 lines");
  });

  test("takes last instead of a start, not beside it", async () => {
    await using opened = await open();
    expect(await opened.workspace.readLines("f", { last: 2 })).toMatchObject({ startLine: 9, endLine: 10 });
    expect((await refusalOf(opened.workspace.readLines("f", { last: 2, startLine: 1 }))).code).toBe(
      "INVALID_ARGUMENT",
    );
  });
});

describe("stat", () => {
  test("tells files, folders and nothing apart", async () => {
    await using opened = await testWorkspace({ "a/b": "xyz" });
    const { workspace } = opened;
    expect(await workspace.stat("a/b")).toEqual({
      path: "a/b",
      kind: "file",
      byteLength: 3,
      executable: false,
    });
    const folder = { kind: "directory", byteLength: 0, executable: false };
    expect(await workspace.stat("a/")).toEqual({ path: "a", ...folder });
    expect(await workspace.stat("")).toEqual({ path: "", ...folder });
    expect(await workspace.stat("a/c")).toBeUndefined();
    expect(await workspace.stat("a/b/c")).toBeUndefined();
    expect(await workspace.stat("c", { revision: true })).toBeUndefined();
  });

  test("gives the revision that a read gives", async () => {
    await using opened = await testWorkspace({ f: "x" });
    const { revision } = await opened.workspace.read("f");
    expect((await opened.workspace.stat("f", { revision: true }))?.revision).toBe(revision);
  });

  needing("modes", "one of the changes is of a mode")(
    "gives a folder a digest that changes with paths, bytes and modes below it and with nothing else",
    async () => {
      await using opened = await testWorkspace({ "a/x": "1", "a/b/y": "2", "c/x": "1", "c/b/y": "2", z: "" });
      const { workspace } = opened;
      const digest = async (path: string) => (await workspace.stat(path, { revision: true }))?.revision;
      const first = await digest("a");
      expect(first).toMatch(/^[0-9a-f]{64}$/);
      expect(await digest("c")).toBe(first);
      await workspace.write("elsewhere", "1");
      expect(await digest("a")).toBe(first);
      const seen = new Set([first]);
      const { revision } = await workspace.read("a/x");
      await workspace.apply({ action: "chmod", path: "a/x", revision, executable: true });
      seen.add(await digest("a"));
      await workspace.apply({ action: "move", path: "a/x", revision, destination: "a/w" });
      seen.add(await digest("a"));
      await workspace.write("a/w", "other", { revision });
      seen.add(await digest("a"));
      expect(seen.size).toBe(4);
    },
  );
});
