import { pathKey } from "../../tree/path-key.ts";
import { ancestorsOf, nameOf, parentOf } from "../../tree/path-parts.ts";
import type { FileSystem } from "./file-system.ts";
import type { RootFolder } from "./root-folder.ts";

/** What looking for other spellings needs. */
export interface SpellingHost {
  readonly fileSystem: FileSystem;
  readonly root: RootFolder;
}

/**
 * Whether a disk that folds names would take a new path, or a new folder of it, for one in another spelling that stays.
 *
 * @param removed - Files that go away in the same batch.
 */
export function meetsOtherSpelling(host: SpellingHost, path: string, removed: ReadonlySet<string>): boolean {
  for (const node of [...ancestorsOf(path), path]) {
    const folder = host.root.folder(parentOf(node));
    if (folder === undefined || "kind" in folder) return false;
    if (host.root.locate(node).kind !== "absent") continue;
    if (host.fileSystem.lstat(`${folder.base}/${nameOf(node)}`) === undefined) return false;
    const key = pathKey(nameOf(node));
    const other = host.fileSystem.readdir(folder.base).find(({ name }) => pathKey(name) === key);
    if (other === undefined) return true;
    const at = parentOf(node) === "" ? other.name : `${parentOf(node)}/${other.name}`;
    return other.kind === "directory" ? !isEmptied(host, at, removed) : !removed.has(at);
  }
  return false;
}

/** Whether nothing is left in a folder once a batch's removals are done; foreign files count. */
export function isEmptied(host: SpellingHost, path: string, removed: ReadonlySet<string>): boolean {
  const folder = host.root.folder(path);
  if (folder === undefined || "kind" in folder) return false;
  return host.fileSystem.readdir(folder.base).every(({ name, kind }) => {
    const inner = `${path}/${name}`;
    return kind === "directory" ? isEmptied(host, inner, removed) : removed.has(inner);
  });
}
