import type { Pause } from "../../base/clock.ts";
import type { Hashing } from "../../base/hashing.ts";
import { HoldfastError } from "../../base/holdfast-error.ts";
import type { AfterIdentity, PathIdentity } from "../log/physical-entry.ts";
import type { FilePut, StorageBatch } from "../storage-adapter.ts";
import { fewAtATime } from "./few-at-a-time.ts";
import { flushPath, openToUpdate, pieceBytes, readFully, removeQuietly, writeFully } from "./file-bytes.ts";
import { readContent } from "./file-content.ts";
import { errorNumber, type FileStatus, type FileSystem } from "./file-system.ts";
import { patiently } from "./patiently.ts";
import { assertRealFolders } from "./real-folders.ts";
import { obstructedError, pathError, type RootFolder } from "./root-folder.ts";
import type { SeenTargets } from "./seen-targets.ts";
import { newFileMode, type SpareFiles } from "./spare-files.ts";
import { type StateFolder, stateFile, stateFolders, temporaryFile } from "./state-folder.ts";

/** Contents up to this size lie in the log itself; larger ones in a file of their own, durable before the entry is. */
export const inlineBytes = 256 * 1024;

/** A new content on the disk, not yet at its target. */
export interface PreparedPut {
  /** The put that it is for. */
  readonly put: FilePut;
  /** What it is and where; the mode may still be changed. */
  readonly after: AfterIdentity;
  /** Its status. */
  readonly status: FileStatus;
  /** The bytes, for the log; left out for large contents. */
  readonly bytes?: Uint8Array;
  /** Where the bytes were read from, which must still be so when the batch commits. */
  readonly source?: { readonly path: string; readonly identity: PathIdentity };
}

/** What preparing needs. */
export interface PrepareHost {
  readonly fileSystem: FileSystem;
  readonly hashing: Hashing;
  readonly state: StateFolder;
  readonly root: RootFolder;
  readonly durable: boolean;
  readonly pause: Pause;
  /** Makes names that nobody else makes. */
  readonly nextName: () => string;
  readonly seen: SeenTargets;
  readonly spares: SpareFiles;
}

/** What is known of the place of a put before the lock is held. */
interface Place {
  readonly put: FilePut;
  /** What it will replace, as far as is known. */
  readonly target: FileStatus | undefined;
}

/** Writes the new contents of a batch into the state folder; nothing of the workspace is touched. What was written is removed on failure. */
export async function prepareContents(
  host: PrepareHost,
  batch: StorageBatch,
  gate = prepareGate(),
): Promise<readonly PreparedPut[]> {
  const absent = new Set(
    batch.expect.flatMap(({ space, key, version }) => (space === "files" && version === null ? [key] : [])),
  );
  const targetOf = (path: string) =>
    absent.has(path) ? undefined : (host.seen.at(path) ?? host.root.find(path)?.status);
  const settled = await Promise.allSettled(
    batch.putFiles.map((put) =>
      gate(async () => {
        const target = await patiently(host.fileSystem, () => targetOf(put.path));
        return await preparePut(host, { put, target });
      }),
    ),
  );
  const prepared = settled.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
  try {
    for (const result of settled) if (result.status === "rejected") throw result.reason;
    if (host.durable && prepared.some(({ after }) => after.staged !== undefined))
      await flushPath(host.fileSystem, stateFile(host.state, "staged"), "folder");
    return prepared;
  } catch (error) {
    discardContents(host, prepared);
    throw error;
  }
}

/** Makes a staged content that is still empty. */
export async function makeStaged(
  host: Pick<PrepareHost, "fileSystem" | "state" | "durable">,
  id: string,
): Promise<void> {
  assertRealFolders(host, [stateFolders.staged]);
  host.fileSystem.close(await host.fileSystem.create(stateFile(host.state, "staged", id), 0o666));
  // Its parts are made durable one by one, its name here.
  if (host.durable) await flushPath(host.fileSystem, stateFile(host.state, "staged"), "folder");
}

/** Making a file waits for the disk: that many at once keep the thread pool busy. */
const mostAtOnce = 8;

/** Holds the preparing of one call, whatever its number of batches, to so many files at once. */
export function prepareGate(): ReturnType<typeof fewAtATime> {
  return fewAtATime(mostAtOnce);
}

/** Removes prepared contents that were not published; what has been renamed away is passed over. */
export function discardContents(
  host: Pick<PrepareHost, "fileSystem" | "state">,
  prepared: readonly PreparedPut[],
): void {
  for (const { after } of prepared) {
    // A disk that refuses even this keeps the file until the next opening sweeps it.
    removeQuietly(host.fileSystem, `${host.state.path}/${after.file}`);
  }
}

async function preparePut(host: PrepareHost, place: Place): Promise<PreparedPut> {
  const { content } = place.put;
  refuseUnkept(host, place.put);
  if ("staged" in content) return prepareStaged(host, place, content.staged);
  if ("bytes" in content) return writeContent(host, place, content.bytes);
  const located = await patiently(host.fileSystem, () => host.root.locate(content.from));
  if (located.kind === "obstructed") throw obstructedError(content.from, located);
  const found = await readContent(host, () => host.root.find(content.from), content.from, "bytes");
  if (found?.bytes === undefined)
    throw new HoldfastError("NOT_FOUND", {
      message: `There is no file "${content.from}" to take the bytes of.`,
      details: { path: content.from, similar: [] },
    });
  const source = { path: content.from, identity: found.identity };
  return { ...(await writeContent(host, place, found.bytes)), source };
}

/** What the disk would not keep is refused, rather than lost without a word. */
function refuseUnkept({ state }: PrepareHost, { path, kind, executable }: FilePut): void {
  if (kind === "symlink" && !state.symlinks)
    throw pathError(
      "NOT_SUPPORTED",
      path,
      `"${path}" cannot be a link: the file system has none, or allows none.`,
    );
  if (kind === "file" && executable && !state.modes)
    throw pathError(
      "NOT_SUPPORTED",
      path,
      `"${path}" cannot be made executable: the file system keeps no such bit.`,
    );
}

async function writeContent(host: PrepareHost, place: Place, bytes: Uint8Array): Promise<PreparedPut> {
  const { put } = place;
  const large = put.kind === "file" && bytes.byteLength > inlineBytes;
  const sha256 = host.hashing.sha256();
  const xxh64 = host.hashing.xxh64();
  for (let at = 0; at < bytes.byteLength; at += pieceBytes) {
    const piece = bytes.subarray(at, at + pieceBytes);
    sha256.update(piece);
    xxh64.update(piece);
    await host.pause();
  }
  const { file, status } =
    put.kind === "symlink" ? makeLink(host, bytes) : await makeFile(host, place, bytes, large);
  const identity = identify(put.kind, status, bytes.byteLength, xxh64.digest());
  const after = { ...identity, sha256: sha256.digest(), file };
  return large ? { put, status, after: { ...after, staged: file } } : { put, status, after, bytes };
}

/** A file in the state folder. */
interface MadeFile {
  /** Relative to the state folder. */
  readonly file: string;
  readonly status: FileStatus;
}

async function makeFile(
  host: PrepareHost,
  { put, target }: Place,
  bytes: Uint8Array,
  large: boolean,
): Promise<MadeFile> {
  const { fileSystem, state } = host;
  // Made with the bits that it is to have: those that are set later could be lost by a power cut.
  const mode =
    target?.kind === "file"
      ? modeLike(target.mode, put.executable)
      : put.executable
        ? newFileMode | 0o111
        : newFileMode;
  const { file, descriptor } = await openNew(host, mode, large);
  try {
    await writeFully(fileSystem, descriptor, bytes, 0, host.pause);
    const own = fileSystem.fstat(descriptor);
    const status = likeTarget(host, descriptor, put, own, target);
    if ((large || status.mode !== own.mode) && host.durable) await fileSystem.flush(descriptor, "all");
    return { file, status };
  } catch (error) {
    removeQuietly(fileSystem, `${state.path}/${file}`);
    throw error;
  } finally {
    fileSystem.close(descriptor);
  }
}

/** Opens an empty file of the state folder: one that was made in advance, or a new one. */
async function openNew(
  host: PrepareHost,
  mode: number,
  large: boolean,
): Promise<{ readonly file: string; readonly descriptor: number }> {
  const { fileSystem, state } = host;
  const spare = large ? undefined : host.spares.take(mode);
  try {
    if (spare !== undefined)
      return { file: spare, descriptor: await openToUpdate(fileSystem, `${state.path}/${spare}`) };
  } catch (error) {
    if (errorNumber(error) !== "ENOENT") throw error;
  }
  if (large) assertRealFolders(host, [stateFolders.staged]);
  const file = large ? `${stateFolders.staged}/${host.nextName()}` : temporaryFile(host);
  return { file, descriptor: await fileSystem.create(`${state.path}/${file}`, mode) };
}

function makeLink(host: PrepareHost, bytes: Uint8Array): MadeFile {
  const file = temporaryFile(host);
  const at = `${host.state.path}/${file}`;
  host.fileSystem.symlink(new TextDecoder("utf-8", { fatal: true }).decode(bytes), at);
  const status = host.fileSystem.lstat(at);
  if (status === undefined) throw Object.assign(new Error("a link vanished"), { code: "EIO" });
  return { file, status };
}

async function prepareStaged(host: PrepareHost, { put, target }: Place, id: string): Promise<PreparedPut> {
  const { fileSystem, state, hashing, pause } = host;
  const staged = `${stateFolders.staged}/${id}`;
  const file = temporaryFile(host);
  await fileSystem.copy(`${state.path}/${staged}`, `${state.path}/${file}`);
  const descriptor = await openToUpdate(fileSystem, `${state.path}/${file}`);
  try {
    const sha256 = hashing.sha256();
    const xxh64 = hashing.xxh64();
    const { size } = fileSystem.fstat(descriptor);
    for (let at = 0; at < size; at += pieceBytes) {
      const piece = await readFully(fileSystem, descriptor, at, Math.min(pieceBytes, size - at), pause);
      sha256.update(piece);
      xxh64.update(piece);
    }
    const born = fileSystem.fstat(descriptor).mode;
    fileSystem.chmod(descriptor, newMode(put.executable));
    const status = likeTarget(host, descriptor, put, fileSystem.fstat(descriptor), target);
    if (status.mode !== born && host.durable) await fileSystem.flush(descriptor, "all");
    const identity = identify("file", status, size, xxh64.digest());
    return { put, status, after: { ...identity, sha256: sha256.digest(), file, staged } };
  } catch (error) {
    removeQuietly(fileSystem, `${state.path}/${file}`);
    throw error;
  } finally {
    fileSystem.close(descriptor);
  }
}

/** The bits of a new file; the umask is that of the process. */
function newMode(executable: boolean): number {
  return (executable ? newFileMode | 0o111 : newFileMode) & ~process.umask();
}

/** Gives a new content the permission bits and the owner of the file that it will replace. @returns its status from then on. */
export function likeTarget(
  host: Pick<PrepareHost, "fileSystem">,
  descriptor: number,
  put: FilePut,
  own: FileStatus,
  target: FileStatus | undefined,
): FileStatus {
  if (target === undefined || target.kind !== "file") return own;
  if (own.uid !== target.uid || own.gid !== target.gid) {
    try {
      host.fileSystem.chown(descriptor, target.uid, target.gid);
    } catch {
      throw pathError(
        "READ_ONLY",
        put.path,
        `"${put.path}" belongs to another user, and replacing it would change its owner.`,
      );
    }
  }
  const mode = modeLike(target.mode, put.executable);
  if (own.mode !== mode) host.fileSystem.chmod(descriptor, mode);
  return { ...own, mode, uid: target.uid, gid: target.gid };
}

/** Permission bits of a file after its executable bit is set or cleared; whoever may read may run. */
export function modeLike(mode: number, executable: boolean): number {
  if (!executable) return mode & ~0o111;
  return (mode & 0o100) !== 0 ? mode : mode | ((mode & 0o444) >> 2);
}

function identify(kind: "file" | "symlink", status: FileStatus, length: number, xxh64: string): PathIdentity {
  return { kind, mode: status.mode, length, xxh64, ino: String(status.ino), mtimeNs: String(status.mtimeNs) };
}
