import { type CancelOptions, timeSlice } from "../base/clock.ts";
import { driveSteps, type Steps } from "../base/steps.ts";
import { workCounter } from "../base/work-counter.ts";
import { type FolderEntry, folderDigest } from "../tree/folder-digest.ts";
import { compareText } from "../tree/path-parts.ts";
import type { LoadedFile } from "../tree/plan.ts";
import { sortInSteps } from "../tree/sort-in-steps.ts";
import { eachBounded } from "./each-bounded.ts";
import { type Fingerprint, fingerprintOf } from "./fingerprint.ts";
import type { KeptContents } from "./kept-contents.ts";
import { type ReadStoredOptions, readStored } from "./read-stored.ts";
import type { ViewContext } from "./workspace-context.ts";

/** A file of the storage as a plan sees it, and the storage's own token of it. */
export interface VersionedFile extends LoadedFile {
  /** What a commit expects. */
  readonly version: string;
  /** The storage's stamp of it, where it gives one. */
  readonly stamp?: string | undefined;
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
  context: ViewContext,
  path: string,
  options: ReadStoredOptions & { readonly keepBytes: boolean; readonly kept?: KeptContents | undefined },
): Promise<VersionedFile | undefined> {
  const stored = await readStored(context, path, options);
  if (stored === undefined) return undefined;
  const { kind, bytes, executable, version, stamp } = stored;
  const names: Fingerprint = await fingerprintOf(context, bytes, timeSlice({ signal: options.signal }));
  options.kept?.offer(names.contentId, bytes);
  const file = { kind, ...names, byteLength: bytes.byteLength, executable, version, stamp };
  return options.keepBytes ? { ...file, bytes } : file;
}

/**
 * Reads every file below a folder (`""`: the root) to give their revisions and the folder's digest; the bytes are kept where `kept` has room.
 *
 * @throws {@link HoldfastError} `LIMIT_EXCEEDED` when one of them is longer than a file may be.
 */
export async function loadFolder(
  context: ViewContext,
  folder: string,
  options: CancelOptions & { readonly kept?: KeptContents | undefined },
): Promise<LoadedFolder> {
  const { signal, kept } = options;
  const paths: string[] = [];
  for await (const { path } of context.files.list({ signal, under: folder === "" ? undefined : folder }))
    paths.push(path);
  const loaded = new Map<string, VersionedFile>();
  await eachBounded(paths, async (path) => {
    const file = await loadFile(context, path, {
      signal,
      limit: "binaryBytes",
      keepBytes: false,
      kept,
    });
    if (file !== undefined) loaded.set(path, file);
  });
  return await driveSteps(nameFolder(context, folder, loaded), timeSlice({ signal }));
}

function* nameFolder(
  { hashing }: ViewContext,
  folder: string,
  loaded: ReadonlyMap<string, VersionedFile>,
): Steps<LoadedFolder> {
  const due = workCounter();
  const start = folder === "" ? 0 : folder.length + 1;
  const files = new Map<string, VersionedFile>();
  const entries: FolderEntry[] = [];
  for (const [path, file] of yield* sortInSteps([...loaded], ([a], [b]) => compareText(a, b))) {
    files.set(path, file);
    entries.push({ path: path.slice(start), revision: file.revision, executable: file.executable });
    if (due(4)) yield;
  }
  return { files, revision: yield* folderDigest(hashing, entries) };
}
