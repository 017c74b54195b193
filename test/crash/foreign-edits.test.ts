import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { countingFileSystem, simulatedHost } from "../support/crashing-host.ts";
import { readTree, writeTree } from "../support/directory-tree.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { makeBatch, openAdapter, type Wanted } from "../support/tree-batch.ts";

const start = {
  "edited.txt": "old edited\n",
  "checked-out.txt": "old checked out\n",
  "cut.txt": "old cut\n",
  "removed.txt": "old removed\n",
  "other.txt": "old other\n",
};

const wanted: Wanted = {
  "checked-out.txt": "new checked out\n",
  "created.txt": "new created\n",
  "cut.txt": "new cut\n",
  "edited.txt": "new edited\n",
  "other.txt": "new other\n",
  "removed.txt": null,
};

function git(root: string, ...args: readonly string[]): void {
  execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.invalid", ...args], {
    cwd: root,
    stdio: "ignore",
  });
}

/** What people and programs do to files between the end of a process and the next opening. */
const interventions: Readonly<Record<string, (root: string) => void>> = {
  "an edit in place": (root) => fs.writeFileSync(join(root, "edited.txt"), "by hand\n"),
  "an edit by rename": (root) => {
    fs.writeFileSync(join(root, "new"), "by an editor\n");
    fs.renameSync(join(root, "new"), join(root, "edited.txt"));
  },
  "a git checkout": (root) => git(root, "checkout", "-q", "--", "checked-out.txt"),
  "a truncation": (root) => fs.truncateSync(join(root, "cut.txt"), 3),
  "a truncation to nothing": (root) => fs.truncateSync(join(root, "cut.txt"), 0),
  "a file of the same name": (root) => fs.writeFileSync(join(root, "created.txt"), "mine\n"),
  "an edit that restores the old bytes": (root) =>
    fs.writeFileSync(join(root, "edited.txt"), start["edited.txt"]),
  "a new file in the place of a removed one": (root) =>
    fs.writeFileSync(join(root, "removed.txt"), "again\n"),
};

/** Every file outside the repository, as the very file that it is: written again with the same bytes it is another. */
function readFiles(root: string): Record<string, string> {
  const files = Object.entries(readTree(root)).filter(([path]) => !path.startsWith(".git/"));
  return Object.fromEntries(
    files.map(([path, content]) => {
      const { ino, mtimeNs } = fs.lstatSync(join(root, path), { bigint: true });
      return [path, `${ino} ${mtimeNs} ${content}`];
    }),
  );
}

/** Ends a process at a call of the commit; then somebody intervenes; then the storage is opened again. */
async function intervene(
  point: number,
  act: (root: string) => void,
): Promise<{ readonly finished: boolean; readonly conflicts: number }> {
  const { path: root, remove } = temporaryFolder("quick");
  try {
    writeTree(root, start);
    git(root, "init", "-q");
    git(root, "add", ".");
    git(root, "commit", "-q", "-m", "start");
    fs.rmSync(join(root, ".git", "hooks"), { recursive: true, force: true });
    const counting = countingFileSystem();
    const { storage } = await openAdapter(simulatedHost(counting.fileSystem), root);
    const batch = await makeBatch(storage, wanted);
    counting.arm({ crashAt: point });
    const outcome = await storage.commit([batch], { flush: true }).then(
      ([first]) => first,
      () => undefined,
    );
    const finished = !counting.hasCrashed();
    const left = readFiles(root);
    act(root);
    const changed = readTree(root);
    const now = readFiles(root);
    const touched = [...new Set([...Object.keys(left), ...Object.keys(now)])].filter(
      (path) => left[path] !== now[path],
    );
    const { report } = await openAdapter(simulatedHost(countingFileSystem().fileSystem), root);
    const tree = readTree(root);
    for (const path of touched) expect(tree[path], `${path} after call ${point}`).toBe(changed[path]);
    // All other paths are on one side.
    const others = Object.keys({ ...start, ...wanted }).filter((path) => !touched.includes(path));
    const sides = new Set(
      others.map((path) => (tree[path] === undefined ? wanted[path] === null : tree[path].includes("new "))),
    );
    expect(sides.size, `sides after call ${point}: ${JSON.stringify(tree)}`).toBe(1);
    if (outcome?.committed === true) expect(sides).toEqual(new Set([true]));
    return { finished, conflicts: report.conflicts.length };
  } finally {
    remove();
  }
}

describe.each(Object.entries(interventions))(
  "%s between the end of a process and the next opening",
  (_name, act) => {
    test("is left as it was made, and the rest of the commit is whole or absent", async () => {
      for (let point = 1; ; point += 1) {
        const { finished } = await intervene(point, act);
        if (finished) break;
      }
    }, 60_000);
  },
);
