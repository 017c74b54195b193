import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { openDirectory } from "holdfast/node";
import { answerOf, type DoorName, doorNames, type Replacement, replaceThrough } from "./doors.ts";
import { killWhen, timeOf } from "./kill-writer.ts";
import type { Row } from "./matrix.ts";
import { hashTree, readTree, type Tree } from "./trees.ts";

const mark = (round: number) => `// round ${round};`;
const kills: Readonly<Record<DoorName, number>> = {
  apply: 10,
  apply_changes: 8,
  edit: 3,
  write: 3,
  update: 3,
};

/** P2: calls that fail half-way, and processes that are killed half-way, in the copied tree. */
export async function* allOrNothing(root: string): AsyncIterable<Row> {
  for (const door of doorNames) yield await failing(door, root);
  const { many, big } = await prepare(root);
  const rounds = { many: 0, big: 0 };
  for (const door of doorNames) {
    const kind = door === "apply" || door === "apply_changes" ? "many" : "big";
    const { row, round } = await killing(door, root, kind === "many" ? many : [big], rounds[kind]);
    rounds[kind] = round;
    yield row;
  }
}

async function failing(door: DoorName, root: string): Promise<Row> {
  const before = hashTree(await readTree(root));
  await using workspace = await openDirectory(root);
  const good = (path: string): Replacement => ({ path, oldText: `"name"`, newText: `"eman"` });
  const bad = { path: "README.md", oldText: "no such text, surely", newText: "" };
  const edits = [
    { op: "replace_text" as const, oldText: "zod", newText: "doz", replaceAll: true },
    { op: "replace_text" as const, oldText: bad.oldText, newText: "" },
  ];
  const tries = {
    apply: () => replaceThrough("apply", workspace, [good("package.json"), good("mini/package.json"), bad]),
    apply_changes: () =>
      replaceThrough("apply_changes", workspace, [good("package.json"), good("mini/package.json"), bad]),
    edit: () => answerOf(workspace.edit("README.md", edits)),
    write: () =>
      replaceThrough("write", workspace, [{ ...good("package.json"), revision: "0123456789abcdef" }]),
    update: () => answerOf(workspace.update("new/a\u0000b.ts", () => "x")),
  };
  const answer = await tries[door]();
  const isSame = hashTree(await readTree(root)) === before;
  const what = {
    apply: "3 files, the third fails",
    apply_changes: "3 files, the third fails",
    edit: "2 edits, the second fails",
    write: "a write that is refused",
    update: "a file that cannot be made",
  };
  return {
    door,
    tried: `${what[door]}: whole tree hashed`,
    found: `${answer.ok ? "NOT REFUSED" : answer.code}, ${isSame ? "tree is the same" : "TREE DIFFERS"}`,
    holds: isSame && !answer.ok && answer.written === "no",
  };
}

/** Puts a mark into many files, and makes a big one. */
async function prepare(root: string): Promise<{ readonly many: readonly string[]; readonly big: string }> {
  const tree = await readTree(root);
  const many = [...tree.keys()].filter((path) => path.endsWith(".js")).slice(0, 60);
  for (const path of many)
    await writeFile(join(root, path), `${mark(0)}\n${tree.get(path)?.toString() ?? ""}`);
  const big = "generated.js";
  await writeFile(join(root, big), `${mark(0)}\n${"export const value = 1;\n".repeat(120_000)}`);
  return { many, big };
}

async function killing(
  door: DoorName,
  root: string,
  paths: readonly string[],
  first: number,
): Promise<{ readonly row: Row; readonly round: number }> {
  let round = first;
  const task = () => ({
    root,
    door,
    replacements: paths.map((path) => ({ path, oldText: mark(round), newText: mark(round + 1) })),
    idempotencyKey: `${door} ${round}`,
  });
  const duration = await timeOf(task());
  round += 1;
  const found = { halfWay: 0, old: 0, new: 0, torn: 0, retried: 0 };
  let tree = await readTree(root);
  for (let kill = 0; kill < kills[door]; kill++, round++) {
    const after = withMark(tree, paths, round + 1);
    const [hashBefore, hashAfter] = [hashTree(tree), hashTree(after)];
    const moment = Math.random() * duration;
    // Every other kill waits for the first file to be new, so that some meet a commit that is half-way.
    const seen = kill % 2 === 1 ? paths[0] : undefined;
    await killWhen(task(), (elapsed) =>
      seen === undefined ? elapsed >= moment : hasMark(join(root, seen), round + 1),
    );
    const left = hashTree(await readTree(root));
    if (left !== hashBefore && left !== hashAfter) found.halfWay += 1;
    await using workspace = await openDirectory(root);
    const hash = hashTree(await readTree(root));
    const state = hash === hashBefore ? "old" : hash === hashAfter ? "new" : "torn";
    found[state] += 1;
    const { replacements, idempotencyKey } = task();
    const retried = await replaceThrough(door, workspace, replacements, { idempotencyKey });
    const isNew = hashTree(await readTree(root)) === hashAfter;
    if (retried.ok && isNew && retried.replayed === (state === "new")) found.retried += 1;
    tree = after;
  }
  const count = kills[door];
  const row = {
    door,
    tried: `${count} × killed changing ${paths.length === 1 ? "3 MB" : `${paths.length} files`}, reopened, retried`,
    found: `${found.old} old, ${found.new} new (${found.halfWay} met half-way), ${found.torn} torn`,
    holds: found.torn === 0 && found.retried === count,
  };
  return { row, round };
}

function hasMark(file: string, round: number): boolean {
  return readFileSync(file, "utf8").startsWith(mark(round));
}

/** What the tree must be when every named file has the mark of a round. */
function withMark(tree: Tree, paths: readonly string[], round: number): Tree {
  const next: Tree = new Map(tree);
  for (const path of paths) {
    const bytes = tree.get(path) as Buffer;
    next.set(path, Buffer.concat([Buffer.from(mark(round)), bytes.subarray(bytes.indexOf("\n"))]));
  }
  return next;
}
