import { expect, test } from "vitest";
import { runSteps } from "../../../src/base/steps.ts";
import { type FolderEntry, folderDigest, isFolderDigest } from "../../../src/tree/folder-digest.ts";
import { testHashing } from "../../support/planning-view.ts";

const digest = (...entries: readonly FolderEntry[]) => runSteps(folderDigest(testHashing, entries));
const a: FolderEntry = { path: "a", revision: "1111", executable: false };
const b: FolderEntry = { path: "b/c", revision: "2222", executable: false };

test("a folder's digest does not depend on the order of its files", () => {
  expect(digest(a, b)).toBe(digest(b, a));
  expect(isFolderDigest(digest(a, b))).toBe(true);
});

test.each<readonly [string, readonly FolderEntry[]]>([
  ["another path", [{ ...a, path: "x" }, b]],
  ["another revision", [{ ...a, revision: "1112" }, b]],
  ["another mode", [{ ...a, executable: true }, b]],
  ["a file more", [a, b, { ...a, path: "d" }]],
  ["a file less", [a]],
  ["characters that wander from path to revision", [{ ...a, path: "a1", revision: "111" }, b]],
])("%s gives another digest", (_what, entries) => {
  expect(digest(...entries)).not.toBe(digest(a, b));
});
