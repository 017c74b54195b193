import type { Hashing } from "../../base/hashing.ts";
import { removeIfThere } from "./file-bytes.ts";
import type { FileSystem } from "./file-system.ts";
import { isAbandoned } from "./owner-name.ts";
import type { ProcessTable } from "./process-table.ts";
import { stateFile, type StateFolder, temporaryParts } from "./state-folder.ts";

/** What sweeping needs. */
export interface SweepHost {
  readonly fileSystem: FileSystem;
  readonly hashing: Hashing;
  readonly processes: ProcessTable;
  readonly state: StateFolder;
}

/**
 * Removes what processes that are gone have left behind: contents that never got a name, and pre-images of commits that never came to be. Run
 * under the lock and after recovery, when every commit of the log is carried out and needs no temporary file any more.
 *
 * @param newest - The last ordinal of the log.
 */
export function sweepState(host: SweepHost, newest: number): void {
  const temporary = temporaryParts.map((part) => stateFile(host.state, "temporary", part));
  for (const folder of [stateFile(host.state, "temporary"), ...temporary, stateFile(host.state, "staged"), stateFile(host.state, "lock")]) {
    for (const { name } of host.fileSystem.readdir(folder)) {
      if (isAbandoned(host.hashing, host.processes, name)) removeIfThere(host.fileSystem, `${folder}/${name}`);
    }
  }
  for (const { name } of host.fileSystem.readdir(stateFile(host.state, "preImages"))) {
    if (Number.parseInt(name, 10) > newest) removeIfThere(host.fileSystem, stateFile(host.state, "preImages", name));
  }
}
