import { nextMacrotask } from "../../../src/base/clock.ts";
import type { FileSystem, OpenMode } from "../../../src/storage/directory/file-system.ts";
import { type Inode, loseContent, makeInode, settleContent, statusOf, writeBytes } from "./inode.ts";
import { platformError, type SimulatedDisk } from "./simulated-disk.ts";

/** What looks on while a process uses a disk. */
export interface DiskWatch {
  /** Called before each call but `close` and `anchor`; may throw instead of it. */
  readonly before?: (call: keyof FileSystem, path: string) => void;
  /** Called when memory or platter have changed. */
  readonly changed?: (call: keyof FileSystem, path: string) => void;
  /** Whether a write writes half of what it is given. */
  readonly shortWrite?: () => boolean;
  /** A flush waits for what it returns. */
  readonly hold?: (path: string) => Promise<void>;
  /** Whether a flush does nothing and says that it worked. */
  readonly skipsFlush?: (path: string, kind: Inode["kind"], what: "data" | "all") => boolean;
}

const umask = 0o022;

/** One process's view of a simulated disk, with descriptors of its own. */
export function diskFileSystem(
  disk: SimulatedDisk,
  watch: DiskWatch = {},
): FileSystem & { readonly openDescriptors: () => readonly string[] } {
  const open = new Map<number, { readonly inode: Inode; readonly how: OpenMode; readonly path: string }>();
  let nextDescriptor = 3;
  const before = (call: keyof FileSystem, path: string) => watch.before?.(call, path);
  const changed = (call: keyof FileSystem, path: string) => watch.changed?.(call, path);

  const held = (descriptor: number) => {
    const found = open.get(descriptor);
    if (found === undefined) throw platformError("EBADF", String(descriptor));
    return found;
  };
  const hold = (inode: Inode, how: OpenMode, path: string): number => {
    open.set(nextDescriptor, { inode, how, path });
    return nextDescriptor++;
  };
  const mustFind = (path: string): Inode => {
    const inode = disk.find(path);
    if (inode === undefined) throw platformError("ENOENT", path);
    return inode;
  };
  /** The place for a new name: nothing may stand there. */
  const freePlace = (path: string): { readonly folder: Inode; readonly name: string } => {
    const { folder, name } = disk.place(path);
    if (name === undefined || folder.entries.has(name)) throw platformError("EEXIST", path);
    if (folder.links === 0) throw platformError("ENOENT", path);
    return { folder, name };
  };
  const add = (call: keyof FileSystem, path: string, inode: Inode): void => {
    const { folder, name } = freePlace(path);
    disk.inodes.set(inode.ino, inode);
    disk.change(`${call} ${path}`, [{ folder: folder.ino, name, ino: inode.ino }]);
    changed(call, path);
  };
  const newInode = (kind: Inode["kind"], mode: number, bytes?: Uint8Array) =>
    makeInode(disk.freeIno(), kind, mode, disk.tick(), bytes);
  const remove = (call: "unlink" | "rmdir", path: string): void => {
    const { folder, name } = disk.place(path);
    if (name === undefined) throw platformError("EBUSY", path);
    const inode = mustFind(path);
    if (call === "unlink" && inode.kind === "directory") throw platformError("EISDIR", path);
    if (call === "rmdir" && inode.kind !== "directory") throw platformError("ENOTDIR", path);
    if (inode.entries.size > 0) throw platformError("ENOTEMPTY", path);
    disk.change(`${call} ${path}`, [{ folder: folder.ino, name, ino: undefined }]);
    changed(call, path);
  };
  const rename = (from: string, to: string): void => {
    const source = disk.place(from);
    const target = disk.place(to);
    const moved = mustFind(from);
    if (source.name === undefined || target.name === undefined) throw platformError("EBUSY", from);
    if (target.folder.links === 0) throw platformError("ENOENT", to);
    const replaced = disk.find(to);
    if (isWithin(disk, target.folder, moved)) throw platformError("EINVAL", to);
    if (replaced !== undefined && isWithin(disk, source.folder, replaced))
      throw platformError("ENOTEMPTY", to);
    if (replaced === moved) return;
    if (replaced?.kind === "directory" && moved.kind !== "directory") throw platformError("EISDIR", to);
    if (replaced !== undefined && replaced.kind !== "directory" && moved.kind === "directory")
      throw platformError("ENOTDIR", to);
    if (replaced !== undefined && replaced.entries.size > 0) throw platformError("ENOTEMPTY", to);
    disk.change(`rename ${from} ${to}`, [
      { folder: target.folder.ino, name: target.name, ino: moved.ino },
      { folder: source.folder.ino, name: source.name, ino: undefined },
    ]);
    changed("rename", to);
  };
  const flush = async (descriptor: number, what: "data" | "all"): Promise<void> => {
    const { inode, path } = held(descriptor);
    try {
      before("flush", path);
    } catch (error) {
      if (inode.kind === "file") loseContent(inode);
      throw error;
    }
    await watch.hold?.(path);
    const skipped = watch.skipsFlush?.(path, inode.kind, what) === true;
    const then = { bytes: inode.bytes, mode: inode.mode, mtimeNs: inode.mtimeNs };
    const made = new Set(disk.pending.map(({ changes }) => changes));
    // What is made while it runs need not be covered, and nothing is before it ends.
    await nextMacrotask();
    if (skipped) return;
    if (inode.kind === "directory") disk.settleNames(inode.ino, made);
    else settleContent(inode, then);
    changed("flush", path);
  };

  return {
    isWindows: false,
    wait: async () => undefined,
    openDescriptors: () => [...open.values()].map(({ path }) => path),
    open: (path, how) => {
      before("open", path);
      const inode = mustFind(path);
      if (how === "folder" && inode.kind !== "directory") throw platformError("ENOTDIR", path);
      if (inode.kind === "symlink") throw platformError("ELOOP", path);
      if (how === "update" && inode.kind === "directory") throw platformError("EISDIR", path);
      return hold(inode, how, path);
    },
    create: async (path, mode) => {
      before("create", path);
      const inode = newInode("file", mode & ~umask);
      add("create", path, inode);
      await nextMacrotask();
      return hold(inode, "update", path);
    },
    close: (descriptor) => void open.delete(descriptor),
    read: (descriptor, into, position) => {
      before("read", held(descriptor).path);
      const { inode } = held(descriptor);
      if (inode.kind === "directory") throw platformError("EISDIR", "read");
      const piece = inode.bytes.subarray(position, position + into.byteLength);
      into.set(piece);
      return piece.byteLength;
    },
    write: (descriptor, bytes, position) => {
      const { inode, how, path } = held(descriptor);
      before("write", path);
      if (how !== "update") throw platformError("EBADF", path);
      const written = watch.shortWrite?.() === true ? bytes.subarray(0, (bytes.byteLength + 1) >> 1) : bytes;
      writeBytes(inode, written, position);
      inode.mtimeNs = disk.tick();
      changed("write", path);
      return written.byteLength;
    },
    truncate: (descriptor, length) => {
      const { inode, path } = held(descriptor);
      before("truncate", path);
      const bytes = new Uint8Array(length);
      bytes.set(inode.bytes.subarray(0, length));
      inode.bytes = bytes;
      inode.mtimeNs = disk.tick();
      changed("truncate", path);
    },
    fstat: (descriptor) => {
      before("fstat", held(descriptor).path);
      return statusOf(held(descriptor).inode);
    },
    lstat: (path) => {
      before("lstat", path);
      let inode: Inode | undefined;
      try {
        inode = disk.find(path);
      } catch (error) {
        if ((error as { readonly code?: string }).code !== "ENOENT") throw error;
      }
      return inode === undefined ? undefined : statusOf(inode);
    },
    readdir: (path) => {
      before("readdir", path);
      const folder = mustFind(`${path}/.`);
      if (folder.kind !== "directory") throw platformError("ENOTDIR", path);
      return [...folder.entries].map(([name, ino]) => ({ name, kind: disk.inode(ino).kind }));
    },
    mkdir: (path, mode) => {
      before("mkdir", path);
      add("mkdir", path, newInode("directory", mode & ~umask));
    },
    rmdir: (path) => {
      before("rmdir", path);
      remove("rmdir", path);
    },
    unlink: (path) => {
      before("unlink", path);
      remove("unlink", path);
    },
    remove: async (path) => {
      before("remove", path);
      remove("unlink", path);
    },
    rename: (from, to) => {
      before("rename", from);
      rename(from, to);
    },
    link: (from, to) => {
      before("link", from);
      const inode = mustFind(from);
      const { folder, name } = freePlace(to);
      if (inode.kind === "directory") throw platformError("EPERM", from);
      disk.change(`link ${from} ${to}`, [{ folder: folder.ino, name, ino: inode.ino }]);
      changed("link", to);
    },
    symlink: (target, path) => {
      before("symlink", path);
      add("symlink", path, newInode("symlink", 0o777, new TextEncoder().encode(target)));
    },
    readlink: (path) => {
      before("readlink", path);
      const inode = mustFind(path);
      if (inode.kind !== "symlink") throw platformError("EINVAL", path);
      return new TextDecoder().decode(inode.bytes);
    },
    chmod: (descriptor, mode) => {
      before("chmod", held(descriptor).path);
      held(descriptor).inode.mode = mode;
      changed("chmod", held(descriptor).path);
    },
    chown: (descriptor, uid, gid) => {
      before("chown", held(descriptor).path);
      Object.assign(held(descriptor).inode, { uid, gid });
      changed("chown", held(descriptor).path);
    },
    realpath: (path) => {
      before("realpath", path);
      mustFind(path);
      return path;
    },
    copy: async (from, to) => {
      before("copy", from);
      const source = mustFind(from);
      if (disk.find(to) !== undefined) throw platformError("EEXIST", to);
      if (source.kind === "directory") throw platformError("EISDIR", from);
      add("copy", to, newInode("file", source.mode, source.bytes));
    },
    anchor: (descriptor) => `#${held(descriptor).inode.ino}`,
    flush,
  };
}

/** Whether a folder is another or lies below it. */
function isWithin(disk: SimulatedDisk, folder: Inode, outer: Inode): boolean {
  return (
    folder === outer || [...outer.entries.values()].some((ino) => isWithin(disk, folder, disk.inode(ino)))
  );
}
