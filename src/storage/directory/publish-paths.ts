import type { Pause } from "../../base/clock.ts";
import type { Hashing } from "../../base/hashing.ts";
import { ancestorsOf, nameOf, parentOf } from "../../tree/path-parts.ts";
import type { CommitEntry, PathIdentity, PathRecord } from "../log/physical-entry.ts";
import { flushPath } from "./file-bytes.ts";
import { atHostPath, isSameFile, readContent } from "./file-content.ts";
import { errorNumber, type FileSystem, linksMissing } from "./file-system.ts";
import { flushFolder, foldersOf } from "./flush-targets.ts";
import { patiently } from "./patiently.ts";
import { inlineBytes } from "./prepare-contents.ts";
import { assertRealFolders } from "./real-folders.ts";
import type { Located, RootFolder } from "./root-folder.ts";
import { type StateFolder, stateFile, stateFolders } from "./state-folder.ts";

/** What publishing needs. */
export interface PublishHost {
  readonly fileSystem: FileSystem;
  readonly hashing: Hashing;
  readonly state: StateFolder;
  readonly root: RootFolder;
  readonly durable: boolean;
  readonly pause: Pause;
}

/** What a step met: it did its work, or somebody else's file stood where ours was. */
export type StepResult = "done" | "foreign";

/** Host path of the second link of what a record replaces. */
export function preImage(host: Pick<PublishHost, "state">, record: PathRecord): string {
  return stateFile(host.state, "preImages", record.pre);
}

/** Host path that a removed file is moved to; the link of `preImage` may be the same file. */
export function removedImage(host: Pick<PublishHost, "state">, record: PathRecord): string {
  return `${preImage(host, record)}r`;
}

/** Links each file that is to be replaced or removed into the folder of pre-images. @returns paths that changed before the link was made. */
export async function linkPreImages(
  host: PublishHost,
  records: readonly PathRecord[],
): Promise<readonly string[]> {
  const moved: string[] = [];
  if (records.some(({ before }) => before !== null)) assertRealFolders(host, [stateFolders.preImages]);
  for (const record of records) {
    if (record.before !== null && !(await linkPreImage(host, record, record.before))) moved.push(record.path);
    await host.pause();
  }
  return moved;
}

/** The log does not hold the bytes of a large content: its second name must last before its first is taken, and before an entry tells so. */
export async function settlePreImages(host: PublishHost, records: readonly PathRecord[]): Promise<void> {
  const isLarge = ({ before }: PathRecord) => (before?.length ?? 0) > inlineBytes;
  if (host.durable && records.some(isLarge))
    await flushPath(host.fileSystem, stateFile(host.state, "preImages"), "folder");
}

async function linkPreImage(host: PublishHost, record: PathRecord, before: PathIdentity): Promise<boolean> {
  const folder = await patiently(host.fileSystem, () => host.root.folder(parentOf(record.path)));
  if (folder === undefined || "kind" in folder) return false;
  const from = `${folder.base}/${nameOf(record.path)}`;
  const to = preImage(host, record);
  try {
    await patiently(host.fileSystem, () => linkAnew(host.fileSystem, from, to));
  } catch (error) {
    if (errorNumber(error) === "ENOENT" && host.fileSystem.lstat(from) === undefined) return false;
    // Without links the file itself is moved there just before it is replaced.
    if (linksMissing(error)) return isSameFile(host.fileSystem.lstat(from), before);
    throw error;
  }
  return isSameFile(host.fileSystem.lstat(to), before);
}

/** Links over what a commit that never came to be has left. */
function linkAnew(fileSystem: FileSystem, from: string, to: string): void {
  try {
    fileSystem.link(from, to);
  } catch (error) {
    if (errorNumber(error) !== "EEXIST") throw error;
    fileSystem.unlink(to);
    fileSystem.link(from, to);
  }
}

/** Carries out a durable entry: removals, emptied folders, new folders, new contents. @returns paths where somebody else's file was met. */
export async function publishEntry(host: PublishHost, entry: CommitEntry): Promise<readonly string[]> {
  const removals = entry.paths
    .filter(({ after }) => after === null)
    .sort((a, b) => depth(b.path) - depth(a.path));
  const puts = entry.paths.filter(({ after }) => after !== null);
  for (const record of removals) {
    if ((await patiently(host.fileSystem, () => removePath(host, record))) === "foreign")
      return [record.path];
    await host.pause();
  }
  await removeEmptied(
    host,
    removals.map(({ path }) => path),
    puts.map(({ path }) => path),
  );
  await settleFolders(host, puts);
  for (const record of puts) {
    if ((await putPath(host, record)) === "foreign") return [record.path];
    await host.pause();
  }
  return [];
}

/** A content that the log does not hold moves only into folders that are durable: it would be lost with them. */
export async function settleFolders(host: PublishHost, puts: readonly PathRecord[]): Promise<void> {
  const large = puts.filter(({ after }) => after?.staged !== undefined).map(({ path }) => path);
  for (const path of large) await makeFoldersPatiently(host, path);
  if (host.durable && large.length > 0)
    for (const folder of foldersOf(large)) await flushFolder(host, folder);
}

function depth(path: string): number {
  return path.split("/").length;
}

/** Removes one file, keeping it among the pre-images. */
function removePath(host: PublishHost, record: PathRecord): StepResult {
  const located = host.root.locate(record.path);
  if (record.before === null || !("at" in located) || !isSameFile(located.status, record.before))
    return "foreign";
  host.fileSystem.rename(located.at, removedImage(host, record));
  return isSameFile(host.fileSystem.lstat(removedImage(host, record)), record.before) ? "done" : "foreign";
}

/** Puts one new content at its place; its folders are made if need be. */
export async function putPath(host: PublishHost, record: PathRecord): Promise<StepResult> {
  const { before, after, path } = record;
  if (after === null) return "foreign";
  const from = `${host.state.path}/${after.file}`;
  const { fileSystem, root } = host;
  await makeFoldersPatiently(host, path);
  // Linked and then unlinked, a content that the log does not hold could be lost: the platter may have the second and not the first.
  const byRename = after.staged !== undefined;
  const create = async () =>
    createAt(host, await patiently(fileSystem, () => root.locate(path)), path, from, byRename);
  if (before === null) return create();
  const image = preImage(host, record);
  const replace = (by: (at: string) => void) =>
    patiently(fileSystem, (): StepResult => {
      const located = root.locate(path);
      if (!("at" in located) || !isSameFile(located.status, before)) return "foreign";
      by(located.at);
      return "done";
    });
  if (fileSystem.lstat(image) !== undefined) return replace((at) => fileSystem.rename(from, at));
  const moved = await replace((at) => fileSystem.rename(at, image));
  return moved === "done" ? create() : moved;
}

/** Gives a content its name where nothing is; never over somebody else's file. */
async function createAt(
  host: PublishHost,
  located: Located,
  path: string,
  from: string,
  byRename: boolean,
): Promise<StepResult> {
  const { fileSystem, root } = host;
  if (located.kind === "directory") {
    await patiently(fileSystem, () => removeEmptyTree(host, path));
    return createAt(host, root.locate(path), path, from, byRename);
  }
  if (located.kind !== "absent" || located.folder === undefined) return "foreign";
  const at = `${located.folder.base}/${nameOf(path)}`;
  if (byRename) return createByRename(fileSystem, at, from);
  try {
    fileSystem.link(from, at);
    await patiently(fileSystem, () => fileSystem.unlink(from));
    return "done";
  } catch (error) {
    if (errorNumber(error) === "EEXIST") return "foreign";
    if (!linksMissing(error)) throw error;
  }
  return createByRename(fileSystem, at, from);
}

/** Permission bits of a file that only reserves a name: hardly a file is empty and private and may be run. It can be written, for some disks let nothing else be replaced. */
export const reservedMode = 0o700;

/** An empty file holds nobody's bytes: it reserves the name, and the content is renamed onto it. */
async function createByRename(fileSystem: FileSystem, at: string, from: string): Promise<StepResult> {
  try {
    const descriptor = await fileSystem.create(at, reservedMode);
    const reserved = fileSystem.fstat(descriptor);
    fileSystem.close(descriptor);
    const now = fileSystem.lstat(at);
    if (now?.ino !== reserved.ino || now.size !== 0) return "foreign";
  } catch (error) {
    if (errorNumber(error) === "EEXIST") return "foreign";
    throw error;
  }
  await patiently(fileSystem, () => fileSystem.rename(from, at));
  return "done";
}

/** Makes the folders of a path, outermost first. */
export function makeFolders(host: PublishHost, path: string): void {
  for (const folder of ancestorsOf(path)) makeFolder(host, folder);
}

async function makeFoldersPatiently(host: PublishHost, path: string): Promise<void> {
  for (const folder of ancestorsOf(path)) await patiently(host.fileSystem, () => makeFolder(host, folder));
}

function makeFolder(host: PublishHost, folder: string): void {
  if (host.root.folder(folder) !== undefined) return;
  const parent = host.root.folder(parentOf(folder));
  if (parent === undefined || "kind" in parent) return;
  host.fileSystem.mkdir(`${parent.base}/${nameOf(folder)}`, 0o777);
}

/** Removes the folders that removals left empty, as no tree of files has any; folders that a put needs stay. */
export async function removeEmptied(
  host: PublishHost,
  removed: readonly string[],
  needed: readonly string[],
): Promise<void> {
  const kept = new Set<string>([""]);
  for (const path of needed)
    for (let folder = parentOf(path); folder !== ""; folder = parentOf(folder)) kept.add(folder);
  for (const path of removed) {
    for (let folder = parentOf(path); !kept.has(folder); folder = parentOf(folder)) {
      if (!(await patiently(host.fileSystem, () => removeFolder(host, folder)))) break;
    }
  }
}

/** Removes a folder that is empty, or finds it gone; `false` when it holds something. */
export function removeFolder(host: PublishHost, folder: string): boolean {
  const parent = host.root.folder(parentOf(folder));
  if (parent === undefined) return true;
  if ("kind" in parent) return false;
  host.root.forget(folder);
  try {
    host.fileSystem.rmdir(`${parent.base}/${nameOf(folder)}`);
    return true;
  } catch (error) {
    if (errorNumber(error) === "ENOENT") return true;
    if (["ENOTEMPTY", "EEXIST", "ENOTDIR"].includes(errorNumber(error) ?? "")) return false;
    // What is in use on Windows may be free in a moment; elsewhere something is mounted there.
    if (errorNumber(error) === "EBUSY" && !host.fileSystem.isWindows) return false;
    throw error;
  }
}

function removeEmptyTree(host: PublishHost, path: string): void {
  const folder = host.root.folder(path);
  if (folder === undefined || "kind" in folder) return;
  for (const { name, kind } of host.fileSystem.readdir(folder.base))
    if (kind === "directory") removeEmptyTree(host, `${path}/${name}`);
  if (!removeFolder(host, path))
    throw Object.assign(new Error("a folder in the way was filled meanwhile"), { code: "ENOTEMPTY" });
}

/**
 * Looks once more at the files that were replaced, now that they have no other name: one that changed was written by another program through
 * a descriptor opened before.
 *
 * @returns the paths of those that changed.
 */
export async function lateCheck(host: PublishHost, entry: CommitEntry): Promise<readonly string[]> {
  const changed: string[] = [];
  for (const record of entry.paths) {
    if (record.before === null) continue;
    const linked = atHostPath(host, preImage(host, record));
    const removed = atHostPath(host, removedImage(host, record));
    const content = await readContent(host, () => linked() ?? removed(), record.path, "hash");
    if (content?.identity.xxh64 !== record.before.xxh64 || content.identity.length !== record.before.length)
      changed.push(record.path);
  }
  return changed;
}
