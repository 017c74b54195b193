import type { FileSystem } from "./file-system.ts";
import { stateFolders, temporaryParts } from "./state-folder.ts";

/** The folders of the state folder that hold what a call may make, move or remove by name. */
const allStateFolders: readonly string[] = Object.values(stateFolders);

/** The temporary folder and its parts. */
export const temporaryFolders: readonly string[] = [
  stateFolders.temporary,
  ...temporaryParts.map((part) => `${stateFolders.temporary}/${part}`),
];

/**
 * Fails when a part of the state folder is no real folder any more: through a link in its place, names would be made and removed outside.
 *
 * @param folders - Relative to the state folder.
 */
export function assertRealFolders(
  host: { readonly fileSystem: FileSystem; readonly state: { readonly path: string } },
  folders: Iterable<string> = allStateFolders,
): void {
  for (const folder of folders) {
    const path = `${host.state.path}/${folder}`;
    const kind = host.fileSystem.lstat(path)?.kind;
    if (kind !== "directory")
      throw Object.assign(new Error("not a folder"), {
        code: kind === undefined ? "ENOENT" : "ENOTDIR",
        path,
      });
  }
}
