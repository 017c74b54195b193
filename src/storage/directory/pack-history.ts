import type { Pause } from "../../base/clock.ts";
import { chainHash } from "../log/chain-hash.ts";
import type { LocatedEntry } from "../log/log-state.ts";
import type { CommitEntry, SegmentHeader } from "../log/physical-entry.ts";
import type { DirectorySession } from "./directory-session.ts";
import { exclusiveWork } from "./exclusive-work.ts";
import { flushPath, removeIfThere } from "./file-bytes.ts";
import { errorNumber } from "./file-system.ts";
import { type HistoryFile, listHistory } from "./history-files.ts";
import { PackedFile } from "./packed-file.ts";
import { patiently } from "./patiently.ts";
import { readHeader, readHistoryFile } from "./read-history-file.ts";
import { damaged, segmentName } from "./segment-files.ts";
import type { SegmentLogHost } from "./segment-log-host.ts";
import { stateFile } from "./state-folder.ts";
import { removeOlderStates } from "./sweep-state.ts";

/** A point of the log: how far it had come there. */
export type LogPoint = Pick<SegmentHeader, "ordinal" | "sequence" | "hash">;

/** Files that are to become one. */
export interface PackPlan {
  /** The files from the first of them to the last sealed one, oldest first. */
  readonly files: readonly HistoryFile[];
  /** How many of them are to become one. */
  readonly count: number;
  /** What the log had come to behind the last file. */
  readonly end: LogPoint;
  /** Revisions before this one are left out. */
  readonly before: number;
}

/**
 * Writes the revisions of some sealed files into one, in which contents are given by how they differ from others, and puts it in their place. The
 * long part runs without the lock. Whoever reads the old files meanwhile finds them gone and looks for the new one; a packing that is cut anywhere
 * leaves the old files, or the new one, or both.
 *
 * @param pause - For the part without the lock, which it may end: under the lock, others' commits may have to be finished first.
 * @returns how many bytes that made free; `undefined` when others have packed or pruned the same files meanwhile.
 * @throws `STORAGE_FAILED` when the files do not hold every revision as it was written: they stay as they are then.
 */
export async function packHistory(
  session: DirectorySession,
  plan: PackPlan,
  pause: Pause = session.pause,
): Promise<number | undefined> {
  const host = { ...session, pause };
  const file = await PackedFile.create(host);
  try {
    let header: SegmentHeader | undefined;
    try {
      header = await fill(host, file, plan);
      if (header !== undefined) await file.flush();
    } finally {
      file.close();
    }
    return await exclusiveWork(session, {}, () => publish(session, file, header, plan));
  } catch (error) {
    if (errorNumber(error) === "ENOENT") return undefined;
    throw error;
  } finally {
    file.discard();
  }
}

/** @returns the header; `undefined` when no revision is left. */
async function fill(
  host: SegmentLogHost,
  file: PackedFile,
  plan: PackPlan,
): Promise<SegmentHeader | undefined> {
  const stretches = await measure(host, plan);
  const isUndone = await findUndone(host, stretches);
  const sources = stretches.slice(0, plan.count);
  const [first, last] = [sources[0], sources.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  let point: LogPoint = first.begin;
  let header: SegmentHeader | undefined;
  for (const source of sources) {
    if (!isAt(point, source.begin)) throw damaged(source.file.file);
    for await (const located of entriesOf(host, source)) {
      const { entry } = located;
      if (entry.kind !== "commit" || entry.sequence === undefined) continue;
      const next = follow(host, point, entry, located);
      if (next.sequence >= plan.before) {
        if (header === undefined) {
          // Named after its first entry when others have been left out: no two files ever have the same name.
          const isWhole = point.sequence === first.begin.sequence;
          const begin = isWhole ? first.begin : { ...point, ordinal: entry.ordinal - 1 };
          header = headerOf(host, last.file.segment, begin);
          await file.begin(header);
        }
        await file.add(entry, located, isUndone(entry));
      }
      point = next;
    }
  }
  if (!isAt(point, last.end)) throw damaged(last.file.file);
  return header;
}

/** A file and what it must hold. */
interface Stretch {
  readonly file: HistoryFile;
  readonly begin: LogPoint;
  readonly end: LogPoint;
}

async function measure(host: SegmentLogHost, { files, end }: PackPlan): Promise<readonly Stretch[]> {
  const headers: LogPoint[] = [];
  for (const { file } of files) headers.push(await readHeader(host, file));
  return files.map((file, index) => ({
    file,
    begin: headers[index] ?? end,
    end: headers[index + 1] ?? end,
  }));
}

/** What lies behind the entries that the next segment builds on was never acknowledged. */
async function* entriesOf(host: SegmentLogHost, { file, end }: Stretch): AsyncGenerator<LocatedEntry> {
  for await (const located of readHistoryFile(host, file.file)) {
    if (located.entry.ordinal > end.ordinal) return;
    yield located;
  }
}

function headerOf(
  { boot }: SegmentLogHost,
  segment: number,
  { ordinal, sequence, hash }: LogPoint,
): SegmentHeader {
  return { kind: "segment", segment, boot, ordinal, sequence, hash, packed: true };
}

function isAt(point: LogPoint, other: LogPoint): boolean {
  return point.sequence === other.sequence && point.hash === other.hash;
}

/** The point behind a revision, whose hash must fit: what is packed replaces the only other copy. */
function follow(host: SegmentLogHost, point: LogPoint, entry: CommitEntry, located: LocatedEntry): LogPoint {
  const sequence = point.sequence + 1;
  const hash = chainHash(host.hashing, sequence, point.hash, located.bytesOf(entry.opaque ?? 0));
  if (entry.sequence !== sequence || entry.hash !== hash) throw damaged(`revision ${sequence}`);
  return { ordinal: entry.ordinal, sequence, hash };
}

/** What is taken back is told by a note behind it, or in a packed file by the entry itself. */
async function findUndone(
  host: SegmentLogHost,
  stretches: readonly Stretch[],
): Promise<(entry: CommitEntry) => boolean> {
  const ordinals = new Set<number>();
  for (const stretch of stretches) {
    if (stretch.file.from !== undefined) continue;
    for await (const { entry } of entriesOf(host, stretch)) if (entry.kind === "undo") ordinals.add(entry.of);
  }
  return ({ ordinal, undone }) => undone === true || ordinals.has(ordinal);
}

/** Under the lock: gives the packed file its name, then removes those that it stands for. */
async function publish(
  session: DirectorySession,
  packed: PackedFile,
  header: SegmentHeader | undefined,
  { files, count, before }: PackPlan,
): Promise<number | undefined> {
  const { fileSystem, state, log, durable } = session;
  // Contents of revisions that others have dropped since lie in files of their own, and only there are they looked for.
  if (log.state.prunedBefore !== before) return undefined;
  const sources = files.slice(0, count);
  const present = new Set(
    (await listHistory(session, Number.POSITIVE_INFINITY)).files.map(({ file }) => file),
  );
  if (!sources.every(({ file }) => present.has(file))) return undefined;
  let bytesFreed = header === undefined ? 0 : -packed.byteLength;
  if (header !== undefined) {
    const name = segmentName({ segment: header.segment, from: header.ordinal + 1 });
    await patiently(fileSystem, () => fileSystem.rename(packed.path, stateFile(state, "log", name)));
    if (durable) await flushPath(fileSystem, stateFile(state, "log"), "folder");
  }
  const remove = async (path: string) => {
    bytesFreed += fileSystem.lstat(path)?.size ?? 0;
    await removeIfThere(fileSystem, path);
  };
  // Oldest first: whoever still finds one of them finds all after it.
  for (const { file } of sources) await remove(stateFile(state, "log", file));
  await removeOlderStates(session, remove);
  const contents = new Set(packed.contents);
  const images = stateFile(state, "images");
  for (const { name } of await patiently(fileSystem, () => fileSystem.readdir(images)))
    if (contents.has(name)) await remove(stateFile(state, "images", name));
  await log.older.forget();
  return Math.max(0, bytesFreed);
}
