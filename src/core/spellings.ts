import type { CancelOptions } from "../base/clock.ts";
import type { StoredFiles } from "../storage/stored-files.ts";
import { pathKey } from "../tree/path-key.ts";
import { ancestorsOf, parentOf } from "../tree/path-parts.ts";
import { walkTree } from "./walk-tree.ts";

interface FolderNames {
  readonly exact: ReadonlySet<string>;
  readonly byKey: ReadonlyMap<string, string>;
}

/**
 * Finds other spellings under which paths exist, for storages that take spellings for one file: of each folder the own entries are listed once,
 * however many of its names are asked for.
 */
export class Spellings {
  readonly #files: StoredFiles;
  readonly #folders = new Map<string, Promise<FolderNames>>();

  constructor(files: StoredFiles) {
    this.#files = files;
  }

  /** The path of the entry that has the same key as the path, spelled otherwise; `undefined` when there is none. */
  async other(path: string, options: CancelOptions): Promise<string | undefined> {
    const folder = parentOf(path);
    const entries = this.#folders.get(folder) ?? this.#read(folder, options);
    this.#folders.set(folder, entries);
    const { exact, byKey } = await entries;
    // Where case is told apart and Unicode forms are not, two spellings can be two files.
    return exact.has(path) ? undefined : byKey.get(pathKey(path));
  }

  /** Says whether nothing on the way to a path, itself included, exists in another spelling only. */
  async isExact(path: string, options: CancelOptions): Promise<boolean> {
    for (const node of [...ancestorsOf(path), path])
      if ((await this.other(node, options)) !== undefined) return false;
    return true;
  }

  async #read(folder: string, options: CancelOptions): Promise<FolderNames> {
    const exact = new Set<string>();
    const byKey = new Map<string, string>();
    for await (const { path } of walkTree(this.#files, { ...options, under: folder, depth: 1 })) {
      exact.add(path);
      byKey.set(pathKey(path), path);
    }
    return { exact, byKey };
  }
}
