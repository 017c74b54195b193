import { join } from "node:path";
import { assertSame, editLines, joinLines, makeEdits, makeLines, makeTree } from "../fixtures.mjs";
import { pairs } from "../pairs.mjs";

const fileCount = 200;
const context = 3;

export const rows = [13];

/** A patch of 2,000 hunks over 200 files of 500 lines, against the same change given as line edits; both in one durable commit of one kind of workspace. */
export async function run({ folder, library, quick, only }) {
  const { openDirectory } = await library("node");
  const lines = Array.from({ length: fileCount }, (_, file) => makeLines(file));
  const roots = { ours: join(folder, "ours"), peer: join(folder, "peer") };
  const [paths] = Object.values(roots).map((root) =>
    makeTree(root, fileCount, (file) => joinLines(lines[file])),
  );
  const steps = new Map();
  const prepare = (round) => {
    const known = steps.get(round);
    if (known !== undefined) return known;
    steps.clear();
    const edits = paths.map((_path, file) => makeEdits(file, round));
    const patch = paths.map((path, file) => diffOf(path, lines[file], edits[file])).join("");
    const step = { edits, patch, bytes: edits.map((list, file) => editLines(lines[file], list)) };
    steps.set(round, step);
    return step;
  };
  const workspaces = {
    ours: await openDirectory(roots.ours),
    peer: await openDirectory(roots.peer),
  };
  let revisions = await Promise.all(paths.map(async (path) => (await workspaces.peer.read(path)).revision));
  const result = await pairs({
    rounds: quick ? 9 : 31,
    only,
    verify: (round) => assertSame(Object.values(roots), paths, prepare(round).bytes),
    ours: async (round) => {
      const { patch } = prepare(round);
      return async () => {
        await workspaces.ours.applyPatch(patch);
      };
    },
    peer: async (round) => {
      const { edits } = prepare(round);
      const changes = paths.map((path, file) => ({
        action: "edit",
        path,
        revision: revisions[file],
        edits: edits[file],
      }));
      return async () => {
        const { files } = await workspaces.peer.apply(changes);
        revisions = files.map(({ revision }) => revision);
      };
    },
  });
  for (const workspace of Object.values(workspaces)) await workspace.close();
  const name = "a patch of 2,000 hunks in 200 files, one commit / the same as line edits";
  return [{ row: 13, name, target: 1.3, ...result }];
}

/** A unified diff of single replaced lines with three lines of context around each. */
function diffOf(path, lines, edits) {
  const hunks = edits.map(({ startLine, content }) => {
    const at = startLine - 1;
    const before = lines.slice(at - context, at).map((line) => ` ${line}`);
    const after = lines.slice(at + 1, at + 1 + context).map((line) => ` ${line}`);
    const count = before.length + 1 + after.length;
    const range = `${startLine - before.length},${count}`;
    return [`@@ -${range} +${range} @@`, ...before, `-${lines[at]}`, `+${content}`, ...after].join("\n");
  });
  return `diff --git a/${path} b/${path}\n--- a/${path}\n+++ b/${path}\n${hunks.join("\n")}\n`;
}
