import { listSegments, type SegmentFilesHost, type SegmentName, segmentName } from "./segment-files.ts";

/** A file of sealed revisions. */
export interface HistoryFile extends SegmentName {
  /** Its name. */
  readonly file: string;
}

/** The files of sealed revisions. */
export interface HistoryFiles {
  /** Those that hold all of them, oldest first: packed ones, then segments as they were written. */
  readonly files: readonly HistoryFile[];
  /** Those whose revisions another one holds too: a packing that was interrupted has left them. */
  readonly covered: readonly HistoryFile[];
}

/**
 * Lists the files of the revisions up to a sealed segment. Packing takes the oldest segments, all of them up to one, with or without packed ones
 * before; pruning writes a packed one anew from a later ordinal on. So names alone tell which files stand for the same revisions.
 */
export async function listHistory(host: SegmentFilesHost, sealed: number): Promise<HistoryFiles> {
  const { segments, packed } = await listSegments(host);
  const packs = packed.filter(({ segment }) => segment <= sealed);
  const newest = Math.max(0, ...packs.map(({ segment }) => segment));
  const files: HistoryFile[] = [];
  const covered: HistoryFile[] = [];
  for (const pack of packs.sort((a, b) => a.segment - b.segment)) {
    const isCovered = packs.some(
      ({ segment, from }) =>
        (segment === pack.segment && from > pack.from) || (segment > pack.segment && from <= pack.from),
    );
    (isCovered ? covered : files).push({ ...pack, file: segmentName(pack) });
  }
  for (const segment of segments)
    if (segment <= sealed)
      (segment <= newest ? covered : files).push({ segment, file: segmentName({ segment }) });
  return { files, covered };
}
