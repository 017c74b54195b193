import { fewAtATime } from "./few-at-a-time.ts";
import { removeIfThere } from "./file-bytes.ts";
import { errorNumber } from "./file-system.ts";
import { listHistory } from "./history-files.ts";
import { isAbandoned } from "./owner-name.ts";
import { patiently } from "./patiently.ts";
import type { ProcessTable } from "./process-table.ts";
import { assertRealFolders, temporaryFolders } from "./real-folders.ts";
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
export async function sweepState(host: SweepHost, sealed: number, newest: number): Promise<void> {
  assertRealFolders(host);
  assertRealFolders(host, temporaryFolders);
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
    for (const { name } of await patiently(host.fileSystem, () => host.fileSystem.readdir(folder))) {
      if (isOver(name)) await removeIfThere(host.fileSystem, `${folder}/${name}`);
    }
  }
  await sweepPreImages(host, (ordinal) => ordinal <= sealed || ordinal > newest);
  await removeOlderStates(host, (path) => removeIfThere(host.fileSystem, path));
  const newestSealed = (await listSegments(host)).sealed.at(-1) ?? 0;
  for (const { file } of (await listHistory(host, newestSealed)).covered)
    await removeIfThere(host.fileSystem, stateFile(host.state, "log", file));
}

/** Removes the states behind sealed segments, but for the newest, which says all that they do. */
export async function removeOlderStates(
  host: SegmentFilesHost,
  remove: (path: string) => Promise<void>,
): Promise<void> {
  for (const segment of (await listSegments(host)).sealed.slice(0, -1))
    await remove(segmentPath(host.state, segment, "state"));
}

/** Removals wait for the disk: that many at once keep the thread pool busy. */
const mostAtOnce = 8;

/** Removes the pre-images of commits that are over. Nobody needs them, so no lock is needed either. */
export async function sweepPreImages(
  host: Pick<SweepHost, "fileSystem" | "state">,
  isOver: (ordinal: number) => boolean,
): Promise<void> {
  const gate = fewAtATime(mostAtOnce);
  const folder = stateFile(host.state, "preImages");
  const found = await patiently(host.fileSystem, () => host.fileSystem.readdir(folder));
  const over = found.filter(({ name }) => isOver(Number.parseInt(name, 10)));
  await Promise.all(
    over.map(({ name }) => gate(() => remove(host, stateFile(host.state, "preImages", name)))),
  );
}

async function remove({ fileSystem }: Pick<SweepHost, "fileSystem">, path: string): Promise<void> {
  try {
    await fileSystem.remove(path);
  } catch (error) {
    if (errorNumber(error) !== "ENOENT") throw error;
  }
}
