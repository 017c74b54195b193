import { join } from "node:path";
import writeFileAtomic from "write-file-atomic";
import { assertSame, editLines, joinLines, makeEdits, makeLines, makeTree } from "../fixtures.mjs";
import { pairs } from "../pairs.mjs";

const fileCount = 200;
const commitsInRow2 = 10;

export const rows = [1, 2, 3];

/** 2,000 line edits over 200 files of 500 lines as one durable commit, against what writes the same 200 files otherwise. */
export async function run({ folder, library, quick, only, wanted }) {
  const { openDirectory } = await library("node");
  const results = [];
  for (const row of rows.filter((number) => wanted.includes(number))) {
    const fixture = makeFixture(folder, row);
    const sides =
      row === 2
        ? await backToBack(openDirectory, fixture)
        : await oneCommit(openDirectory, fixture, peers[row]);
    const { close, ...timedSides } = sides;
    const verify = (round) =>
      assertSame(Object.values(fixture.roots), fixture.paths, fixture.expected(round));
    const rounds = row === 2 || quick ? 9 : 31;
    const result = await pairs({ rounds, only, verify, ...timedSides });
    await close();
    results.push({ row, ...facts[row], ...result });
  }
  return results;
}

/** Two equal trees, and the edits of every step with the bytes that they lead to; steps may only go up. */
function makeFixture(folder, row) {
  const lines = Array.from({ length: fileCount }, (_, file) => makeLines(file));
  const roots = { ours: join(folder, `ours-${row}`), peer: join(folder, `peer-${row}`) };
  const [paths] = Object.values(roots).map((root) =>
    makeTree(root, fileCount, (file) => joinLines(lines[file])),
  );
  const perRound = row === 2 ? commitsInRow2 : 1;
  let last = { round: -1, steps: [] };
  const prepare = (round) => {
    if (last.round === round) return last.steps;
    const steps = Array.from({ length: perRound }, (_, index) => {
      const edits = paths.map((_path, file) => makeEdits(file, round * perRound + index));
      return { edits, bytes: edits.map((list, file) => editLines(lines[file], list)) };
    });
    last = { round, steps };
    return steps;
  };
  return { roots, paths, prepare, expected: (round) => prepare(round).at(-1).bytes };
}

function makeChanges({ paths }, revisions, { edits }) {
  return paths.map((path, file) => ({ action: "edit", path, revision: revisions[file], edits: edits[file] }));
}

async function readRevisions(workspace, paths) {
  return await Promise.all(paths.map(async (path) => (await workspace.read(path)).revision));
}

async function oneCommit(openDirectory, fixture, writeAll) {
  const workspace = await openDirectory(fixture.roots.ours);
  let revisions = await readRevisions(workspace, fixture.paths);
  return {
    ours: async (round) => {
      const changes = makeChanges(fixture, revisions, fixture.prepare(round)[0]);
      return async () => {
        const { files } = await workspace.apply(changes);
        revisions = files.map(({ revision }) => revision);
      };
    },
    peer: async (round) => {
      const [{ bytes }] = fixture.prepare(round);
      return () => writeAll(fixture.roots.peer, fixture.paths, bytes);
    },
    close: () => workspace.close(),
  };
}

async function backToBack(openDirectory, fixture) {
  return {
    ours: async (round) => {
      const steps = fixture.prepare(round);
      const workspace = await openDirectory(fixture.roots.ours);
      let revisions = await readRevisions(workspace, fixture.paths);
      return async () => {
        for (const step of steps) {
          const { files } = await workspace.apply(makeChanges(fixture, revisions, step));
          revisions = files.map(({ revision }) => revision);
        }
        await workspace.close();
      };
    },
    peer: async (round) => {
      const steps = fixture.prepare(round);
      return async () => {
        for (const { bytes } of steps) await writeAtomically(fixture.roots.peer, fixture.paths, bytes);
      };
    },
    close: async () => {},
  };
}

async function writeAtomically(root, paths, bytes) {
  await Promise.all(paths.map((path, file) => writeFileAtomic(join(root, path), bytes[file])));
}

/** Writes in place, one after the other, and flushes nothing to the disk. */
async function writeWithTree(root, paths, bytes) {
  const { FsTree, flushChanges } = await import("nx/src/generators/tree.js");
  const tree = new FsTree(root, false);
  paths.forEach((path, file) => {
    tree.write(path, bytes[file]);
  });
  flushChanges(root, tree.listChanges());
}

const peers = { 1: writeAtomically, 3: writeWithTree };

const facts = {
  1: { name: "2,000 edits in 200 files, one commit / write-file-atomic", target: 0.6 },
  2: { name: "ten such commits, then close / write-file-atomic ten times", target: 1 },
  3: { name: "row 1 / Nx FsTree and flushChanges (in place, not durable)", target: 2 },
};
