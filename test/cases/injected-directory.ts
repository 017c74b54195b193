import * as fs from "node:fs";
import { join } from "node:path";
import { type LimitOverrides, Workspace } from "holdfast";
import { DirectoryAdapter } from "../../src/storage/directory/directory-adapter.ts";
import type { DirectoryStorageOptions } from "../../src/storage/directory/directory-options.ts";
import type { FileSystem } from "../../src/storage/directory/file-system.ts";
import { nodeFileSystem } from "../../src/storage/directory/node-file-system.ts";
import { type CountingFileSystem, countingFileSystem, simulatedHost } from "../support/crashing-host.ts";
import { readTree, writeTree } from "../support/directory-tree.ts";
import { newFolder } from "./case-workspace.ts";

/** A real directory behind a file system whose calls can be counted, failed and stopped. */
export interface InjectedDirectory extends Disposable {
  readonly root: string;
  readonly counting: CountingFileSystem;
  /** Opens it; each opening is another process, of the first run of the machine unless said otherwise. */
  open(options?: InjectedOptions): Promise<Workspace>;
  /** Every file with its mode and bytes, and every empty folder. */
  tree(): Record<string, string>;
}

/** How an injected directory is opened. */
export interface InjectedOptions extends Omit<DirectoryStorageOptions, "root"> {
  readonly boot?: string;
  readonly limits?: LimitOverrides;
  /** Without it, the file system is not interfered with. */
  readonly counting?: CountingFileSystem;
}

/** Makes a directory that holds the given files. */
export function injectedDirectory(
  files: Parameters<typeof writeTree>[1],
  inner: Partial<FileSystem> = {},
): InjectedDirectory {
  const root = newFolder();
  writeTree(root, files);
  const counting = countingFileSystem({ ...nodeFileSystem, ...inner });
  return {
    root,
    counting,
    open: async ({ boot, counting: used = counting, limits, ...options } = {}) =>
      await Workspace.open(new DirectoryAdapter(simulatedHost(used.fileSystem, boot), { root, ...options }), {
        limits,
      }),
    tree: () => readTree(root),
    [Symbol.dispose]: () => fs.rmSync(root, { recursive: true, force: true }),
  };
}

/** Host path of a file in the root. */
export function hostPath(directory: InjectedDirectory, path: string): string {
  return join(directory.root, path);
}
