import { join } from "node:path";
import { replaceByHand } from "../by-hand.mjs";
import { assertSame, editLines, joinLines, makeEdits, makeLines, makeTree } from "../fixtures.mjs";
import { pairs } from "../pairs.mjs";

export const rows = [4, 5];

/** One line edit of one file of 500 lines, durable: in an open workspace, and with opening and closing it. */
export async function run({ folder, library, quick, only, wanted }) {
  const { openDirectory } = await library("node");
  const results = [];
  for (const row of rows.filter((number) => wanted.includes(number))) {
    const lines = makeLines(0);
    const roots = { ours: join(folder, `ours-${row}`), peer: join(folder, `peer-${row}`) };
    const [path] = makeTree(roots.ours, 1, () => joinLines(lines));
    makeTree(roots.peer, 1, () => joinLines(lines));
    let workspace = await openDirectory(roots.ours);
    let { revision } = await workspace.read(path);
    const edit = async (edits) => {
      ({ revision } = (await workspace.edit(path, edits, { revision })).files[0]);
    };
    if (row === 5) await workspace.close();
    const prepared = { round: -1 };
    const prepare = (round) => {
      if (prepared.round !== round) {
        const edits = makeEdits(0, round, 1);
        Object.assign(prepared, { round, edits, bytes: editLines(lines, edits) });
      }
      return prepared;
    };
    const result = await pairs({
      rounds: quick ? 21 : 151,
      only,
      ours: async (round) => {
        const { edits } = prepare(round);
        if (row === 4) return () => edit(edits);
        return async () => {
          workspace = await openDirectory(roots.ours);
          await edit(edits);
          await workspace.close();
        };
      },
      peer: async (round) => {
        const { bytes } = prepare(round);
        return () => replaceByHand(join(roots.peer, path), bytes);
      },
      verify: (round) => assertSame(Object.values(roots), [path], [prepare(round).bytes]),
    });
    if (row === 4) await workspace.close();
    results.push({ row, ...facts[row], ...result });
  }
  return results;
}

const facts = {
  4: { name: "one edit, durable / open + write + fsync + rename", target: 1 },
  5: { name: "open, one edit, close / the same by hand", target: 1.5 },
};
