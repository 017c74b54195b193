import { describe, expect, it } from "vitest";
import { planEdits } from "../../../src/text/plan-edits.ts";
import { edit, latin1, openText } from "../../support/edit-text.ts";

function nearest(text: string | Uint8Array, oldText: string): unknown {
  const { problems } = edit(text, [{ op: "replace_text", oldText, newText: "x" }]);
  expect(problems).toMatchObject([{ code: "TEXT_NOT_FOUND" }]);
  return (problems?.[0]?.details as { nearest?: unknown } | undefined)?.nearest;
}

describe("the nearest place to a text that is not found", () => {
  it.each([
    [
      "indentation",
      "if x:\n    go()\n",
      "if x:\n  go()",
      { startLine: 1, text: "if x:\n    go()", differs: "whitespace" },
    ],
    ["blanks inside a line", "a\nb = c\n", "b=c", { startLine: 2, text: "b = c", differs: "whitespace" }],
    ["a no-break space", "x\na\u00a0b\n", "a b", { startLine: 2, text: "a\u00a0b", differs: "whitespace" }],
    ["lone carriage returns", "x\ra\rb", "a\nb", { startLine: 1, text: "x\ra\rb", differs: "lineEnding" }],
    ["curly quotes", "x\nsay “hi”\n", 'say "hi"', { startLine: 2, text: "say “hi”", differs: "lookalike" }],
    ["dashes", "x\na – b\n", "a - b", { startLine: 2, text: "a – b", differs: "lookalike" }],
    [
      "composed letters",
      "cafe\u0301\n",
      "caf\u00e9",
      { startLine: 1, text: "cafe\u0301", differs: "lookalike" },
    ],
    [
      "a word",
      "one\nconst a = 1;\nthree\n",
      "one\nconst a = 2;",
      { startLine: 1, text: "one\nconst a = 1;", differs: "text" },
    ],
  ])("is told with what differs: %s", (_, text, oldText, expected) => {
    expect(nearest(text, oldText)).toEqual(expected);
  });

  it("is not made up when nothing is near", () => {
    expect(nearest("alpha\nbeta\n", "completely different")).toBeUndefined();
    expect(nearest("", "x")).toBeUndefined();
    expect(nearest("abc\n", " ")).toBeUndefined();
  });

  it("is cut at 200 characters, never inside one", () => {
    const line = `x${"🟢".repeat(300)} end`;
    const found = nearest(`${line}\n`, `${line.slice(0, -4)}end`) as { text: string };
    expect(found.text.length).toBeLessThanOrEqual(200);
    expect(found.text.length).toBeGreaterThan(190);
    expect(line.startsWith(found.text)).toBe(true);
    expect(found.text).not.toMatch(/\p{Surrogate}/u);
  });

  it("is named in the message by line, without content of the file", () => {
    const { problems } = edit("a\nsecret  word\n", [
      { op: "replace_text", oldText: "secret word", newText: "x" },
    ]);
    expect(problems?.[0]?.message).toContain("The nearest is at line 2, where only white space differs.");
    expect(problems?.[0]?.message).not.toContain("secret");
  });

  it("is looked for in 8-bit text too", () => {
    expect(nearest(latin1("\xe9\na  b\n"), "a b")).toMatchObject({ startLine: 2, differs: "whitespace" });
  });

  it("is looked for a bounded number of times", () => {
    const edits = Array.from({ length: 30 }, () => ({
      op: "replace_text" as const,
      oldText: "a b",
      newText: "x",
    }));
    const { problems = [] } = edit("a  b\n", edits);
    const told = problems.filter(({ details }) => (details as { nearest?: unknown }).nearest !== undefined);
    expect(problems).toHaveLength(30);
    expect(told).toHaveLength(8);
  });
});

describe("the work for texts that are not found", () => {
  const replace = (oldText: string) => ({ op: "replace_text" as const, oldText, newText: "x" });
  const steps = (text: string, oldTexts: readonly string[]) => {
    const planned = planEdits(openText(text), oldTexts.map(replace));
    for (let taken = 1; ; taken++) if (planned.next().done === true) return taken;
  };

  it("comes in pieces for one line of 2 MiB", () => {
    expect(steps("a".repeat(2 * 1024 * 1024), ["b c"])).toBeGreaterThan(3 * 128);
  });

  it("is the same for 20 missing texts as for 10, but for a few steps each", () => {
    const text = "aaaa bbbb\n".repeat(100_000);
    const missing = Array.from({ length: 20 }, (_, at) => `missing text ${at}`);
    expect(steps(text, missing) - steps(text, missing.slice(0, 10))).toBeLessThanOrEqual(10 * 4);
  });

  it("leaves out what hides differences for a very long text, but not its longest line", () => {
    const line = "const total = price * count;";
    const found = nearest(`x\n${line}\n`, `${line.slice(0, -1)}\n${"\n".repeat(70_000)}`);
    expect(found).toEqual({ startLine: 2, text: line, differs: "text" });
  });

  it("knows the line behind a very long one that is folded in pieces", () => {
    const long = "🟢".repeat(20_001);
    expect(nearest(`${long}\r\na  b\r\n`, "a b")).toMatchObject({ startLine: 2, differs: "whitespace" });
    expect(nearest(`${long}“q”\n`, `${long.slice(-100)}"q"`)).toMatchObject({
      startLine: 1,
      differs: "lookalike",
    });
  });
});
