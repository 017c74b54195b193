import { join } from "node:path";
import { assertSame, joinLines, makeEdits, makeLines, makeTree } from "../fixtures.mjs";
import { pairs } from "../pairs.mjs";

const fileCount = 200;

export const rows = [15];

/** Taking back 2,000 line edits over 200 files of 500 lines, against making the edits that lead back; both in one durable commit of one kind of workspace. */
export async function run({ folder, library, quick, only }) {
  const { openDirectory } = await library("node");
  const lines = Array.from({ length: fileCount }, (_, file) => makeLines(file));
  const bytes = lines.map((list) => Buffer.from(joinLines(list)));
  const roots = { ours: join(folder, "ours"), peer: join(folder, "peer") };
  const [paths] = Object.values(roots).map((root) => makeTree(root, fileCount, (file) => bytes[file]));
  const workspaces = { ours: await openDirectory(roots.ours), peer: await openDirectory(roots.peer) };
  const revisions = await Promise.all(paths.map(async (path) => (await workspaces.peer.read(path)).revision));
  const there = (round) => paths.map((_path, file) => makeEdits(file, round));
  const back = (edits) =>
    edits.map((list, file) => list.map((edit) => ({ ...edit, content: lines[file][edit.startLine - 1] })));
  const changesOf = (edits, from) =>
    paths.map((path, file) => ({ action: "edit", path, revision: from[file], edits: edits[file] }));
  const result = await pairs({
    rounds: quick ? 9 : 31,
    only,
    verify: () => assertSame(Object.values(roots), paths, bytes),
    ours: async (round) => {
      const { workspaceRevision } = await workspaces.ours.apply(changesOf(there(round), revisions));
      return async () => {
        await workspaces.ours.revert(workspaceRevision);
      };
    },
    peer: async (round) => {
      const edits = there(round);
      const { files } = await workspaces.peer.apply(changesOf(edits, revisions));
      const from = files.map(({ revision }) => revision);
      const changes = changesOf(back(edits), from);
      return async () => {
        await workspaces.peer.apply(changes);
      };
    },
  });
  for (const workspace of Object.values(workspaces)) await workspace.close();
  const name = "reverting 2,000 edits in 200 files / making the edits that lead back";
  return [{ row: 15, name, target: 1.5, ...result }];
}
