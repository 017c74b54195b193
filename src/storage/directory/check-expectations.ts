import { HoldfastError, type Problem } from "../../base/holdfast-error.ts";
import { parentOf } from "../../tree/path-parts.ts";
import type { LogState } from "../log/log-state.ts";
import type { PathRecord } from "../log/physical-entry.ts";
import type { Expectation, StorageBatch } from "../storage-adapter.ts";
import { openToUpdate } from "./file-bytes.ts";
import { type FileContent, readContent, versionOf } from "./file-content.ts";
import type { FileStatus } from "./file-system.ts";
import { isEmptied, meetsOtherSpelling } from "./other-spellings.ts";
import { patiently } from "./patiently.ts";
import { likeTarget, modeLike, type PreparedPut, type PrepareHost } from "./prepare-contents.ts";
import { type Located, obstructedError, pathError } from "./root-folder.ts";

/** A batch whose expectations hold: what each path has now and gets. */
export interface CheckedBatch {
  /** Changed paths, removals and puts, without the names of pre-images. */
  readonly records: readonly Omit<PathRecord, "pre">[];
  /** Paths whose file has other hard links. */
  readonly hardLinked: readonly string[];
}

/** What checking needs besides. */
export interface CheckHost extends PrepareHost {
  readonly log: LogState;
  readonly hardLinks: "break" | "refuse";
}

/**
 * Reads and hashes everything that a batch expects, under the lock, and looks whether its puts have a place.
 *
 * @returns Every expectation that does not hold; or the records.
 * @throws All reasons why a path cannot be written, together.
 */
export async function checkExpectations(
  host: CheckHost,
  batch: StorageBatch,
  prepared: readonly PreparedPut[],
): Promise<{ readonly failed: readonly Expectation[] } | CheckedBatch> {
  const failed: Expectation[] = [];
  const obstructed: Problem[] = [];
  const contents = new Map<string, FileContent | undefined>();
  const respelled = (path: string) => patiently(host.fileSystem, () => isRespelled(host, batch, path));
  for (const expectation of batch.expect) {
    if (expectation.space === "records") {
      if ((host.log.records.get(expectation.key)?.version ?? null) !== expectation.version)
        failed.push(expectation);
      continue;
    }
    await host.pause();
    const content = await contentAt(host, expectation.key);
    contents.set(expectation.key, content);
    const version = content === undefined ? null : versionOf(content.identity);
    if (version === expectation.version && !(version === null && (await respelled(expectation.key))))
      continue;
    const located = await patiently(host.fileSystem, () => host.root.locate(expectation.key));
    // Not somebody else's change: what reading follows, writing does not, so planning anew would never help.
    if (located.kind === "obstructed" && located.what !== "file")
      obstructed.push(...obstructedError(expectation.key, located).problems);
    else failed.push(expectation);
  }
  if (obstructed.length > 0) throwAll(obstructed);
  if (failed.length === 0) failed.push(...movedSources(batch, prepared, contents));
  if (failed.length > 0) return { failed };
  await patiently(host.fileSystem, () => checkPlaces(host, batch, contents));
  const records = await recordsOf(host, batch, prepared, contents);
  const hardLinked = records
    .filter(({ path, before }) => before?.kind === "file" && (contents.get(path)?.status.links ?? 1) > 1)
    .map(({ path }) => path);
  return { records, hardLinked };
}

/** Absence is of the exact spelling; but what a disk finds in another one may only be written over when it goes away. */
function isRespelled(host: CheckHost, batch: StorageBatch, path: string): boolean {
  if (host.state.caseSensitive || !batch.putFiles.some((put) => put.path === path)) return false;
  return meetsOtherSpelling(host, path, new Set(batch.deleteFiles));
}

function contentAt(host: CheckHost, path: string): Promise<FileContent | undefined> {
  return readContent(host, () => host.root.find(path), path, "hash");
}

/** Expectations of paths whose bytes were copied before the lock was held and have changed since. */
function movedSources(
  batch: StorageBatch,
  prepared: readonly PreparedPut[],
  contents: ReadonlyMap<string, FileContent | undefined>,
): readonly Expectation[] {
  const moved = prepared.filter(
    ({ source }) =>
      source !== undefined && contents.get(source.path)?.identity.xxh64 !== source.identity.xxh64,
  );
  return batch.expect.filter(
    ({ space, key }) => space === "files" && moved.some(({ source }) => source?.path === key),
  );
}

async function recordsOf(
  host: CheckHost,
  batch: StorageBatch,
  prepared: readonly PreparedPut[],
  contents: ReadonlyMap<string, FileContent | undefined>,
): Promise<readonly Omit<PathRecord, "pre">[]> {
  const records: Omit<PathRecord, "pre">[] = [];
  for (const path of batch.deleteFiles) {
    const before = contents.get(path)?.identity;
    if (before !== undefined) records.push({ path, before, after: null });
  }
  for (const { put, after, status } of prepared) {
    const content = contents.get(put.path);
    const mode = await makeAlike(host, { put, after, status }, content?.status);
    records.push({ path: put.path, before: content?.identity ?? null, after: { ...after, mode } });
  }
  return records;
}

/** Before the lock was held a content was made like what its target was believed to be; now the target itself decides. @returns the mode. */
async function makeAlike(
  host: CheckHost,
  { put, after, status }: PreparedPut,
  target: FileStatus | undefined,
): Promise<number> {
  if (put.kind === "symlink" || target?.kind !== "file") return after.mode;
  const mode = modeLike(target.mode, put.executable);
  if (mode === status.mode && target.uid === status.uid && target.gid === status.gid) return mode;
  const descriptor = await openToUpdate(host.fileSystem, `${host.state.path}/${after.file}`);
  try {
    likeTarget(host, descriptor, put, status, target);
    if (host.durable) await host.fileSystem.flush(descriptor, "all");
    return mode;
  } finally {
    host.fileSystem.close(descriptor);
  }
}

/** Looks at each put's folder and place, and at what the batch removes; throws every refusal at once. */
async function checkPlaces(
  host: CheckHost,
  batch: StorageBatch,
  contents: ReadonlyMap<string, FileContent | undefined>,
): Promise<void> {
  const removed = new Set(batch.deleteFiles);
  const problems: Problem[] = [];
  const check = (path: string, look: () => HoldfastError | undefined) => {
    const error = look();
    if (error !== undefined) problems.push(...error.problems.map((problem) => ({ path, ...problem })));
  };
  for (const put of batch.putFiles) {
    await host.pause();
    check(
      put.path,
      () =>
        putProblem(host, put.path, removed, contents.get(put.path)) ??
        writeProblem(host, put.path, contents.get(put.path)?.status),
    );
  }
  for (const path of batch.deleteFiles)
    check(
      path,
      () =>
        fileDeviceProblem(host, path, contents.get(path)?.status) ??
        writeProblem(host, path, contents.get(path)?.status),
    );
  for (const { path, kind, content } of batch.putFiles)
    check(path, () => (kind === "symlink" ? linkProblem(path, linkText(content, contents)) : undefined));
  if (problems.length > 0) throwAll(problems);
}

function throwAll(problems: readonly Problem[]): never {
  const first = problems[0];
  throw new HoldfastError(first?.code ?? "STORAGE_FAILED", { message: first?.message, problems });
}

function putProblem(
  host: CheckHost,
  path: string,
  removed: ReadonlySet<string>,
  content: FileContent | undefined,
): HoldfastError | undefined {
  if (content !== undefined) return fileDeviceProblem(host, path, content.status);
  const located = host.root.locate(path);
  if (located.kind === "obstructed")
    return removed.has(located.by) && located.what === "file" ? undefined : obstructedError(path, located);
  if (located.kind === "other")
    return pathError("NOT_SUPPORTED", path, `"${path}" is a device, socket or pipe.`);
  if (located.kind === "directory" && !isEmptied(host, path, removed)) {
    return pathError(
      "IS_DIRECTORY",
      path,
      `"${path}" is a folder that holds files which this batch does not remove.`,
    );
  }
  return deviceProblem(host, path, located);
}

/** A file that is itself mounted from elsewhere cannot be renamed. */
function fileDeviceProblem(
  host: CheckHost,
  path: string,
  status: FileStatus | undefined,
): HoldfastError | undefined {
  return (status?.dev ?? host.state.device) === host.state.device ? undefined : otherDevice(path);
}

/** A target on another device (a mount below the root) cannot be reached by a rename. */
function deviceProblem(host: CheckHost, path: string, located: Located): HoldfastError | undefined {
  let folder = located.kind === "obstructed" ? undefined : located.folder;
  for (let parent = path; folder === undefined && parent.includes("/"); ) {
    parent = parentOf(parent);
    const found = host.root.folder(parent);
    if (found !== undefined && !("kind" in found)) folder = found;
  }
  const device = folder === undefined ? host.state.device : host.root.deviceOf(folder);
  return device === host.state.device ? undefined : otherDevice(path);
}

function otherDevice(path: string): HoldfastError {
  return pathError(
    "NOT_SUPPORTED",
    path,
    `"${path}" is on another file system than the root, so it cannot be changed together with it.`,
  );
}

/** POSIX lets a read-only file be replaced; its owner did not mean that. */
function writeProblem(
  host: CheckHost,
  path: string,
  status: FileStatus | undefined,
): HoldfastError | undefined {
  if (status === undefined || status.kind === "symlink") return undefined;
  if ((status.mode & 0o222) === 0) return pathError("READ_ONLY", path, `"${path}" is read-only.`);
  if (status.links > 1 && host.hardLinks === "refuse")
    return pathError("READ_ONLY", path, `"${path}" has other hard links, which would keep the old bytes.`);
  return undefined;
}

function linkText(
  content: StorageBatch["putFiles"][number]["content"],
  contents: ReadonlyMap<string, FileContent | undefined>,
): string {
  const bytes =
    "bytes" in content ? content.bytes : "from" in content ? contents.get(content.from)?.bytes : undefined;
  return bytes === undefined ? "/" : new TextDecoder().decode(bytes);
}

/** A link may only name something below the root, as it is spelled. */
function linkProblem(path: string, target: string): HoldfastError | undefined {
  const at = path.split("/").slice(0, -1);
  let inside = !target.startsWith("/") && !target.includes("\\") && !/^[A-Za-z]:/.test(target);
  for (const segment of target.split("/")) {
    if (segment === "..") inside = inside && at.pop() !== undefined;
    else if (segment !== "." && segment !== "") at.push(segment);
  }
  return inside
    ? undefined
    : pathError("SYMLINK_ESCAPE", path, `The link "${path}" would lead out of the root.`);
}
