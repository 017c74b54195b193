import { join } from "node:path";
import writeFileAtomic from "write-file-atomic";
import { assertSame, editLines, joinLines, makeEdits, makeLines, makeTree } from "../fixtures.mjs";
import { pairs } from "../pairs.mjs";

const fileCount = 200;

export const rows = [1];

/** 2,000 line edits over 200 files as one durable commit, against 200 atomic durable writes in parallel. */
export async function run({ folder, library, quick, only }) {
  const contents = Array.from({ length: fileCount }, (_, file) => makeLines(file));
  const roots = { ours: join(folder, "ours"), peer: join(folder, "peer") };
  const content = (file) => joinLines(contents[file]);
  const paths = makeTree(roots.ours, fileCount, content);
  makeTree(roots.peer, fileCount, content);
  const { openDirectory } = await library("node");
  const workspace = await openDirectory(roots.ours);
  const revisions = await Promise.all(paths.map(async (path) => (await workspace.read(path)).revision));
  const prepared = new Map();
  const prepare = (round) => {
    if (!prepared.has(round)) {
      prepared.clear();
      const edits = paths.map((_, file) => makeEdits(file, round));
      prepared.set(round, { edits, bytes: edits.map((list, file) => editLines(contents[file], list)) });
    }
    return prepared.get(round);
  };
  const result = await pairs({
    rounds: quick ? 9 : 31,
    only,
    ours: async (round) => {
      const { edits } = prepare(round);
      const changes = paths.map((path, file) => ({ action: "edit", path, revision: revisions[file], edits: edits[file] }));
      return async () => {
        const { files } = await workspace.apply(changes);
        files.forEach(({ revision }, file) => {
          revisions[file] = revision;
        });
      };
    },
    peer: async (round) => {
      const { bytes } = prepare(round);
      return async () => {
        await Promise.all(paths.map((path, file) => writeFileAtomic(join(roots.peer, path), bytes[file])));
      };
    },
    verify: (round) => assertSame(Object.values(roots), paths, prepare(round).bytes),
  });
  await workspace.close();
  return [{ row: 1, name: "2,000 line edits, 200 files, one commit / write-file-atomic", target: 0.6, ...result }];
}
