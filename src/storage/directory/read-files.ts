import type { Pause } from "../../base/clock.ts";
import { hashBytes } from "../../base/hashing.ts";
import { HoldfastError } from "../../base/holdfast-error.ts";
import type { ContentPlace } from "../log/log-state.ts";
import type { ChunkSource, StoredFile, StoredStat } from "../storage-adapter.ts";
import { pieceBytes, readFully } from "./file-bytes.ts";
import { isExecutable, type ReadHost, readContent, versionOf } from "./file-content.ts";
import type { FileStatus } from "./file-system.ts";
import { errorNumber, type FileSystem, type FoundName } from "./file-system.ts";
import { patiently } from "./patiently.ts";
import { readContentPlace } from "./read-content-place.ts";
import { obstructedError, type RootFolder } from "./root-folder.ts";
import type { SeenTargets } from "./seen-targets.ts";
import { damaged, type SegmentFilesHost } from "./segment-files.ts";
import type { SegmentLog } from "./segment-log.ts";
import { type StateFolder, stateFile, stateFolders } from "./state-folder.ts";

/** What reading the workspace needs. */
export interface FileReadHost extends ReadHost {
  readonly root: RootFolder;
}

/** Finds the file or link that stands at a path itself: behind a link in the place of a folder there is nothing. */
function findToRead(host: FileReadHost, path: string): FoundName | undefined {
  const located = host.root.locate(path);
  if (located.kind === "obstructed" && located.what === "otherWorkspace")
    throw obstructedError(path, located);
  return located.kind === "file" || located.kind === "symlink" ? located : undefined;
}

/** Tells what is at a path, by one look at its name. */
export async function statFile(host: FileReadHost, path: string): Promise<StoredStat | undefined> {
  const found = await patiently(host.fileSystem, () => findToRead(host, path));
  if (found === undefined) return undefined;
  const { size, mode } = found.status;
  const kind = found.status.kind === "symlink" ? "symlink" : "file";
  return { kind, byteLength: size, executable: isExecutable({ kind, mode }), stamp: stampOf(found.status) };
}

function stampOf({ ino, mtimeNs }: FileStatus): string {
  return `${ino}-${mtimeNs}`;
}

/** Reads a file or the text of a link, unless it is longer than `maxBytes`. */
export async function readFile(
  host: FileReadHost,
  path: string,
  maxBytes?: number,
  seen?: SeenTargets,
): Promise<StoredFile | undefined> {
  const content = await readContent(host, () => findToRead(host, path), path, "bytes", maxBytes);
  if (content?.bytes === undefined) return undefined;
  const { identity, bytes } = content;
  seen?.note(path, content.status);
  return {
    kind: identity.kind,
    byteLength: identity.length,
    executable: isExecutable(identity),
    version: versionOf(identity),
    stamp: stampOf(content.status),
    bytes,
  };
}

/** What reading contents needs. */
export interface ChunkHost extends FileReadHost {
  readonly state: StateFolder;
  readonly log: SegmentLog;
}

/** Reads a path, a content of the log, or a staged content piece by piece. */
export async function* readPieces(
  host: ChunkHost,
  source: ChunkSource,
  offset: number,
): AsyncGenerator<Uint8Array> {
  if ("staged" in source)
    return yield* filePieces(
      host,
      stateFile(host.state, "staged", source.staged),
      offset,
      "The staged content is gone.",
    );
  if ("sha256" in source) return yield* contentPieces(host, source.sha256, offset);
  const found = await patiently(host.fileSystem, () => findToRead(host, source.path));
  if (found?.status.kind === "file")
    return yield* filePieces(host, found.at, offset, `There is no file "${source.path}".`);
  const file = await readFile(host, source.path);
  if (file === undefined) throw absent(`There is no file "${source.path}".`, source.path);
  yield file.bytes.subarray(offset);
}

async function* contentPieces(host: ChunkHost, sha256: string, offset: number): AsyncGenerator<Uint8Array> {
  const missing = "The log names no such content, or it has been removed.";
  const bytes = await readLogged(host, sha256);
  if (bytes !== undefined) {
    for (let at = offset; at < bytes.byteLength; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
    return;
  }
  const at = await findContent(host, sha256);
  if (at === undefined) throw absent(missing, "");
  yield* filePieces(host, at, offset, missing);
}

/** A content that lies in the log, checked: nothing but its own bytes has its SHA-256. */
export async function readLogged(
  host: SegmentFilesHost & { readonly log: SegmentLog },
  sha256: string,
): Promise<Uint8Array | undefined> {
  const { log } = host;
  const find = () => log.state.contents.get(sha256);
  const read = async (place: ContentPlace) => {
    const bytes = await readContentPlace(host, place);
    if (bytes !== undefined && hashBytes(host.hashing, "sha256", bytes) !== sha256) throw damaged(place.file);
    return bytes;
  };
  const known = find();
  // What is known already need not be looked for in the whole history.
  return (known === undefined ? undefined : await read(known)) ?? (await log.older.read(1, find, read));
}

/** Looks for a content outside the log: sealed, staged, at the target that it was published at, or among the pre-images. */
async function findContent(host: ChunkHost, sha256: string): Promise<string | undefined> {
  const candidates = [stateFile(host.state, "images", sha256)];
  const elsewhere = host.log.state.elsewhere.get(sha256);
  if (elsewhere !== undefined) {
    candidates.push(`${host.state.path}/${elsewhere.file}`);
    const located = host.root.locate(elsewhere.path);
    if ("at" in located && located.kind === "file") candidates.push(located.at);
  }
  const preImages = stateFile(host.state, "preImages");
  for (const { name } of await patiently(host.fileSystem, () => host.fileSystem.readdir(preImages)))
    candidates.push(`${host.state.path}/${stateFolders.preImages}/${name}`);
  for (const candidate of candidates) if ((await sha256Of(host, candidate)) === sha256) return candidate;
  return undefined;
}

async function sha256Of(host: ChunkHost, at: string): Promise<string | undefined> {
  if (host.fileSystem.lstat(at)?.kind !== "file") return undefined;
  const hash = host.hashing.sha256();
  for await (const piece of filePieces(host, at, 0, "")) hash.update(piece);
  return hash.digest();
}

async function* filePieces(
  host: { readonly fileSystem: FileSystem; readonly pause: Pause },
  at: string,
  offset: number,
  missing: string,
): AsyncGenerator<Uint8Array> {
  let descriptor: number;
  try {
    descriptor = await patiently(host.fileSystem, () => host.fileSystem.open(at, "read"));
  } catch (error) {
    if (errorNumber(error) === "ENOENT") throw absent(missing, "");
    throw error;
  }
  try {
    for (let position = offset; ; ) {
      const left = Math.max(host.fileSystem.fstat(descriptor).size - position, 1);
      const length = Math.min(left, pieceBytes);
      const piece = await readFully(host.fileSystem, descriptor, position, length, host.pause);
      if (piece.byteLength === 0) return;
      yield piece;
      position += piece.byteLength;
    }
  } finally {
    host.fileSystem.close(descriptor);
  }
}

function absent(message: string, path: string): HoldfastError {
  return new HoldfastError("NOT_FOUND", { message, details: { path, similar: [] } });
}
