import { type CancelOptions, timeSlice } from "../base/clock.ts";
import { folderDigest } from "../tree/folder-digest.ts";
import type { LoadedFile } from "../tree/plan.ts";
import { eachBounded } from "./each-bounded.ts";
import { type Fingerprint, fingerprintOf } from "./fingerprint.ts";
import type { WorkspaceContext } from "./workspace-context.ts";

/** A file of the storage as a plan sees it, and the storage's own token of it. */
export interface VersionedFile extends LoadedFile {
  /** What a commit expects. */
  readonly version: string;
}

/** All files below a folder. */
export interface LoadedFolder {
  /** By path, sorted. */
  readonly files: ReadonlyMap<string, VersionedFile>;
  /** The folder's digest. */
  readonly revision: string;
}

/** Reads one file and names its bytes. `undefined` where none is. */
export async function loadFile(
  context: WorkspaceContext,
  path: string,
  options: CancelOptions & { readonly keepBytes: boolean },
): Promise<VersionedFile | undefined> {
  const stored = await context.storage.read(path, { signal: options.signal });
  if (stored === undefined) return undefined;
  const { kind, bytes, executable, version } = stored;
  const names: Fingerprint = await fingerprintOf(context, bytes, timeSlice());
  const file = { kind, ...names, byteLength: bytes.byteLength, executable, version };
  return options.keepBytes ? { ...file, bytes } : file;
}

/** Reads every file below a folder (`""`: the root) to give their revisions and the folder's digest; the bytes are not kept. */
export async function loadFolder(
  context: WorkspaceContext,
  folder: string,
  options: CancelOptions,
): Promise<LoadedFolder> {
  const { signal } = options;
  const paths: string[] = [];
  for await (const { path } of context.storage.list({ signal, under: folder === "" ? undefined : folder }))
    paths.push(path);
  const loaded = new Map<string, VersionedFile>();
  await eachBounded(paths, async (path) => {
    const file = await loadFile(context, path, { signal, keepBytes: false });
    if (file !== undefined) loaded.set(path, file);
  });
  const files = new Map([...loaded].sort(([a], [b]) => (a < b ? -1 : 1)));
  const start = folder === "" ? 0 : folder.length + 1;
  const entries = [...files].map(([path, { revision, executable }]) => ({
    path: path.slice(start),
    revision,
    executable,
  }));
  return { files, revision: folderDigest(context.hashing, entries) };
}
