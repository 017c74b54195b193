import { flushPath } from "./file-bytes.ts";
import type { FileSystem } from "./file-system.ts";
import { patiently } from "./patiently.ts";
import type { RootFolder } from "./root-folder.ts";

/** What flushing paths of the workspace needs. */
export interface FlushHost {
  readonly fileSystem: FileSystem;
  readonly root: RootFolder;
}

/** Makes files durable, and the folders on the way to paths: by default, to those files. */
export async function flushTargets(
  host: FlushHost,
  files: readonly string[],
  paths: readonly string[] = files,
): Promise<void> {
  for (const path of files) {
    const located = await patiently(host.fileSystem, () => host.root.locate(path));
    if (located.kind === "file") await flushPath(host.fileSystem, located.at, "read");
  }
  for (const folder of foldersOf(paths)) await flushFolder(host, folder);
}

/** The folders on the way to paths, the root included: a durable name in a folder that is not itself durable is lost with it. */
export function foldersOf(paths: Iterable<string>): ReadonlySet<string> {
  const folders = new Set<string>([""]);
  for (const path of paths) {
    for (let slash = path.lastIndexOf("/"); slash > 0; slash = path.lastIndexOf("/", slash - 1))
      folders.add(path.slice(0, slash));
  }
  return folders;
}

/** Makes the entries of a folder durable; one that is gone has none. */
export async function flushFolder(host: FlushHost, path: string): Promise<void> {
  const folder = await patiently(host.fileSystem, () => host.root.folder(path));
  if (folder !== undefined && !("kind" in folder))
    await flushPath(host.fileSystem, `${folder.base}/.`, "folder");
}
