import { removeIfThere } from "./file-bytes.ts";
import { listHistory } from "./history-files.ts";
import { isAbandoned } from "./owner-name.ts";
import type { ProcessTable } from "./process-table.ts";
import { listSegments, type SegmentFilesHost, segmentPath } from "./segment-files.ts";
import { stateFile, temporaryParts } from "./state-folder.ts";

/** What sweeping needs. */
export interface SweepHost extends SegmentFilesHost {
  readonly processes: ProcessTable;
}

/**
 * Removes what processes that are gone have left behind: contents that never got a name, and pre-images of commits that never came to be. Run
 * under the lock and after recovery, when every commit of the log is carried out and needs no temporary file any more.
 *
 * @param sealed - The last ordinal that is sealed: pre-images up to it are no longer needed.
 * @param newest - The last ordinal of the log: pre-images after it were never needed.
 */
export function sweepState(host: SweepHost, sealed: number, newest: number): void {
  const judged = new Map<string, boolean>();
  /** Names of one owner differ behind the dash only. */
  const isOver = (name: string) => {
    const owner = name.slice(0, name.indexOf("-") + 1);
    const known = judged.get(owner) ?? isAbandoned(host.hashing, host.processes, name);
    judged.set(owner, known);
    return known;
  };
  const temporary = temporaryParts.map((part) => stateFile(host.state, "temporary", part));
  for (const folder of [
    stateFile(host.state, "temporary"),
    ...temporary,
    stateFile(host.state, "staged"),
    stateFile(host.state, "lock"),
  ]) {
    for (const { name } of host.fileSystem.readdir(folder)) {
      if (isOver(name)) removeIfThere(host.fileSystem, `${folder}/${name}`);
    }
  }
  sweepPreImages(host, (ordinal) => ordinal <= sealed || ordinal > newest);
  removeOlderStates(host, (path) => removeIfThere(host.fileSystem, path));
  for (const { file } of listHistory(host, listSegments(host).sealed.at(-1) ?? 0).covered)
    removeIfThere(host.fileSystem, stateFile(host.state, "log", file));
}

/** Removes the states behind sealed segments, but for the newest, which says all that they do. */
export function removeOlderStates(host: SegmentFilesHost, remove: (path: string) => void): void {
  for (const segment of listSegments(host).sealed.slice(0, -1))
    remove(segmentPath(host.state, segment, "state"));
}

/** Removes the pre-images of commits that are over. */
export function sweepPreImages(
  host: Pick<SweepHost, "fileSystem" | "state">,
  isOver: (ordinal: number) => boolean,
): void {
  for (const { name } of host.fileSystem.readdir(stateFile(host.state, "preImages"))) {
    if (isOver(Number.parseInt(name, 10)))
      removeIfThere(host.fileSystem, stateFile(host.state, "preImages", name));
  }
}
