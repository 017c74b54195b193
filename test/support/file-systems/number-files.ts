import type { FileStatus, FileSystem } from "../../../src/storage/directory/file-system.ts";
import type { FileSystemLayer } from "./file-system-layer.ts";

function renumbered(inner: FileSystem, number: (status: FileStatus) => bigint): FileSystem {
  return {
    ...inner,
    fstat: (descriptor) => {
      const status = inner.fstat(descriptor);
      return { ...status, ino: number(status) };
    },
    lstat: (path) => {
      const status = inner.lstat(path);
      return status === undefined ? undefined : { ...status, ino: number(status) };
    },
  };
}

let mounts = 0;

/** Files have other inode numbers each time that the file system is mounted: each of these layers is one mount. */
export function numbersOfOneMount(): FileSystemLayer {
  mounts += 1;
  const salt = BigInt(mounts) << 40n;
  return (inner) => renumbered(inner, ({ ino }) => ino + salt);
}
