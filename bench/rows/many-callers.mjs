import { join } from "node:path";
import { replaceByHand } from "../by-hand.mjs";
import { assertSame, editLines, joinLines, makeEdits, makeLines, makeTree } from "../fixtures.mjs";
import { pairs } from "../pairs.mjs";

const callers = 64;

export const rows = [6];

/** 64 callers at once that each edit a file of their own, durable, against 64 careful writes at once. */
export async function run({ folder, library, quick, only }) {
  const { openDirectory } = await library("node");
  const lines = Array.from({ length: callers }, (_, file) => makeLines(file));
  const roots = { ours: join(folder, "ours"), peer: join(folder, "peer") };
  const [paths] = Object.values(roots).map((root) =>
    makeTree(root, callers, (file) => joinLines(lines[file])),
  );
  const workspace = await openDirectory(roots.ours);
  const revisions = await Promise.all(paths.map(async (path) => (await workspace.read(path)).revision));
  let last = { round: -1 };
  const prepare = (round) => {
    if (last.round !== round) {
      const edits = paths.map((_, file) => makeEdits(file, round, 1));
      last = { round, edits, bytes: edits.map((list, file) => editLines(lines[file], list)) };
    }
    return last;
  };
  const result = await pairs({
    rounds: quick ? 9 : 51,
    only,
    ours: async (round) => {
      const { edits } = prepare(round);
      const call = async (path, file) => {
        const { files } = await workspace.edit(path, edits[file], { revision: revisions[file] });
        revisions[file] = files[0].revision;
      };
      return () => Promise.all(paths.map(call));
    },
    peer: async (round) => {
      const { bytes } = prepare(round);
      return () => Promise.all(paths.map((path, file) => replaceByHand(join(roots.peer, path), bytes[file])));
    },
    verify: (round) => assertSame(Object.values(roots), paths, prepare(round).bytes),
  });
  await workspace.close();
  return [{ row: 6, name: "64 callers at once, a file each / the same by hand", target: 0.7, ...result }];
}
