import { describe, expect, test } from "vitest";
import { testWorkspace } from "../support/grounds/test-workspace.ts";
import { collect, refusalOf } from "../support/refusal.ts";

const files = {
  "README.md": "# Title\nport = 80\n",
  "a-b/x.ts": "",
  "a.ts": "const port = 80;\n",
  "a/b/c.ts": "port",
  "a/b/d.md": "Port\r\nPORT\r\nnothing\r\n",
  "a/e.ts": "",
  "node_modules/p/index.js": "port",
  "node_modules/q/index.js": "port",
};

const paths = async (entries: AsyncIterable<{ readonly path: string; readonly kind: string }>) =>
  (await collect(entries)).map(({ path, kind }) => (kind === "directory" ? `${path}/` : path));

const everything = [
  "README.md",
  "a-b/",
  "a-b/x.ts",
  "a.ts",
  "a/",
  "a/b/",
  "a/b/c.ts",
  "a/b/d.md",
  "a/e.ts",
  "node_modules/",
  "node_modules/p/",
  "node_modules/p/index.js",
  "node_modules/q/",
  "node_modules/q/index.js",
];

describe("list", () => {
  test("gives files and folders by path, a folder right before what it holds", async () => {
    await using opened = await testWorkspace(files);
    expect(await paths(opened.workspace.list())).toEqual(everything);
    expect([...everything].sort()).toEqual(everything);
  });

  test("tells what each entry is", async () => {
    await using opened = await testWorkspace({ "a/b": "xyz" });
    expect(await collect(opened.workspace.list())).toEqual([
      { path: "a", kind: "directory", byteLength: 0 },
      { path: "a/b", kind: "file", byteLength: 3 },
    ]);
  });

  test.each<[object, readonly string[]]>([
    [{ under: "a" }, ["a/b/", "a/b/c.ts", "a/b/d.md", "a/e.ts"]],
    [{ under: "./a/" }, ["a/b/", "a/b/c.ts", "a/b/d.md", "a/e.ts"]],
    [{ under: "" }, everything],
    [{ under: "nowhere" }, []],
    [{ under: "a.ts" }, []],
    [{ depth: 1 }, ["README.md", "a-b/", "a.ts", "a/", "node_modules/"]],
    [{ under: "a", depth: 1 }, ["a/b/", "a/e.ts"]],
    [{ depth: 2, exclude: ["node_modules", "a-b"] }, ["README.md", "a.ts", "a/", "a/b/", "a/e.ts"]],
    [{ glob: "*.md" }, ["README.md", "a/b/d.md"]],
    [{ glob: ["a/**", "README.md"], exclude: ["*.md"] }, ["a/", "a/b/", "a/b/c.ts", "a/e.ts"]],
    [{ exclude: ["node_modules/", "a"] }, ["README.md", "a-b/", "a-b/x.ts", "a.ts"]],
    [{ under: "node_modules/p", exclude: ["node_modules"] }, []],
    [{ limit: 3 }, everything.slice(0, 3)],
  ])("with %j gives what it says", async (options, expected) => {
    await using opened = await testWorkspace(files);
    expect(await paths(opened.workspace.list(options))).toEqual(expected);
  });

  test("goes on after each of its entries, folders and the middle of folders included", async () => {
    await using opened = await testWorkspace(files);
    for (const [index, entry] of everything.entries()) {
      const after = entry.replace(/\/$/, "");
      expect(await paths(opened.workspace.list({ after })), after).toEqual(everything.slice(index + 1));
    }
  });

  test("goes on after an entry that has gone since", async () => {
    await using opened = await testWorkspace(files);
    opened.storage.writeOutside("a/b/c.ts", null);
    expect(await paths(opened.workspace.list({ after: "a/b/c.ts", limit: 2 }))).toEqual([
      "a/b/d.md",
      "a/e.ts",
    ]);
  });

  test("in pages gives every entry once, at any depth", async () => {
    await using opened = await testWorkspace(files);
    for (const depth of [1, 2, 3]) {
      const whole = await paths(opened.workspace.list({ depth }));
      const pages: string[] = [];
      for (let after: string | undefined; ; after = pages.at(-1)) {
        const page = await paths(opened.workspace.list({ depth, after, limit: 2 }));
        if (page.length === 0) break;
        pages.push(...page);
      }
      expect(pages).toEqual(whole);
    }
  });

  test("does not look into folders that it passes over", async () => {
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`skip/${index}`, ""]));
    await using opened = await testWorkspace({ ...many, "a/x": "", "z/y": "" });
    const listed = opened.storage.list.bind(opened.storage);
    let given = 0;
    opened.storage.list = async function* (options) {
      for await (const file of listed(options)) {
        given += 1;
        yield file;
      }
      return undefined;
    };
    expect(await paths(opened.workspace.list({ exclude: ["skip"] }))).toEqual(["a/", "a/x", "z/", "z/y"]);
    expect(given).toBeLessThan(10);
  });

  test.each<[object, string]>([
    [{ glob: "a\\b" }, "INVALID_ARGUMENT"],
    [{ glob: "{a" }, "INVALID_ARGUMENT"],
    [{ glob: "" }, "INVALID_ARGUMENT"],
    [{ depth: 0 }, "INVALID_ARGUMENT"],
    [{ limit: 0 }, "INVALID_ARGUMENT"],
    [{ globs: "*" }, "INVALID_ARGUMENT"],
    [{ under: "../x" }, "INVALID_PATH"],
    [{ under: ".git" }, "PROTECTED_PATH"],
  ])("refuses %j when the iteration begins", async (options, code) => {
    await using opened = await testWorkspace(files);
    expect((await refusalOf(collect(opened.workspace.list(options)))).code).toBe(code);
  });

  test("ends with the signal's reason when it fires in between", async () => {
    await using opened = await testWorkspace(files);
    const controller = new AbortController();
    const listing = opened.workspace.list({ signal: controller.signal })[Symbol.asyncIterator]();
    await listing.next();
    controller.abort(new Error("stop"));
    await expect(listing.next().then(() => listing.next())).rejects.toThrow("stop");
  });
});

describe("search", () => {
  const found = async (
    matches: AsyncIterable<{ readonly path: string; readonly line: number; readonly column: number }>,
  ) => (await collect(matches)).map(({ path, line, column }) => `${path}:${line}:${column}`);

  test.each<[string, object, readonly string[]]>([
    [
      "port",
      {},
      [
        "README.md:2:1",
        "a.ts:1:7",
        "a/b/c.ts:1:1",
        "node_modules/p/index.js:1:1",
        "node_modules/q/index.js:1:1",
      ],
    ],
    ["port", { exclude: ["node_modules"] }, ["README.md:2:1", "a.ts:1:7", "a/b/c.ts:1:1"]],
    ["port", { glob: "a/**", ignoreCase: true }, ["a/b/c.ts:1:1", "a/b/d.md:1:1", "a/b/d.md:2:1"]],
    ["port", { limit: 2 }, ["README.md:2:1", "a.ts:1:7"]],
    ["p.rt", {}, []],
    ["# Title", {}, ["README.md:1:1"]],
  ])("for %j with %j", async (text, options, expected) => {
    await using opened = await testWorkspace(files);
    expect(await found(opened.workspace.search(text, options))).toEqual(expected);
  });

  test("gives the line and the lines around it without their ends", async () => {
    await using opened = await testWorkspace(files);
    expect(await collect(opened.workspace.search("PORT", { context: 1 }))).toEqual([
      { path: "a/b/d.md", line: 2, column: 1, text: "PORT", before: ["Port"], after: ["nothing"] },
    ]);
  });

  test("passes over binary files and those beyond the limit, and looks into other encodings", async () => {
    const needle = new TextEncoder().encode("needle");
    const latin1 = new Uint8Array([0xe9, 0x0a, ...needle]);
    await using opened = await testWorkspace(
      { binary: new Uint8Array([0, ...needle]), latin1, long: `needle${" ".repeat(100)}` },
      { limits: { textBytes: 50 } },
    );
    expect(await found(opened.workspace.search("needle"))).toEqual(["latin1:2:1"]);
  });

  test.each<[unknown, object]>([
    ["", {}],
    ["a\nb", {}],
    [5, {}],
    ["a", { context: -1 }],
    ["a", { regex: true }],
  ])("refuses %j with %j", async (text, options) => {
    await using opened = await testWorkspace(files);
    expect((await refusalOf(collect(opened.workspace.search(text as string, options)))).code).toBe(
      "INVALID_ARGUMENT",
    );
  });
});
