import { errorNumber } from "./file-system.ts";
import type { PublishHost } from "./publish-paths.ts";
import { assertRealFolders } from "./real-folders.ts";
import { stateFile, stateFolders } from "./state-folder.ts";

/** Name of a path in the conflicts folder: the entry's number, the path with its separators made plain. */
function conflictName(ordinal: number, path: string, side: "ours" | "theirs"): string {
  return `${ordinal}-${side}-${encodeURIComponent(path).slice(-180)}`;
}

/** Keeps a file as a version that could not be published or had to give way, by a copy. A file that is gone is passed over. */
export async function keepConflict(
  host: Pick<PublishHost, "fileSystem" | "state">,
  from: string,
  ordinal: number,
  path: string,
  side: "ours" | "theirs",
): Promise<void> {
  // It may have been removed: what is to be kept must not be lost with it.
  if (host.fileSystem.lstat(stateFile(host.state, "conflicts")) === undefined)
    host.fileSystem.mkdir(stateFile(host.state, "conflicts"), 0o700);
  assertRealFolders(host, [stateFolders.conflicts]);
  const base = stateFile(host.state, "conflicts", conflictName(ordinal, path, side));
  for (let copy = 1; ; copy++) {
    try {
      return await host.fileSystem.copy(from, copy === 1 ? base : `${base}.${copy}`);
    } catch (error) {
      if (errorNumber(error) === "ENOENT") return;
      if (errorNumber(error) !== "EEXIST") throw error;
    }
  }
}
