import { expect, test } from "vitest";
import { diffTrees, type Tree } from "../../support/diffs/diff-trees.ts";
import { runGit, writeModel } from "../../support/diffs/through-git.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const odd = [
  "plain",
  "with blank",
  "tab\there",
  'quo"te',
  "back\\slash",
  "naïve",
  "日本",
  "a b/c d",
  "x b/x",
  "new\nline",
  "\u001b[31m",
  "trail ",
];
const ten = "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n";

/** The trees of a diff in which every file has each kind of change. */
function trees(): { readonly before: Tree; readonly after: Tree } {
  const named = (folder: string, content: Tree[string]) =>
    Object.fromEntries(odd.map((name) => [`${folder}/${name}`, content]));
  const script = { content: ten, executable: true };
  const link = (content: string) => ({ content, kind: "symlink" }) as const;
  return {
    before: {
      ...named("changed", ten),
      ...named("gone", ten),
      ...named("mode", ten),
      ...named("both", ten),
      ...named("bin", new Uint8Array([0])),
      l: link("a"),
      "k i n d": "1\n",
    },
    after: {
      ...named("changed", ten.replace("5", "five")),
      ...named("made", `${ten}new`),
      ...named("empty", ""),
      ...named("mode", script),
      ...named("both", { content: `${ten}11`, executable: true }),
      ...named("bin", new Uint8Array([0, 1])),
      ...named("newbin", new Uint8Array([0, 2])),
      l: link("b"),
      m: link("c"),
      "k i n d": link("1\n"),
    },
  };
}

/** Without the names of git's objects, what git repeats behind a place, and its own guess of how much stayed. */
function plain(text: string): readonly string[] {
  return text
    .split("\n")
    .filter((line) => !line.startsWith("index "))
    .map((line) => line.replace(/^(@@ .* @@) .*/, "$1").replace(/^(similarity index) \d+%/, "$1"));
}

test("new, changed, deleted files, links, modes and binary files look as in the diff of the installed git", () => {
  const { before, after } = trees();
  const folder = temporaryFolder("quick");
  try {
    runGit(folder.path, ["init", "-q"]);
    const commit = (tree: Tree) => {
      for (const name of ["changed", "gone", "mode", "both", "bin"])
        runGit(folder.path, ["rm", "-rqf", "--ignore-unmatch", name, "l", "k i n d"]);
      writeModel(folder.path, tree);
      runGit(folder.path, ["add", "-A"]);
      const who = ["-c", "user.name=n", "-c", "user.email=e", "-c", "commit.gpgsign=false"];
      expect(runGit(folder.path, [...who, "commit", "-qm", "m"]).status).toBe(0);
    };
    commit(before);
    commit(after);
    const args = ["diff", "--no-renames", "--no-color", "--diff-algorithm=myers", "HEAD~1", "HEAD"];
    const theirs = plain(runGit(folder.path, args).stdout.toString());
    const { files } = diffTrees(before, after);
    const ours = plain(files.map(({ unified }) => unified).join(""));
    expect(sections(ours)).toEqual(sections(theirs));
    expect(files.length).toBeGreaterThan(90);
  } finally {
    folder.remove();
  }
});

/** Git sorts paths by their bytes. */
function sections(lines: readonly string[]): readonly string[] {
  return lines
    .join("\n")
    .split(/^(?=diff --git )/m)
    .map((one) => one.trimEnd())
    .sort();
}

test.each(odd)("a rename and a copy of %j look as in the diff of the installed git", (name) => {
  const before: Tree = { [`from/${name}`]: ten, [`source/${name}`]: `s\n${ten}` };
  const after: Tree = {
    [`to/${name}`]: { content: `${ten}11\n`, executable: true },
    [`source/${name}`]: `s\n${ten}`,
    [`twin/${name}`]: `s\n${ten}`,
  };
  const folder = temporaryFolder("quick");
  try {
    runGit(folder.path, ["init", "-q"]);
    writeModel(folder.path, before);
    runGit(folder.path, ["add", "-A"]);
    const old = runGit(folder.path, ["write-tree"]).stdout.toString().trim();
    runGit(folder.path, ["rm", "-rqf", "."]);
    writeModel(folder.path, after);
    runGit(folder.path, ["add", "-A"]);
    const now = runGit(folder.path, ["write-tree"]).stdout.toString().trim();
    const theirs = runGit(folder.path, [
      "diff",
      "-M",
      "-C",
      "--find-copies-harder",
      old,
      now,
    ]).stdout.toString();
    const { files } = diffTrees(before, after, {
      origins: {
        [`to/${name}`]: { kind: "moved", path: `from/${name}` },
        [`twin/${name}`]: { kind: "copied", path: `source/${name}` },
      },
    });
    expect(sections(plain(files.map(({ unified }) => unified).join("")))).toEqual(sections(plain(theirs)));
  } finally {
    folder.remove();
  }
});
