import type { FileStatus } from "../../../src/storage/directory/file-system.ts";
import { type FileSystemLayer, platformError } from "./file-system-layer.ts";

/** Files have one name each, as on FAT and many network file systems. */
export function noHardLinks(code: "EPERM" | "ENOTSUP" | "ENOSYS" | "EOPNOTSUPP"): FileSystemLayer {
  return (inner) => ({
    ...inner,
    link: (from) => {
      if (inner.lstat(from) === undefined) throw platformError("ENOENT", "link");
      throw platformError(code, "link");
    },
  });
}

/** There are no symbolic links, or no right to make them, as on FAT and on Windows. */
export function noSymbolicLinks(code: "EPERM" | "ENOTSUP"): FileSystemLayer {
  return (inner) => ({
    ...inner,
    symlink: () => {
      throw platformError(code, "symlink");
    },
  });
}

/** All files have the same permission bits, as on FAT: setting others does nothing, or is refused. */
export function noModes(mode: 0o644 | 0o755, setting: "ignored" | "refused"): FileSystemLayer {
  return (inner) => {
    const shown = (status: FileStatus) => (status.kind === "symlink" ? status : { ...status, mode });
    return {
      ...inner,
      fstat: (descriptor) => shown(inner.fstat(descriptor)),
      lstat: (path) => {
        const status = inner.lstat(path);
        return status === undefined ? undefined : shown(status);
      },
      create: async (path) => await inner.create(path, 0o666),
      mkdir: (path) => inner.mkdir(path, 0o777),
      chmod: () => {
        if (setting === "refused") throw platformError("EPERM", "fchmod");
      },
    };
  };
}

/** A folder's path is all there is to reach its files by, as on macOS and Windows. */
export function noAnchors(): FileSystemLayer {
  return (inner) => ({ ...inner, anchor: (_descriptor, path) => path });
}

/** Times of files are multiples of this. */
export function coarseTimes(granularityNs: bigint): FileSystemLayer {
  return (inner) => {
    const coarse = (status: FileStatus) => ({
      ...status,
      mtimeNs: status.mtimeNs - (status.mtimeNs % granularityNs),
    });
    return {
      ...inner,
      fstat: (descriptor) => coarse(inner.fstat(descriptor)),
      lstat: (path) => {
        const status = inner.lstat(path);
        return status === undefined ? undefined : coarse(status);
      },
    };
  };
}
