import type { Edit, ErrorCode } from "holdfast";
import { expect } from "vitest";
import { testCase } from "./case-workspace.ts";

const lines = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => `line ${from + index}\n`).join("");

/** Every order of some edits. */
function orders<T>(items: readonly T[]): T[][] {
  if (items.length < 2) return [[...items]];
  return items.flatMap((item, at) => orders(items.toSpliced(at, 1)).map((rest) => [item, ...rest]));
}

/** A row: a file, edits that may come in any order, and every byte that must be there afterwards. */
interface EditRow {
  readonly name: string;
  readonly before: string;
  readonly edits: readonly Edit[];
  readonly after: string;
}

const threeInserts: readonly Edit[] = [1, 2, 3].map((line) => ({
  op: "insert_after",
  line,
  content: `after ${line}`,
}));

const editRows: readonly EditRow[] = [
  {
    name: "#70 all numbers of one call are those of the file as it was read",
    before: lines(1, 12),
    edits: [
      { op: "delete", startLine: 1, endLine: 3 },
      { op: "replace", startLine: 10, content: "ten" },
    ],
    after: `${lines(4, 9)}ten\n${lines(11, 12)}`,
  },
  {
    name: "#71 three insertions mean original positions, whatever their order",
    before: "1\n2\n3\n",
    edits: threeInserts,
    after: "1\nafter 1\n2\nafter 2\n3\nafter 3\n",
  },
  {
    name: "#73 insertions at both edges of a removed range are kept",
    before: lines(1, 20),
    edits: [
      { op: "delete", startLine: 6, endLine: 15 },
      { op: "insert_before", line: 6, content: "first" },
      { op: "insert_after", line: 15, content: "second" },
    ],
    after: `${lines(1, 5)}first\nsecond\n${lines(16, 20)}`,
  },
  {
    name: "#73 insertions at both edges of a replaced range are kept",
    before: lines(1, 4),
    edits: [
      { op: "insert_before", line: 2, content: "first" },
      { op: "replace", startLine: 2, endLine: 3, content: "new" },
      { op: "insert_before", line: 4, content: "second" },
    ],
    after: `${lines(1, 1)}first\nnew\nsecond\n${lines(4, 4)}`,
  },
  {
    name: "#64 an empty line is deleted, and not its neighbour",
    before: "1\n2\n\n4\n\n6\n",
    edits: [
      { op: "delete", startLine: 3 },
      { op: "delete", startLine: 5 },
    ],
    after: "1\n2\n4\n6\n",
  },
  {
    name: "#85 two blocks of nested code keep their indentation",
    before: "if (a) {\n    if (b) {\n\t  c();\n    }\n}\nif (d) {\n  e();\n}\n",
    edits: [
      {
        op: "replace_text",
        oldText: "    if (b) {\n\t  c();\n    }",
        newText: "    for (;;) {\n\t\t  c();\n      }",
      },
      { op: "replace_text", oldText: "  e();", newText: "        f();\n  \tg();" },
    ],
    after: "if (a) {\n    for (;;) {\n\t\t  c();\n      }\n}\nif (d) {\n        f();\n  \tg();\n}\n",
  },
  {
    name: "#86 a new body lands in place of the old one, not before it",
    before: "const outer = () => {\n  const inner = () => {\n    return 1;\n  };\n  return inner;\n};\n",
    edits: [
      { op: "replace", startLine: 2, endLine: 4, content: "  const inner = () => 2;" },
      { op: "insert_before", line: 1, content: "// head" },
    ],
    after: "// head\nconst outer = () => {\n  const inner = () => 2;\n  return inner;\n};\n",
  },
];

for (const { name, before, edits, after } of editRows)
  for (const order of orders(edits))
    testCase(
      `${name}, as ${order.map(({ op }) => op).join(", ")} ${order.map((edit) => edits.indexOf(edit)).join("")}`,
      { "a.txt": before },
      async (on) => {
        await on.workspace.edit("a.txt", order, { revision: await on.revision("a.txt") });
        expect(await on.raw("a.txt")).toBe(after);
      },
    );

testCase(
  "#71 the shifts of a result lead from old numbers to new ones",
  { "a.txt": "1\n2\n3\n4\n" },
  async (on) => {
    const { files } = await on.workspace.edit("a.txt", threeInserts, {
      revision: await on.revision("a.txt"),
    });
    expect(files[0]?.lineShifts).toEqual([
      { fromLine: 2, by: 1 },
      { fromLine: 3, by: 2 },
      { fromLine: 4, by: 3 },
    ]);
  },
);

/** A row: a file, an edit by text that must be refused, and why. */
interface RefusalRow {
  readonly name: string;
  readonly before: string;
  readonly edit: Omit<Extract<Edit, { op: "replace_text" }>, "op">;
  readonly code: ErrorCode;
  readonly details?: object;
}

const blocks = ["a", "b"].map((name) => `if (${name}) {\n  run();\n  stop();\n}\n`).join("");

const refusalRows: readonly RefusalRow[] = [
  {
    name: "#59 a block that is nearly one of two alike is none of them",
    before: blocks,
    edit: { oldText: "if (b) {\n  run();\n  halt();\n}", newText: "x" },
    code: "TEXT_NOT_FOUND",
    details: { nearest: { startLine: 5, differs: "text" } },
  },
  {
    name: "#61 the line that a refusal suggests is not changed",
    before: `${blocks}if (c) {\n\trun();\n}\n`,
    edit: { oldText: "if (c) {\n  run();\n}", newText: "x" },
    code: "TEXT_NOT_FOUND",
    details: { nearest: { startLine: 9, differs: "whitespace" } },
  },
  {
    name: "#62 lines that two methods share are no place to insert at",
    before: blocks,
    edit: { oldText: "  run();\n  stop();\n}\n", newText: "  run();\n  stop();\n}\ninserted();\n" },
    code: "TEXT_AMBIGUOUS",
    details: { occurrences: 2, lines: [2, 6] },
  },
  {
    name: "#74 overlapping occurrences count each",
    before: "foo\nfoo\nfoo\n",
    edit: { oldText: "foo\nfoo\n", newText: "bar\n" },
    code: "TEXT_AMBIGUOUS",
    details: { occurrences: 2, lines: [1, 2] },
  },
  {
    name: "#76 overlapping occurrences count each, also over parts of lines",
    before: "a\na\na",
    edit: { oldText: "a\na", newText: "b" },
    code: "TEXT_AMBIGUOUS",
    details: { occurrences: 2 },
  },
  {
    name: "#77 a text that differs in blanks is not found, and the difference is named",
    before: "foo   bar baz\n",
    edit: { oldText: "foo bar", newText: "XY" },
    code: "TEXT_NOT_FOUND",
    details: { nearest: { startLine: 1, differs: "whitespace" } },
  },
  {
    name: "#79 an empty text names no place",
    before: "abc\n",
    edit: { oldText: "", newText: "x" },
    code: "EMPTY_OLD_TEXT",
  },
  {
    name: "#79 an empty text names no place, nor all places",
    before: "abc\n",
    edit: { oldText: "", newText: "x", replaceAll: true },
    code: "EMPTY_OLD_TEXT",
  },
  {
    name: "#79 an empty text names no place in an empty file either",
    before: "",
    edit: { oldText: "", newText: "x" },
    code: "EMPTY_OLD_TEXT",
  },
  {
    name: "#80 an empty text does not stand for the whole file",
    before: "all of it\n",
    edit: { oldText: "", newText: "x", occurrences: 1 },
    code: "EMPTY_OLD_TEXT",
  },
];

for (const { name, before, edit, code, details } of refusalRows)
  testCase(name, { "a.txt": before }, async (on) => {
    const error = await on.refuses(code, () => on.workspace.edit("a.txt", { op: "replace_text", ...edit }));
    if (details !== undefined) expect(error.details).toMatchObject(details);
  });

testCase(
  "#76 occurrences that overlap are replaced from left to right, with every byte between kept",
  { "a.txt": "a\na\na-a\na" },
  async (on) => {
    await on.workspace.edit("a.txt", { op: "replace_text", oldText: "a\na", newText: "b", replaceAll: true });
    expect(await on.raw("a.txt")).toBe("b\na-b");
  },
);

testCase("#77 the blank after a replaced text stays", { "a.txt": "foo   bar baz\n" }, async (on) => {
  await on.workspace.edit("a.txt", { op: "replace_text", oldText: "foo   bar", newText: "XY" });
  expect(await on.raw("a.txt")).toBe("XY baz\n");
});

testCase("#80 a file is made only where there is none", { "a.txt": "old\n" }, async (on) => {
  await on.refuses("NOT_FOUND", () =>
    on.workspace.edit("b.txt", { op: "replace_text", oldText: "", newText: "x" }),
  );
  await on.refuses("ALREADY_EXISTS", () =>
    on.workspace.apply({ action: "create", path: "a.txt", content: "x" }),
  );
  await on.workspace.apply({ action: "create", path: "b.txt", content: "x" });
  expect(await on.files()).toEqual({ "a.txt": "old\n", "b.txt": "x" });
});

testCase(
  "#82 a line is added to a file without a final newline, and to an empty one",
  { "a.txt": "a", "empty.txt": "" },
  async (on) => {
    for (const path of ["a.txt", "empty.txt"])
      await on.workspace.edit(path, { op: "append", content: "b" }, { revision: await on.revision(path) });
    expect(await on.files()).toEqual({ "a.txt": "a\nb", "empty.txt": "b" });
  },
);

testCase(
  "#83 an empty file can be edited to nothing, and change its mode alone",
  { "a.txt": "" },
  async (on) => {
    const revision = await on.revision("a.txt");
    const nothing = await on.workspace.edit("a.txt", { op: "append", content: "" }, { revision });
    expect(nothing).toMatchObject({ alreadyApplied: true, files: [{ operation: "unchanged" }] });
    const mode = await on.workspace.apply({ action: "chmod", path: "a.txt", revision, executable: true });
    expect(mode.files).toMatchObject([{ operation: "modified", revision }]);
    expect(await on.workspace.stat("a.txt")).toMatchObject({ byteLength: 0, executable: true });
  },
);

testCase(
  "#88 whether a file exists is decided by the storage at the commit",
  { "a.txt": "a\n" },
  async (on) => {
    const other = await on.another();
    expect(await on.workspace.stat("new.txt")).toBeUndefined();
    on.outside("new.txt", "outside\n");
    await on.refuses("ALREADY_EXISTS", () =>
      on.workspace.apply({ action: "create", path: "new.txt", content: "mine\n" }),
    );
    const race = await Promise.allSettled([
      on.workspace.apply({ action: "create", path: "race.txt", content: "mine\n" }),
      other.apply({ action: "create", path: "race.txt", content: "theirs\n" }),
    ]);
    expect(race.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(race.find((result) => result.status === "rejected")).toMatchObject({
      reason: { code: "ALREADY_EXISTS" },
    });
    expect(await on.raw("race.txt")).toBe(race[0].status === "fulfilled" ? "mine\n" : "theirs\n");
  },
);

testCase(
  "#89 a target that exists stops the whole batch, with every problem told",
  { "a.txt": "a\n", "b.txt": "b\n", "c.txt": "c\n" },
  async (on) => {
    const revision = await on.revision("a.txt");
    const error = await on.refuses("ALREADY_EXISTS", () =>
      on.workspace.apply([
        { action: "create", path: "new.txt", content: "new\n" },
        { action: "move", path: "a.txt", destination: "b.txt", revision },
        { action: "create", path: "c.txt", content: "other\n" },
      ]),
    );
    expect(error.problems.map(({ changeIndex, code }) => ({ changeIndex, code }))).toEqual([
      { changeIndex: 1, code: "ALREADY_EXISTS" },
      { changeIndex: 2, code: "ALREADY_EXISTS" },
    ]);
  },
);
