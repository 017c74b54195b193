import { utf8 } from "../../base/bytes.ts";
import type { Pause } from "../../base/clock.ts";
import { HoldfastError } from "../../base/holdfast-error.ts";
import { logFormat } from "../log/frame.ts";
import { flushPath, readWhole, replaceFile } from "./file-bytes.ts";
import { errorNumber, type FileSystem } from "./file-system.ts";
import { patiently } from "./patiently.ts";
import { type DiskAbilities, lookAtDisk, probeDisk, probeNames, usualDisk } from "./probe-disk.ts";

/** Name of the state folder below a root. */
export const stateFolderName = ".holdfast";

/** The folders of the state folder, with what each is for. */
export const stateFolders = {
  /** Generations of the lock. */
  lock: "lock",
  /** Segments of the log, and what they said when they were sealed. */
  log: "log",
  /** New contents before they are published. */
  temporary: "tmp",
  /** Second links of files that a commit replaces. */
  preImages: "pre",
  /** Contents that are too large for the log, or arrive in parts. */
  staged: "staged",
  /** Contents of sealed revisions that the log does not hold, by SHA-256. */
  images: "images",
  /** Bytes that could not be published, because somebody else's stand in their place. */
  conflicts: "conflicts",
} as const;

/** Parts of the temporary folder: files of different folders are made side by side, those of one folder one after the other. */
export const temporaryParts = ["0", "1", "2", "3"] as const;

/** The state folder, and what was found out in it about the disk that it is on. */
export interface StateFolder extends DiskAbilities {
  /** Its path on the host. */
  readonly path: string;
  /** The device that it is on: targets on another cannot be renamed to. */
  readonly device: bigint;
}

/** Says where a folder of the state folder is. */
export function stateFile(state: StateFolder, folder: keyof typeof stateFolders, name?: string): string {
  return name === undefined
    ? `${state.path}/${stateFolders[folder]}`
    : `${state.path}/${stateFolders[folder]}/${name}`;
}

/** A new name in one part of the temporary folder, each part in turn; relative to the state folder. */
export function temporaryFile({ nextName }: { readonly nextName: () => string }): string {
  const name = nextName();
  const turn = Number(name.slice(name.lastIndexOf("-") + 1)) % temporaryParts.length;
  return `${stateFolders.temporary}/${temporaryParts[turn]}/${name}`;
}

/**
 * Finds the state folder, or makes it. Read-only opening makes nothing and answers `undefined` when there is none.
 *
 * @throws `NOT_SUPPORTED` when it is no real folder, was written by a newer version, or is on another file system than the root.
 */
export async function openStateFolder(
  fileSystem: FileSystem,
  path: string,
  options: {
    readonly readOnly: boolean;
    readonly rootDevice: bigint;
    readonly flush: boolean;
    readonly token: string;
    readonly pause: Pause;
  },
): Promise<StateFolder | undefined> {
  let status = fileSystem.lstat(path);
  if (status === undefined) {
    if (options.readOnly) return undefined;
    makeFolder(fileSystem, path);
    status = fileSystem.lstat(path);
  }
  if (status?.kind !== "directory")
    throw new HoldfastError("NOT_SUPPORTED", {
      message:
        "The state folder is not a real folder; remove what has its name, or choose another with stateDir.",
    });
  if (status.dev !== options.rootDevice)
    throw new HoldfastError("NOT_SUPPORTED", {
      message: "The state folder must be on the same file system as the root.",
    });
  const state = { path, device: status.dev, ...usualDisk };
  let isKnown = await checkFormat(fileSystem, state, options.pause);
  if (!isKnown && (await isForeign(fileSystem, state, options.pause))) {
    // Another process may have finished making it meanwhile.
    isKnown = await checkFormat(fileSystem, state, options.pause);
    if (!isKnown)
      throw new HoldfastError("NOT_SUPPORTED", {
        message:
          "The state folder holds files that are not the library's; choose an empty or new folder with stateDir.",
      });
  }
  if (!options.readOnly) {
    await patiently(fileSystem, () => makeFolders(fileSystem, path));
    if (!isKnown) await writeFormat(fileSystem, state, options);
  }
  const abilities = await patiently(fileSystem, () =>
    options.readOnly
      ? lookAtDisk(fileSystem, path)
      : probeDisk(fileSystem, path, stateFile(state, "temporary", options.token)),
  );
  return { ...state, ...abilities };
}

function makeFolders(fileSystem: FileSystem, path: string): void {
  makeMissing(fileSystem, path, Object.values(stateFolders));
  makeMissing(fileSystem, `${path}/${stateFolders.temporary}`, temporaryParts);
}

function makeMissing(fileSystem: FileSystem, path: string, names: readonly string[]): void {
  const there = new Map(fileSystem.readdir(path).map(({ name, kind }) => [name, kind]));
  for (const name of names) if (there.get(name) !== "directory") makeFolder(fileSystem, `${path}/${name}`);
}

function makeFolder(fileSystem: FileSystem, path: string): void {
  try {
    fileSystem.mkdir(path, 0o700);
  } catch (error) {
    if (errorNumber(error) !== "EEXIST") throw error;
    if (fileSystem.lstat(path)?.kind !== "directory") {
      throw new HoldfastError("NOT_SUPPORTED", {
        message: `The state folder is damaged: "${path.slice(path.lastIndexOf("/") + 1)}" in it is not a real folder. The files of the workspace are untouched; restore the state folder, or remove it to begin a new history.`,
      });
    }
  }
}

/** Refuses a layout that this version does not know. @returns whether the folder says which it has. */
async function checkFormat(fileSystem: FileSystem, state: StateFolder, pause: Pause): Promise<boolean> {
  const found = await readWhole(fileSystem, `${state.path}/format`, pause);
  if (found === undefined) return false;
  const format = Number.parseInt(new TextDecoder().decode(found.bytes), 10);
  if (!(format >= 1))
    throw new HoldfastError("STORAGE_FAILED", {
      message:
        "The state folder is damaged: its format file is unreadable. The files of the workspace are untouched; restore the state folder, or remove it to begin a new history.",
    });
  if (format > logFormat)
    throw new HoldfastError("NOT_SUPPORTED", {
      message: `The state folder was written by a newer version of the library (format ${format}, this one reads up to ${logFormat}); use that version, or choose another folder with stateDir.`,
    });
  return true;
}

const ignoreEverything = "*\n";

/** A folder that somebody else uses is not taken over; one whose making was interrupted is. */
async function isForeign(fileSystem: FileSystem, state: StateFolder, pause: Pause): Promise<boolean> {
  const own: ReadonlySet<string> = new Set([...Object.values(stateFolders), ".gitignore", ...probeNames]);
  const ignore = await readWhole(fileSystem, `${state.path}/.gitignore`, pause);
  // A power cut while the folder was made can have cut it short or filled it with zeros.
  const isOurs = ignore === undefined || (ignore.bytes.byteLength <= 2 && ignore.bytes.every(isOfIgnoreFile));
  const found = await patiently(fileSystem, () => fileSystem.readdir(state.path));
  return !(isOurs && found.every(({ name }) => own.has(name)));
}

function isOfIgnoreFile(byte: number): boolean {
  return byte === 0 || ignoreEverything.includes(String.fromCharCode(byte));
}

async function writeFormat(
  fileSystem: FileSystem,
  state: StateFolder,
  options: { readonly flush: boolean; readonly token: string; readonly pause: Pause },
): Promise<void> {
  // Before there is a format, nobody knows whether the folders are durable; once there is one, they are.
  if (options.flush)
    for (const folder of [state.path, parentOf(state.path)]) await flushPath(fileSystem, folder, "folder");
  const temporary = stateFile(state, "temporary", `${options.token}-format`);
  await replaceFile(
    fileSystem,
    temporary,
    `${state.path}/.gitignore`,
    utf8(ignoreEverything),
    false,
    options.pause,
  );
  await replaceFile(
    fileSystem,
    temporary,
    `${state.path}/format`,
    utf8(`${logFormat}\n`),
    options.flush,
    options.pause,
  );
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\"), 1));
}
