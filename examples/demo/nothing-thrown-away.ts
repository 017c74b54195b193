import { readFileSync } from "node:fs";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { openDirectory } from "holdfast/node";
import { type DoorName, doorNames } from "./doors.ts";
import { killWhen } from "./kill-writer.ts";
import type { Row } from "./matrix.ts";
import { withFolder } from "./trees.ts";

const foreign = "written by another program after the crash\n";
const manyFiles = Array.from({ length: 90 }, (_, index) => [`file-${index}.txt`, `old ${index}\n`] as const);

/** P5: a commit is cut short, another program writes one of its files, and then the folder is opened again. */
export async function* nothingThrownAway(): AsyncIterable<Row> {
  for (const door of doorNames) {
    const takesMany = door === "apply" || door === "apply_changes";
    const files = takesMany ? manyFiles : manyFiles.slice(0, 1);
    let row: Row | undefined;
    // A machine that is busy may let the writer finish before it is killed; then there is nothing to see.
    for (let tries = 0; row === undefined && tries < 10; tries++)
      row = await withFolder(Object.fromEntries(files), (root) => meetForeignBytes(door, root, files));
    yield row ?? { door, tried: "killed half-way", found: "was always too late", holds: false };
  }
}

async function meetForeignBytes(
  door: DoorName,
  root: string,
  files: readonly (readonly [string, string])[],
): Promise<Row | undefined> {
  const isNew = (path: string) => readFileSync(join(root, path), "utf8").startsWith("new");
  const replacements = files.map(([path]) => ({ path, oldText: "old", newText: "new" }));
  const seen = files.slice(0, 5);
  await killWhen({ root, door, replacements, idempotencyKey: "k" }, () => seen.some(([path]) => isNew(path)));
  const single = files.length === 1;
  const target = files.findLast(([path]) => single || !isNew(path));
  if (target === undefined) return undefined;
  const [path, before] = target;
  await writeFile(join(root, path), foreign);
  await using workspace = await openDirectory(root);
  const { recovery } = await workspace.info();
  const isLeft = (await readFile(join(root, path), "utf8")) === foreign;
  const tried = single
    ? "killed after its write, another program writes"
    : "killed half-way, another program writes a file";
  if (single)
    return { door, tried, found: isLeft ? "its bytes are left" : "ITS BYTES ARE GONE", holds: isLeft };
  const ours = (await conflictsOf(root)).includes(before.replace("old", "new"));
  const others = files.filter(([other]) => isNew(other)).length;
  return {
    door,
    tried,
    found: `its bytes ${isLeft ? "left" : "GONE"}, ours ${ours ? "kept" : "GONE"}, ${others} others new`,
    holds: isLeft && ours && others === files.length - 1 && recovery.conflicts.includes(path),
  };
}

async function conflictsOf(root: string): Promise<readonly string[]> {
  const folder = join(root, ".holdfast", "conflicts");
  const names = await readdir(folder).catch(() => []);
  return await Promise.all(names.map((name) => readFile(join(folder, name), "utf8")));
}
