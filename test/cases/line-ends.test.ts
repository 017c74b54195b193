import type { Edit } from "holdfast";
import { expect } from "vitest";
import { latin1 } from "../support/edit-text.ts";
import { rawText, testCase } from "./case-workspace.ts";

/** A row: a file, edits by whole lines or by text, and every byte that must be there afterwards. */
interface Row {
  readonly name: string;
  readonly before: string;
  readonly edits: Edit | readonly Edit[];
  readonly after: string;
}

const rows: readonly Row[] = [
  {
    name: "#20 a small edit leaves a CRLF file CRLF",
    before: "a\r\nb\r\n",
    edits: { op: "replace_text", oldText: "b", newText: "B" },
    after: "a\r\nB\r\n",
  },
  {
    name: "#20 a replaced line keeps its CRLF",
    before: "a\r\nb\r\n",
    edits: { op: "replace", startLine: 2, content: "B\nC" },
    after: "a\r\nB\r\nC\r\n",
  },
  {
    name: "#22 two lines given with LF are found in a CRLF file",
    before: "a\r\nb\r\nc\r\n",
    edits: { op: "replace_text", oldText: "a\nb\n", newText: "A\nB\n" },
    after: "A\r\nB\r\nc\r\n",
  },
  {
    name: "#22 two lines given with CRLF are found in an LF file",
    before: "a\nb\nc\n",
    edits: { op: "replace_text", oldText: "a\r\nb", newText: "A\r\nB" },
    after: "A\nB\nc\n",
  },
  {
    name: "#23 lines inserted into a CRLF file are CRLF",
    before: "a\r\nb\r\n",
    edits: { op: "insert_after", line: 1, content: "x\ny" },
    after: "a\r\nx\r\ny\r\nb\r\n",
  },
  {
    name: "#23 lines inserted at the start of a CRLF file are CRLF",
    before: "a\r\nb\r\n",
    edits: { op: "insert_before", line: 1, content: "x\ny" },
    after: "x\r\ny\r\na\r\nb\r\n",
  },
  {
    name: "#23 lines appended to a CRLF file without a last line end get CRLF between",
    before: "a\r\nb",
    edits: { op: "append", content: "x\ny" },
    after: "a\r\nb\r\nx\r\ny",
  },
  {
    name: "#25 a changed first line of a CRLF file stays CRLF",
    before: "foo\r\nbar\r\n",
    edits: { op: "replace_text", oldText: "foo\n", newText: "FOO\n" },
    after: "FOO\r\nbar\r\n",
  },
  {
    name: "#26 lines that are replaced by themselves keep their bytes",
    before: "a\r\nb\nc\r\n",
    edits: { op: "replace_text", oldText: "a\nb\nc", newText: "a\nB\nc" },
    after: "a\r\nB\nc\r\n",
  },
  {
    name: "#28 a mixed file keeps each line end",
    before: "a\r\nb\nc\r\n",
    edits: { op: "replace", startLine: 2, content: "B" },
    after: "a\r\nB\nc\r\n",
  },
  {
    name: "#28 a mixed file keeps each line end around a text",
    before: "a\r\nb\nc\r\n",
    edits: { op: "replace_text", oldText: "b", newText: "B" },
    after: "a\r\nB\nc\r\n",
  },
  {
    name: "#29 a lone CR breaks no line and stays",
    before: "a\rb\rc",
    edits: { op: "replace_text", oldText: "b", newText: "B" },
    after: "a\rB\rc",
  },
  {
    name: "#56 replacing the last line keeps the final newline",
    before: "a\nb\n",
    edits: { op: "replace", startLine: 2, content: "c" },
    after: "a\nc\n",
  },
  {
    name: "#56 replacing the last line invents no final newline",
    before: "a\nb",
    edits: { op: "replace", startLine: 2, content: "c" },
    after: "a\nc",
  },
  {
    name: "#56 replacing the last lines by fewer keeps the final newline",
    before: "a\nb\nc\n",
    edits: { op: "replace", startLine: 2, endLine: 3, content: "d" },
    after: "a\nd\n",
  },
  {
    name: "#58 a backslash and an n stay two characters",
    before: 'print("a\\n")\n',
    edits: { op: "replace_text", oldText: 'a\\n"', newText: 'b\\n\\t"' },
    after: 'print("b\\n\\t")\n',
  },
  {
    name: "#58 a backslash and an n stay two characters in whole lines",
    before: "x\n",
    edits: { op: "replace", startLine: 1, content: 'print("a\\n")' },
    after: 'print("a\\n")\n',
  },
  {
    name: "#58 a replacement knows no $ patterns",
    before: "price\n",
    edits: { op: "replace_text", oldText: "price", newText: "$& $1 $$ $`" },
    after: "$& $1 $$ $`\n",
  },
];

for (const { name, before, edits, after } of rows)
  testCase(name, { "a.txt": latin1(before) }, async (on) => {
    await on.workspace.edit("a.txt", edits, { revision: await on.revision("a.txt") });
    expect(await on.raw("a.txt")).toBe(after);
  });

testCase(
  "#22 what a reader sees of a CRLF file can be given back as the text to replace",
  { "a.txt": "a\r\nb\r\nc\r\n" },
  async (on) => {
    const { text } = await on.workspace.readLines("a.txt", { startLine: 1, endLine: 2 });
    await on.workspace.edit("a.txt", { op: "replace_text", oldText: text, newText: "x\n" });
    expect(await on.raw("a.txt")).toBe("x\r\nc\r\n");
  },
);

testCase("#29 a file of lone CRs is one line without a line end", { "a.txt": "a\rb\rc" }, async (on) => {
  const file = await on.workspace.read("a.txt");
  expect(file).toMatchObject({ lineCount: 1, lineEnding: "none", text: "a\rb\rc" });
  await on.workspace.write("a.txt", file.text, { revision: file.revision });
  expect(await on.raw("a.txt")).toBe("a\rb\rc");
  await on.refuses("LINE_OUT_OF_RANGE", () =>
    on.workspace.edit("a.txt", { op: "delete", startLine: 2 }, { revision: file.revision }),
  );
});

const breakers = [
  { number: "#41", name: "the line separator U+2028", character: "\u2028" },
  { number: "#41", name: "the paragraph separator U+2029", character: "\u2029" },
  { number: "#41", name: "a vertical tab", character: "\v" },
  { number: "#43", name: "a form feed", character: "\f" },
  { number: "#44", name: "a form feed", character: "\f" },
  { number: "#44", name: "the next-line character U+0085", character: "\u0085" },
];

for (const { number, name, character } of breakers)
  testCase(
    `${number} ${name} breaks no line, for readers, edits, search and results alike`,
    { "a.txt": `one${character}1\n${character}\nthree\nfour\n` },
    async (on) => {
      const { lineCount, revision } = await on.workspace.read("a.txt");
      expect(lineCount).toBe(4);
      const third = { startLine: 3, endLine: 3 };
      expect((await on.workspace.readLines("a.txt", third)).text).toBe("three\n");
      for await (const match of on.workspace.search("three")) expect(match.line).toBe(3);
      const result = await on.workspace.edit(
        "a.txt",
        { op: "replace", startLine: 3, content: `3${character}3` },
        { revision },
      );
      expect(result.files[0]).toMatchObject({
        totalLines: 4,
        changedRanges: [{ ...third, added: 1, removed: 1 }],
      });
      expect(await on.raw("a.txt")).toBe(rawText(`one${character}1\n${character}\n3${character}3\nfour\n`));
    },
  );

const contents = ["abc", "abc\n", "abc\n\n", "", "a\r\nb", "\n"];

for (const content of contents)
  testCase(`#55 a new file of ${JSON.stringify(content)} holds exactly that`, {}, async (on) => {
    await on.workspace.apply({ action: "create", path: "create.txt", content });
    await on.workspace.write("write.txt", content);
    await on.workspace.update("update.txt", () => content);
    expect(await on.files()).toEqual({ "create.txt": content, "write.txt": content, "update.txt": content });
  });
