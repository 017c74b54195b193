import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formatDiff } from "../../../src/core/format-diff.ts";
import { diffBytes, diffTrees } from "../../support/diffs/diff-trees.ts";

const escapeCharacter = "\u001b";

describe("a diff for people", () => {
  const diff = diffTrees({ a: "1\n2\n", gone: "-- x\n" }, { a: "1\nzwei", b: "" });

  test("is the unified text of all files", () => {
    expect(`${formatDiff(diff)}\n`).toBe(diff.files.map(({ unified }) => unified).join(""));
    expect(formatDiff({ files: [], additions: 0, removals: 0, truncated: false })).toBe("");
  });

  test("is that of one file", () => {
    const [file] = diff.files;
    expect(file && `${formatDiff(file)}\n`).toBe(file?.unified);
  });

  test("has colours only when they are asked for, each ended on its line", () => {
    const coloured = formatDiff(diff, { color: true }).split("\n");
    expect(coloured).toEqual([
      "\u001b[1mdiff --git a/a b/a\u001b[m",
      "\u001b[1m--- a/a\u001b[m",
      "\u001b[1m+++ b/a\u001b[m",
      "\u001b[36m@@ -1,2 +1,2 @@\u001b[m",
      " 1",
      "\u001b[31m-2\u001b[m",
      "\u001b[32m+zwei\u001b[m",
      "\\ No newline at end of file",
      "\u001b[1mdiff --git a/b b/b\u001b[m",
      "\u001b[1mnew file mode 100644\u001b[m",
      "\u001b[1mdiff --git a/gone b/gone\u001b[m",
      "\u001b[1mdeleted file mode 100644\u001b[m",
      "\u001b[1m--- a/gone\u001b[m",
      "\u001b[1m+++ /dev/null\u001b[m",
      "\u001b[36m@@ -1 +0,0 @@\u001b[m",
      "\u001b[31m--- x\u001b[m",
    ]);
    expect(formatDiff(diff, { color: false })).not.toContain(escapeCharacter);
  });

  test("names what did not fit", () => {
    const short = diffTrees(
      { "odd\u001bname": "1\n" },
      { b: "1\n", c: "2\n" },
      {
        maxBytes: 0,
        origins: { b: { kind: "moved", path: "odd\u001bname" } },
      },
    );
    expect(formatDiff(short)).toBe(
      'renamed b from "odd\\033name": too long to be shown\nadded c: too long to be shown',
    );
  });
});

describe("nothing in a file reaches the terminal but what can be seen", () => {
  test.each<[string, string, string]>([
    ["an escape sequence", "\u001b[2J\u001b]0;title\u0007", "\\x1b[2J\\x1b]0;title\\x07"],
    ["a sequence of one character", "\u009b31m", "\\x9b31m"],
    ["a carriage return", "harmless\rharm\r", "harmless\\x0dharm\\x0d"],
    ["backspaces and delete", "ab\b\u007f", "ab\\x08\\x7f"],
    ["reordered text", "a\u202eb\u2066c", "a\\u{202e}b\\u{2066}c"],
    ["what is not seen", "a\u200bb\ufeffc\u{e0041}", "a\\u{200b}b\\u{feff}c\\u{e0041}"],
    ["line separators", "a\u2028b\u2029c\u0085", "a\\u{2028}b\\u{2029}c\\x85"],
    ["plain text, tabs too", "\tnaïve 日本 😀", "\tnaïve 日本 😀"],
  ])("%s", (_name, line, shown) => {
    for (const color of [false, true])
      expect(formatDiff(diffBytes("", `${line}\n`), { color })).toContain(`+${shown}`);
  });

  test("8-bit text, whose bytes are characters of their own", () => {
    const diff = diffBytes("", Buffer.from("\x9b2J caf\xe9\n", "latin1"));
    expect(formatDiff(diff)).toContain("+\\x9b2J caf\u00e9");
  });

  test("whatever the contents and names are", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "binary" }),
        fc.string({ unit: "binary", minLength: 1 }),
        (text, path) => {
          const shown = formatDiff(diffBytes("", `${text}\n`, { path }));
          expect(shown).not.toMatch(/(?![\t\n])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
        },
      ),
    );
  });
});
