import type { CancelOptions } from "../../base/clock.ts";
import type { LocatedEntry } from "../log/log-state.ts";
import type { CommitEntry, PathIdentity } from "../log/physical-entry.ts";
import type { CommitHost } from "./commit-batches.ts";
import type { DirectorySession } from "./directory-session.ts";
import { exclusiveWork } from "./exclusive-work.ts";
import { flushPath, removeIfThere, replaceFile } from "./file-bytes.ts";
import { atHostPath, readContent } from "./file-content.ts";
import { type HistoryFile, listHistory } from "./history-files.ts";
import { packHistory } from "./pack-history.ts";
import { patiently } from "./patiently.ts";
import { readLogged } from "./read-files.ts";
import { readHistoryFile } from "./read-history-file.ts";
import { assertRealFolders } from "./real-folders.ts";
import { loadSealed } from "./segment-files.ts";
import { stateFile } from "./state-folder.ts";
import { removeOlderStates } from "./sweep-state.ts";

/** What to drop. */
export interface PruneOptions {
  readonly before: number;
  readonly keep: ReadonlySet<string>;
  readonly staged: readonly string[];
}

/** What is left over when old entries go. */
interface Survey {
  /** Contents that kept entries name, by length and xxh64. */
  readonly needed: ReadonlySet<string>;
  /** Sealed files without a kept entry. */
  readonly empty: readonly HistoryFile[];
  /** Files of which half is dropped, or more. */
  readonly worn: readonly HistoryFile[];
}

/**
 * Drops old revision entries. Contents of theirs that a kept entry names, or that are to be kept, get a file of their own first; then the
 * decision is made durable, then what is no longer needed is removed. Files of which little is left are then written anew. Run when everything
 * is sealed.
 */
export async function pruneHistory(
  session: DirectorySession,
  options: PruneOptions & CancelOptions,
): Promise<{ readonly bytesFreed: number }> {
  const { bytesFreed, worn } = await exclusiveWork(session, options, (host) => dropEntries(host, options));
  let packed = 0;
  for (const { file } of worn) packed += await writeAnew(session, file);
  return { bytesFreed: bytesFreed + packed };
}

async function writeAnew(session: DirectorySession, file: string): Promise<number> {
  const { segment, state } = await loadSealed(session);
  const { files } = await listHistory(session, segment);
  const index = files.findIndex((one) => one.file === file);
  // Nothing older is left than a file of which a part is dropped.
  if (index !== 0) return 0;
  const before = session.log.state.prunedBefore;
  return (await packHistory(session, { files, count: 1, end: state, before })) ?? 0;
}

async function dropEntries(
  host: CommitHost,
  options: PruneOptions,
): Promise<{ readonly bytesFreed: number; readonly worn: readonly HistoryFile[] }> {
  const { log, fileSystem, state } = host;
  const before = Math.min(options.before, log.state.sequence + 1);
  assertRealFolders(host);
  let bytesFreed = 0;
  const remove = async (path: string) => {
    bytesFreed += fileSystem.lstat(path)?.size ?? 0;
    await removeIfThere(fileSystem, path);
  };
  for (const id of options.staged) await remove(stateFile(state, "staged", id));
  const survey = await surveyLog(host, before);
  if (before > log.state.prunedBefore) {
    await rescueContents(host, survey, before, options.keep);
    await log.append([{ entry: { kind: "pruned", ordinal: log.head.ordinal + 1, before } }]);
    await log.flush();
    log.settle();
    log.markApplied(log.state.ordinal);
  }
  for (const { file } of survey.empty) await remove(stateFile(state, "log", file));
  await removeOlderStates(host, remove);
  await removeImages(host, survey, options.keep, remove);
  return { bytesFreed, worn: survey.worn };
}

function keyOf({ length, xxh64 }: PathIdentity): string {
  return `${length}-${xxh64}`;
}

function isKept(entry: CommitEntry, before: number): boolean {
  return entry.sequence === undefined || entry.sequence >= before;
}

/** All commits of the log, file by file. */
async function* commitsOf(host: CommitHost): AsyncGenerator<{
  readonly file: HistoryFile;
  readonly entry: CommitEntry;
  readonly located: LocatedEntry;
}> {
  for (const file of (await listHistory(host, Number.POSITIVE_INFINITY)).files)
    for await (const located of readHistoryFile(host, file.file))
      if (located.entry.kind === "commit") yield { file, entry: located.entry, located };
}

async function surveyLog(host: CommitHost, before: number): Promise<Survey> {
  const needed = new Set<string>();
  const counts = new Map<string, { kept: number; dropped: number }>();
  for await (const { file, entry } of commitsOf(host)) {
    const count = counts.get(file.file) ?? { kept: 0, dropped: 0 };
    counts.set(file.file, count);
    if (!isKept(entry, before)) {
      count.dropped += 1;
      continue;
    }
    if (entry.sequence !== undefined) count.kept += 1;
    for (const { before: old, after } of entry.paths)
      for (const identity of [old, after]) if (identity !== null) needed.add(keyOf(identity));
  }
  const { files } = await listHistory(host, host.log.sealed);
  const keptOf = ({ file }: HistoryFile) => counts.get(file)?.kept ?? 0;
  const droppedOf = ({ file }: HistoryFile) => counts.get(file)?.dropped ?? 0;
  return {
    needed,
    empty: files.filter((file) => keptOf(file) === 0),
    worn: files.filter((file) => keptOf(file) > 0 && droppedOf(file) >= keptOf(file)),
  };
}

async function rescueContents(
  host: CommitHost,
  survey: Survey,
  before: number,
  keep: ReadonlySet<string>,
): Promise<void> {
  const { log } = host;
  await log.older.load(1);
  for await (const { entry } of commitsOf(host)) {
    if (isKept(entry, before)) continue;
    for (const { after } of entry.paths) {
      if (after?.blob === undefined || !(survey.needed.has(keyOf(after)) || keep.has(after.sha256))) continue;
      const image = stateFile(host.state, "images", after.sha256);
      const isHeld = (log.state.contents.get(after.sha256)?.sequence ?? 0) >= before;
      if (isHeld || host.fileSystem.lstat(image) !== undefined) continue;
      const bytes = await readLogged(host, after.sha256);
      if (bytes === undefined) continue;
      const temporary = stateFile(host.state, "temporary", host.nextName());
      await replaceFile(host.fileSystem, temporary, image, bytes, host.durable, host.pause);
    }
  }
  if (host.durable) await flushPath(host.fileSystem, stateFile(host.state, "images"), "folder");
}

async function removeImages(
  host: CommitHost,
  survey: Survey,
  keep: ReadonlySet<string>,
  remove: (path: string) => Promise<void>,
): Promise<void> {
  const images = stateFile(host.state, "images");
  for (const { name } of await patiently(host.fileSystem, () => host.fileSystem.readdir(images))) {
    if (keep.has(name)) continue;
    const image = stateFile(host.state, "images", name);
    const content = await readContent(host, atHostPath(host, image), name, "hash");
    if (content !== undefined && !survey.needed.has(keyOf(content.identity))) await remove(image);
  }
}
