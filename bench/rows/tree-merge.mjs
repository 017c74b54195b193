import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { joinLines, makeLines } from "../fixtures.mjs";
import { internals } from "../internals.mjs";
import { pairs } from "../pairs.mjs";

export const rows = [12];

const linesPerFile = 60;
/** Files that one side changes, and files that both change at different places. */
const ownFiles = 75;
const sharedFiles = 25;

const hashOf = (algorithm, ...parts) =>
  parts.reduce((hash, part) => hash.update(part), createHash(algorithm)).digest("hex");
const contentIdOf = (bytes) => hashOf("sha256", bytes);
const blobIdOf = (bytes) => hashOf("sha1", `blob ${bytes.byteLength}\0`, bytes);
const stateOf = (bytes) => ({
  kind: "file",
  contentId: contentIdOf(bytes),
  byteLength: bytes.byteLength,
  executable: false,
});

/** From two changes of a large tree, known as a changeset knows them, to the merge with its bytes and hashes; against git on the same trees. */
export async function run({ folder, quick, only }) {
  const library = await internals(folder, {
    "base/steps.ts": ["runSteps"],
    "tree/delta.ts": ["makeDelta"],
    "tree/merge-deltas.ts": ["contentsOfMerge", "mergeDeltas"],
  });
  const count = quick ? 2_000 : 10_000;
  const trees = makeTrees(count);
  const git = makeRepository(folder, trees);
  const store = new Map(
    [trees.base, trees.current, trees.incoming].flatMap((tree) =>
      [...tree.values()].map((bytes) => [contentIdOf(bytes), bytes]),
    ),
  );
  const deltas = {
    current: deltaOf(library, trees.base, trees.current),
    incoming: deltaOf(library, trees.base, trees.incoming),
  };
  let merge;
  let treeId;
  const result = await pairs({
    rounds: quick ? 31 : 101,
    only,
    ours: async () => () => {
      merge = mergeTrees(library, deltas, store);
    },
    peer: async () => () => {
      treeId = git("merge-tree", "--write-tree", "refs/heads/current", "refs/heads/incoming").trim();
    },
    verify: () => compare(trees, merge, store, git("ls-tree", "-r", treeId)),
  });
  const name = `compare + merge, ${count.toLocaleString("en")} files, 100 changed a side / git merge-tree`;
  return [{ row: 12, name, target: 1.0, ...result }];
}

function mergeTrees({ runSteps, contentsOfMerge, mergeDeltas }, { current, incoming }, store) {
  const options = {
    mergePolicy: "content",
    textBytes: 64 * 1024 * 1024,
    // biome-ignore lint/correctness/useYield: the hash of this platform is quick.
    *contentId(bytes) {
      return contentIdOf(bytes);
    },
    // biome-ignore lint/correctness/useYield: as above.
    *revision(contentId) {
      return contentId;
    },
  };
  const contents = new Map();
  for (const id of runSteps(contentsOfMerge({ current, incoming }, options))) contents.set(id, store.get(id));
  return runSteps(mergeDeltas({ current, incoming, contents }, options));
}

/** The base, and two trees that each change files of their own and share some. */
function makeTrees(count) {
  const base = new Map();
  const lines = new Map();
  for (let file = 0; file < count; file++) {
    const path = `dir-${Math.floor(file / 100)}/file-${file}.ts`;
    lines.set(path, makeLines(file, linesPerFile));
    base.set(path, Buffer.from(joinLines(lines.get(path))));
  }
  const paths = [...base.keys()];
  const stride = Math.floor(count / (2 * ownFiles + sharedFiles));
  const changed = (index) => paths[index * stride];
  const sideOf = (side) => {
    const tree = new Map(base);
    const edit = (path, line) => {
      const edited = [...lines.get(path)];
      edited[line] = `const edited = "by side ${side}";`;
      edited.splice(line + 2, 0, `const added = "by side ${side}";`);
      tree.set(path, Buffer.from(joinLines(edited)));
    };
    for (let file = 0; file < ownFiles; file++) edit(changed(side * ownFiles + file), 30);
    for (let file = 0; file < sharedFiles; file++) edit(changed(2 * ownFiles + file), 10 + 30 * side);
    return tree;
  };
  return { base, current: sideOf(0), incoming: sideOf(1) };
}

function deltaOf({ makeDelta }, base, side) {
  const changes = [...base].filter(([path, bytes]) => side.get(path) !== bytes);
  return makeDelta(
    changes.map(([path, bytes]) => [path, { before: stateOf(bytes), after: stateOf(side.get(path)) }]),
  );
}

/** A repository with the three trees as commits, packed; gives a function that runs git in it. */
function makeRepository(folder, { base, current, incoming }) {
  const gitdir = join(folder, "trees.git");
  mkdirSync(gitdir, { recursive: true });
  const git = (...args) =>
    execFileSync("git", ["--git-dir", gitdir, ...args], { encoding: "utf8", maxBuffer: 1 << 28 });
  git("init", "-q", "--bare");
  const parts = [];
  const commit = (name, tree, from) => {
    parts.push(`commit refs/heads/${name}\ncommitter a <a@example.com> 1 +0000\ndata 0\n`);
    if (from !== undefined) parts.push(`from refs/heads/${from}\n`);
    for (const [path, bytes] of tree)
      if (from === undefined || base.get(path) !== bytes)
        parts.push(`M 100644 inline ${path}\ndata ${bytes.byteLength}\n`, bytes, "\n");
    parts.push("\n");
  };
  commit("base", base);
  commit("current", current, "base");
  commit("incoming", incoming, "base");
  const input = Buffer.concat(parts.map((part) => Buffer.from(part)));
  execFileSync("git", ["--git-dir", gitdir, "fast-import", "--quiet"], { input });
  git("gc", "-q");
  return git;
}

/** Throws unless git's tree holds the bytes that our merge gives, and both have the edits of both sides. */
function compare({ base, current, incoming }, merge, store, listed) {
  if (merge.conflicts.length > 0) throw new Error("our merge is not clean");
  if (merge.mergedPaths.length !== sharedFiles)
    throw new Error(`${merge.mergedPaths.length} files were merged by content`);
  const result = new Map(current);
  for (const [path, { after }] of merge.delta.changes)
    result.set(path, merge.contents.get(after.contentId) ?? store.get(after.contentId));
  const theirs = new Map(
    listed
      .split("\n")
      .filter(Boolean)
      .map((line) => [line.split("\t")[1], line.split(" ")[2].split("\t")[0]]),
  );
  if (theirs.size !== base.size) throw new Error(`git's tree has ${theirs.size} files`);
  for (const [path, bytes] of result) {
    if (
      contentIdOf(bytes) !==
      (merge.delta.changes.get(path)?.after?.contentId ?? contentIdOf(current.get(path)))
    )
      throw new Error(`${path} is named by another hash`);
    if (theirs.get(path) !== blobIdOf(bytes)) throw new Error(`${path} differs from git's`);
    if (
      current.get(path) !== base.get(path) &&
      incoming.get(path) !== base.get(path) &&
      !/side 0[\s\S]*side 1/.test(Buffer.from(bytes).toString())
    )
      throw new Error(`${path} lacks an edit`);
  }
}
