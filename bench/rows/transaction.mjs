import { join } from "node:path";
import { assertSame, editLines, joinLines, makeEdits, makeLines, makeTree } from "../fixtures.mjs";
import { median, pairs, settle } from "../pairs.mjs";

const stepCount = 20;
const filesOfStep = 10;
const fileCount = stepCount * filesOfStep;

export const rows = [14, 16];

/** What staging costs: twenty steps and a commit against one call, and going back and forth between steps. */
export async function run({ folder, library, quick, only, wanted }) {
  const { openDirectory } = await library("node");
  const results = [];
  if (wanted.includes(14)) results.push(await staging(openDirectory, folder, { quick, only }));
  if (wanted.includes(16))
    for (const files of quick ? [100, 5_000] : [100, 50_000])
      results.push(...(await moving(openDirectory, join(folder, `moving-${files}`), files)));
  return results;
}

/** Twenty steps of ten other files each, with the commit, against the same final change by one `apply`. */
async function staging(openDirectory, folder, { quick, only }) {
  const lines = Array.from({ length: fileCount }, (_, file) => makeLines(file));
  const roots = { ours: join(folder, "ours"), peer: join(folder, "peer") };
  const [paths] = Object.values(roots).map((root) =>
    makeTree(root, fileCount, (file) => joinLines(lines[file])),
  );
  const prepared = { round: -1 };
  const prepare = (round) => {
    if (prepared.round === round) return prepared;
    const edits = paths.map((_path, file) => makeEdits(file, round));
    const bytes = edits.map((list, file) => editLines(lines[file], list));
    return Object.assign(prepared, { round, edits, bytes });
  };
  const workspaces = { ours: await openDirectory(roots.ours), peer: await openDirectory(roots.peer) };
  const revisionsOf = async (workspace) =>
    await Promise.all(paths.map(async (path) => (await workspace.read(path)).revision));
  const revisions = { ours: await revisionsOf(workspaces.ours), peer: await revisionsOf(workspaces.peer) };
  const changesOf = (side, { edits }) =>
    paths.map((path, file) => ({
      action: "edit",
      path,
      revision: revisions[side][file],
      edits: edits[file],
    }));
  const keep = (side, { files }) => {
    const byPath = new Map(files.map(({ path, revision }) => [path, revision]));
    revisions[side] = paths.map((path) => byPath.get(path));
  };
  const result = await pairs({
    rounds: quick ? 9 : 31,
    only,
    verify: (round) => assertSame(Object.values(roots), paths, prepare(round).bytes),
    ours: async (round) => {
      const changes = changesOf("ours", prepare(round));
      return async () => {
        const transaction = await workspaces.ours.beginTransaction();
        for (let from = 0; from < fileCount; from += filesOfStep)
          await transaction.apply(changes.slice(from, from + filesOfStep));
        keep("ours", await transaction.commit());
      };
    },
    peer: async (round) => {
      const changes = changesOf("peer", prepare(round));
      return async () => keep("peer", await workspaces.peer.apply(changes));
    },
  });
  for (const workspace of Object.values(workspaces)) await workspace.close();
  const name = "20 staged steps of 10 files, commit included / the same by one call";
  return { row: 14, name, target: 1.5, ...result };
}

/** Undo and redo of a step of ten files, in a tree of so many files. */
async function moving(openDirectory, root, files) {
  const paths = makeTree(root, files, (file) => joinLines(makeLines(file, 5)));
  const workspace = await openDirectory(root);
  const transaction = await workspace.beginTransaction();
  for (let step = 0; step < 5; step++)
    for (const path of [paths.slice(step * filesOfStep, (step + 1) * filesOfStep)])
      await transaction.apply(
        path.map((one) => ({ action: "edit", path: one, edits: [replaceFirst(step)] })),
      );
  const staged = await transaction.read(paths[45]);
  const times = { undo: [], redo: [] };
  for (let round = 0; round < 103; round++)
    for (const call of ["undo", "redo"]) {
      if (round % 10 === 0) await settle();
      const start = performance.now();
      await transaction[call]();
      if (round >= 2) times[call].push(performance.now() - start);
      const { text } = await transaction.read(paths[45]);
      if ((text === staged.text) !== (call === "redo")) throw new Error(`${call} shows the wrong text`);
    }
  await transaction.rollback();
  await workspace.close();
  return ["undo", "redo"].map((call) => {
    const name = `${call} of a step of 10 files, 50 files staged, tree of ${files.toLocaleString("en")}`;
    const note = `${Math.min(...times[call]).toFixed(2)} to ${Math.max(...times[call]).toFixed(2)} ms`;
    return { row: 16, name, unit: "ms", value: median(times[call]), target: 1, rounds: 101, note };
  });
}

function replaceFirst(step) {
  return { op: "replace_text", oldText: "value_", newText: `staged_${step}_`, occurrences: 5 };
}
