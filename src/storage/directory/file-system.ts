import type { FolderWatching } from "./folder-watching.ts";

/** What the file system says of one name. */
export interface FileStatus {
  /** What it is. */
  readonly kind: "file" | "directory" | "symlink" | "other";
  /** Device. */
  readonly dev: bigint;
  /** Inode. */
  readonly ino: bigint;
  /** Bytes. */
  readonly size: number;
  /** Permission bits, 0 to 0o7777. */
  readonly mode: number;
  /** Time of the last change of the bytes, in nanoseconds since 1970. */
  readonly mtimeNs: bigint;
  /** How many names it has. */
  readonly links: number;
  /** Owner. */
  readonly uid: number;
  /** Group. */
  readonly gid: number;
}

/** A name on the disk and what stands there. */
export interface FoundName {
  readonly at: string;
  readonly status: FileStatus;
}

/** One name in a folder. */
export interface FolderEntry {
  /** The name, without its folder. */
  readonly name: string;
  /** What it is. */
  readonly kind: FileStatus["kind"];
}

/** How a file is opened: to read it, to read a folder, or to write into an existing one. None follows a link in the last place of the path. */
export type OpenMode = "read" | "folder" | "update";

/**
 * The few operations that the directory storage needs of a file system, so that tests can count them, fail them and stop after any one.
 * Most are synchronous: each takes microseconds, less than the detour through a thread pool; callers let the event loop turn between slices of
 * work. Those that wait for the disk, `flush`, `create`, `copy` and `remove`, are not. Errors are the platform's own, with their `code`.
 */
export interface FileSystem {
  /** Whether the rules of Windows hold: no folder can be flushed, and what others look at refuses to be moved for a while. */
  readonly isWindows: boolean;
  /** Lets others go on for a while, after which what was refused for a moment may work. */
  wait(ms: number): Promise<void>;
  /** Opens what is there; returns a descriptor. */
  open(path: string, how: OpenMode): number;
  /** Makes a new file, of which nothing may have the name, and opens it to write. The process's umask takes bits from `mode`. */
  create(path: string, mode: number): Promise<number>;
  /** Closes a descriptor. */
  close(descriptor: number): void;
  /** Reads at a position; returns how many bytes came, 0 at the end. */
  read(descriptor: number, into: Uint8Array, position: number): number;
  /** Writes at a position; returns how many bytes went, which may be fewer than given. */
  write(descriptor: number, bytes: Uint8Array, position: number): number;
  /** Cuts or extends a file. */
  truncate(descriptor: number, length: number): void;
  /** Status of an open file. */
  fstat(descriptor: number): FileStatus;
  /** Status of a name, a link itself included; `undefined` when there is none. */
  lstat(path: string): FileStatus | undefined;
  /** Names in a folder, in no order. */
  readdir(path: string): readonly FolderEntry[];
  /** Makes a folder. */
  mkdir(path: string, mode: number): void;
  /** Removes an empty folder. */
  rmdir(path: string): void;
  /** Removes a name that is no folder. */
  unlink(path: string): void;
  /** The same where the disk may take its time, for the bytes of the file go with its last name. */
  remove(path: string): Promise<void>;
  /** Gives a file another name, replacing what has it. */
  rename(from: string, to: string): void;
  /** Gives a file a second name; fails when it is taken. */
  link(from: string, to: string): void;
  /** Makes a symbolic link. */
  symlink(target: string, path: string): void;
  /** Reads the text of a symbolic link. */
  readlink(path: string): string;
  /** Sets the permission bits of an open file. */
  chmod(descriptor: number, mode: number): void;
  /** Sets owner and group of an open file. */
  chown(descriptor: number, uid: number, gid: number): void;
  /** The path without links. */
  realpath(path: string): string;
  /** Copies a file to a new name, sharing its blocks where the file system can. */
  copy(from: string, to: string): Promise<void>;
  /** A path that keeps meaning the open folder even when its name is taken by another; else the path itself. */
  anchor(descriptor: number, path: string): string;
  /** Makes an open file (or folder) durable: its bytes and size, or everything. */
  flush(descriptor: number, what: "data" | "all"): Promise<void>;
  /** How it tells of changes; left out where it does not. */
  readonly watching?: FolderWatching | undefined;
}

/** The platform's name of an error, such as `ENOSPC`; `undefined` for anything else. */
export function errorNumber(error: unknown): string | undefined {
  const code = typeof error === "object" && error !== null && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : undefined;
}

/** Whether an error says that the file system has no hard links, or gives none to this file. */
export function linksMissing(error: unknown): boolean {
  return ["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK", "EINVAL"].includes(errorNumber(error) ?? "");
}
