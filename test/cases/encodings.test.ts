import type { Change, TextFile } from "holdfast";
import { expect } from "vitest";
import { latin1 } from "../support/edit-text.ts";
import { collect } from "../support/refusal.ts";
import { type CaseWorkspace, rawText, testCase } from "./case-workspace.ts";

const bom = "\xef\xbb\xbf";

testCase(
  "#31 the byte order mark is hidden from readers and kept in the bytes",
  { "a.py": latin1(`${bom}import os\nimport sys\n`) },
  async (on) => {
    const { text, bom: hasMark, revision } = await on.workspace.read("a.py");
    expect(text.startsWith("import os")).toBe(true);
    expect(hasMark).toBe(true);
    expect((await on.workspace.readLines("a.py", { endLine: 1 })).text).toBe("import os\n");
    await on.workspace.edit("a.py", { op: "replace", startLine: 1, content: "import re" }, { revision });
    await on.workspace.edit("a.py", {
      op: "replace_text",
      oldText: "import re\nimport sys",
      newText: "import io",
    });
    expect(await on.raw("a.py")).toBe(`${bom}import io\n`);
  },
);

testCase("#31 the same character anywhere else is content", { "a.txt": "a\n\ufeffb\n" }, async (on) => {
  const file = await on.workspace.read("a.txt");
  expect(file).toMatchObject({ text: "a\n\ufeffb\n", bom: false });
  await on.workspace.edit("a.txt", { op: "replace_text", oldText: "\ufeffb", newText: "\ufeffc" });
  expect(await on.raw("a.txt")).toBe(rawText("a\n\ufeffc\n"));
});

/** Every way to change one file, each making `b` of its `a`. */
const doors: readonly {
  readonly does: string;
  readonly run: (on: CaseWorkspace, file: TextFile) => Promise<unknown>;
  readonly path?: string;
}[] = [
  {
    does: "write",
    run: ({ workspace }, { text, revision }) =>
      workspace.write("a.txt", text.replace("a", "b"), { revision }),
  },
  {
    does: "edit by text",
    run: ({ workspace }) => workspace.edit("a.txt", { op: "replace_text", oldText: "a", newText: "b" }),
  },
  {
    does: "edit by line",
    run: ({ workspace }, { revision }) =>
      workspace.edit("a.txt", { op: "replace", startLine: 1, content: "b" }, { revision }),
  },
  {
    does: "update",
    run: ({ workspace }) => workspace.update("a.txt", (file) => file?.text.replace("a", "b")),
  },
  {
    does: "move with edits",
    path: "b.txt",
    run: ({ workspace }, { revision }) =>
      workspace.apply({
        action: "move",
        path: "a.txt",
        destination: "b.txt",
        revision,
        edits: [{ op: "replace_text", oldText: "a", newText: "b" }],
      }),
  },
  {
    does: "copy with edits",
    path: "b.txt",
    run: ({ workspace }, { revision }) =>
      workspace.apply({
        action: "copy",
        path: "a.txt",
        destination: "b.txt",
        revision,
        edits: [{ op: "replace", startLine: 1, content: "b" }],
      }),
  },
];

for (const { does, run, path = "a.txt" } of doors)
  testCase(
    `#32 the byte order mark outlives ${does}`,
    { "a.txt": latin1(`${bom}a\r\nrest\r\n`) },
    async (on) => {
      await run(on, await on.workspace.read("a.txt"));
      expect(await on.raw(path)).toBe(`${bom}b\r\nrest\r\n`);
    },
  );

testCase(
  "#32 text written over a file with a mark keeps it, and bytes are written as they are",
  { "a.txt": latin1(`${bom}a\n`) },
  async (on) => {
    const { files } = await on.workspace.write("a.txt", "b\n", { revision: await on.revision("a.txt") });
    expect(await on.raw("a.txt")).toBe(`${bom}b\n`);
    await on.workspace.write("a.txt", latin1("c\n"), { revision: files[0]?.revision });
    expect(await on.raw("a.txt")).toBe("c\n");
  },
);

testCase(
  "#34 columns and lines are counted in the text without the mark",
  { "marked.txt": latin1(`${bom}01234word\n`), "plain.txt": "01234word\n" },
  async (on) => {
    const matches = await collect(on.workspace.search("word"));
    expect(matches.map(({ line, column }) => ({ line, column }))).toEqual([
      { line: 1, column: 6 },
      { line: 1, column: 6 },
    ]);
    for (const path of ["marked.txt", "plain.txt"]) {
      const { text, byteLength, revision } = await on.workspace.read(path);
      expect(text.slice(5, 9)).toBe("word");
      expect(byteLength).toBe(path === "plain.txt" ? 10 : 13);
      await on.workspace.write(path, `${text.slice(0, 5)}+${text.slice(5)}`, { revision });
    }
    expect(await on.files()).toEqual({ "marked.txt": `${bom}01234+word\n`, "plain.txt": "01234+word\n" });
  },
);

testCase(
  "#35 a word behind the mark is replaced as that word",
  { "a.ts": latin1(`${bom}@ViewChild(x) y;\n`) },
  async (on) => {
    await on.workspace.edit("a.ts", { op: "replace_text", oldText: "ViewChild", newText: "ViewChild" });
    await on.workspace.edit("a.ts", {
      op: "replace_text",
      oldText: "ViewChild(x)",
      newText: "ViewChild(x, {})",
    });
    expect(await on.raw("a.ts")).toBe(`${bom}@ViewChild(x, {}) y;\n`);
  },
);

const invalid = "const x = 1;\n// caf\xe9\nlast\n";

testCase(
  "#37 every reader of text refuses bytes that are not UTF-8, telling where",
  { "a.js": latin1(invalid) },
  async (on) => {
    for (const read of ["read", "readLines"] as const) {
      const error = await on.refuses("UNSUPPORTED_ENCODING", () => on.workspace[read]("a.js"));
      expect(error.details).toMatchObject({ path: "a.js", offset: 19 });
      expect((await on.workspace[read]("a.js", { encoding: "latin1" })).text).toBe(invalid);
      expect((await on.workspace[read]("a.js", { encoding: "escape" })).text).toBe(
        invalid.replace("\xe9", "\\xe9"),
      );
    }
  },
);

testCase("#37 no edit decodes such a file loosely", { "a.js": latin1(invalid) }, async (on) => {
  await on.workspace.edit("a.js", { op: "replace_text", oldText: "x = 1", newText: "x = 2" });
  expect(await on.raw("a.js")).toBe(invalid.replace("1", "2"));
  await on.refuses("UNSUPPORTED_ENCODING", () =>
    on.workspace.edit("a.js", { op: "replace_text", oldText: "last", newText: "caf\u00e9" }),
  );
  const revision = await on.revision("a.js");
  await on.refuses("UNSUPPORTED_ENCODING", () => on.workspace.write("a.js", "// caf\u00e9\n", { revision }));
  const edit: Change = {
    action: "edit",
    path: "a.js",
    encoding: "latin1",
    edits: [{ op: "replace_text", oldText: "last", newText: "th\u00e9" }],
  };
  await on.workspace.apply(edit);
  await on.workspace.update("a.js", (file) => file?.text.replace("2", "3"));
  expect(await on.raw("a.js")).toBe("const x = 3;\n// caf\xe9\nth\xe9\n");
});

testCase(
  "#38 a byte of an old code page survives edits of other lines",
  { "a.c": latin1("/* \xa9 Corp */\r\nint a;\r\n") },
  async (on) => {
    await on.workspace.edit(
      "a.c",
      { op: "replace", startLine: 2, content: "int b;" },
      { revision: await on.revision("a.c") },
    );
    await on.workspace.edit("a.c", { op: "replace_text", oldText: "Corp", newText: "Corp." });
    expect(await on.raw("a.c")).toBe("/* \xa9 Corp. */\r\nint b;\r\n");
  },
);

testCase(
  "#40 a mark and accented letters survive an edit in ASCII",
  { "a.txt": latin1(`${bom}${rawText("é à ü\r\nplain\r\n")}`) },
  async (on) => {
    await on.workspace.edit("a.txt", { op: "replace_text", oldText: "plain", newText: "simple" });
    expect(await on.raw("a.txt")).toBe(`${bom}${rawText("é à ü\r\nsimple\r\n")}`);
  },
);

testCase(
  "#46 text behind an emoji is replaced where it stands, and columns count UTF-16 code units",
  { "a.txt": "🟢 ALPHA 🟢 BETA\n" },
  async (on) => {
    const [match] = await collect(on.workspace.search("ALPHA"));
    expect(match?.column).toBe("🟢 ".length + 1);
    await on.workspace.edit("a.txt", [
      { op: "replace_text", oldText: "ALPHA", newText: "🔴" },
      { op: "replace_text", oldText: "BETA", newText: "β" },
    ]);
    expect(await on.raw("a.txt")).toBe(rawText("🟢 🔴 🟢 β\n"));
  },
);

testCase(
  "#47 a page that is cut inside a line holds as many whole code points as fit, and one at least",
  { "a.txt": `${"🟢".repeat(10)}\nnext\n` },
  async (on) => {
    for (let maxBytes = 1; maxBytes <= 45; maxBytes++) {
      const page = await on.workspace.readLines("a.txt", { maxBytes });
      const fits = Math.max(1, Math.floor(maxBytes / 4));
      expect(page).toMatchObject({
        text: maxBytes > 40 ? `${"🟢".repeat(10)}\n` : "🟢".repeat(fits),
        startLine: 1,
        endLine: 1,
        lineCount: 2,
        truncatedBy: "bytes",
      });
    }
  },
);

testCase(
  "#49 text that holds a NUL is written with a warning and is binary from then on",
  { "a.txt": "text\n" },
  async (on) => {
    const { warnings, files } = await on.workspace.write("new.txt", "a\0b\n");
    expect(warnings).toMatchObject([{ code: "NUL_IN_TEXT", path: "new.txt" }]);
    expect(await on.raw("new.txt")).toBe("a\0b\n");
    await on.refuses("BINARY_FILE", () => on.workspace.read("new.txt"));
    await on.refuses("BINARY_FILE", () =>
      on.workspace.edit("new.txt", { op: "append", content: "c" }, { revision: files[0]?.revision }),
    );
    expect((await on.workspace.write("bytes.bin", latin1("a\0b\n"))).warnings).toEqual([]);
  },
);

testCase("#49 no edit brings a NUL into a text", { "a.txt": "text\n" }, async (on) => {
  const revision = await on.revision("a.txt");
  await on.refuses("INVALID_ARGUMENT", () =>
    on.workspace.edit("a.txt", { op: "replace", startLine: 1, content: "a\0b" }, { revision }),
  );
  await on.refuses("INVALID_ARGUMENT", () =>
    on.workspace.edit("a.txt", { op: "replace_text", oldText: "t", newText: "\0", replaceAll: true }),
  );
});

const archive = latin1("PK\x03\x04\x14\0\0\0\x08\0\xff\xfe\x80");

testCase(
  "#50 an archive is no text, and its bytes can still be read and changed",
  { "a.zip": archive },
  async (on) => {
    for (const encoding of ["utf-8", "latin1", "escape"] as const) {
      const error = await on.refuses("BINARY_FILE", () => on.workspace.read("a.zip", { encoding }));
      expect(error.continuation).toMatchObject({ tool: "readBytes" });
    }
    await on.refuses("BINARY_FILE", () => on.workspace.readLines("a.zip"));
    await on.refuses("BINARY_FILE", () =>
      on.workspace.edit("a.zip", { op: "replace_text", oldText: "PK", newText: "XX" }),
    );
    const { bytes, revision } = await on.workspace.readBytes("a.zip");
    expect(bytes).toEqual(archive);
    await on.workspace.write("a.zip", bytes.subarray(2), { revision });
    expect(await on.raw("a.zip")).toBe("\x03\x04\x14\0\0\0\x08\0\xff\xfe\x80");
  },
);

const typography = "one\n\u201cquoted\u201d \u2014 with\u00a0blank \t \nthree   \n";

testCase(
  "#52 an edit of one line leaves quotes, dashes and blanks of the others",
  { "a.txt": typography },
  async (on) => {
    await on.workspace.edit("a.txt", { op: "replace_text", oldText: "three   ", newText: "3" });
    expect(await on.raw("a.txt")).toBe(rawText(typography.replace("three   ", "3")));
  },
);

testCase("#52 a look-alike is not taken for the text, but named", { "a.txt": typography }, async (on) => {
  const error = await on.refuses("TEXT_NOT_FOUND", () =>
    on.workspace.edit("a.txt", { op: "replace_text", oldText: '"quoted" - with', newText: "x" }),
  );
  expect(error.details).toMatchObject({ nearest: { startLine: 2, differs: "lookalike" } });
});

testCase(
  "#53 curly and straight quotes are written as they are given",
  { "a.txt": "\u201cHello\u201d 'you'\n" },
  async (on) => {
    await on.workspace.edit("a.txt", { op: "replace_text", oldText: "Hello", newText: "Goodbye" });
    expect(await on.raw("a.txt")).toBe(rawText("\u201cGoodbye\u201d 'you'\n"));
    await on.workspace.edit("a.txt", {
      op: "replace_text",
      oldText: "'you'",
      newText: '\u2018you\u2019 "and"',
    });
    expect(await on.raw("a.txt")).toBe(rawText('\u201cGoodbye\u201d \u2018you\u2019 "and"\n'));
  },
);
