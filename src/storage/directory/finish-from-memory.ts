import type { CommitEntry, PathRecord } from "../log/physical-entry.ts";
import { removeQuietly, writeFully } from "./file-bytes.ts";
import { isSameFile } from "./file-content.ts";
import { errorNumber } from "./file-system.ts";
import { flushTargets } from "./flush-targets.ts";
import {
  linkPreImages,
  type PublishHost,
  preImage,
  publishEntry,
  removedImage,
  removeEmptied,
} from "./publish-paths.ts";
import { stateFolders } from "./state-folder.ts";

/** What finishing from memory needs. */
export interface MemoryFinishHost extends PublishHost {
  /** Makes names that nobody else makes. */
  readonly nextName: () => string;
}

/** The only folders that carrying out an entry needs. */
const workFolders = [stateFolders.temporary, stateFolders.preImages];

/**
 * Finishes a commit whose entry was durable when somebody removed the state folder with everything that the commit would have been finished from.
 * The bytes are still in memory. The two folders that are needed for that are made and removed again.
 *
 * @param bytesOf - The new content of a path; `undefined` when it is in memory no more.
 * @throws what the platform throws, having finished some paths.
 */
export async function finishFromMemory(
  host: MemoryFinishHost,
  entry: CommitEntry,
  bytesOf: (record: PathRecord) => Uint8Array | undefined,
): Promise<void> {
  const made = [host.state.path, ...workFolders.map((name) => `${host.state.path}/${name}`)];
  for (const folder of made) makeFolder(host, folder);
  const files: string[] = [];
  const paths: PathRecord[] = [];
  try {
    for (const record of entry.paths) {
      if (isFinished(host, record)) continue;
      if (record.after === null) paths.push(record);
      else {
        const file = await writeContent(host, record, bytesOf(record));
        files.push(`${host.state.path}/${file}`);
        const { staged: _, ...after } = { ...record.after, file };
        paths.push({ ...record, after });
        dropReserved(host, record);
      }
    }
    // A file in the way of a link or of a name is somebody else's.
    const foreign = [
      ...(await linkPreImages(host, paths)),
      ...(await publishEntry(host, { ...entry, paths })),
    ];
    if (foreign.length > 0) throw new Error("another file stands where one was to be replaced");
    const pathsWhere = (isRemoved: boolean) =>
      entry.paths.flatMap(({ path, after }) => ((after === null) === isRemoved ? [path] : []));
    await removeEmptied(host, pathsWhere(true), pathsWhere(false));
    if (host.durable)
      await flushTargets(
        host,
        pathsWhere(false),
        entry.paths.map(({ path }) => path),
      );
  } finally {
    for (const file of files) removeQuietly(host.fileSystem, file);
    for (const record of paths)
      if (record.pre !== undefined)
        for (const image of [preImage(host, record), removedImage(host, record)])
          removeQuietly(host.fileSystem, image);
    for (const folder of made.reverse()) removeFolderQuietly(host, folder);
  }
}

/** An empty file holds nobody's bytes: it reserved the name. */
function dropReserved(host: MemoryFinishHost, { path, before }: PathRecord): void {
  const located = host.root.locate(path);
  if (before === null && located.kind === "file" && located.status.size === 0)
    host.fileSystem.unlink(located.at);
}

function makeFolder({ fileSystem }: MemoryFinishHost, path: string): void {
  try {
    fileSystem.mkdir(path, 0o700);
  } catch (error) {
    if (errorNumber(error) !== "EEXIST" || fileSystem.lstat(path)?.kind !== "directory") throw error;
  }
}

/** Somebody may have opened the workspace meanwhile, and works in the folder. */
function removeFolderQuietly({ fileSystem }: MemoryFinishHost, path: string): void {
  try {
    fileSystem.rmdir(path);
  } catch {
    // It is not empty, or gone.
  }
}

/** Whether a path has its new state already. */
function isFinished(host: MemoryFinishHost, { path, before, after }: PathRecord): boolean {
  const located = host.root.locate(path);
  const status = "at" in located ? located.status : undefined;
  if (after !== null) return isSameFile(status, after);
  return status?.kind === undefined || status.kind === "directory" || before === null;
}

async function writeContent(
  host: MemoryFinishHost,
  { path, after }: PathRecord,
  bytes: Uint8Array | undefined,
): Promise<string> {
  if (after === null || bytes === undefined) throw new Error("the new content is in memory no more");
  const { fileSystem, state, root, durable, pause } = host;
  const file = `${stateFolders.temporary}/${host.nextName()}`;
  const at = `${state.path}/${file}`;
  if (after.kind === "symlink") {
    fileSystem.symlink(new TextDecoder().decode(bytes), at);
    return file;
  }
  const descriptor = await fileSystem.create(at, 0o600);
  try {
    await writeFully(fileSystem, descriptor, bytes, 0, pause);
    const own = fileSystem.fstat(descriptor);
    const target = root.find(path)?.status;
    if (target !== undefined && (target.uid !== own.uid || target.gid !== own.gid))
      fileSystem.chown(descriptor, target.uid, target.gid);
    fileSystem.chmod(descriptor, after.mode);
    if (durable) await fileSystem.flush(descriptor, "all");
  } catch (error) {
    removeQuietly(fileSystem, at);
    throw error;
  } finally {
    fileSystem.close(descriptor);
  }
  return file;
}
