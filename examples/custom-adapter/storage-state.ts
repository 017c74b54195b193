import {
  type ChunkSource,
  type CommitOutcome,
  chainHash,
  HoldfastError,
  type StorageAdapter,
  type StorageBatch,
} from "holdfast";
import type { ContentStore, Part } from "./content-store.ts";

type FileNode = {
  readonly kind: "file" | "symlink";
  readonly executable: boolean;
  readonly content: string;
  readonly byteLength: number;
};

/** All that a workspace is, with every byte string named by its hash. A value: nothing in it is changed in place. */
export interface StorageState {
  readonly sequence: number;
  readonly hash: string;
  readonly files: ReadonlyMap<string, FileNode>;
  readonly records: ReadonlyMap<string, string>;
  readonly staged: ReadonlyMap<string, readonly Part[]>;
  readonly log: readonly {
    readonly sequence: number;
    readonly hash: string;
    readonly entry: string;
    readonly contents: readonly string[];
  }[];
  readonly kept: readonly string[];
}

export const emptyState: StorageState = {
  sequence: 0,
  hash: "0".repeat(64),
  files: new Map(),
  records: new Map(),
  staged: new Map(),
  log: [],
  kept: [],
};

const encoder = new TextEncoder();

// Maps go as lists of pairs: a path may be called "__proto__".
export function encodeState(state: StorageState): Uint8Array {
  const { files, records, staged, ...rest } = state;
  return encoder.encode(
    JSON.stringify({ ...rest, files: [...files], records: [...records], staged: [...staged] }),
  );
}

export function decodeState(bytes: Uint8Array): StorageState {
  const state = JSON.parse(new TextDecoder().decode(bytes));
  return {
    ...state,
    files: new Map(state.files),
    records: new Map(state.records),
    staged: new Map(state.staged),
  };
}

/** The version of a file: it changes whenever bytes, kind or mode do. */
export function fileVersion(state: StorageState, path: string): string | undefined {
  const file = state.files.get(path);
  return file && `${file.kind}-${file.executable ? "x" : "r"}-${file.content}`;
}

/** Keys that come after another one, in order. */
export function sortedAfter(keys: Iterable<string>, after = ""): readonly string[] {
  return [...keys].filter((key) => key > after).sort();
}

/** Where the bytes of a file, of a content that the log names, or of a staged content are. */
export function partsOf(state: StorageState, source: ChunkSource): readonly Part[] | undefined {
  if ("staged" in source) return state.staged.get(source.staged);
  if ("path" in source) {
    const file = state.files.get(source.path);
    return file && [[file.content, file.byteLength]];
  }
  const { sha256 } = source;
  const isNamed = state.kept.includes(sha256) || state.log.some(({ contents }) => contents.includes(sha256));
  return isNamed ? [[sha256, Number.MAX_SAFE_INTEGER]] : undefined;
}

/** The state after a batch has been tried, and what became of it. */
export async function commitBatch(
  before: StorageState,
  batch: StorageBatch,
  contents: ContentStore,
): Promise<[StorageState, CommitOutcome]> {
  const failed = batch.expect.filter(({ space, key, version }) => {
    const found = space === "files" ? fileVersion(before, key) : before.records.get(key);
    return (found ?? null) !== version;
  });
  if (failed.length > 0) return [before, { committed: false, failed }];
  try {
    const state = await applyBatch(before, batch, contents);
    const fileVersions = new Map(batch.putFiles.map(({ path }) => [path, fileVersion(state, path) ?? ""]));
    const recordVersions = new Map(batch.putRecords.map(({ key }) => [key, state.records.get(key) ?? ""]));
    const { sequence, hash } = state;
    return [state, { committed: true, sequence, hash, fileVersions, recordVersions }];
  } catch (error) {
    return [before, { committed: false, error, written: "no" }];
  }
}

async function applyBatch(
  before: StorageState,
  batch: StorageBatch,
  contents: ContentStore,
): Promise<StorageState> {
  const staged = new Map(before.staged);
  for (const { staged: id, at, bytes } of batch.appendContent)
    staged.set(id, [...cut(staged.get(id), at), [await contents.put(bytes), bytes.byteLength]]);

  const files = new Map(before.files);
  for (const path of batch.deleteFiles) files.delete(path);
  for (const { path, kind, executable, content } of batch.putFiles) {
    if ("from" in content) {
      files.set(path, { ...(before.files.get(content.from) as FileNode), kind, executable });
      continue;
    }
    const bytes = "bytes" in content ? content.bytes : await contents.join(cut(staged.get(content.staged)));
    files.set(path, { kind, executable, content: await contents.put(bytes), byteLength: bytes.byteLength });
  }
  refuseBelowFiles(files);

  const records = new Map(before.records);
  for (const key of batch.deleteRecords) records.delete(key);
  for (const { key, bytes } of batch.putRecords) records.set(key, await contents.put(bytes));

  const after = { ...before, files, records, staged };
  if (batch.entry === undefined) return after;
  const sequence = before.sequence + 1;
  const bytes = batch.entry(sequence, before.hash);
  const hash = chainHash(contents.hashing, sequence, before.hash, bytes);
  const paths = [...batch.putFiles.map(({ path }) => path), ...batch.deleteFiles];
  const images = paths.flatMap((path) => [before.files.get(path), files.get(path)]);
  const named = images.flatMap((file) => (file === undefined ? [] : [file.content]));
  const log = [...before.log, { sequence, hash, entry: await contents.put(bytes), contents: named }];
  return { ...after, sequence, hash, log };
}

function refuseBelowFiles(files: ReadonlyMap<string, FileNode>): void {
  for (const path of files.keys())
    for (let end = path.indexOf("/"); end !== -1; end = path.indexOf("/", end + 1))
      if (files.has(path.slice(0, end)))
        throw new HoldfastError("ALREADY_EXISTS", { message: `${path} would lie below a file.` });
}

/** The first bytes of a staged content. */
function cut(parts: readonly Part[] | undefined, length = Number.POSITIVE_INFINITY): readonly Part[] {
  if (parts === undefined) throw new Error("There is no such staged content.");
  const total = parts.reduce((sum, part) => sum + part[1], 0);
  if (Number.isFinite(length) && length > total)
    throw new Error(`${length} is past the end of a staged content.`);
  let left = length;
  const first = parts.map(([id, partLength]): Part => {
    const taken = Math.min(partLength, left);
    left -= taken;
    return [id, taken];
  });
  return first.filter((part) => part[1] > 0);
}

export type PruneOptions = Parameters<StorageAdapter["prune"]>[0];

/** The state without log entries before a number, contents that only they name, and the given staged contents. */
export function pruneState(state: StorageState, options: PruneOptions): StorageState {
  const dropped = state.log.filter(({ sequence }) => sequence < options.before);
  const past = [...state.kept, ...dropped.flatMap(({ contents }) => contents)];
  return {
    ...state,
    log: state.log.slice(dropped.length),
    kept: past.filter((id) => options.keep.has(id)),
    staged: new Map([...state.staged].filter(([id]) => !options.staged.includes(id))),
  };
}
