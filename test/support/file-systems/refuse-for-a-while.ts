import type { FileSystem, OpenMode } from "../../../src/storage/directory/file-system.ts";
import { type FileSystemLayer, platformError } from "./file-system-layer.ts";

/** Which calls are refused, and how often. */
export interface Refusals {
  /** The calls. */
  readonly calls: readonly (keyof FileSystem)[];
  /** The errors, each in turn. */
  readonly codes: readonly string[];
  /** Of the paths that a call is made with, one in so many is refused. */
  readonly every: number;
  /** It is refused so many times before it works. */
  readonly times: number;
}

/** Refuses some paths a few times before they work, as scanners and a short want of descriptors do. */
export function refuseForAWhile({ calls, codes, every, times }: Refusals): FileSystemLayer {
  const left = new Map<string, number>();
  const refuse = (call: string, path: unknown) => {
    const key = `${call} ${String(path)}`;
    const still = left.get(key) ?? (left.size % every === 0 ? times : 0);
    left.set(key, Math.max(0, still - 1));
    if (still > 0) throw platformError(codes[(left.size + still) % codes.length] ?? "EBUSY", call);
  };
  return (inner) => {
    const refusing = calls.map((call) => {
      const works = inner[call] as (...args: unknown[]) => unknown;
      const sync = (...args: unknown[]) => {
        refuse(call, args[0]);
        return works(...args);
      };
      const isAsync = call === "create" || call === "copy";
      return [call, isAsync ? async (...args: unknown[]) => sync(...args) : sync];
    });
    return { ...inner, ...(Object.fromEntries(refusing) as Partial<FileSystem>) };
  };
}

/** A rename that would replace a file that nobody may write is refused, as on Windows. */
export function readOnlyBlocksRename(): FileSystemLayer {
  return (inner) => ({
    ...inner,
    rename: (from, to) => {
      const target = inner.lstat(to);
      if (target?.kind === "file" && (target.mode & 0o200) === 0) throw platformError("EPERM", "rename");
      inner.rename(from, to);
    },
    unlink: (path) => {
      const target = inner.lstat(path);
      if (target?.kind === "file" && (target.mode & 0o200) === 0) throw platformError("EPERM", "unlink");
      inner.unlink(path);
    },
  });
}

/** Folders cannot be flushed, as on Windows. */
export function noFolderFlush(code: "EPERM" | "EISDIR" | "EACCES"): FileSystemLayer {
  return (inner) => flushOnly(inner, (how) => how !== "folder", code);
}

/** A file is flushed only through a descriptor that may write, as on Windows. */
export function flushNeedsWriting(): FileSystemLayer {
  return (inner) => flushOnly(inner, (how) => how !== "read", "EPERM");
}

function flushOnly(inner: FileSystem, canFlush: (how: OpenMode) => boolean, code: string): FileSystem {
  const refused = new Set<number>();
  return {
    ...inner,
    open: (path, how) => {
      const descriptor = inner.open(path, how);
      if (!canFlush(how)) refused.add(descriptor);
      return descriptor;
    },
    close: (descriptor) => {
      refused.delete(descriptor);
      inner.close(descriptor);
    },
    flush: async (descriptor, what) => {
      if (refused.has(descriptor)) throw platformError(code, "fsync");
      await inner.flush(descriptor, what);
    },
  };
}
