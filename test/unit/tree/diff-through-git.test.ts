import { expect, test } from "vitest";
import { diffTrees, type Tree } from "../../support/diffs/diff-trees.ts";
import { runGitCampaign } from "../../support/diffs/git-campaign.ts";
import { applyWithGit, patchOf, showModel } from "../../support/diffs/through-git.ts";

const odd = [
  "with blank",
  "tab\there",
  'quo"te',
  "back\\slash",
  "naïve.txt",
  "日本",
  "a b/c d",
  "x b/x",
  "--- a",
  "-",
  ":(top)x",
  " lead",
  "trail ",
  "new\nline",
  "\u001b[31mred",
  "*",
  "a\u2028b",
];

test("git makes the new tree of the old one from all kinds of changes at once, under odd names", () => {
  const lines = "one\ntwo\nthree\nfour\nfive\nsix\nseven\n";
  const before: Tree = {
    ...Object.fromEntries(odd.map((name) => [`m/${name}`, lines])),
    ...Object.fromEntries(odd.map((name) => [`d/${name}`, lines])),
    ...Object.fromEntries(odd.map((name) => [`r/${name}`, lines])),
    ...Object.fromEntries(odd.map((name) => [`x/${name}`, lines])),
    link: { content: "m/target", kind: "symlink" },
    "becomes link": "text\n",
    "becomes file": { content: "target", kind: "symlink" },
    bin: new Uint8Array([0, 1, 2]),
    "folder/inner": "x\n",
    file: "y",
  };
  const after: Tree = {
    ...Object.fromEntries(odd.map((name) => [`m/${name}`, lines.replace("four", "FOUR")])),
    ...Object.fromEntries(odd.map((name) => [`n/${name}`, "new"])),
    ...Object.fromEntries(odd.map((name) => [`e/${name}`, ""])),
    ...Object.fromEntries(odd.map((name) => [`s/${name}`, lines.replace("two", "2")])),
    ...Object.fromEntries(odd.map((name) => [`c/${name}`, lines])),
    ...Object.fromEntries(odd.map((name) => [`x/${name}`, { content: lines, executable: true }])),
    link: { content: "n/other", kind: "symlink" },
    "new link": { content: "../näh", kind: "symlink" },
    "becomes link": { content: "target", kind: "symlink" },
    "becomes file": { content: "text\n", executable: true },
    "bin moved": { content: new Uint8Array([0, 1, 2]), executable: true },
    folder: "a file\n",
    "file/inner": "z\n",
  };
  const origins = Object.fromEntries([
    ...odd.map((name) => [`s/${name}`, { kind: "moved", path: `r/${name}` }]),
    ...odd.map((name) => [`c/${name}`, { kind: "copied", path: `m/${name}` }]),
    ["bin moved", { kind: "moved", path: "bin" }],
  ]);
  const diff = diffTrees(before, after, { origins });
  expect(applyWithGit(before, patchOf(diff.files))).toEqual(showModel(after));
});

test.each<[string, Tree[string] | undefined, Tree[string] | undefined]>([
  ["changes", new Uint8Array([0]), new Uint8Array([0, 1])],
  ["comes", undefined, new Uint8Array([0])],
  ["goes", new Uint8Array([0]), undefined],
  ["changes and gets a mode", new Uint8Array([0]), { content: new Uint8Array([0, 1]), executable: true }],
])(
  "git refuses a whole patch in which a binary file %s, instead of applying the rest of it",
  (_name, old, now) => {
    const before: Tree = { a: "1\n", ...(old !== undefined && { b: old }) };
    const diff = diffTrees(before, { a: "2\n", ...(now !== undefined && { b: now }) });
    expect(diff.files).toHaveLength(2);
    expect(applyWithGit(before, patchOf(diff.files))).toContain("cannot apply binary patch to 'b'");
  },
);

test("git makes the very bytes of the new text from some hundred generated pairs, and so do the hunks alone", () => {
  const seed = Number(process.env["DIFF_SEED"] ?? Date.now() % 1_000_000_000);
  const { pairs, hunks, latin1, failures } = runGitCampaign(600, seed);
  console.log(
    `Pairs of texts through git apply: ${pairs}, hunks ${hunks}, of 8 bits ${latin1}, seed ${seed}`,
  );
  expect(failures.slice(0, 3)).toEqual([]);
  expect(hunks).toBeGreaterThan(pairs);
  expect(latin1).toBeGreaterThan(20);
});
