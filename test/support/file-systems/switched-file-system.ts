import * as fs from "node:fs";
import { dirname, join } from "node:path";
import { type Clock, nextMacrotask } from "../../../src/base/clock.ts";
import { DirectoryAdapter } from "../../../src/storage/directory/directory-adapter.ts";
import type { DirectoryHost } from "../../../src/storage/directory/directory-host.ts";
import type { FileSystem } from "../../../src/storage/directory/file-system.ts";
import { nodeFileSystem } from "../../../src/storage/directory/node-file-system.ts";
import { nodeProcessTable } from "../../../src/storage/directory/process-table.ts";
import { layered } from "./file-system-layer.ts";
import type { FileSystemSwitch } from "./switches.ts";

/** The files of this machine, as a file system of another kind would have them. */
export function switchedFileSystem({ layers, isWindows = false }: FileSystemSwitch): FileSystem {
  return { ...layered(nodeFileSystem, layers()), isWindows };
}

/** This machine with another kind of file system. */
function switchedHost(chosen: FileSystemSwitch): DirectoryHost {
  return {
    fileSystem: switchedFileSystem(chosen),
    processes: nodeProcessTable(),
    idleMs: undefined,
    spareFiles: 16,
  };
}

/** A storage on this machine with another kind of file system. Its waits take no time but move the clock on. */
export function switchedStorage(chosen: FileSystemSwitch, root: string): DirectoryAdapter {
  const storage = new DirectoryAdapter(switchedHost(chosen), { root });
  const open = storage.open.bind(storage);
  storage.open = (options) => open({ ...options, clock: movingClock(options.clock) });
  return storage;
}

function movingClock(clock: Clock): Clock {
  let moved = 0;
  return {
    now: () => clock.now() + moved,
    sleep: async (ms, options) => {
      options?.signal?.throwIfAborted();
      moved += ms;
      await nextMacrotask();
    },
  };
}

/** Writes a file as another program on the same file system would; `null` removes it. */
export function writePast(fileSystem: FileSystem, path: string, bytes: Uint8Array | null): void {
  if (bytes === null) {
    fileSystem.unlink(path);
    return;
  }
  if (fileSystem.lstat(path) === undefined) makeFile(fileSystem, path);
  const descriptor = fileSystem.open(path, "update");
  try {
    fileSystem.truncate(descriptor, 0);
    if (bytes.byteLength > 0) fileSystem.write(descriptor, bytes, 0);
  } finally {
    fileSystem.close(descriptor);
  }
}

/** Makes an empty file under the name that the file system gives it. */
function makeFile(fileSystem: FileSystem, path: string): void {
  makeFolders(fileSystem, dirname(path));
  const made = join(fileSystem.realpath(dirname(path)), ".made-outside");
  fs.writeFileSync(made, "", { mode: 0o644 });
  fileSystem.rename(made, path);
}

function makeFolders(fileSystem: FileSystem, path: string): void {
  if (fileSystem.lstat(path) !== undefined) return;
  makeFolders(fileSystem, dirname(path));
  fileSystem.mkdir(path, 0o755);
}
