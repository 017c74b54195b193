import type { FileSystem } from "../../../src/storage/directory/file-system.ts";
import { type FileSystemLayer, platformError } from "./file-system-layer.ts";

/** Which calls are refused, and how often. */
export interface Refusals {
  /** The calls. */
  readonly calls: readonly (keyof FileSystem)[];
  /** The errors, each in turn. */
  readonly codes: readonly string[];
  /** One call in so many is refused. */
  readonly every: number;
  /** That call is refused so many times before it works. */
  readonly times: number;
}

/** Refuses some calls a few times before they work, as scanners and a short want of descriptors do. */
export function refuseForAWhile({ calls, codes, every, times }: Refusals): FileSystemLayer {
  let counted = 0;
  let left = 0;
  const refuse = (call: string) => {
    if (left === 0) {
      counted += 1;
      if (counted % every !== 0) return;
      left = times + 1;
    }
    left -= 1;
    if (left > 0) throw platformError(codes[(counted / every + left) % codes.length] ?? "EBUSY", call);
  };
  return (inner) => {
    const refusing = calls.map((call) => {
      const works = inner[call] as (...args: unknown[]) => unknown;
      const sync = (...args: unknown[]) => {
        refuse(call);
        return works(...args);
      };
      const isAsync = call === "create" || call === "copy" || call === "flush";
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

/** Folders cannot be flushed, as on Windows: opening or flushing one is refused. */
export function noFolderFlush(
  refused: "open" | "flush",
  code: "EPERM" | "EISDIR" | "EACCES",
): FileSystemLayer {
  return (inner) => {
    const folders = new Set<number>();
    return {
      ...inner,
      open: (path, how) => {
        const descriptor = inner.open(path, how);
        if (how === "folder") folders.add(descriptor);
        return descriptor;
      },
      close: (descriptor) => {
        folders.delete(descriptor);
        inner.close(descriptor);
      },
      flush: async (descriptor, what) => {
        if (folders.has(descriptor)) throw platformError(code, refused);
        await inner.flush(descriptor, what);
      },
    };
  };
}
