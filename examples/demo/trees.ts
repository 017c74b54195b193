import { createHash } from "node:crypto";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The files of a folder, without version control data and the library's own state. */
export type Tree = Map<string, Buffer>;

/** Copies the files of an installed package to a new folder, and gives its path. */
export async function copyPackage(name: string): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), "holdfast-demo-"));
  const source = fileURLToPath(new URL(`../../node_modules/${name}/`, import.meta.url));
  await cp(source, root, { recursive: true });
  return root;
}

/** Makes a new folder with a few files, runs something in it, and removes it. */
export async function withFolder<T>(
  files: Readonly<Record<string, string | Buffer>>,
  run: (root: string) => Promise<T>,
): Promise<T> {
  const root = await mkdtemp(join(tmpdir(), "holdfast-demo-"));
  try {
    for (const [path, content] of Object.entries(files)) {
      await mkdir(dirname(join(root, path)), { recursive: true });
      await writeFile(join(root, path), content);
    }
    return await run(root);
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

/** Reads every file. */
export async function readTree(root: string): Promise<Tree> {
  const tree: Tree = new Map();
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name).slice(root.length + 1);
    if (/^\.(git|holdfast)(\/|$)/.test(path) || !entry.isFile()) continue;
    tree.set(path, await readFile(join(root, path)));
  }
  return tree;
}

/** One hash of all paths and bytes. */
export function hashTree(tree: Tree): string {
  const hash = createHash("sha256");
  for (const path of [...tree.keys()].sort()) {
    const bytes = tree.get(path) as Buffer;
    hash.update(`${path}\0${bytes.byteLength}\0`).update(bytes);
  }
  return hash.digest("hex");
}
