import { describe, expect, it } from "vitest";
import { runSteps, type Steps } from "../../../src/base/steps.ts";
import { decodeText } from "../../../src/text/decode-text.ts";
import { findText, splitAtLineEnds } from "../../../src/text/find-text.ts";
import { planEdits } from "../../../src/text/plan-edits.ts";
import { openDocument } from "../../../src/text/text-document.ts";
import { openText } from "../../support/edit-text.ts";

const mebibyte = 1024 * 1024;
const encode = (text: string) => new TextEncoder().encode(text);

function countSteps(steps: Steps<unknown>): number {
  for (let count = 0; ; count++) if (steps.next().done === true) return count;
}

describe("findText", () => {
  it("begins at the offset it is given", () => {
    expect(runSteps(findText(encode("aXa"), 1, encode("a"))).spans).toEqual([{ start: 2, end: 3 }]);
  });

  it("counts overlapping occurrences beside those that do not overlap", () => {
    const found = runSteps(findText(encode("aaaa"), 0, encode("aa")));
    expect(found).toEqual({
      spans: [
        { start: 0, end: 2 },
        { start: 2, end: 4 },
      ],
      overlapping: 3,
      firstStarts: [0, 1, 2],
    });
  });

  it("finds text across the ends of its pieces of work", () => {
    for (const lead of [256 * 1024 - 2, 256 * 1024 - 1, 256 * 1024]) {
      const text = `${"x".repeat(lead)}needle${"x".repeat(300_000)}needle`;
      const { spans } = runSteps(findText(encode(text), 0, encode("needle")));
      expect(spans.map(({ start }) => start)).toEqual([lead, lead + 300_006]);
    }
  });

  it.each([
    ["that never matches but nearly does everywhere", `b${"a".repeat(5000)}`, 0],
    ["that matches everywhere", "a".repeat(5000), Math.floor((10 * mebibyte) / 5000)],
  ])("needs work in proportion to one line of 10 MiB for a text %s", (_, sought, count) => {
    const line = new Uint8Array(10 * mebibyte).fill(97);
    expect(runSteps(findText(line, 0, encode(sought))).spans).toHaveLength(count);
  });

  it("needs no more work for line ends of two bytes", () => {
    const text = encode("\r\n".repeat(mebibyte));
    const { spans, overlapping } = runSteps(findText(text, 0, encode("\n".repeat(4096))));
    expect(spans).toHaveLength(mebibyte / 4096);
    expect(overlapping).toBe(mebibyte - 4095);
  });
});

describe("splitAtLineEnds", () => {
  it.each([
    ["", [""]],
    ["a", ["a"]],
    ["a\nb\r\nc", ["a", "b", "c"]],
    ["\n", ["", ""]],
    ["a\rb\r\r\nc\u2028d\u0085e\ff", ["a\rb\r", "c\u2028d\u0085e\ff"]],
  ])("cuts %j", (text, pieces) => {
    expect(splitAtLineEnds(text)).toEqual(pieces);
  });
});

describe("work on large files", () => {
  const line = new Uint8Array(4 * mebibyte).fill(97);
  const text = "x\n".repeat(mebibyte);

  it.each<[string, () => Steps<unknown>, number]>([
    ["opening one long line", () => openDocument(line), 16],
    ["opening many lines", () => openDocument(encode(text)), 8],
    ["decoding", () => decodeText(openText(line), "utf-8"), 16],
    ["finding text", () => findText(line, 0, encode("b")), 15],
    [
      "replacing many texts",
      () =>
        planEdits(openText(text), [{ op: "replace_text", oldText: "x", newText: "yy", replaceAll: true }]),
      2000,
    ],
    ["comparing one long line", () => planEdits(openText(line), [{ op: "append", content: "x" }]), 40],
  ])("comes in pieces: %s", (_, steps, least) => {
    expect(countSteps(steps())).toBeGreaterThanOrEqual(least);
  });
});
