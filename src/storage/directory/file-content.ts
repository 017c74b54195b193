import { utf8 } from "../../base/bytes.ts";
import type { Pause } from "../../base/clock.ts";
import { type Hashing, hashBytes } from "../../base/hashing.ts";
import type { PathIdentity } from "../log/physical-entry.ts";
import { tooLongToRead } from "../storage-errors.ts";
import { pieceBytes, uninitializedBytes } from "./file-bytes.ts";
import { errorNumber, type FileStatus, type FileSystem, type FoundName } from "./file-system.ts";
import { patiently } from "./patiently.ts";
import { pathError } from "./root-folder.ts";

/** What is needed to read files. */
export interface ReadHost {
  readonly fileSystem: FileSystem;
  readonly hashing: Hashing;
  readonly pause: Pause;
}

/** A file or link as it was at one moment. */
export interface FileContent {
  /** What it is and which file on the disk holds it. */
  readonly identity: PathIdentity;
  /** Its status. */
  readonly status: FileStatus;
  /** Its bytes, when they were asked for. */
  readonly bytes: Uint8Array | undefined;
}

const attempts = 8;

/** Finds a fixed host path. */
export function atHostPath(host: Pick<ReadHost, "fileSystem">, at: string): () => FoundName | undefined {
  return () => {
    const status = host.fileSystem.lstat(at);
    return status === undefined ? undefined : { at, status };
  };
}

/**
 * Reads and hashes a file or link; reads again when it changed meanwhile. `undefined` when it is gone, or is no file and no link.
 *
 * @param find - Finds it; asked anew at every attempt.
 * @param path - Its workspace path, for messages.
 * @param maxBytes - What is longer is not read.
 * @throws `TARGET_BUSY` when it changes at every attempt, `LIMIT_EXCEEDED` when it is too long.
 */
export async function readContent(
  host: ReadHost,
  find: () => FoundName | undefined,
  path: string,
  keep: "bytes" | "hash",
  maxBytes = Number.POSITIVE_INFINITY,
): Promise<FileContent | undefined> {
  const refuseLonger = (length: number) => {
    if (length > maxBytes) throw tooLongToRead(path, length, maxBytes);
  };
  for (let attempt = 0; attempt < attempts; attempt++) {
    const found = await patiently(host.fileSystem, find);
    if (found === undefined) return undefined;
    const { kind } = found.status;
    if (kind === "symlink") {
      const link = readLink(host, found.at, found.status);
      refuseLonger(link.identity.length);
      return link;
    }
    if (kind !== "file") return undefined;
    refuseLonger(found.status.size);
    const content = await readFile(host, found, keep);
    if (content !== "changed") return content === "gone" ? undefined : content;
  }
  throw pathError("TARGET_BUSY", path, `"${path}" kept changing while it was read.`);
}

function readLink(host: ReadHost, at: string, status: FileStatus): FileContent {
  const bytes = utf8(host.fileSystem.readlink(at));
  return {
    identity: identityOf(status, hashBytes(host.hashing, "xxh64", bytes), bytes.byteLength),
    status,
    bytes,
  };
}

async function readFile(
  host: ReadHost,
  { at, status }: FoundName,
  keep: "bytes" | "hash",
): Promise<FileContent | "changed" | "gone"> {
  const { fileSystem } = host;
  let descriptor: number;
  try {
    descriptor = await patiently(fileSystem, () => fileSystem.open(at, "read"));
  } catch (error) {
    if (errorNumber(error) === "ENOENT") return "gone";
    if (errorNumber(error) === "ELOOP") return "changed";
    throw error;
  }
  try {
    const read =
      status.size <= pieceBytes
        ? readPiece(host, descriptor, status.size, keep)
        : await readLong(host, descriptor, status.size, keep);
    if (read === undefined) return "changed";
    const after = fileSystem.fstat(descriptor);
    if (!isUnchanged(status, after)) return "changed";
    return { identity: identityOf(after, read.xxh64, after.size), status: after, bytes: read.bytes };
  } catch (error) {
    if (errorNumber(error) === "EISDIR") return "changed";
    throw error;
  } finally {
    fileSystem.close(descriptor);
  }
}

function isUnchanged(before: FileStatus, after: FileStatus): boolean {
  return (
    after.ino === before.ino &&
    after.kind === "file" &&
    after.size === before.size &&
    after.mtimeNs === before.mtimeNs
  );
}

interface ReadBytes {
  readonly xxh64: string;
  readonly bytes: Uint8Array | undefined;
}

/** Used by one synchronous read after the other. */
let scratch: Uint8Array | undefined;

/** Reads what fits in one piece without giving up the thread. `undefined` when it is shorter than it was. */
function readPiece(
  { fileSystem, hashing }: ReadHost,
  descriptor: number,
  size: number,
  keep: "bytes" | "hash",
): ReadBytes | undefined {
  scratch ??= new Uint8Array(pieceBytes);
  const bytes = keep === "bytes" ? uninitializedBytes(size) : scratch.subarray(0, size);
  for (let done = 0; done < size; ) {
    const count = fileSystem.read(descriptor, done === 0 ? bytes : bytes.subarray(done), done);
    if (count === 0) return undefined;
    done += count;
  }
  return { xxh64: hashBytes(hashing, "xxh64", bytes), bytes: keep === "bytes" ? bytes : undefined };
}

async function readLong(
  { fileSystem, hashing, pause }: ReadHost,
  descriptor: number,
  size: number,
  keep: "bytes" | "hash",
): Promise<ReadBytes | undefined> {
  const hash = hashing.xxh64();
  const bytes = uninitializedBytes(keep === "bytes" ? size : pieceBytes);
  for (let done = 0; done < size; ) {
    const length = Math.min(pieceBytes, size - done);
    const into = keep === "bytes" ? bytes.subarray(done, done + length) : bytes.subarray(0, length);
    const count = fileSystem.read(descriptor, into, done);
    if (count === 0) return undefined;
    hash.update(into.subarray(0, count));
    done += count;
    await pause();
  }
  return { xxh64: hash.digest(), bytes: keep === "bytes" ? bytes : undefined };
}

function identityOf(status: FileStatus, xxh64: string, length: number): PathIdentity {
  const kind = status.kind === "symlink" ? "symlink" : "file";
  return { kind, mode: status.mode, length, xxh64, ino: String(status.ino), mtimeNs: String(status.mtimeNs) };
}

/** Whether a state may be run; a link may not. */
export function isExecutable(state: { readonly kind: "file" | "symlink"; readonly mode: number }): boolean {
  return state.kind === "file" && (state.mode & 0o100) !== 0;
}

/** The token of a state: it changes with bytes, kind and executable bit, and returns with them. */
export function versionOf(state: {
  readonly kind: "file" | "symlink";
  readonly mode: number;
  readonly length: number;
  readonly xxh64: string;
}): string {
  return `${state.kind === "symlink" ? "l" : isExecutable(state) ? "x" : "f"}${state.length}-${state.xxh64}`;
}

/** Whether a name on the disk is the very file of an identity, its bytes not looked at. */
export function isSameFile(status: FileStatus | undefined, identity: PathIdentity): boolean {
  return (
    status !== undefined &&
    status.kind === identity.kind &&
    String(status.ino) === identity.ino &&
    (status.kind === "symlink" ||
      (status.size === identity.length && String(status.mtimeNs) === identity.mtimeNs))
  );
}
