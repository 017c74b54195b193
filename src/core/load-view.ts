import { type CancelOptions, timeSlice } from "../base/clock.ts";
import { isHoldfastError } from "../base/holdfast-error.ts";
import { driveSteps } from "../base/steps.ts";
import type { PlannedChange } from "../tree/change.ts";
import { ancestorsOf } from "../tree/path-parts.ts";
import { type ChangePaths, pathsOfChanges } from "../tree/paths-of-changes.ts";
import type { PlanView } from "../tree/plan.ts";
import { eachBounded } from "./each-bounded.ts";
import type { KeptContents } from "./kept-contents.ts";
import { loadFile, loadFolder, type VersionedFile } from "./load-folder.ts";
import type { LengthLimit } from "./read-stored.ts";
import { Spellings } from "./spellings.ts";
import type { ViewContext } from "./workspace-context.ts";

/** What a batch is planned against, with the storage's token of every file in it. */
export interface LoadedView extends PlanView {
  /** The file at a path, with its version. */
  file(path: string): VersionedFile | undefined;
}

/** Collects what planning will ask for. */
interface Collected {
  readonly files: Map<string, VersionedFile>;
  readonly below: Map<string, readonly string[]>;
  readonly folderRevisions: Map<string, string>;
  readonly otherSpellings: Map<string, string>;
}

/** Reads all that the changes of a batch touch, and nothing else: the cost follows the batch, not the tree. */
export async function loadView(
  context: ViewContext,
  changes: readonly PlannedChange[],
  options: CancelOptions & { readonly kept?: KeptContents | undefined },
): Promise<LoadedView> {
  const { kept } = options;
  const paths = await driveSteps(pathsOfChanges(changes), timeSlice(options));
  const found: Collected = {
    files: new Map(),
    below: new Map(),
    folderRevisions: new Map(),
    otherSpellings: new Map(),
  };
  const folds = !context.files.capabilities.caseSensitive;
  const spellings = folds ? new Spellings(context.files) : undefined;
  const loading = { context, paths, found, spellings, kept, options: { signal: options.signal } };
  await loadTrees(loading);
  await loadFiles(loading);
  await loadFolders(loading);
  return {
    file: (path) => found.files.get(path),
    below: (folder) => found.below.get(folder) ?? [],
    folderRevision: (folder) => found.folderRevisions.get(folder),
    otherSpelling: (path) => found.otherSpellings.get(path),
  };
}

interface Loading {
  readonly context: ViewContext;
  readonly paths: ChangePaths;
  readonly found: Collected;
  /** Where the storage takes spellings for one file: what is spelled otherwise is not there. */
  readonly spellings: Spellings | undefined;
  /** Takes the bytes that only a diff looks at; left out where none is wanted. */
  readonly kept: KeptContents | undefined;
  readonly options: CancelOptions;
}

async function loadTrees({ context, paths, found, spellings, kept, options }: Loading): Promise<void> {
  for (const folder of paths.trees) {
    if ((await spellings?.isExact(folder, options)) === false) {
      found.below.set(folder, []);
      continue;
    }
    const { files, revision } = await loadFolder(context, folder, {
      ...options,
      kept: paths.shown.has(folder) ? kept : undefined,
    });
    for (const [path, file] of files) found.files.set(path, file);
    found.below.set(folder, [...files.keys()]);
    found.folderRevisions.set(folder, revision);
  }
}

async function loadFiles(loading: Loading): Promise<void> {
  const { files } = loading.paths;
  const inner = new Set([...files].flatMap(ancestorsOf));
  await loadEach(
    loading,
    [...files].filter((path) => !inner.has(path)),
  );
  // Where a file is, all above it are folders, and there is nothing to be read.
  const folders = new Set([...loading.found.files.keys()].flatMap(ancestorsOf));
  await loadEach(
    loading,
    [...files].filter((path) => inner.has(path) && !folders.has(path)),
  );
}

async function loadEach(
  { context, paths, found, spellings, kept, options }: Loading,
  some: readonly string[],
): Promise<void> {
  await eachBounded(some, async (path) => {
    const keepBytes = paths.needBytes.has(path);
    if (found.files.has(path) && !keepBytes) return;
    if ((await spellings?.isExact(path, options)) === false) return;
    const limit = paths.edited.has(path) ? "textBytes" : "binaryBytes";
    const load = loadFile(context, path, {
      ...options,
      limit,
      keepBytes,
      kept: paths.shown.has(path) ? kept : undefined,
    });
    const file = await load.catch((error: unknown) => unreadFile(error, limit));
    if (file !== undefined) found.files.set(path, file);
  });
}

/** Stands for a file that is too long to be read, of which planning refuses whatever needs to know more. */
function unreadFile(error: unknown, limit: LengthLimit): VersionedFile {
  if (!isHoldfastError(error, "LIMIT_EXCEEDED")) throw error;
  const names = { contentId: "", revision: "", version: "" };
  return { kind: "file", ...names, byteLength: error.details.actual, executable: false, tooLong: limit };
}

async function loadFolders({ context, paths, found, spellings, options }: Loading): Promise<void> {
  const asked = new Set(paths.folders);
  await eachBounded(spellings === undefined ? [] : paths.files, async (path) => {
    const other = await spellings?.other(path, options);
    if (other === undefined) return;
    found.otherSpellings.set(path, other);
    asked.add(other);
  });
  // Whether a folder would be empty after the batch is known once more files are found in it than the batch can remove.
  const most = paths.files.size + found.files.size + 1;
  await eachBounded(asked, async (folder) => {
    if (found.files.has(folder) || found.below.has(folder)) return;
    if ((await spellings?.isExact(folder, options)) === false) return;
    found.below.set(folder, await someBelow(context, folder, most, options));
  });
}

async function someBelow(
  context: ViewContext,
  folder: string,
  most: number,
  options: CancelOptions,
): Promise<readonly string[]> {
  const paths: string[] = [];
  for await (const { path } of context.files.list({ signal: options.signal, under: folder })) {
    paths.push(path);
    if (paths.length >= most) break;
  }
  return paths;
}
