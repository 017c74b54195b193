import type { Hashing } from "../../base/hashing.ts";
import type { LocatedEntry } from "../log/log-state.ts";
import { removeIfThere } from "./file-bytes.ts";
import type { FileSystem } from "./file-system.ts";
import { isAbandoned } from "./owner-name.ts";
import type { ProcessTable } from "./process-table.ts";
import { stateFile, type StateFolder, stateFolders } from "./state-folder.ts";

/** What sweeping needs. */
export interface SweepHost {
  readonly fileSystem: FileSystem;
  readonly hashing: Hashing;
  readonly processes: ProcessTable;
  readonly state: StateFolder;
}

/**
 * Removes what processes that are gone have left behind: temporary and staged files that no unsealed entry names, and pre-images of commits
 * that never came to be. Run under the lock, after recovery.
 *
 * @param entries - The unsealed entries.
 * @param newest - The last ordinal of the log.
 */
export function sweepState(host: SweepHost, entries: readonly LocatedEntry[], newest: number): void {
  const named = new Set(entries.flatMap(({ entry }) => (entry.kind === "commit" ? entry.paths.flatMap(({ after }) => (after === null ? [] : [after.file, after.staged])) : [])));
  for (const folder of ["temporary", "staged"] as const) {
    for (const { name } of host.fileSystem.readdir(stateFile(host.state, folder))) {
      if (!named.has(`${stateFolders[folder]}/${name}`) && isAbandoned(host.hashing, host.processes, name)) removeIfThere(host.fileSystem, stateFile(host.state, folder, name));
    }
  }
  for (const { name } of host.fileSystem.readdir(stateFile(host.state, "preImages"))) {
    if (Number.parseInt(name, 10) > newest) removeIfThere(host.fileSystem, stateFile(host.state, "preImages", name));
  }
}
