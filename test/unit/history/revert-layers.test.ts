import { describe, expect, test } from "vitest";
import { runSteps } from "../../../src/base/steps.ts";
import { revertLayers } from "../../../src/history/revert-layers.ts";
import { type Delta, makeDelta, type PathChange } from "../../../src/tree/delta.ts";
import type { FileState } from "../../../src/tree/file-state.ts";

/** A state by one letter; `-` is absence. */
function state(letter: string): FileState | undefined {
  if (letter === "-") return undefined;
  const contentId = letter.codePointAt(0)?.toString(16).padStart(64, "0") ?? "";
  return { kind: "file", contentId, byteLength: 1, executable: false };
}

/** Reads `path:before>after` for each path of a delta. */
function delta(text: string): Delta {
  return makeDelta(
    text.split(" ").map((part): [string, PathChange] => {
      const [path = "", states = ""] = part.split(":");
      const [before = "", after = ""] = states.split(">");
      return [path, { before: state(before), after: state(after) }];
    }),
  );
}

function written({ changes }: Delta): string {
  const letter = (one: FileState | undefined) =>
    one === undefined ? "-" : String.fromCodePoint(Number.parseInt(one.contentId, 16));
  return [...changes]
    .map(([path, { before, after }]) => `${path}:${letter(before)}>${letter(after)}`)
    .join(" ");
}

const all = () => true;

describe("taking commits back", () => {
  test.each<[string, readonly string[], readonly string[], string]>([
    ["of one commit is its inverse", ["a:x>y b:->z"], ["a:y>x b:z>-"], "a:y>x b:z>-"],
    ["of a chain is one change", ["a:y>z", "a:x>y"], ["a:z>x"], "a:z>x"],
    ["of a chain that leads back is none", ["a:y>x", "a:x>y"], [""], ""],
    ["of different paths is one change", ["a:x>y", "b:x>y"], ["a:y>x b:y>x"], "a:y>x b:y>x"],
    ["goes in layers where others came between", ["a:q>z", "a:x>y"], ["a:z>q", "a:y>x"], "a:z>x"],
    [
      "puts what follows a later layer into it",
      ["a:q>z", "a:y>p", "a:x>y b:1>2"],
      ["a:z>q", "a:p>x b:2>1"],
      "a:z>x b:2>1",
    ],
  ])("%s", (_name, commits, layers, whole) => {
    const found = runSteps(revertLayers(commits.map(delta), all));
    expect(found.layers.map(written)).toEqual(layers);
    expect(written(found.whole)).toBe(whole);
  });

  test("of none is none", () => {
    expect(runSteps(revertLayers([], all))).toMatchObject({ layers: [], whole: { changes: new Map() } });
  });

  test("takes both ends of a move when one is wanted", () => {
    const moved = makeDelta([
      ["a", { before: state("x"), after: undefined }],
      ["b", { before: undefined, after: state("x"), origin: { kind: "moved", path: "a" } }],
      ["c", { before: state("1"), after: state("2") }],
    ]);
    for (const wanted of ["a", "b"])
      expect(runSteps(revertLayers([moved], (path) => path === wanted)).layers.map(written)).toEqual([
        "a:->x b:x>-",
      ]);
  });
});
