import type { Hashing } from "../../base/hashing.ts";
import { type Problem, throwProblems } from "../../base/holdfast-error.ts";
import type { Steps } from "../../base/steps.ts";
import { workCounter } from "../../base/work-counter.ts";
import { ancestorsOf } from "../../tree/path-parts.ts";
import { quotePath } from "../../tree/quote-path.ts";
import { countBelow, writtenPaths } from "../batch-paths.ts";
import type { CommitOutcome, Content, Expectation, FilePut, StorageBatch } from "../storage-adapter.ts";
import { contentNotFound } from "../storage-errors.ts";
import type { MemoryFiles } from "./memory-files.ts";
import type { MemoryLog } from "./memory-log.ts";
import type { MemoryRecords } from "./memory-records.ts";
import type { MemoryStaged } from "./memory-staged.ts";

/** All that a storage in memory holds. */
export interface MemoryState {
  /** The files. */
  readonly files: MemoryFiles;
  /** The records. */
  readonly records: MemoryRecords;
  /** The staged contents. */
  readonly staged: MemoryStaged;
  /** The log. */
  readonly log: MemoryLog;
  /** Keys of paths that are not written, nor what is below them. */
  readonly readOnlyKeys: ReadonlySet<string>;
  /** Makes a version that was never used. */
  nextVersion(): string;
}

/**
 * Commits one batch: whatever can be refused is refused before the first write. Nobody may look at the state, nor change it, before the last step
 * is done.
 */
export function* commitToMemory(
  state: MemoryState,
  hashing: Hashing,
  batch: StorageBatch,
): Steps<CommitOutcome> {
  const { log } = state;
  let entry: Uint8Array | undefined;
  try {
    const deletedKeys = new Set(batch.deleteFiles.map((path) => state.files.keyOf(path)));
    const failed = yield* failedExpectations(state, batch, deletedKeys);
    if (failed.length > 0) return { committed: false, failed };
    yield* refuseReadOnly(state, batch);
    yield* refuseInTheWay(state, batch.putFiles, deletedKeys);
    refuseMissingStaged(state, batch);
    entry = batch.entry?.(log.lastSequence + 1, log.lastHash);
  } catch (error) {
    return { committed: false, error, written: "no" };
  }
  for (const append of batch.appendContent) state.staged.append(append);
  const { fileVersions, contents } = yield* writeFiles(state, batch);
  const recordVersions = writeRecords(state, batch);
  if (entry !== undefined) yield* log.append(hashing, entry, contents);
  return { committed: true, sequence: log.lastSequence, hash: log.lastHash, fileVersions, recordVersions };
}

function* failedExpectations(
  { files, records }: MemoryState,
  { expect, putFiles }: StorageBatch,
  deletedKeys: ReadonlySet<string>,
): Steps<readonly Expectation[]> {
  const due = workCounter();
  const put = new Set(putFiles.map(({ path }) => path));
  const hasFailed = ({ space, key, version }: Expectation) => {
    if (space === "records") return (records.get(key)?.version ?? null) !== version;
    const file = files.get(key);
    if (file === undefined || version !== null) return (file?.version ?? null) !== version;
    // Absence is of the exact spelling; but what is there in another one may only be written over when it goes away.
    return file.path === key || (put.has(key) && !deletedKeys.has(files.keyOf(key)));
  };
  const failed: Expectation[] = [];
  for (const expectation of expect) {
    if (hasFailed(expectation)) failed.push(expectation);
    if (due(4)) yield;
  }
  return failed;
}

function* refuseReadOnly({ files, readOnlyKeys }: MemoryState, batch: StorageBatch): Steps<void> {
  if (readOnlyKeys.size === 0) return;
  const due = workCounter();
  const problems: Problem[] = [];
  for (const path of writtenPaths(batch)) {
    if (due(16)) yield;
    if (![...ancestorsOf(path), path].some((place) => readOnlyKeys.has(files.keyOf(place)))) continue;
    const message = `The storage does not let ${quotePath(path)} be written.`;
    problems.push({ code: "READ_ONLY", message, path });
  }
  if (problems.length > 0) throwProblems(problems);
}

function* refuseInTheWay(
  { files }: MemoryState,
  puts: readonly FilePut[],
  deletedKeys: ReadonlySet<string>,
): Steps<void> {
  const due = workCounter();
  let deletedBelow: ReadonlyMap<string, number> | undefined;
  for (const { path } of puts) {
    if (due(16)) yield;
    files.refuseBelowFile(path, (key) => deletedKeys.has(key));
    if (files.countBelow(path) === 0) continue;
    deletedBelow ??= countBelow(deletedKeys);
    files.refuseFolder(path, deletedBelow.get(files.keyOf(path)));
  }
}

function refuseMissingStaged({ staged }: MemoryState, { appendContent, putFiles }: StorageBatch): void {
  staged.check(appendContent);
  for (const { content } of putFiles)
    if ("staged" in content && !staged.has(content.staged)) throw contentNotFound(content);
}

function* writeFiles(state: MemoryState, batch: StorageBatch) {
  const { files } = state;
  const due = workCounter();
  const writes = batch.putFiles.map((put) => ({ ...put, bytes: bytesOf(state, put.content) }));
  const contents: Uint8Array[] = [];
  for (const path of writtenPaths(batch)) {
    if (due(4)) yield;
    const before = files.get(path);
    if (before !== undefined) contents.push(before.bytes);
  }
  for (const path of batch.deleteFiles) {
    if (due(16)) yield;
    files.remove(path);
  }
  const fileVersions = new Map<string, string>();
  for (const { path, kind, executable, bytes } of writes) {
    if (due(16)) yield;
    const version = state.nextVersion();
    files.put({ path, kind, executable, bytes, version });
    fileVersions.set(path, version);
    contents.push(bytes);
  }
  yield* files.settle();
  return { fileVersions, contents };
}

function bytesOf({ files, staged }: MemoryState, content: Content): Uint8Array {
  if ("bytes" in content) return content.bytes;
  const bytes = "from" in content ? files.get(content.from)?.bytes : staged.read(content.staged);
  return bytes ?? new Uint8Array(0);
}

function writeRecords({ records, nextVersion }: MemoryState, batch: StorageBatch) {
  const recordVersions = new Map<string, string>();
  for (const key of batch.deleteRecords) records.remove(key);
  for (const { key, bytes } of batch.putRecords) {
    const version = nextVersion();
    records.put(key, { bytes, version });
    recordVersions.set(key, version);
  }
  return recordVersions;
}
