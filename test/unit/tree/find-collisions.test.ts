import { describe, expect, test } from "vitest";
import { runSteps } from "../../../src/base/steps.ts";
import { makeDelta } from "../../../src/tree/delta.ts";
import { CollisionFinder, type SideMask } from "../../../src/tree/find-collisions.ts";
import { mergeDeltas } from "../../../src/tree/merge-deltas.ts";
import { mergeOptions } from "../../support/merge/merge-triple.ts";

/** Groups of files by their claims; each claim is a path and the sides that have it: `c` current, `i` incoming, `-` neither. */
function groupsOf(...claims: readonly string[]): readonly string[] {
  const finder = new CollisionFinder(() => []);
  for (const [index, claim] of claims.entries()) {
    const [sides = "", path = ""] = claim.split(" ");
    const mask = ((sides.includes("c") ? 1 : 0) | (sides.includes("i") ? 2 : 0)) as SideMask;
    runSteps(finder.add(index, [{ path, sides: mask }]));
  }
  return claims.map((_, index) => {
    const group = finder.groupOf(index);
    return group === undefined ? "" : `${group.root} ${group.kind}`;
  });
}

describe("files in each other's way", () => {
  test.each<[readonly string[], readonly string[]]>([
    [
      ["c a", "i b"],
      ["", ""],
    ],
    [
      ["c a", "i a"],
      ["0 addAdd", "0 addAdd"],
    ],
    [
      ["c a", "c a/b"],
      ["", ""],
    ],
    [
      ["c a", "i a/b", "i a/c/d", "i ab"],
      ["0 fileDirectory", "0 fileDirectory", "0 fileDirectory", ""],
    ],
    [
      ["i a/b", "i a/c", "c a"],
      ["0 fileDirectory", "0 fileDirectory", "0 fileDirectory"],
    ],
    [
      ["c a", "i A"],
      ["0 pathCollision", "0 pathCollision"],
    ],
    [
      ["c s/a", "i S/b", "i t/c"],
      ["0 pathCollision", "0 pathCollision", ""],
    ],
    [
      ["c a", "c A"],
      ["", ""],
    ],
    [
      ["ci a", "i A"],
      ["", ""],
    ],
    [
      ["ci a", "- A"],
      ["0 pathCollision", "0 pathCollision"],
    ],
    [
      ["ci a/b", "- a"],
      ["0 fileDirectory", "0 fileDirectory"],
    ],
    [
      ["c \u00e9", "i e\u0301"],
      ["0 pathCollision", "0 pathCollision"],
    ],
  ])("%j", (claims, groups) => {
    expect(groupsOf(...claims)).toEqual(groups);
    const turned = groupsOf(...[...claims].reverse()).toReversed();
    expect(turned.map((group) => group !== "")).toEqual(groups.map((group) => group !== ""));
  });

  const state = (id: number) =>
    ({ kind: "file", contentId: String(id), byteLength: 100, executable: false }) as const;
  const added = (count: number, path: (index: number) => string) =>
    makeDelta(
      Array.from({ length: count }, (_, index) => [path(index), { before: undefined, after: state(index) }]),
    );
  const spelling = (index: number) =>
    Array.from({ length: 14 }, (_, bit) => ((index >> bit) & 1 ? "A" : "a")).join("");

  test.each([
    ["a file and a folder", () => "d", (index: number) => `d/${index}`],
    ["two spellings of a folder", (index: number) => `D/${index}`, (index: number) => `d/x${index}`],
    [
      "many spellings of a folder",
      (index: number) => `${spelling(index)}/x`,
      (index: number) => `${spelling(index + 1)}/y${index}`,
    ],
  ])("are found with work that grows as their number: %s", (_name, mine, theirs) => {
    const stepsFor = (count: number) => {
      const current = mine(0) === mine(1) ? added(1, mine) : added(count, mine);
      const input = { current, incoming: added(count, theirs), contents: new Map() };
      const steps = mergeDeltas(input, mergeOptions());
      for (let pieces = 1; ; pieces++) if (steps.next().done === true) return pieces;
    };
    expect(stepsFor(8000)).toBeLessThan(3 * stepsFor(4000));
  });
});
