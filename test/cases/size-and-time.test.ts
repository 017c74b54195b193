import * as fs from "node:fs";
import { isHoldfastError } from "holdfast";
import { expect, test } from "vitest";
import { collect, refusalOf } from "../support/refusal.ts";
import { testCase } from "./case-workspace.ts";
import { hostPath, injectedDirectory } from "./injected-directory.ts";

const tenMegabytes = 10 * 1024 * 1024;

testCase(
  "#191 a line of ten megabytes is read, searched and edited like any other",
  { "min.js": `${"x".repeat(tenMegabytes)}needle;end` },
  async (on) => {
    const { workspace } = on;
    const page = await workspace.readLines("min.js", { maxBytes: 1000 });
    expect(page).toMatchObject({ lineCount: 1, truncatedBy: "bytes" });
    expect(page.text.length).toBeLessThanOrEqual(1000);
    const [match] = await collect(workspace.search("needle"));
    expect(match).toMatchObject({ line: 1, column: tenMegabytes + 1 });
    const result = await workspace.edit("min.js", {
      op: "replace_text",
      oldText: "needle;",
      newText: "thread;",
    });
    expect(result.files[0]?.changedRanges).toEqual([{ startLine: 1, endLine: 1, added: 1, removed: 1 }]);
    expect((await on.raw("min.js"))?.slice(-10)).toBe("thread;end");
  },
);

testCase(
  "#191 texts that look for their own beginning over and over are found or refused all the same",
  { "a.txt": `${"a".repeat(200_000)}b` },
  async (on) => {
    const oldText = `${"a".repeat(100_000)}b`;
    await on.refuses("TEXT_AMBIGUOUS", () =>
      on.workspace.edit("a.txt", { op: "replace_text", oldText: "a".repeat(100_000), newText: "c" }),
    );
    await on.refuses("TEXT_NOT_FOUND", () =>
      on.workspace.edit("a.txt", { op: "replace_text", oldText: `${oldText}b`, newText: "c" }),
    );
    await on.workspace.edit("a.txt", { op: "replace_text", oldText, newText: "c" });
    expect(await on.raw("a.txt")).toBe(`${"a".repeat(100_000)}c`);
  },
);

testCase(
  "#155 and #194 lines that repeat are told apart with bounded work, and then by their places",
  { "a.txt": repeatedLines("ab") },
  async (on) => {
    const lines = repeatedLines("ba").replaceAll("\r", "");
    const change = { op: "replace", startLine: 1, endLine: 60_000, content: lines.slice(0, -1) } as const;
    await on.workspace.edit("a.txt", change, { revision: await on.revision("a.txt") });
    expect((await on.raw("a.txt")) === repeatedLines("ba")).toBe(true);
  },
);

/** Sixty thousand lines of two kinds in turn; every third ends in CRLF. */
function repeatedLines(kinds: string): string {
  return Array.from(
    { length: 60_000 },
    (_, index) => `${kinds[index % 2]}${index % 3 === 0 ? "\r\n" : "\n"}`,
  ).join("");
}

test("#193 a file beyond the limit is refused before a byte of it is read", async () => {
  using directory = injectedDirectory({ "a.txt": "a\n" });
  const length = 96 * 1024 ** 2;
  fs.truncateSync(hostPath(directory, "a.txt"), length);
  const workspace = await directory.open({ limits: { textBytes: 1024 ** 2, binaryBytes: 1024 ** 2 } });
  directory.counting.arm({ only: ["read"] });
  const calls = {
    read: () => workspace.read("a.txt"),
    readLines: () => workspace.readLines("a.txt", { endLine: 1 }),
    readBytes: () => workspace.readBytes("a.txt"),
    edit: () => workspace.edit("a.txt", { op: "replace_text", oldText: "a", newText: "b" }),
    update: () => workspace.update("a.txt", () => "b"),
  };
  for (const [name, call] of Object.entries(calls)) {
    const error = await refusalOf(call());
    expect(error).toMatchObject({
      code: "LIMIT_EXCEEDED",
      details: { limit: name === "readBytes" ? "binaryBytes" : "textBytes", actual: length },
    });
  }
  expect(await collect(workspace.search("a"))).toEqual([]);
  expect(await workspace.stat("a.txt")).toMatchObject({ byteLength: length });
  // Lock and log of the storage are small; the file is not.
  expect(directory.counting.calls()).toBeLessThan(60);
  await workspace.close();
});

testCase(
  "#193 what a change would make too large is refused before it is made",
  { "a.txt": "0123456789\n" },
  async (on) => {
    const revision = await on.revision("a.txt");
    const error = await on.refuses("LIMIT_EXCEEDED", () =>
      on.workspace.edit("a.txt", { op: "replace_text", oldText: "0", newText: "0".repeat(100) }),
    );
    expect(error.details).toMatchObject({ limit: "textBytes", maximum: 64 });
    await on.refuses("LIMIT_EXCEEDED", () => on.workspace.write("a.txt", "x".repeat(65), { revision }));
    await on.refuses("LIMIT_EXCEEDED", () =>
      on.workspace.apply({ action: "create", path: "b.txt", content: "x".repeat(65) }),
    );
    await on.workspace.write("a.txt", "x".repeat(64), { revision });
  },
  { limits: { textBytes: 64 } },
);

testCase(
  "#196 a text that is blank is taken literally, and refused when it occurs too often",
  { "a.txt": `a b\n${"  x\n".repeat(20_000)}` },
  async (on) => {
    await on.refuses("EMPTY_OLD_TEXT", () =>
      on.workspace.edit("a.txt", { op: "replace_text", oldText: "", newText: "x", replaceAll: true }),
    );
    const error = await on.refuses("TEXT_AMBIGUOUS", () =>
      on.workspace.edit("a.txt", { op: "replace_text", oldText: "  ", newText: "\t" }),
    );
    expect(error.details).toMatchObject({ occurrences: 20_000, lines: [2, 3, 4, 5, 6, 7, 8, 9] });
    await on.refuses("TEXT_NOT_FOUND", () =>
      on.workspace.edit("a.txt", { op: "replace_text", oldText: " \t ", newText: "x" }),
    );
    const invalid = await collect(on.workspace.search("")).catch((thrown: unknown) => thrown);
    expect(isHoldfastError(invalid, "INVALID_ARGUMENT")).toBe(true);
  },
);
