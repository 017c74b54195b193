import { HoldfastError } from "../../base/holdfast-error.ts";
import type { Steps } from "../../base/steps.ts";
import { pathKey } from "../../tree/path-key.ts";
import { ancestorsOf } from "../../tree/path-parts.ts";
import { quotePath } from "../../tree/quote-path.ts";
import { SortedTexts } from "./sorted-texts.ts";

/** A file that is held in memory. It is replaced as a whole and its bytes never change. */
export interface MemoryFile {
  /** Its path as it is spelled. */
  readonly path: string;
  /** File or symbolic link. */
  readonly kind: "file" | "symlink";
  /** Whether it may be run. */
  readonly executable: boolean;
  /** Its bytes. */
  readonly bytes: Uint8Array;
  /** Changes with every write. */
  readonly version: string;
}

/** Files by path, and the folders that they make. Where names fold, paths that differ in case or Unicode form only are one. */
export class MemoryFiles {
  readonly #fold: boolean;
  readonly #files = new Map<string, MemoryFile>();
  readonly #folders = new Map<string, { readonly path: string; files: number }>();
  readonly #paths = new SortedTexts();

  constructor(fold: boolean) {
    this.#fold = fold;
  }

  /** What two paths have in common when they are one file here. */
  keyOf(path: string): string {
    return this.#fold ? pathKey(path) : path;
  }

  /** The file at a path. */
  get(path: string): MemoryFile | undefined {
    return this.#files.get(this.keyOf(path));
  }

  /** How many files lie below a folder, at any depth. */
  countBelow(folder: string): number {
    return this.#folders.get(this.keyOf(folder))?.files ?? 0;
  }

  /** Refuses a path one of whose folders is a file, unless that file is going away. */
  refuseBelowFile(path: string, isLeaving: (key: string) => boolean = () => false): void {
    for (const folder of ancestorsOf(path))
      if (this.get(folder) !== undefined && !isLeaving(this.keyOf(folder)))
        throw new HoldfastError("ALREADY_EXISTS", {
          message: `${quotePath(path)} cannot be written, because ${quotePath(folder)} is a file.`,
        });
  }

  /** Refuses a path that is a folder with more files in it than are going away. */
  refuseFolder(path: string, leaving = 0): void {
    if (this.countBelow(path) > leaving)
      throw new HoldfastError("IS_DIRECTORY", {
        message: `${quotePath(path)} cannot be written, because it is a folder that is not empty.`,
      });
  }

  /** Writes a file. One that is there keeps its spelling, and so do folders. */
  put(file: MemoryFile): void {
    const key = this.keyOf(file.path);
    const existing = this.#files.get(key);
    if (existing !== undefined) {
      this.#files.set(key, { ...file, path: existing.path });
      return;
    }
    const path = this.#spell(file.path);
    this.#files.set(key, { ...file, path });
    this.#paths.add(path);
    for (const folder of ancestorsOf(path)) {
      const known = this.#folders.get(this.keyOf(folder));
      if (known === undefined) this.#folders.set(this.keyOf(folder), { path: folder, files: 1 });
      else known.files += 1;
    }
  }

  /** Removes a file, and the folders that it leaves empty. */
  remove(path: string): void {
    const key = this.keyOf(path);
    const existing = this.#files.get(key);
    if (existing === undefined) return;
    this.#files.delete(key);
    this.#paths.remove(existing.path);
    for (const ancestor of ancestorsOf(existing.path)) {
      const folder = this.#folders.get(this.keyOf(ancestor));
      if (folder === undefined) continue;
      folder.files -= 1;
      if (folder.files === 0) this.#folders.delete(this.keyOf(ancestor));
    }
  }

  /** Walks the files in the order of their paths, those below `under` and after `after`. */
  *walk(under = "", after?: string): Generator<MemoryFile, undefined, undefined> {
    const folder = this.#folders.get(this.keyOf(under))?.path ?? under;
    const first = folder === "" ? "" : `${folder}/`;
    // "0" is the character after "/".
    const end = folder === "" ? undefined : `${folder}0`;
    for (const path of this.#paths.walk(first, after, end)) {
      const file = this.get(path);
      if (file !== undefined) yield file;
    }
  }

  /** Brings the files into the order that walks need, so that the next one need not. */
  settle(): Steps<void> {
    return this.#paths.settle();
  }

  #spell(path: string): string {
    if (!this.#fold) return path;
    let spelled = path;
    for (const folder of ancestorsOf(path)) {
      const known = this.#folders.get(this.keyOf(folder));
      if (known !== undefined) spelled = known.path + path.slice(folder.length);
    }
    return spelled;
  }
}
