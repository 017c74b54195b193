import { describe, expect, it } from "vitest";
import { keepTerminators } from "../../../src/text/keep-terminators.ts";
import type { LineTerminator } from "../../../src/text/text-document.ts";

/** Lines written as `a` (LF), `a.` (CRLF) or `a-` (none). */
function keep(before: string[], after: string[], cells = 1000): string[] {
  const terminators = before.map((line): LineTerminator | undefined =>
    line.endsWith("-") ? undefined : line.endsWith(".") ? "\r\n" : "\n",
  );
  const contents = before.map((line) => line.replace(/[.-]$/, ""));
  const chosen = keepTerminators({ contents, terminators }, after, "\n", { cells });
  return after.map((line, index) => (chosen[index] === "\r\n" ? `${line}.` : line));
}

describe("keepTerminators", () => {
  it.each([
    ["lines that stay", ["a.", "b", "c."], ["a", "b", "c"], ["a.", "b", "c."]],
    ["lines around a removed one", ["a.", "b", "c."], ["a", "c"], ["a.", "c."]],
    [
      "lines around a new one, which takes that of the line before",
      ["a.", "b"],
      ["a", "n", "b"],
      ["a.", "n.", "b"],
    ],
    ["shared lines in the middle", ["a", "m.", "z"], ["x", "y", "m", "w"], ["x", "y", "m.", "w"]],
    ["the place of a line that is replaced", ["a.", "b", "c."], ["x", "y", "z"], ["x.", "y", "z."]],
    ["that of the last replaced line for more lines", ["a", "b."], ["x", "y", "z"], ["x", "y.", "z."]],
    ["the neighbour's for a replaced last line without one", ["a-"], ["x", "y"], ["x", "y"]],
    ["nothing for no lines", ["a."], [], []],
  ])("keeps %s", (_, before, after, expected) => {
    expect(keep(before, after)).toEqual(expected);
  });

  it("takes the neighbour's for lines that replace none", () => {
    expect(keep([], ["x", "y"])).toEqual(["x", "y"]);
  });

  it("goes by place between the shared ends when the budget is used up, and takes what it uses from the budget", () => {
    expect(keep(["s.", "a", "m.", "z", "e."], ["s", "x", "y", "m", "e"], 0)).toEqual([
      "s.",
      "x",
      "y.",
      "m",
      "e.",
    ]);
    const budget = { cells: 1000 };
    keepTerminators(
      { contents: ["a", "m", "z"], terminators: ["\n", "\r\n", "\n"] },
      ["x", "m", "y"],
      "\n",
      budget,
    );
    expect(budget.cells).toBe(1000 - 16);
  });
});
