import { type CancelOptions, timeSlice } from "../base/clock.ts";
import { folderDigest } from "../tree/folder-digest.ts";
import type { LoadedFile } from "../tree/plan.ts";
import { eachBounded } from "./each-bounded.ts";
import { type Fingerprint, fingerprintOf } from "./fingerprint.ts";
import { type ReadStoredOptions, readStored } from "./read-stored.ts";
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

/**
 * Reads one file and names its bytes. `undefined` where none is.
 *
 * @throws {@link HoldfastError} `LIMIT_EXCEEDED`.
 */
export async function loadFile(
  context: WorkspaceContext,
  path: string,
  options: ReadStoredOptions & { readonly keepBytes: boolean },
): Promise<VersionedFile | undefined> {
  const stored = await readStored(context, path, options);
  if (stored === undefined) return undefined;
  const { kind, bytes, executable, version } = stored;
  const names: Fingerprint = await fingerprintOf(context, bytes, timeSlice({ signal: options.signal }));
  const file = { kind, ...names, byteLength: bytes.byteLength, executable, version };
  return options.keepBytes ? { ...file, bytes } : file;
}

/**
 * Reads every file below a folder (`""`: the root) to give their revisions and the folder's digest; the bytes are not kept.
 *
 * @throws {@link HoldfastError} `LIMIT_EXCEEDED` when one of them is longer than a file may be.
 */
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
    const file = await loadFile(context, path, { signal, limit: "binaryBytes", keepBytes: false });
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
