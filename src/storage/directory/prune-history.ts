import type { LocatedEntry } from "../log/log-state.ts";
import type { CommitEntry, PathIdentity } from "../log/physical-entry.ts";
import type { CommitHost } from "./commit-batches.ts";
import { flushPath, removeIfThere, replaceFile } from "./file-bytes.ts";
import { atHostPath, readContent } from "./file-content.ts";
import { listSegments, scanLog, segmentPath } from "./segment-files.ts";
import { stateFile } from "./state-folder.ts";

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
  /** Sealed segments without a kept entry. */
  readonly empty: readonly number[];
}

/**
 * Drops old revision entries. Contents of theirs that a kept entry names, or that are to be kept, get a file of their own first; then the
 * decision is made durable, then what is no longer needed is removed. Run when everything is sealed.
 */
export async function pruneHistory(
  host: CommitHost,
  options: PruneOptions,
): Promise<{ readonly bytesFreed: number }> {
  const { log, fileSystem, state } = host;
  const before = Math.min(options.before, log.state.sequence + 1);
  let bytesFreed = 0;
  const remove = (path: string) => {
    bytesFreed += fileSystem.lstat(path)?.size ?? 0;
    removeIfThere(fileSystem, path);
  };
  for (const id of options.staged) remove(stateFile(state, "staged", id));
  const survey = await surveyLog(host, before);
  if (before > log.state.prunedBefore) {
    await rescueContents(host, survey, before, options.keep);
    await log.append([{ entry: { kind: "pruned", ordinal: log.head.ordinal + 1, before } }]);
    await log.flush();
    log.settle();
    log.markApplied(log.state.ordinal);
  }
  for (const segment of survey.empty) {
    remove(segmentPath(state, segment));
    if (segment < log.sealed) remove(segmentPath(state, segment, "state"));
  }
  await removeImages(host, survey, options.keep, remove);
  if (host.durable) await flushPath(fileSystem, stateFile(state, "log"), "folder");
  return { bytesFreed };
}

function keyOf({ length, xxh64 }: PathIdentity): string {
  return `${length}-${xxh64}`;
}

async function entriesOf(host: CommitHost, segment: number): Promise<readonly LocatedEntry[]> {
  const whole = { segment, end: Number.POSITIVE_INFINITY };
  return (await scanLog(host, { segment, offset: 0, ordinal: 0 }, whole)).entries;
}

function isKept(entry: CommitEntry, before: number): boolean {
  return entry.sequence === undefined || entry.sequence >= before;
}

async function surveyLog(host: CommitHost, before: number): Promise<Survey> {
  const needed = new Set<string>();
  const empty: number[] = [];
  for (const segment of listSegments(host).segments) {
    let holdsKept = segment > host.log.sealed;
    for (const { entry } of await entriesOf(host, segment)) {
      if (entry.kind !== "commit" || !isKept(entry, before)) continue;
      holdsKept ||= entry.sequence !== undefined;
      for (const { before: old, after } of entry.paths)
        for (const identity of [old, after]) if (identity !== null) needed.add(keyOf(identity));
    }
    if (!holdsKept) empty.push(segment);
  }
  return { needed, empty };
}

async function rescueContents(
  host: CommitHost,
  survey: Survey,
  before: number,
  keep: ReadonlySet<string>,
): Promise<void> {
  for (const segment of listSegments(host).segments) {
    for (const located of await entriesOf(host, segment)) {
      const { entry } = located;
      if (entry.kind !== "commit" || isKept(entry, before)) continue;
      for (const { after } of entry.paths) {
        if (after?.blob === undefined || !(survey.needed.has(keyOf(after)) || keep.has(after.sha256)))
          continue;
        const image = stateFile(host.state, "images", after.sha256);
        if (host.fileSystem.lstat(image) !== undefined) continue;
        await replaceFile(
          host.fileSystem,
          stateFile(host.state, "temporary", host.nextName()),
          image,
          located.bytesOf(after.blob),
          host.durable,
          host.pause,
        );
      }
    }
  }
  if (host.durable) await flushPath(host.fileSystem, stateFile(host.state, "images"), "folder");
}

async function removeImages(
  host: CommitHost,
  survey: Survey,
  keep: ReadonlySet<string>,
  remove: (path: string) => void,
): Promise<void> {
  for (const { name } of host.fileSystem.readdir(stateFile(host.state, "images"))) {
    if (keep.has(name)) continue;
    const image = stateFile(host.state, "images", name);
    const content = await readContent(host, atHostPath(host, image), name, "hash");
    if (content !== undefined && !survey.needed.has(keyOf(content.identity))) remove(image);
  }
}
