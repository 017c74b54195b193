import { HoldfastError } from "../../base/holdfast-error.ts";
import type { LocatedEntry, StoredRecord } from "../log/log-state.ts";
import type { AfterIdentity, CommitEntry, PathRecord, SealedState } from "../log/physical-entry.ts";
import type { StorageBatch } from "../storage-adapter.ts";
import { type CommitHost, commitBatches } from "./commit-batches.ts";
import type { DirectorySession } from "./directory-session.ts";
import { exclusiveWork } from "./exclusive-work.ts";
import { fewAtATime } from "./few-at-a-time.ts";
import { flushPath } from "./file-bytes.ts";
import { atHostPath, isExecutable, isSameFile, readContent, versionOf } from "./file-content.ts";
import { errorNumber } from "./file-system.ts";
import { fileSystemError } from "./file-system-error.ts";
import { flushFolder, foldersOf } from "./flush-targets.ts";
import { bytesOf } from "./judge-path.ts";
import { patiently } from "./patiently.ts";
import { type PreparedPut, prepareContents } from "./prepare-contents.ts";
import { assertRealFolders } from "./real-folders.ts";
import { copyDurably, retirePreImage } from "./retire-pre-image.ts";
import { pathError, RootFolder } from "./root-folder.ts";
import { listSegments } from "./segment-files.ts";
import { stateFile } from "./state-folder.ts";
import { sweepPreImages } from "./sweep-state.ts";

/** Flushes wait for the disk: that many at once keep the thread pool busy. */
const mostAtOnce = 8;

/** A commit, and where it lies in the log. */
type LocatedCommit = LocatedEntry & { readonly entry: CommitEntry };

/** Segments that are about to be sealed, and what they come to. */
export interface SealPlan {
  readonly segment: number;
  readonly entries: readonly LocatedEntry[];
  readonly state: SealedState;
  readonly records: readonly StoredRecord[];
}

/** First part, under the lock: nothing more is added to the present segments. `undefined` when there is nothing to seal. */
async function beginCheckpoint(
  host: CommitHost,
  entries: readonly LocatedEntry[],
): Promise<SealPlan | undefined> {
  const { log } = host;
  const { segment } = log.position;
  if (
    segment <= log.sealed ||
    log.isBroken ||
    log.position.applied < log.state.ordinal ||
    entries.length === 0
  )
    return undefined;
  const { ordinal, sequence, hash, prunedBefore, records } = log.state;
  const keys = [...records.keys()];
  const state: SealedState = {
    kind: "state",
    segment,
    ordinal,
    sequence,
    hash,
    prunedBefore,
    records: keys.map((key) => [key, records.get(key)?.version ?? ""] as const),
  };
  if (host.durable) await log.flush();
  await log.startSegment();
  return { segment, entries, state, records: [...records.values()] };
}

/** Second part, without the lock: what the segments name becomes durable. @returns paths whose file could not be made so. */
async function flushPublished(host: CommitHost, plan: SealPlan): Promise<readonly string[]> {
  assertRealFolders(host);
  const last = lastRecords(plan.entries);
  for (const record of last.values()) if (record.after?.blob === undefined) await keepLarge(host, record);
  if (!host.durable) return [];
  const failed: string[] = [];
  const gate = fewAtATime(mostAtOnce);
  await Promise.all(
    [...last].map(([path, { after }]) =>
      gate(async () => {
        const found = await patiently(host.fileSystem, () => host.root.find(path));
        if (
          found?.status.kind === "file" &&
          String(found.status.ino) === after?.ino &&
          !(await canFlush(host, found.at))
        )
          failed.push(path);
      }),
    ),
  );
  await Promise.all([...foldersOf(last.keys())].map((folder) => gate(() => flushFolder(host, folder))));
  return failed;
}

async function canFlush(host: CommitHost, at: string): Promise<boolean> {
  try {
    await flushPath(host.fileSystem, at, "read");
    return true;
  } catch (error) {
    return errorNumber(error) === "ENOENT";
  }
}

/** The last record of each path. */
function lastRecords(entries: readonly LocatedEntry[]): ReadonlyMap<string, PathRecord> {
  const last = new Map<string, PathRecord>();
  for (const { entry } of commitsOf(entries)) for (const record of entry.paths) last.set(record.path, record);
  return last;
}

/** The last commit of each path. */
function lastEntries(entries: readonly LocatedEntry[]): ReadonlyMap<string, LocatedCommit> {
  const last = new Map<string, LocatedCommit>();
  for (const located of commitsOf(entries))
    for (const { path } of located.entry.paths) last.set(path, located);
  return last;
}

/** Commits that were not taken back. */
function commitsOf(entries: readonly LocatedEntry[]): readonly LocatedCommit[] {
  const undone = new Set(entries.flatMap(({ entry }) => (entry.kind === "undo" ? [entry.of] : [])));
  return entries.flatMap((located) =>
    located.entry.kind === "commit" && !undone.has(located.entry.ordinal)
      ? [{ ...located, entry: located.entry }]
      : [],
  );
}

/** Third part, under the lock: pre-images become before-images or are dropped, and the state is written down. @returns paths that others wrote. */
async function finishCheckpoint(host: CommitHost, plan: SealPlan): Promise<string[]> {
  if (host.log.sealed >= plan.segment) return [];
  assertRealFolders(host);
  const changed: string[] = [];
  const gate = fewAtATime(mostAtOnce);
  const written = new Map<string, AfterIdentity | null>();
  for (const { entry } of commitsOf(plan.entries)) {
    const retired = entry.paths.map((record) =>
      gate(async () => {
        if (record.pre !== undefined && (await retirePreImage(host, entry, record, written)) === "changed")
          changed.push(record.path);
        await host.pause();
      }),
    );
    await Promise.all(retired);
    for (const { path, after } of entry.paths) written.set(path, after);
  }
  if (host.durable) await flushPath(host.fileSystem, stateFile(host.state, "images"), "folder");
  const blobs = plan.records.map(({ bytes }) => bytes);
  await host.log.seal(plan.state, blobs);
  return changed;
}

/** A large content was renamed onto its target; history keeps a copy, if it is still what was written. */
async function keepLarge(host: CommitHost, { path, after }: PathRecord): Promise<void> {
  if (after === null || after.kind !== "file") return;
  const image = stateFile(host.state, "images", after.sha256);
  if (host.fileSystem.lstat(image) !== undefined) return;
  const located = host.root.locate(path);
  const staged = `${host.state.path}/${after.staged ?? after.file}`;
  const at =
    host.fileSystem.lstat(staged) !== undefined
      ? staged
      : "at" in located && String(located.status.ino) === after.ino
        ? located.at
        : undefined;
  const content = at === undefined ? undefined : await readContent(host, atHostPath(host, at), path, "hash");
  if (at !== undefined && content?.identity.xxh64 === after.xxh64) await copyDurably(host, at, image);
}

/** Seals what has been committed so far: its files become durable, then the log that could restore them becomes history. */
export async function runCheckpoint(session: DirectorySession): Promise<void> {
  const { changed, isAgain } = await sealOnce(session);
  // What was committed anew is sealed as well, so that nothing is left to do; should that not come to its end either, the next time tries again.
  if (isAgain) changed.push(...(await sealOnce(session)).changed);
  if (changed.length > 0) throw externalWriteError(changed);
}

/** @returns paths that others wrote, and whether something had to be committed anew. */
async function sealOnce(session: DirectorySession): Promise<{ changed: string[]; isAgain: boolean }> {
  const plan = await exclusiveWork(session, {}, async (host) =>
    beginCheckpoint(host, await host.log.unsealed()),
  );
  if (plan === undefined) return { changed: [], isAgain: false };
  const root = new RootFolder(session.fileSystem, session.rootPath, session.state.caseSensitive);
  let failed: readonly string[];
  try {
    failed = await flushPublished({ ...session, root }, plan);
  } finally {
    root.close();
  }
  const done = await exclusiveWork(session, {}, async (host) => {
    const isAgain = await commitAgain(host, plan, failed);
    return { changed: await finishCheckpoint(host, plan), isAgain };
  });
  await sweepPreImages(session, (ordinal) => ordinal <= plan.state.ordinal);
  return done;
}

/**
 * A file whose flush failed is never flushed again: its bytes may be gone from memory though they read well. Nor does a flush tell anything where
 * an earlier sealing of the same segment did not come to its end, for whoever began it may have ended with flushes that failed. The same bytes
 * are committed anew, if the path still holds them.
 *
 * @returns whether there were any.
 */
async function commitAgain(host: CommitHost, plan: SealPlan, failed: readonly string[]): Promise<boolean> {
  const sealed = (await listSegments(host)).sealed.at(-1) ?? 0;
  const isDoubtful = ({ file }: LocatedEntry) => {
    const segment = Number.parseInt(file, 10);
    return host.durable && segment > sealed && segment < plan.segment;
  };
  const list: { readonly batch: StorageBatch; readonly prepared: readonly PreparedPut[] }[] = [];
  for (const [path, located] of lastEntries(plan.entries)) {
    if (!failed.includes(path) && !isDoubtful(located)) continue;
    const { after } = located.entry.paths.find((record) => record.path === path) ?? {};
    const found = await patiently(host.fileSystem, () => host.root.find(path));
    if (after === null || after === undefined || !isSameFile(found?.status, after)) continue;
    const bytes = await bytesOf(host, located, after);
    // What the log does not hold was flushed before its entry was written, by whoever saw that flush succeed.
    if (bytes === undefined && !failed.includes(path)) continue;
    if (bytes === undefined)
      throw pathError(
        "STORAGE_FAILED",
        path,
        `"${path}" could not be made durable, and its bytes are not in the log.`,
      );
    const put = { path, kind: after.kind, executable: isExecutable(after), content: { bytes } };
    const batch = {
      id: `again-${host.nextName()}`,
      expect: [{ space: "files" as const, key: path, version: versionOf(after) }],
      putFiles: [put],
      deleteFiles: [],
      appendContent: [],
      putRecords: [],
      deleteRecords: [],
    };
    list.push({ batch, prepared: await prepareContents(host, batch) });
  }
  if (list.length === 0) return false;
  for (const [index, outcome] of (await commitBatches(host, list, true)).entries())
    if (!outcome.committed && !("failed" in outcome))
      throw fileSystemError(outcome.error, "make durable", list[index]?.batch.putFiles[0]?.path);
  return true;
}

function externalWriteError(paths: readonly string[]): HoldfastError {
  return new HoldfastError("EXTERNAL_WRITE", {
    message: `Another program wrote "${paths.join('", "')}" through a file that a commit had replaced; its bytes are kept in the conflicts folder.`,
    details: { paths },
  });
}
