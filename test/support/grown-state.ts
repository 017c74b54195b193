import * as fs from "node:fs";
import { join } from "node:path";
import { Workspace } from "holdfast";
import { DirectoryAdapter } from "../../src/storage/directory/directory-adapter.ts";
import { nodeHost } from "../../src/storage/directory/directory-host.ts";
import type { FileSystem } from "../../src/storage/directory/file-system.ts";
import { temporaryFolder } from "./temporary-folder.ts";

/** Opens a directory that never seals by itself and waits for nobody. */
export function openQuickly(root: string, fileSystem: Partial<FileSystem> = {}): Promise<Workspace> {
  return Workspace.open(quickStorage(root, fileSystem), { lockTimeoutMs: 0 });
}

function quickStorage(root: string, fileSystem: Partial<FileSystem>): DirectoryAdapter {
  const host = nodeHost();
  return new DirectoryAdapter(
    { ...host, fileSystem: { ...host.fileSystem, ...fileSystem }, idleMs: undefined },
    { root },
  );
}

/** A directory whose state folder has something of everything in it, to be copied for each case. */
export interface GrownDirectory extends Disposable {
  readonly path: string;
  /** Runs a case on a copy. */
  copy(run: (root: string) => Promise<void>): Promise<void>;
}

/** Makes files, sealed and unsealed history, before-images, pre-images and large contents. */
export async function growDirectory(): Promise<GrownDirectory> {
  const { path, remove } = temporaryFolder("quick");
  fs.writeFileSync(join(path, "a.txt"), "0\n");
  fs.writeFileSync(join(path, "gone.txt"), "gone\n");
  const storage = quickStorage(path, {});
  const workspace = await Workspace.open(storage, { lockTimeoutMs: 0 });
  const count = () => workspace.update("a.txt", (file) => `${Number(file?.text) + 1}\n`);
  for (let round = 0; round < 3; round++) await count();
  await workspace.write("large.txt", "large 1\n".repeat(40_000));
  await storage.prune({ before: 1, keep: new Set(), staged: [] });
  for (let round = 0; round < 3; round++) await count();
  const { revision } = await workspace.read("gone.txt");
  await workspace.apply({ action: "delete", path: "gone.txt", revision });
  await workspace.write("large-2.txt", "large 2\n".repeat(40_000));
  await workspace.close();
  return {
    path,
    copy: async (run) => {
      const copy = temporaryFolder("quick");
      try {
        fs.cpSync(path, copy.path, { recursive: true });
        await run(copy.path);
      } finally {
        copy.remove();
      }
    },
    [Symbol.dispose]: remove,
  };
}

/** Names in the state folder, of each kind; of the lock the newest generation. */
export function namesOfState(root: string): readonly string[] {
  const names = fs
    .readdirSync(join(root, ".holdfast"), { recursive: true, encoding: "utf8" })
    .filter((name) => !name.startsWith("lock/"));
  const firstOf = (folder: string) =>
    names
      .filter((name) => name.startsWith(folder))
      .sort()
      .slice(0, 1);
  const rest = names.filter((name) => !/^(tmp|images|pre)\//.test(name)).sort();
  return [...rest, ...["tmp/", "images/", "pre/"].flatMap(firstOf), newestLock(root)];
}

/** The generation of the lock that counts. */
export function newestLock(root: string): string {
  const numbers = fs
    .readdirSync(join(root, ".holdfast/lock"))
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
  return `lock/${Math.max(...numbers)}`;
}
