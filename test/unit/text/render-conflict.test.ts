import { describe, expect, it } from "vitest";
import { runSteps } from "../../../src/base/steps.ts";
import { mergeText } from "../../../src/text/merge-text.ts";
import { type RenderMergeOptions, renderMerge } from "../../../src/text/render-conflict.ts";
import { openBytes } from "../../support/merging/text-arbitraries.ts";

const latin1 = (text: string) => openBytes(new Uint8Array(Buffer.from(text, "latin1")));

/** Renders three texts of one character a byte. */
function render(base: string, current: string, incoming: string, options?: RenderMergeOptions): string {
  const texts = { base: latin1(base), current: latin1(current), incoming: latin1(incoming) };
  const merge = runSteps(mergeText(texts.base, texts.current, texts.incoming));
  return Buffer.from(runSteps(renderMerge(merge, texts, options))).toString("latin1");
}

const lines = (text: string) =>
  text
    .split(" ")
    .map((line) => `${line}\n`)
    .join("");

describe("renderMerge", () => {
  const [base, current, incoming] = ["1 2 3 4", "1 x m y 3 4", "1 x t y 3 4"].map(lines) as [
    string,
    string,
    string,
  ];

  it.each([
    ["merge", "1 x <<<<<<<|current m ======= t >>>>>>>|incoming y 3 4"],
    ["zdiff3", "1 x <<<<<<<|current m |||||||_base 2 ======= t >>>>>>>|incoming y 3 4"],
    ["diff3", "1 <<<<<<<|current x m y |||||||_base 2 ======= x t y >>>>>>>|incoming 3 4"],
  ] as const)("shows a conflict in the style %s", (style, expected) => {
    const shown = lines(expected)
      .replaceAll(/(<{7}|>{7})\|/g, "$1 ")
      .replaceAll("_", " ");
    expect(render(base, current, incoming, { style })).toBe(shown);
  });

  it("leaves out the base unless a style asks for it, and takes changes of one side as they are", () => {
    expect(render(lines("a b c d e"), lines("A b c X e"), lines("a b c Y e"))).toBe(
      "A\nb\nc\n<<<<<<< current\nX\n=======\nY\n>>>>>>> incoming\ne\n",
    );
  });

  it("puts labels behind the markers, in one line", () => {
    const labels = { current: "mine", base: "", incoming: "theirs\nof 5" };
    expect(render("a\n", "b\n", "c\n", { style: "diff3", labels })).toBe(
      "<<<<<<< mine\nb\n|||||||\na\n=======\nc\n>>>>>>> theirs of 5\n",
    );
  });

  it("ends markers as the lines of the file end", () => {
    expect(render("a\r\nz\r\n", "b\r\nz\r\n", "c\r\nz\r\n")).toBe(
      "<<<<<<< current\r\nb\r\n=======\r\nc\r\n>>>>>>> incoming\r\nz\r\n",
    );
  });

  it("puts each marker on a line of its own when a side ends without a line end", () => {
    expect(render("a\n", "b", "c")).toBe("<<<<<<< current\nb\n=======\nc\n>>>>>>> incoming\n");
  });

  it.each([
    ["a marker", "=======", 8],
    ["a marker with a label", ">>>>>>> theirs", 8],
    ["two lengths of markers", "=======\n<<<<<<<< mine", 9],
    ["a long rule", "===================", 7],
    ["marks that go on as something else", "=======x", 7],
    ["marks inside a line", "x =======", 7],
  ])("makes markers longer than %s in the texts, when that could be taken for one", (_, line, length) => {
    const shown = render(`${line}\na\n`, `${line}\nb\n`, `${line}\nc\n`);
    expect(shown).toContain(`\n${"<".repeat(length)} current\n`);
    expect(shown).toContain(`\n${"=".repeat(length)}\nc\n`);
  });

  it("keeps a byte order mark in front, and bytes that are no UTF-8", () => {
    const bom = "\xef\xbb\xbf";
    expect(render(`${bom}a\n`, `${bom}caf\xe9\n`, `${bom}c\n`, { style: "diff3" })).toBe(
      `${bom}<<<<<<< current\ncaf\xe9\n||||||| base\na\n=======\nc\n>>>>>>> incoming\n`,
    );
  });

  it("gives the merged text when there is no conflict", () => {
    expect(render(lines("a b c"), lines("A b c"), lines("a b C"))).toBe(lines("A b C"));
  });
});
