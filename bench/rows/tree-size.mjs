import { join } from "node:path";
import { assertSame, editLines, joinLines, makeEdits, makeLines, makeTree } from "../fixtures.mjs";
import { pairs } from "../pairs.mjs";

export const rows = [7];

/** One edit in a large tree against the same edit in a tree of a hundred files: "peer" is the small tree. */
export async function run({ folder, library, quick, only }) {
  const { openDirectory } = await library("node");
  const large = quick ? 20_000 : 100_000;
  const counts = { ours: large, peer: 100 };
  const first = makeLines(0);
  const roots = { ours: join(folder, "large"), peer: join(folder, "small") };
  const sides = {};
  let last = { round: -1 };
  const prepare = (round) => {
    if (last.round !== round) {
      const edits = makeEdits(0, round, 1);
      last = { round, edits, bytes: editLines(first, edits) };
    }
    return last;
  };
  const opened = [];
  let path;
  for (const [name, root] of Object.entries(roots)) {
    [path] = makeTree(root, counts[name], (file) => (file === 0 ? joinLines(first) : `file ${file}\n`));
    const start = performance.now();
    const workspace = await openDirectory(root);
    console.error(`  opened a tree of ${counts[name]} files in ${(performance.now() - start).toFixed(1)} ms`);
    opened.push(workspace);
    let { revision } = await workspace.read(path);
    sides[name] = async (round) => {
      const { edits } = prepare(round);
      return async () => {
        ({ revision } = (await workspace.edit(path, edits, { revision })).files[0]);
      };
    };
  }
  const result = await pairs({
    rounds: quick ? 31 : 151,
    only,
    ...sides,
    verify: (round) => assertSame(Object.values(roots), [path], [prepare(round).bytes]),
  });
  for (const workspace of opened) await workspace.close();
  return [
    {
      row: 7,
      name: `one edit among ${large.toLocaleString("en")} files / among 100`,
      target: 1.1,
      ...result,
    },
  ];
}
