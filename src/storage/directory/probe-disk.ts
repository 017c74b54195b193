import { removeQuietly } from "./file-bytes.ts";
import { errorNumber, type FileSystem, linksMissing } from "./file-system.ts";

/** What a disk can hold, and how it takes names. */
export interface DiskAbilities {
  /** Whether names that differ in case or Unicode form only are different files here. */
  readonly caseSensitive: boolean;
  /** Whether names come back decomposed, whatever form they were given in. */
  readonly decomposes: boolean;
  /** Whether files can have a second name here. */
  readonly links: boolean;
  /** Whether there can be symbolic links here. */
  readonly symlinks: boolean;
  /** Whether the executable bit is kept. */
  readonly modes: boolean;
}

/** What the usual disk can. */
export const usualDisk: DiskAbilities = {
  caseSensitive: true,
  decomposes: false,
  links: true,
  symlinks: true,
  modes: true,
};

/** An empty file that only its owner may run: it is looked for under other spellings, and its bits are looked at. */
const probeName = "probe-\u00e4";
const probeLink = "probe-link";
const probeMode = 0o700;

/** Names that probing leaves in the state folder, as any disk may give them back. */
export const probeNames: readonly string[] = [probeName, probeName.normalize("NFD"), probeLink];

/** What can be told of a disk without writing, from what an earlier opening left. */
export function lookAtDisk(fileSystem: FileSystem, path: string): DiskAbilities {
  const made = fileSystem.lstat(`${path}/${probeName}`);
  const folded = ["PROBE-\u00e4", "probe-a\u0308", "PROBE-\u00c4"];
  // A folder that was copied from a disk that decomposes can hold both forms, as two files.
  const caseSensitive = !folded.some(
    (name) => made !== undefined && fileSystem.lstat(`${path}/${name}`)?.ino === made.ino,
  );
  return {
    ...usualDisk,
    caseSensitive,
    decomposes: !caseSensitive && !fileSystem.readdir(path).some(({ name }) => name === probeName),
    symlinks: fileSystem.lstat(`${path}/${probeLink}`)?.kind === "symlink",
    modes: made !== undefined && (made.mode & 0o111) === (probeMode & 0o111),
  };
}

/**
 * Finds out what a disk does by doing it. What an operating system usually does is no sign: folders of one disk can differ.
 *
 * @param path - The state folder.
 * @param temporary - Beginning of paths that nobody else has.
 */
export async function probeDisk(
  fileSystem: FileSystem,
  path: string,
  temporary: string,
): Promise<DiskAbilities> {
  const made = `${path}/${probeName}`;
  if (fileSystem.lstat(made) === undefined) await makeProbe(fileSystem, made);
  const seen = lookAtDisk(fileSystem, path);
  return {
    ...seen,
    links: canLink(fileSystem, made, `${temporary}-second`),
    symlinks: seen.symlinks || canHaveLink(fileSystem, `${path}/${probeLink}`),
    modes: seen.modes || (await keepsModes(fileSystem, `${temporary}-mode`)),
  };
}

async function makeProbe(fileSystem: FileSystem, path: string): Promise<void> {
  try {
    fileSystem.close(await fileSystem.create(path, probeMode));
  } catch (error) {
    // Another process opens the folder for the first time, too.
    if (errorNumber(error) !== "EEXIST") throw error;
  }
}

function isMissing(error: unknown): boolean {
  return linksMissing(error) || errorNumber(error) === "EACCES";
}

function canLink(fileSystem: FileSystem, from: string, to: string): boolean {
  try {
    fileSystem.link(from, to);
  } catch (error) {
    // On Windows this may also be a scanner; the second name is then done without until the next opening.
    if (linksMissing(error)) return false;
    // The try before this one could not remove it.
    if (errorNumber(error) !== "EEXIST") throw error;
  }
  fileSystem.unlink(to);
  return true;
}

function canHaveLink(fileSystem: FileSystem, path: string): boolean {
  try {
    fileSystem.symlink(probeName, path);
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    if (errorNumber(error) !== "EEXIST") throw error;
    return fileSystem.lstat(path)?.kind === "symlink";
  }
}

/**
 * A disk without modes shows all files alike, and takes no notice of a bit that is set or refuses it. The probe can have lost its bits, as by a
 * copy, or be somebody else's by now, so a file of our own is tried.
 */
async function keepsModes(fileSystem: FileSystem, path: string): Promise<boolean> {
  const descriptor = await fileSystem.create(path, probeMode);
  try {
    fileSystem.chmod(descriptor, probeMode);
    return (fileSystem.fstat(descriptor).mode & 0o111) === (probeMode & 0o111);
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  } finally {
    fileSystem.close(descriptor);
    removeQuietly(fileSystem, path);
  }
}

/**
 * Shows the names of a disk as callers spell them: composed where it gives them decomposed. What such a disk takes for one name has one composed
 * form, so no two names of a folder become one.
 */
export function asSpelled(fileSystem: FileSystem, { decomposes, modes }: DiskAbilities): FileSystem {
  const composing: Partial<FileSystem> = {
    readdir: (path) =>
      fileSystem.readdir(path).map((entry) => ({ ...entry, name: entry.name.normalize("NFC") })),
  };
  if (modes && !decomposes) return fileSystem;
  return { ...fileSystem, ...(decomposes ? composing : {}), ...(modes ? {} : withoutModes(fileSystem)) };
}

/** Without modes no file can be run, whatever bits are shown, and none are set. */
function withoutModes(fileSystem: FileSystem): Partial<FileSystem> {
  const shown = <T extends { readonly kind: string; readonly mode: number }>(status: T): T =>
    status.kind === "file" ? { ...status, mode: status.mode & ~0o111 } : status;
  return {
    fstat: (descriptor) => shown(fileSystem.fstat(descriptor)),
    lstat: (path) => {
      const status = fileSystem.lstat(path);
      return status === undefined ? undefined : shown(status);
    },
    chmod: () => undefined,
  };
}
