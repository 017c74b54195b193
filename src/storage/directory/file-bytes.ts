import type { Pause } from "../../base/clock.ts";
import { errorNumber, type FileStatus, type FileSystem } from "./file-system.ts";
import { patiently } from "./patiently.ts";

/** Largest piece that one synchronous read or write moves: about a millisecond. */
export const pieceBytes = 1024 * 1024;

/** Room for bytes that are about to be read: not filled with zeros first, which for small files would take longer than reading them. */
export function uninitializedBytes(length: number): Uint8Array {
  return new Uint8Array(Buffer.allocUnsafeSlow(length).buffer);
}

/** Writes all bytes at a position, going on after short writes. */
export async function writeFully(
  fileSystem: FileSystem,
  descriptor: number,
  bytes: Uint8Array,
  position: number,
  pause: Pause,
): Promise<void> {
  for (let done = 0; done < bytes.byteLength; ) {
    const written = fileSystem.write(
      descriptor,
      bytes.subarray(done, Math.min(done + pieceBytes, bytes.byteLength)),
      position + done,
    );
    if (written === 0) throw Object.assign(new Error("a write moved no byte"), { code: "EIO" });
    done += written;
    await pause();
  }
}

/** Writes parts one behind the other, in as few writes as their size lets it. */
export async function writeParts(
  fileSystem: FileSystem,
  descriptor: number,
  parts: readonly Uint8Array[],
  position: number,
  pause: Pause,
): Promise<void> {
  const total = parts.reduce((sum, { byteLength }) => sum + byteLength, 0);
  const gathered = uninitializedBytes(Math.min(total, pieceBytes));
  let at = position;
  let used = 0;
  const write = async (bytes: Uint8Array) => {
    await writeFully(fileSystem, descriptor, bytes, at, pause);
    at += bytes.byteLength;
  };
  for (const part of parts) {
    if (used + part.byteLength > gathered.byteLength) {
      await write(gathered.subarray(0, used));
      used = 0;
    }
    if (part.byteLength > gathered.byteLength) {
      await write(part);
    } else {
      gathered.set(part, used);
      used += part.byteLength;
    }
  }
  await write(gathered.subarray(0, used));
}

/** Reads from a position until `length` bytes or the end have come. */
export async function readFully(
  fileSystem: FileSystem,
  descriptor: number,
  position: number,
  length: number,
  pause: Pause,
): Promise<Uint8Array> {
  const bytes = uninitializedBytes(length);
  let done = 0;
  while (done < length) {
    const count = fileSystem.read(
      descriptor,
      bytes.subarray(done, Math.min(done + pieceBytes, length)),
      position + done,
    );
    if (count === 0) break;
    done += count;
    await pause();
  }
  return done === length ? bytes : bytes.slice(0, done);
}

/** Reads a whole file by name; `undefined` when there is none. */
export async function readWhole(
  fileSystem: FileSystem,
  path: string,
  pause: Pause,
): Promise<{ readonly bytes: Uint8Array; readonly status: FileStatus } | undefined> {
  const descriptor = await openIfThere(fileSystem, path);
  if (descriptor === undefined) return undefined;
  try {
    const status = fileSystem.fstat(descriptor);
    refuseOther(status, path);
    return { bytes: await readFully(fileSystem, descriptor, 0, status.size, pause), status };
  } finally {
    fileSystem.close(descriptor);
  }
}

/** Reading what is no file says nothing about where it is. */
export function refuseOther({ kind }: FileStatus, path: string): void {
  if (kind !== "file") throw Object.assign(new Error("not a file"), { code: "EISDIR", path });
}

/** Opens a file that is there to write into it. */
export function openToUpdate(fileSystem: FileSystem, path: string): Promise<number> {
  return patiently(fileSystem, () => fileSystem.open(path, "update"));
}

/** Opens for reading; `undefined` when there is nothing. */
export async function openIfThere(fileSystem: FileSystem, path: string): Promise<number | undefined> {
  try {
    return await patiently(fileSystem, () => fileSystem.open(path, "read"));
  } catch (error) {
    if (errorNumber(error) === "ENOENT") return undefined;
    throw error;
  }
}

/** Flushes a file or folder by name. Windows can flush no folder, and a file only through a descriptor that may write. */
export async function flushPath(fileSystem: FileSystem, path: string, how: "read" | "folder"): Promise<void> {
  if (how === "folder" && fileSystem.isWindows) return;
  const mode = fileSystem.isWindows ? "update" : how;
  const descriptor = await patiently(fileSystem, () => fileSystem.open(path, mode));
  try {
    await fileSystem.flush(descriptor, "all");
  } finally {
    fileSystem.close(descriptor);
  }
}

/** Writes a small file under a temporary name, flushes it if asked, and gives it its name; on failure the temporary name is gone again. */
export async function replaceFile(
  fileSystem: FileSystem,
  temporary: string,
  path: string,
  bytes: Uint8Array,
  flush: boolean,
  pause: Pause,
): Promise<void> {
  const descriptor = await fileSystem.create(temporary, 0o600);
  try {
    try {
      await writeFully(fileSystem, descriptor, bytes, 0, pause);
      if (flush) await fileSystem.flush(descriptor, "all");
    } finally {
      fileSystem.close(descriptor);
    }
    await patiently(fileSystem, () => fileSystem.rename(temporary, path));
  } catch (error) {
    removeQuietly(fileSystem, temporary);
    throw error;
  }
}

/** Whether a name is known to be gone: what the disk refuses to tell is not. */
export function isGone(fileSystem: FileSystem, path: string): boolean {
  try {
    return fileSystem.lstat(path) === undefined;
  } catch (error) {
    return errorNumber(error) === "ENOTDIR";
  }
}

/** Removes a name if the disk lets it; the next opening sweeps what stays. */
export function removeQuietly(fileSystem: FileSystem, path: string): void {
  try {
    fileSystem.unlink(path);
  } catch {
    // There is none, or what brought the caller here is the error that counts.
  }
}

/** Removes a name if it is there. */
export async function removeIfThere(fileSystem: FileSystem, path: string): Promise<void> {
  try {
    await patiently(fileSystem, () => fileSystem.unlink(path));
  } catch (error) {
    if (errorNumber(error) !== "ENOENT") throw error;
  }
}
