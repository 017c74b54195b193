import { type ApplyOptions, type FileDiff, MemoryStorage, Workspace } from "holdfast";
import { expect, test } from "vitest";
import { applyHunks } from "../support/diffs/apply-hunks.ts";
import { applyWithGit, patchOf, showModel } from "../support/diffs/through-git.ts";

const includeDiff: ApplyOptions = { includeDiff: true };

/** Writes a file anew and gives its diff. */
async function diffOf(path: string, before: string, after: string): Promise<FileDiff> {
  const storage = new MemoryStorage({ files: { [path]: before } });
  await using workspace = await Workspace.open(storage, { names: "posix" });
  const { diff } = await workspace.update(path, () => after, includeDiff);
  const [file] = diff?.files ?? [];
  if (file === undefined) throw new Error("a file was to differ");
  return file;
}

const ends = ["", "a", "a\n", "a\nb", "a\nb\n"];

test.each(
  ends.flatMap((before) => ends.filter((after) => after !== before).map((after) => [before, after] as const)),
)(
  "#65, #82 the mark of a missing final newline is where readers look for it: %j to %j",
  async (before, after) => {
    const file = await diffOf("f", before, after);
    expect(applyHunks(Buffer.from(before), file).toString()).toBe(after);
    expect(applyWithGit({ f: before }, patchOf([file]))).toEqual(showModel({ f: after }));
  },
);

test("#83 a change of an empty file's mode is a diff of its own", async () => {
  await using workspace = await Workspace.open(new MemoryStorage({ files: { empty: "" } }));
  const revision = (await workspace.stat("empty", { revision: true }))?.revision;
  const { diff } = await workspace.apply(
    { action: "chmod", path: "empty", executable: true, revision },
    includeDiff,
  );
  const after = { empty: { content: "", executable: true } };
  expect(applyWithGit({ empty: "" }, patchOf(diff?.files ?? []))).toEqual(showModel(after));
});

test.each([
  ["#166", "a/naïve.txt", '"a/a/na\\303\\257ve.txt" "b/a/na\\303\\257ve.txt"'],
  ["#167", "a b/c d", "a/a b/c d b/a b/c d"],
  ["#167", "x b/x", "a/x b/x b/x b/x"],
  ["#67", 'say "--- a"', '"a/say \\"--- a\\"" "b/say \\"--- a\\""'],
])("%s the name %j is written so that git takes it for the same", async (_number, path, header) => {
  const file = await diffOf(path, "1\n", "2\n");
  expect(file.unified.split("\n")[0]).toBe(`diff --git ${header}`);
  expect(applyWithGit({ [path]: "1\n" }, patchOf([file]))).toEqual(showModel({ [path]: "2\n" }));
});
