import type { Pause } from "../../base/clock.ts";
import type { DirectorySession } from "./directory-session.ts";
import { type HistoryFile, listHistory } from "./history-files.ts";
import { type PackPlan, packHistory } from "./pack-history.ts";
import { loadSealed, type SegmentFilesHost } from "./segment-files.ts";
import { stateFile } from "./state-folder.ts";

const mebibyte = 1024 * 1024;

/** Packed files up to this size are packed again together with what has been sealed since; those beyond stay as they are. */
const mostPackedAgain = 4 * mebibyte;

/** Segments are taken until they come to this. */
const mostAtOnce = 64 * mebibyte;

/** How much has to have come together. */
export interface WorthPacking {
  readonly segments: number;
  readonly bytes: number;
}

/** From when on it is worth it, when nobody waits for it. */
export const worthPacking: WorthPacking = { segments: 8, bytes: mebibyte };

/**
 * Packs what has been sealed, unless it is too little.
 *
 * @param least - From when on it is worth it.
 * @param pause - For the long part, which it may end.
 */
export async function packSealed(
  session: DirectorySession,
  least: WorthPacking,
  pause: Pause = session.pause,
): Promise<void> {
  for (;;) {
    const plan = await planPacking(session, least);
    if (plan === undefined || (await packHistory(session, plan, pause)) === undefined) return;
  }
}

/**
 * Chooses segments that are sealed and not packed, the oldest first, and with them the packed files before them that are small beside them: a file
 * is packed again only a few times, however many segments come one by one. `undefined`: there is too little.
 */
async function planPacking(session: DirectorySession, least: WorthPacking): Promise<PackPlan | undefined> {
  const { segment, state } = await loadSealed(session);
  const { files } = await listHistory(session, segment);
  const first = files.findIndex(({ from }) => from === undefined);
  if (first < 0) return undefined;
  let end = first;
  let bytes = 0;
  for (; end < files.length && bytes < mostAtOnce; end++) bytes += sizeOf(session, files[end]);
  if (end - first < least.segments && bytes < least.bytes) return undefined;
  let begin = first;
  for (; begin > 0; begin--) {
    const size = sizeOf(session, files[begin - 1]);
    if (size > mostPackedAgain || size > 2 * bytes) break;
    bytes += size;
  }
  const { prunedBefore } = session.log.state;
  return { files: files.slice(begin), count: end - begin, end: state, before: prunedBefore };
}

function sizeOf({ fileSystem, state }: SegmentFilesHost, name: HistoryFile | undefined): number {
  return name === undefined ? 0 : (fileSystem.lstat(stateFile(state, "log", name.file))?.size ?? 0);
}
