import { basename, dirname } from "node:path";
import { type Clock, timeSlice } from "../../base/clock.ts";
import { HoldfastError } from "../../base/holdfast-error.ts";
import type { StorageOpenOptions } from "../storage-adapter.ts";
import type { CommitHost } from "./commit-batches.ts";
import type { DirectoryHost } from "./directory-host.ts";
import type { DirectoryStorageOptions } from "./directory-options.ts";
import type { FileSystem } from "./file-system.ts";
import { GenerationLock } from "./generation-lock.ts";
import { ownerName } from "./owner-name.ts";
import { withPatience } from "./patiently.ts";
import { asSpelled } from "./probe-disk.ts";
import type { ProcessTable } from "./process-table.ts";
import { SeenTargets } from "./seen-targets.ts";
import { SegmentLog } from "./segment-log.ts";
import { SpareFiles } from "./spare-files.ts";
import { openStateFolder, type StateFolder, stateFolderName } from "./state-folder.ts";
import { orDamage } from "./state-folder-error.ts";

/** Everything that one opening of a directory stands on; the open folders of a call come to it. */
export interface DirectorySession extends Omit<CommitHost, "root"> {
  /** Host path of the root, without links. */
  readonly rootPath: string;
  /** The lock between processes. */
  readonly lock: GenerationLock;
  /** Makes names that nobody else makes. */
  readonly nextName: () => string;
  /** Tells the living from the dead. */
  readonly processes: ProcessTable;
  /** Whether nothing may be written. */
  readonly readOnly: boolean;
  /** How long to wait for another process, in milliseconds. */
  readonly lockTimeoutMs: number;
  /** The clock. */
  readonly clock: Clock;
  /** Tells this opening apart from others in the process. */
  readonly turnName: string;
}

/**
 * Finds the root and its state folder. `undefined` for a read-only opening of a folder without one.
 *
 * @throws `NOT_FOUND`, `NOT_SUPPORTED` (no folder, inside another workspace, state folder unusable), `STORAGE_FAILED`.
 */
export async function openSession(
  host: DirectoryHost,
  options: DirectoryStorageOptions,
  open: StorageOpenOptions,
): Promise<{ readonly rootPath: string; readonly session: DirectorySession | undefined }> {
  const { processes } = host;
  const fileSystem = withPatience(host.fileSystem, open.clock);
  const rootPath = findRoot(fileSystem, options);
  const rootDevice = fileSystem.lstat(rootPath)?.dev ?? 0n;
  const token = ownerName(open.hashing, processes.self, processes.token());
  const durable = options.durability !== "process";
  const pause = timeSlice();
  const path = findStateFolder(fileSystem, rootPath, options.stateDir);
  const state = await openStateFolder(fileSystem, path, {
    readOnly: open.readOnly,
    rootDevice,
    flush: durable,
    token,
    pause,
  }).catch((error: unknown) => {
    throw orDamage({ fileSystem, state: { path } }, error);
  });
  if (state === undefined) return { rootPath, session: undefined };
  return { rootPath, session: makeSession(host, options, open, { rootPath, state, token, durable }) };
}

function makeSession(
  host: DirectoryHost,
  options: DirectoryStorageOptions,
  open: StorageOpenOptions,
  found: {
    readonly rootPath: string;
    readonly state: StateFolder;
    readonly token: string;
    readonly durable: boolean;
  },
): DirectorySession {
  const { processes } = host;
  const { hashing, clock, readOnly, lockTimeoutMs } = open;
  const { state, durable, rootPath, token } = found;
  const fileSystem = asSpelled(withPatience(host.fileSystem, clock), state);
  const pause = timeSlice();
  const { boot } = processes.self;
  let made = 0;
  const nextName = () => {
    made += 1;
    return `${token}-${made}`;
  };
  const lock = new GenerationLock({ fileSystem, processes, hashing, clock, state, nextName, pause });
  const assertHeld = () => lock.assertHeld();
  const log = new SegmentLog({ fileSystem, state, hashing, pause, boot, nextName, durable, assertHeld });
  return {
    fileSystem,
    processes,
    hashing,
    clock,
    state,
    rootPath,
    log,
    lock,
    assertHeld,
    boot,
    durable,
    pause,
    nextName,
    readOnly,
    lockTimeoutMs,
    turnName: token,
    hardLinks: options.hardLinks ?? "break",
    seen: new SeenTargets(),
    spares: new SpareFiles({ fileSystem, state, nextName }, host.spareFiles),
  };
}

/** The state folder lies where no path of the workspace can reach it: under its own protected name, or outside the root. */
function findStateFolder(fileSystem: FileSystem, rootPath: string, stateDir: string | undefined): string {
  const usual = `${rootPath}/${stateFolderName}`;
  if (stateDir === undefined) return usual;
  const path = withoutLinks(fileSystem, stateDir);
  if (path === usual || !`${path}/`.startsWith(`${rootPath}/`)) return path;
  throw new HoldfastError("INVALID_ARGUMENT", {
    message: `"stateDir" must lie outside the root, or be left out: below the root, any call could change it.`,
  });
}

/** One spelling for all that mean the same folder, for it names the queue of this process; a link in the last place stays one, and is refused. */
function withoutLinks(fileSystem: FileSystem, path: string): string {
  return `${fileSystem.realpath(dirname(path))}/${basename(path)}`;
}

/** The root without links; it must be a folder, and no other workspace may have it below its own root. */
function findRoot(fileSystem: FileSystem, options: DirectoryStorageOptions): string {
  let root: string;
  try {
    root = fileSystem.realpath(options.root);
  } catch (error) {
    throw new HoldfastError("NOT_FOUND", {
      message: "The root folder does not exist.",
      cause: error,
      details: { path: "", similar: [] },
    });
  }
  if (fileSystem.lstat(root)?.kind !== "directory")
    throw new HoldfastError("NOT_SUPPORTED", { message: "The root is not a folder." });
  for (let parent = parentOf(root); parent !== undefined; parent = parentOf(parent)) {
    if (fileSystem.lstat(`${parent}/${stateFolderName}/format`) !== undefined) {
      throw new HoldfastError("NOT_SUPPORTED", {
        message: `The root lies inside another workspace, ${countUp(root, parent)} folders up; open that one, or remove its state folder when it is no longer used.`,
      });
    }
  }
  return root;
}

function parentOf(path: string): string | undefined {
  const slash = Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\"));
  return slash < 0 || path === "/" ? undefined : path.slice(0, slash);
}

function countUp(root: string, parent: string): number {
  return root.split(/[/\\]/).length - parent.split(/[/\\]/).length;
}
