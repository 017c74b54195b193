import { throwIfAborted } from "../../base/abort.ts";
import type { Pause } from "../../base/clock.ts";
import { pathKey } from "../../tree/path-key.ts";
import { nameOf, parentOf } from "../../tree/path-parts.ts";
import { protectedName } from "../../tree/protected-name.ts";
import { parseWorkspacePath } from "../../tree/workspace-path.ts";
import type { ListedFile, StorageListOptions } from "../storage-adapter.ts";
import type { FileSystem } from "./file-system.ts";
import { patiently } from "./patiently.ts";
import type { RootFolder } from "./root-folder.ts";

/** What listing needs. */
export interface ListHost {
  readonly fileSystem: FileSystem;
  readonly root: RootFolder;
  /** Whether the disk finds files under other spellings of their names. */
  readonly folds: boolean;
  readonly pause: Pause;
}

/**
 * Lists files and links in order of their whole paths. Folders are entered in that order too, so nothing is sorted but one folder at a time.
 * Protected names, roots of other workspaces, and names that no path can spell are left out.
 */
export async function* listFiles(host: ListHost, options: StorageListOptions): AsyncGenerator<ListedFile> {
  const { under = "" } = options;
  yield* listFolder(
    host,
    host.folds ? await patiently(host.fileSystem, () => spelledOnDisk(host, under)) : under,
    options,
  );
}

/** Paths are given as they are spelled on the disk, whatever spelling the folder was asked for in. */
function spelledOnDisk(host: ListHost, path: string): string {
  if (path === "") return "";
  const parent = spelledOnDisk(host, parentOf(path));
  const name = nameOf(path);
  const inParent = parent === "" ? "" : `${parent}/`;
  const folder = host.root.folder(parent);
  if (folder === undefined || "kind" in folder) return `${inParent}${name}`;
  const names = host.fileSystem.readdir(folder.base).map((entry) => entry.name);
  const key = pathKey(name);
  const other = names.includes(name) ? name : names.find((one) => pathKey(one) === key);
  return `${inParent}${other ?? name}`;
}

async function* listFolder(
  host: ListHost,
  path: string,
  options: StorageListOptions,
): AsyncGenerator<ListedFile> {
  const { fileSystem, root } = host;
  const folder = await patiently(fileSystem, () => root.folder(path));
  if (folder === undefined || "kind" in folder) return;
  const found = await patiently(fileSystem, () => fileSystem.readdir(folder.base));
  const entries = found.filter(({ name }) => protectedName(name) === undefined);
  // A folder sorts as its name with a slash, for that is how the paths below it begin.
  const sorted = entries
    .map((entry) => ({ ...entry, key: entry.kind === "directory" ? `${entry.name}/` : entry.name }))
    .sort((a, b) => (a.key < b.key ? -1 : 1));
  for (const { name, kind, key } of sorted) {
    const inner = path === "" ? name : `${path}/${name}`;
    await host.pause();
    throwIfAborted(options);
    if (kind === "directory") {
      if (!isPast(`${path === "" ? "" : `${path}/`}${key}`, options.after))
        yield* listFolder(host, inner, options);
      continue;
    }
    if (options.after !== undefined && inner <= options.after) continue;
    const isSpellable = parseWorkspacePath(inner).problem === undefined;
    const located = isSpellable ? await patiently(fileSystem, () => root.locate(inner)) : undefined;
    if (located?.kind === "file" || located?.kind === "symlink")
      yield { path: inner, kind: located.kind, byteLength: located.status.size };
  }
}

/** Whether every path that begins with a prefix comes before `after` or is it. */
function isPast(prefix: string, after: string | undefined): boolean {
  return after !== undefined && prefix <= after && !after.startsWith(prefix);
}
