import { describe, expect, test } from "vitest";
import { diffBytes } from "../../support/diffs/diff-trees.ts";

const mark = "\\ No newline at end of file";
const linesOf = (before: string, after: string) =>
  diffBytes(before, after).hunks.flatMap(({ lines }) => lines);
const latin1 = (text: string) => Buffer.from(text, "latin1");

describe("the mark of a missing final newline stands behind the line that it concerns", () => {
  test.each<[string, string, readonly string[]]>([
    ["a", "a\n", ["-a", mark, "+a"]],
    ["a\n", "a", ["-a", "+a", mark]],
    ["a", "b", ["-a", mark, "+b", mark]],
    ["a\nb", "A\nb", ["-a", "+A", " b", mark]],
    ["a", "a\nb", ["-a", mark, "+a", "+b", mark]],
    ["a\nb", "a", ["-a", "-b", mark, "+a", mark]],
    ["", "a", ["+a", mark]],
    ["a", "", ["-a", mark]],
    ["a\n", "a\nb", [" a", "+b", mark]],
    ["a\nb", "b", ["-a", " b", mark]],
  ])("%j to %j", (before, after, lines) => {
    expect(linesOf(before, after)).toEqual(lines);
  });
});

describe("a line is what LF ends, and nothing else of it is lost", () => {
  test.each<[string, string, string, readonly string[]]>([
    ["CRLF against LF", "a\r\nb\r\n", "a\nb\r\n", ["-a\r", "+a", " b\r"]],
    ["lone CR", "a\rb\n", "a\rc\n", ["-a\rb", "+a\rc"]],
    [
      "what other splitters end lines at",
      "a\u2028b\u2029c\u0085d\v\f\n",
      "",
      ["-a\u2028b\u2029c\u0085d\v\f"],
    ],
    ["empty lines", "\n\n", "\n\n\n", [" ", " ", "+"]],
    ["a byte order mark", "\ufeffa\n", "a\n", ["-\ufeffa", "+a"]],
    ["a byte order mark alone", "\ufeff", "\ufeffa\n", ["-\ufeff", mark, "+\ufeffa"]],
    ["a byte order mark that comes", "", "\ufeff", ["+\ufeff", mark]],
    ["lines that look like a diff", "-- a\n", "++ b\n", ["--- a", "+++ b"]],
  ])("%s", (_name, before, after, lines) => {
    expect(linesOf(before, after)).toEqual(lines);
  });
});

describe("8-bit text", () => {
  test("has one character for each byte, in every line and in the unified text", () => {
    const diff = diffBytes(latin1("caf\u00e9\nna\u00efve\n"), latin1("caf\u00e9\nnaive\n"));
    expect(diff).toMatchObject({ encoding: "latin1", binary: false });
    expect(diff.hunks[0]?.lines).toEqual([" caf\u00e9", "-na\u00efve", "+naive"]);
    expect(diff.unified).toContain("-na\u00efve\n");
  });

  test("makes the other side one character a byte too", () => {
    const diff = diffBytes("naïve\n", latin1("na\u00efve\n"));
    expect(diff.encoding).toBe("latin1");
    expect(diff.hunks[0]?.lines).toEqual(["-na\u00c3\u00afve", "+na\u00efve"]);
  });

  test("is not what UTF-8 is", () => {
    expect(diffBytes("naïve\n", "naive\n")).not.toHaveProperty("encoding");
  });
});

test("long lines and many lines come whole", () => {
  const long = "é".repeat(200_000);
  const many = Array.from({ length: 30_000 }, (_, line) => `line ${line} 日本`);
  const diff = diffBytes(undefined, `${long}\n${many.join("\n")}`);
  expect(diff.hunks[0]?.lines).toEqual([`+${long}`, ...many.map((line) => `+${line}`), mark]);
  expect(diff.unified.split("\n").slice(6)).toEqual([...many.map((line) => `+${line}`), mark, ""]);
});
