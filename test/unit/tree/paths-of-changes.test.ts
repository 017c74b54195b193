import { expect, test } from "vitest";
import { runSteps } from "../../../src/base/steps.ts";
import type { Change } from "../../../src/tree/change.ts";
import { pathsOfChanges } from "../../../src/tree/paths-of-changes.ts";
import { revisionOf } from "../../support/planning-view.ts";

const revision = revisionOf("x");
const pathsOf = (...changes: readonly Change[]) => runSteps(pathsOfChanges(changes));

test("files are all paths of the batch, destinations and ancestors included", () => {
  const { files, problems } = pathsOf(
    { action: "create", path: "./a/b/c", content: "" },
    { action: "move", path: "d", destination: "e/f", revision },
  );
  expect([...files].sort()).toEqual(["a", "a/b", "a/b/c", "d", "e", "e/f"]);
  expect(problems).toEqual([]);
});

test("bytes are needed where text is looked at, and nowhere else", () => {
  const edits = [{ op: "append", content: "x" }] as const;
  const { needBytes } = pathsOf(
    { action: "create", path: "created", content: "" },
    { action: "write", path: "written", content: "", revision },
    { action: "edit", path: "edited", edits, revision },
    { action: "delete", path: "deleted", revision },
    { action: "move", path: "moved", destination: "m", revision },
    { action: "copy", path: "copied", destination: "c", edits, revision },
    { action: "chmod", path: "mode", executable: true, revision },
    { action: "assert", path: "asserted", revision },
    { action: "deleteTree", path: "tree", revision },
  );
  expect([...needBytes].sort()).toEqual(["copied", "deleted", "edited", "written"]);
});

test("folders are the changed paths, those with odd names and those spelled twice; trees are apart", () => {
  const { folders, trees } = pathsOf(
    { action: "create", path: "aux/x/a", content: "" },
    { action: "create", path: "Lib/b", content: "" },
    { action: "assert", path: "lib/c", revision: null },
    { action: "moveTree", path: "src/", destination: "lib2", revision },
  );
  expect([...folders].sort()).toEqual(["Lib", "Lib/b", "aux", "aux/x/a", "lib", "lib2", "src"]);
  expect([...trees]).toEqual(["src"]);
});

test("paths that are refused are told and not loaded", () => {
  const { files, problems } = pathsOf(
    { action: "create", path: "../x", content: "" },
    { action: "move", path: "a", destination: ".git/x", revision },
    { action: "deleteTree", path: "", revision },
  );
  expect(files.size).toBe(0);
  expect(problems.map(({ code, changeIndex, path }) => [code, changeIndex, path])).toEqual([
    ["INVALID_PATH", 0, "../x"],
    ["PROTECTED_PATH", 1, ".git/x"],
    ["INVALID_PATH", 2, ""],
  ]);
});
