import { HoldfastError } from "../../base/holdfast-error.ts";
import { nameOf, parentOf } from "../../tree/path-parts.ts";
import { errorNumber, type FileStatus, type FileSystem, type FoundName } from "./file-system.ts";
import { stateFolderName } from "./state-folder.ts";

/** What stands at a workspace path. */
export type Located =
  /** Nothing; `folder` is its folder when that is there. */
  | { readonly kind: "absent"; readonly folder: OpenFolder | undefined }
  | {
      readonly kind: "file" | "symlink" | "directory" | "other";
      readonly folder: OpenFolder;
      readonly at: string;
      readonly status: FileStatus;
    }
  /** Something that is no plain folder stands where a folder of the path should be. */
  | {
      readonly kind: "obstructed";
      readonly by: string;
      readonly what: "file" | "symlink" | "otherWorkspace";
    };

/** A folder of the workspace, held open. */
export interface OpenFolder {
  /** Its workspace path; `""` is the root. */
  readonly path: string;
  /** A host path that means this very folder, also after its name was given to another. */
  readonly base: string;
  /** Holds it open. */
  readonly descriptor: number;
}

/** Folders that are held open at a time, those used last; some systems give a process 256 descriptors in all. */
const mostHeld = 48;

/**
 * Goes from workspace paths to the disk without following a link: each folder is opened from the one before, held while it is in use, and names
 * are reached through the open folder. A folder that is swapped for a link in between is therefore never entered. On platforms without such
 * anchors the names themselves are used, each checked as it is passed.
 */
export class RootFolder {
  readonly #fileSystem: FileSystem;
  readonly #root: string;
  readonly #caseSensitive: boolean;
  readonly #held = new Map<string, OpenFolder>();

  /**
   * @param root - The host path of the root, without links.
   * @param caseSensitive - Whether what the disk finds under a name is what stands there; else another spelling of the name is not.
   */
  constructor(fileSystem: FileSystem, root: string, caseSensitive: boolean) {
    this.#fileSystem = fileSystem;
    this.#root = root;
    this.#caseSensitive = caseSensitive;
  }

  /** Finds what stands at a path. The answer holds until the next step of anybody: act on it at once. */
  locate(path: string): Located {
    const folder = this.folder(parentOf(path));
    if (folder === undefined) return { kind: "absent", folder: undefined };
    if ("kind" in folder) return folder;
    const name = nameOf(path);
    const at = `${folder.base}/${name}`;
    const status = this.#fileSystem.lstat(at);
    if (status === undefined || !this.#isSpelled(folder, name)) return { kind: "absent", folder };
    return { kind: status.kind, folder, at, status };
  }

  /** Finds a file or link; `undefined` when something else or nothing is there. */
  find(path: string): FoundName | undefined {
    const located = this.locate(path);
    return located.kind === "file" || located.kind === "symlink" ? located : undefined;
  }

  /** Opens a folder; `undefined` when there is none. */
  folder(path: string): OpenFolder | (Located & { kind: "obstructed" }) | undefined {
    const known = this.#held.get(path);
    if (known !== undefined) {
      this.#held.delete(path);
      this.#held.set(path, known);
      return known;
    }
    if (path === "") return this.#hold("", this.#root);
    const parent = this.folder(parentOf(path));
    if (parent === undefined || "kind" in parent) return parent;
    const name = nameOf(path);
    const at = `${parent.base}/${name}`;
    try {
      if (!this.#isSpelled(parent, name)) return undefined;
      const folder = this.#hold(path, at);
      if (this.#fileSystem.lstat(`${folder.base}/${stateFolderName}`) === undefined) return folder;
      this.#release(path);
      return { kind: "obstructed", by: path, what: "otherWorkspace" };
    } catch (error) {
      const code = errorNumber(error);
      if (code === "ENOENT") return undefined;
      if (code !== "ENOTDIR" && code !== "ELOOP") throw error;
      const { kind } = this.#fileSystem.lstat(at) ?? {};
      if (kind === undefined) return undefined;
      // A folder is one that somebody has put there since.
      return {
        kind: "obstructed",
        by: path,
        what: kind === "symlink" || kind === "directory" ? "symlink" : "file",
      };
    }
  }

  /** The device that a folder is on. */
  deviceOf(folder: OpenFolder): bigint {
    return this.#fileSystem.fstat(folder.descriptor).dev;
  }

  /** On disks that fold names, another spelling finds the file too; it is not this path. */
  #isSpelled(folder: OpenFolder, name: string): boolean {
    return this.#caseSensitive || this.#fileSystem.readdir(folder.base).some((entry) => entry.name === name);
  }

  #hold(path: string, at: string): OpenFolder {
    const descriptor = this.#fileSystem.open(at, "folder");
    const folder = { path, base: this.#fileSystem.anchor(descriptor, at), descriptor };
    if (this.#held.size >= mostHeld) this.#release([...this.#held.keys()].find((key) => key !== "") ?? "");
    this.#held.set(path, folder);
    return folder;
  }

  #release(path: string): void {
    const held = this.#held.get(path);
    if (held !== undefined) this.#fileSystem.close(held.descriptor);
    this.#held.delete(path);
  }

  /** Forgets a folder and those below it: it was removed, or made anew. */
  forget(path: string): void {
    for (const key of [...this.#held.keys()])
      if (key === path || key.startsWith(`${path}/`)) this.#release(key);
  }

  /** Lets go of all folders. */
  close(): void {
    for (const key of [...this.#held.keys()]) this.#release(key);
  }
}

/** The refusal of a path that something stands in the way of. */
export function obstructedError(path: string, located: Located & { kind: "obstructed" }): HoldfastError {
  if (located.what === "symlink")
    return pathError(
      "SYMLINK_ESCAPE",
      path,
      `"${path}" goes through the link "${located.by}", which is not followed.`,
    );
  if (located.what === "otherWorkspace")
    return pathError(
      "PROTECTED_PATH",
      path,
      `"${path}" lies in "${located.by}", which is the root of another workspace.`,
    );
  return pathError("ALREADY_EXISTS", path, `"${path}" needs a folder where the file "${located.by}" is.`);
}

/** A refusal that concerns one path. */
export function pathError(
  code:
    | "SYMLINK_ESCAPE"
    | "PROTECTED_PATH"
    | "ALREADY_EXISTS"
    | "IS_DIRECTORY"
    | "NOT_SUPPORTED"
    | "READ_ONLY"
    | "TARGET_BUSY"
    | "STORAGE_FAILED",
  path: string,
  message: string,
): HoldfastError {
  return new HoldfastError(code, { message, problems: [{ code, message, path }] });
}
