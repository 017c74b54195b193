import { type CancelOptions, timeSlice } from "../base/clock.ts";
import type { RevisionEntry } from "../history/revision-entry.ts";
import type { RevisionLog } from "../history/revision-log.ts";
import type { StorageAdapter } from "../storage/storage-adapter.ts";
import type { FileState } from "../tree/file-state.ts";
import type { LoadedFile } from "../tree/plan.ts";
import { fingerprintOf } from "./fingerprint.ts";
import { knownContent } from "./known-content.ts";
import type { StaleGuards } from "./stale-guards.ts";
import type { ViewContext } from "./workspace-context.ts";

/** Commits of one path that are looked at. */
const mostCommits = 64;

/** Log entries that are gone through, whatever they touch. */
const mostEntries = 2000;

/** Files as they were when changes were based on them, with their bytes. */
export type Bases = ReadonlyMap<string, LoadedFile>;

/** Where bytes of earlier revisions are kept. */
export interface HistorySources {
  readonly storage: StorageAdapter;
  readonly log: RevisionLog;
}

type BaseContext = ViewContext & HistorySources;

/**
 * Finds the files that changes are based on, as far as their bytes are known: among what the handle has read and written lately, else in the newest
 * part of the history. What is found has been hashed, so it is what the revision names.
 */
export async function findBases(
  view: ViewContext,
  { storage, log }: HistorySources,
  stale: StaleGuards,
  options: CancelOptions,
): Promise<Bases> {
  const context = { ...view, storage, log };
  const found = new Map<string, LoadedFile>();
  const missing = new Map<string, string>();
  for (const [path, revision] of stale) {
    const cached = context.reads?.find(path, revision);
    const file = cached && (await named(context, cached, revision, options));
    if (file === undefined) missing.set(path, revision);
    else found.set(path, file);
  }
  if (missing.size > 0)
    for (const [path, file] of await findInHistory(context, missing, options)) found.set(path, file);
  return found;
}

/** What has been seen of the history of one path. */
interface Search {
  readonly path: string;
  readonly revision: string;
  commits: number;
  /** What the commit looked at last found there, which no recorded result has named yet. */
  unnamed: FileState | undefined;
}

async function findInHistory(
  context: BaseContext,
  missing: StaleGuards,
  options: CancelOptions,
): Promise<Bases> {
  const found = new Map<string, LoadedFile>();
  const open = new Map<string, Search>();
  for (const [path, revision] of missing) open.set(path, { path, revision, commits: 0, unnamed: undefined });
  let entries = 0;
  for await (const { entry } of context.log.read({ signal: options.signal, reverse: true })) {
    for (const search of touched(open, entry)) {
      const file = await lookAt(context, search, entry, options);
      if (file !== undefined) found.set(search.path, file);
      if (file !== undefined || search.commits >= mostCommits) open.delete(search.path);
    }
    entries += 1;
    if (open.size === 0 || entries >= mostEntries) break;
  }
  for (const { path, revision, unnamed } of open.values()) {
    const file = await readNamed(context, unnamed, revision, options);
    if (file !== undefined) found.set(path, file);
  }
  return found;
}

function touched(open: ReadonlyMap<string, Search>, { delta }: RevisionEntry): readonly Search[] {
  const { changes } = delta;
  if (open.size <= changes.size) return [...open.values()].filter(({ path }) => changes.has(path));
  return [...changes.keys()].flatMap((path) => open.get(path) ?? []);
}

/** Looks whether a commit left the file at the revision, or found something there that no commit had left. */
async function lookAt(
  context: BaseContext,
  search: Search,
  entry: RevisionEntry,
  options: CancelOptions,
): Promise<LoadedFile | undefined> {
  const { path, revision } = search;
  const { before, after } = entry.delta.changes.get(path) ?? {};
  const name = entry.result.files.find((file) => file.path === path)?.revision;
  const later = search.unnamed;
  const isNamed = name !== undefined && later?.contentId === after?.contentId;
  search.commits += 1;
  search.unnamed = before;
  if (name === revision) return await readNamed(context, after, revision, options);
  const outside = isNamed ? undefined : await readNamed(context, later, revision, options);
  if (outside !== undefined || search.commits < mostCommits) return outside;
  return await readNamed(context, before, revision, options);
}

/** Reads what the log keeps of a state, if it is what the revision names. */
async function readNamed(
  context: BaseContext,
  state: FileState | undefined,
  revision: string,
  options: CancelOptions,
): Promise<LoadedFile | undefined> {
  const { limits, revisionAlgorithm } = context;
  if (state === undefined || state.byteLength > limits.binaryBytes) return undefined;
  if (revisionAlgorithm === "sha256" && state.contentId !== revision) return undefined;
  const bytes = await knownContent(context, state, [], { signal: options.signal });
  const { kind, executable } = state;
  return bytes && (await named(context, { kind, executable, bytes }, revision, options));
}

/** Gives both names to a file, unless its revision is another one. */
async function named(
  context: BaseContext,
  { kind, executable, bytes }: Pick<LoadedFile, "kind" | "executable"> & { readonly bytes: Uint8Array },
  revision: string,
  options: CancelOptions,
): Promise<LoadedFile | undefined> {
  const names = await fingerprintOf(context, bytes, timeSlice(options));
  if (names.revision !== revision) return undefined;
  return { kind, executable, ...names, byteLength: bytes.byteLength, bytes };
}
