import { createHash } from "node:crypto";
import {
  type CommitOutcome,
  HoldfastError,
  type StorageAdapter,
  type StorageBatch,
  type StorageOpenOptions,
  type StorageReadOptions,
  type StoredFile,
  tooLongToRead,
} from "holdfast";

type File = { kind: "file" | "symlink"; executable: boolean; bytes: Uint8Array; version: string };
export type Listener = Parameters<NonNullable<StorageAdapter["watch"]>>[0];
type NaiveRecord = { bytes: Uint8Array; version: string };
type Entry = { sequence: number; hash: string; bytes: Uint8Array; contents: Uint8Array[] };

/** All that a naive storage holds. Its values are never changed in place, so that a copy of the maps is a copy of the state. */
export interface NaiveState {
  files: Map<string, File>;
  records: Map<string, NaiveRecord>;
  staged: Map<string, Uint8Array>;
  log: Entry[];
  kept: Uint8Array[];
  last: { sequence: number; hash: string };
}

const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
const copyOf = (bytes: Uint8Array) => Uint8Array.from(bytes);
const ancestorsOf = (path: string) =>
  path
    .split("/")
    .map((_, index, parts) => parts.slice(0, index).join("/"))
    .slice(1);

/** A storage that is slow and obviously right: a commit changes a copy of all there is, and the copy takes the place of the original at the end. */
export class NaiveStorage implements StorageAdapter {
  readonly capabilities = {
    caseSensitive: true,
    symlinks: true,
    modes: true,
    watch: true,
    persistent: false,
    shared: false,
  };
  state: NaiveState = {
    files: new Map(),
    records: new Map(),
    staged: new Map(),
    log: [],
    kept: [],
    last: { sequence: 0, hash: "0".repeat(64) },
  };
  readonly listeners = new Map<Listener, AbortSignal>();
  #counter = 0;

  async open(_options: Pick<StorageOpenOptions, "readOnly">) {
    return { rolledForward: 0, rolledBack: 0, conflicts: [], pending: false };
  }

  async close() {}

  async stat(path: string) {
    const file = this.state.files.get(path);
    if (file === undefined) return undefined;
    const { kind, executable, bytes } = file;
    return { kind, executable, byteLength: bytes.byteLength };
  }

  async read(path: string, { maxBytes }: StorageReadOptions): Promise<StoredFile | undefined> {
    const file = this.state.files.get(path);
    if (file === undefined) return undefined;
    const { kind, executable, version, bytes } = file;
    const { byteLength } = bytes;
    if (maxBytes !== undefined && byteLength > maxBytes) throw tooLongToRead(path, byteLength, maxBytes);
    return { kind, executable, version, byteLength, bytes: copyOf(bytes) };
  }

  async *list({ under, after }: { under?: string | undefined; after?: string | undefined }) {
    for (const path of [...this.state.files.keys()].sort()) {
      if (under !== undefined && !path.startsWith(`${under}/`)) continue;
      if (after !== undefined && path <= after) continue;
      const file = this.state.files.get(path);
      if (file !== undefined) yield { path, kind: file.kind, byteLength: file.bytes.byteLength };
    }
  }

  async *readChunks(
    source: { path: string } | { sha256: string } | { staged: string },
    { offset = 0 }: { offset?: number | undefined },
  ) {
    const bytes = this.#find(source);
    if (bytes === undefined) throw new HoldfastError("NOT_FOUND");
    for (let at = offset; at < bytes.byteLength; at += 100_000)
      yield copyOf(bytes.subarray(at, at + 100_000));
  }

  #find(source: { path: string } | { sha256: string } | { staged: string }): Uint8Array | undefined {
    if ("path" in source) return this.state.files.get(source.path)?.bytes;
    if ("staged" in source) return this.state.staged.get(source.staged);
    const contents = [...this.state.log.flatMap((entry) => entry.contents), ...this.state.kept];
    return contents.find((bytes) => sha256(bytes) === source.sha256);
  }

  async stageContent() {
    const id = `st_${++this.#counter}`;
    this.state.staged.set(id, new Uint8Array(0));
    return id;
  }

  async readRecord(key: string) {
    const record = this.state.records.get(key);
    return record && { bytes: copyOf(record.bytes), version: record.version };
  }

  async *listRecords(prefix: string, { after }: { after?: string | undefined }) {
    for (const key of [...this.state.records.keys()].sort())
      if (key.startsWith(prefix) && (after === undefined || key > after)) yield key;
  }

  async *readLog(options: {
    from?: number | undefined;
    limit?: number | undefined;
    reverse?: boolean | undefined;
  }) {
    const { from, limit, reverse = false } = options;
    let entries = [...this.state.log];
    if (reverse) entries.reverse();
    if (from !== undefined)
      entries = entries.filter(({ sequence }) => (reverse ? sequence <= from : sequence >= from));
    for (const { sequence, hash, bytes } of entries.slice(0, limit))
      yield { sequence, hash, bytes: copyOf(bytes) };
  }

  async commit(batches: readonly StorageBatch[]): Promise<readonly CommitOutcome[]> {
    return batches.map((batch) => this.#commitOne(batch));
  }

  #commitOne(batch: StorageBatch): CommitOutcome {
    const { files, records } = this.state;
    const failed = batch.expect.filter(({ space, key, version }) => {
      const found = space === "files" ? files.get(key) : records.get(key);
      return (found?.version ?? null) !== version;
    });
    if (failed.length > 0) return { committed: false, failed };
    try {
      const { state, fileVersions, recordVersions } = this.#after(batch);
      this.state = state;
      return { committed: true, ...state.last, fileVersions, recordVersions };
    } catch (error) {
      return { committed: false, error, written: "no" };
    }
  }

  /** The state that a batch leaves. */
  #after(batch: StorageBatch) {
    const before = this.state.files;
    const state: NaiveState = {
      ...this.state,
      files: new Map(before),
      records: new Map(this.state.records),
      staged: new Map(this.state.staged),
      log: [...this.state.log],
    };
    const fileVersions = new Map<string, string>();
    const recordVersions = new Map<string, string>();
    for (const { staged, at, bytes } of batch.appendContent) {
      const old = state.staged.get(staged);
      if (old === undefined || at > old.byteLength) throw new Error(`Nothing to append to at ${at}.`);
      state.staged.set(staged, Uint8Array.from([...old.subarray(0, at), ...bytes]));
    }
    for (const path of batch.deleteFiles) state.files.delete(path);
    for (const { path, kind, executable, content } of batch.putFiles) {
      const bytes =
        "bytes" in content
          ? content.bytes
          : "from" in content
            ? before.get(content.from)?.bytes
            : state.staged.get(content.staged);
      if (bytes === undefined) throw new Error(`There are no bytes for ${path}.`);
      const version = `v${++this.#counter}`;
      state.files.set(path, { kind, executable, bytes: copyOf(bytes), version });
      fileVersions.set(path, version);
    }
    for (const path of state.files.keys())
      for (const folder of ancestorsOf(path))
        if (state.files.has(folder)) throw new Error(`${folder} would be a file and a folder.`);
    for (const key of batch.deleteRecords) state.records.delete(key);
    for (const { key, bytes } of batch.putRecords) {
      const version = `v${++this.#counter}`;
      state.records.set(key, { bytes: copyOf(bytes), version });
      recordVersions.set(key, version);
    }
    if (batch.entry !== undefined) {
      const sequence = state.last.sequence + 1;
      const bytes = copyOf(batch.entry(sequence, state.last.hash));
      const link = new TextEncoder().encode(`${sequence}\n${state.last.hash}\n`);
      const hash = createHash("sha256").update(link).update(bytes).digest("hex");
      const paths = [...batch.deleteFiles, ...fileVersions.keys()];
      const contents = paths.flatMap((path) => [before.get(path), state.files.get(path)]);
      state.log.push({
        sequence,
        hash,
        bytes,
        contents: contents.flatMap((file) => (file ? [file.bytes] : [])),
      });
      state.last = { sequence, hash };
    }
    return { state, fileVersions, recordVersions };
  }

  async prune(options: { before: number; keep: ReadonlySet<string>; staged: readonly string[] }) {
    const dropped = this.state.log.filter(({ sequence }) => sequence < options.before);
    const contents = [...dropped.flatMap((entry) => entry.contents), ...this.state.kept];
    const log = this.state.log.filter(({ sequence }) => sequence >= options.before);
    const kept = contents.filter((bytes) => options.keep.has(sha256(bytes)));
    const staged = new Map([...this.state.staged].filter(([id]) => !options.staged.includes(id)));
    this.state = { ...this.state, log, kept, staged };
    return { bytesFreed: dropped.reduce((sum, { bytes }) => sum + bytes.byteLength, 0) };
  }

  writeOutside(path: string, bytes: Uint8Array | null): void {
    const files = new Map(this.state.files);
    if (bytes === null) files.delete(path);
    else
      files.set(path, {
        kind: "file",
        executable: false,
        bytes: copyOf(bytes),
        version: `v${++this.#counter}`,
      });
    this.state = { ...this.state, files };
    this.tell(path);
  }

  watch(listener: Listener, { signal }: { signal: AbortSignal }): void {
    this.listeners.set(listener, signal);
  }

  /** Tells whoever listens of a path, later. */
  tell(path: string): void {
    setImmediate(() => {
      for (const [listener, signal] of this.listeners) if (!signal.aborted) callQuietly(listener, path);
    });
  }
}

/** Tells a listener of a path; what it throws is lost. */
export function callQuietly(listener: Listener, path: string): void {
  try {
    listener([path]);
  } catch {
    // Its own affair.
  }
}
