import * as fs from "node:fs";
import { systemClock } from "../../base/clock.ts";
import type { FileStatus, FileSystem, OpenMode } from "./file-system.ts";
import { nodeFolderWatching } from "./node-folder-watching.ts";

const { O_CREAT, O_DIRECTORY, O_EXCL, O_RDONLY, O_RDWR } = fs.constants;
// Windows has neither constant; links are looked for before an open there.
const noFollow = (fs.constants.O_NOFOLLOW as number | undefined) ?? 0;
const nonBlocking = (fs.constants.O_NONBLOCK as number | undefined) ?? 0;

const openFlags: Record<OpenMode, number> = {
  read: O_RDONLY | noFollow | nonBlocking,
  folder: O_RDONLY | noFollow | ((O_DIRECTORY as number | undefined) ?? 0),
  update: O_RDWR | noFollow,
};

/** The file system of this machine. */
export const nodeFileSystem: FileSystem = {
  isWindows: process.platform === "win32",
  watching: nodeFolderWatching,
  wait: (ms) => systemClock.sleep(ms),
  open: (path, how) => {
    if (noFollow === 0) refuseOther(path, how);
    return fs.openSync(path, openFlags[how]);
  },
  create: (path, mode) =>
    new Promise((resolve, reject) => {
      fs.open(path, O_RDWR | O_CREAT | O_EXCL | noFollow, mode, (error, descriptor) =>
        error === null ? resolve(descriptor) : reject(error),
      );
    }),
  close: (descriptor) => fs.closeSync(descriptor),
  read: (descriptor, into, position) => fs.readSync(descriptor, into, 0, into.byteLength, position),
  write: (descriptor, bytes, position) => fs.writeSync(descriptor, bytes, 0, bytes.byteLength, position),
  truncate: (descriptor, length) => fs.ftruncateSync(descriptor, length),
  fstat: (descriptor) => toStatus(fs.fstatSync(descriptor, { bigint: true })),
  lstat: (path) => {
    const stats = fs.lstatSync(path, { bigint: true, throwIfNoEntry: false });
    return stats === undefined ? undefined : toStatus(stats);
  },
  readdir: (path) =>
    fs.readdirSync(path, { withFileTypes: true }).map((entry) => ({ name: entry.name, kind: kindOf(entry) })),
  mkdir: (path, mode) => fs.mkdirSync(path, mode),
  rmdir: (path) => fs.rmdirSync(path),
  unlink: (path) => fs.unlinkSync(path),
  remove: (path) =>
    new Promise((resolve, reject) =>
      fs.unlink(path, (error) => (error === null ? resolve() : reject(error))),
    ),
  rename: (from, to) => fs.renameSync(from, to),
  link: (from, to) => fs.linkSync(from, to),
  symlink: (target, path) => fs.symlinkSync(target, path),
  readlink: (path) => fs.readlinkSync(path),
  chmod: (descriptor, mode) => fs.fchmodSync(descriptor, mode),
  chown: (descriptor, uid, gid) => fs.fchownSync(descriptor, uid, gid),
  realpath: (path) => fs.realpathSync.native(path),
  copy: (from, to) =>
    fs.promises.copyFile(from, to, fs.constants.COPYFILE_EXCL | fs.constants.COPYFILE_FICLONE),
  anchor: (descriptor, path) => (process.platform === "linux" ? `/proc/self/fd/${descriptor}` : path),
  flush: (descriptor, what) =>
    new Promise((resolve, reject) => {
      const done = (error: NodeJS.ErrnoException | null) => (error === null ? resolve() : reject(error));
      if (what === "data") fs.fdatasync(descriptor, done);
      else fs.fsync(descriptor, done);
    }),
};

/** What the missing flags would refuse. */
function refuseOther(path: string, how: OpenMode): void {
  const stats = fs.lstatSync(path, { throwIfNoEntry: false });
  if (stats?.isSymbolicLink()) throw Object.assign(new Error(`"${path}" is a link`), { code: "ELOOP" });
  if (how === "folder" && stats?.isDirectory() === false)
    throw Object.assign(new Error(`"${path}" is no folder`), { code: "ENOTDIR" });
}

function kindOf(entry: {
  isFile(): boolean;
  isDirectory(): boolean;
  isSymbolicLink(): boolean;
}): FileStatus["kind"] {
  if (entry.isFile()) return "file";
  if (entry.isDirectory()) return "directory";
  return entry.isSymbolicLink() ? "symlink" : "other";
}

function toStatus(stats: fs.BigIntStats): FileStatus {
  return {
    kind: kindOf(stats),
    dev: stats.dev,
    ino: stats.ino,
    size: Number(stats.size),
    mode: Number(stats.mode & 0o7777n),
    mtimeNs: stats.mtimeNs,
    links: Number(stats.nlink),
    uid: Number(stats.uid),
    gid: Number(stats.gid),
  };
}
