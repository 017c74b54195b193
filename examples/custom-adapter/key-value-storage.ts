import type { CommitOutcome, StorageAdapter, StorageBatch, StorageOpenOptions } from "holdfast";
import { chainHash, concatBytes, firstPreviousHash, HoldfastError, hashBytes, tooLongToRead } from "holdfast";
import type { KeyValueStore } from "./key-value-store.ts";

/** All there is but bytes: the log, and items by `files/…`, `records/…`, `staged/…`, `sha256/…` (past ones). */
type State = { last: typeof first; log: (typeof first & { entry: string })[]; items: Items };
type Items = Map<string, ReturnType<typeof itemOf>>;
const first = { sequence: 0, hash: firstPreviousHash };
/** A put without an answer may have arrived. */
const lost = (cause: Error) =>
  Promise.reject(new HoldfastError("STORAGE_FAILED", { cause, written: "unknown" }));
const refusal = (error: { written?: "no" | "unknown" }) =>
  ({ committed: false, error, written: error.written ?? "no" }) as const;
const abilities = { caseSensitive: true, symlinks: true, modes: true, persistent: true, shared: true };

function itemOf(content: string, byteLength: number, kind: "file" | "symlink" = "file", executable = false) {
  return { content, byteLength, kind, executable, version: `${kind}-${executable}-${content}`, namedBy: 0 };
}

function below(items: Items, folder: string, after = "") {
  const start = folder.indexOf("/") + 1;
  const found = [...items].filter(([key]) => key.startsWith(folder) && key.slice(start) > after);
  return found.map(([key, item]) => [key.slice(start), item] as const).sort(([a], [b]) => (a < b ? -1 : 1));
}

/** Keeps a workspace in a key-value store: bytes under their hash, all else in one value that is swapped. */
export function keyValueStorage(store: KeyValueStore): StorageAdapter {
  let opened: StorageOpenOptions;

  async function get(content: string | undefined): Promise<Uint8Array> {
    const found = content === undefined ? undefined : await store.get(`content/${content}`);
    if (found === undefined) throw new HoldfastError("NOT_FOUND");
    return found.value;
  }

  async function put(bytes: Uint8Array) {
    const content = hashBytes(opened.hashing, "sha256", bytes);
    await store.put(`content/${content}`, bytes, null);
    return itemOf(content, bytes.byteLength);
  }

  async function load(): Promise<State & { etag: string | null }> {
    const head = await store.get("head");
    if (head === undefined) return { last: first, log: [], items: new Map(), etag: null };
    const { items, ...state } = JSON.parse(new TextDecoder().decode(head.value));
    return { ...state, items: new Map(items), etag: head.etag };
  }

  /** Changes what was loaded and swaps it in, unless that failed; begins again when another writer was faster. */
  async function change<T extends object>(step: (state: State) => Promise<T>): Promise<T> {
    const { etag, ...state } = await load();
    const answer = await step(state);
    if ("failed" in answer) return answer;
    const value = new TextEncoder().encode(JSON.stringify({ ...state, items: [...state.items] }));
    return (await store.put("head", value, etag).catch(lost)) ? answer : await change(step);
  }

  /** Makes of a loaded state what a batch says; when it throws, that state is dropped. */
  async function apply(state: State, batch: StorageBatch): Promise<CommitOutcome> {
    const { items, last } = state;
    const before = new Map(items);
    const versionOf = (key: string) => items.get(key)?.version ?? null;
    const failed = batch.expect.filter(({ space, key, version }) => versionOf(`${space}/${key}`) !== version);
    if (failed.length > 0) return { committed: false, failed };
    for (const { staged, at, bytes } of batch.appendContent) {
      const old = await get(items.get(`staged/${staged}`)?.content);
      if (at > old.byteLength) throw new Error(`${at} is past the end of a staged content.`);
      items.set(`staged/${staged}`, await put(concatBytes([old.subarray(0, at), bytes])));
    }
    for (const path of batch.deleteFiles) items.delete(`files/${path}`);
    for (const key of batch.deleteRecords) items.delete(`records/${key}`);
    for (const { path, kind, executable, content } of batch.putFiles) {
      let item = "bytes" in content ? await put(content.bytes) : undefined;
      if ("from" in content) item = before.get(`files/${content.from}`);
      if ("staged" in content) item = items.get(`staged/${content.staged}`);
      if (item === undefined) throw new HoldfastError("NOT_FOUND");
      items.set(`files/${path}`, itemOf(item.content, item.byteLength, kind, executable));
    }
    for (const { key, bytes } of batch.putRecords) items.set(`records/${key}`, await put(bytes));
    for (const [path] of below(items, "files/"))
      for (let end = path.indexOf("/"); end !== -1; end = path.indexOf("/", end + 1))
        if (items.has(`files/${path.slice(0, end)}`)) throw new HoldfastError("ALREADY_EXISTS");
    if (batch.entry !== undefined) {
      const sequence = last.sequence + 1;
      const bytes = batch.entry(sequence, last.hash);
      state.last = { sequence, hash: chainHash(opened.hashing, sequence, last.hash, bytes) };
      state.log.push({ ...state.last, entry: (await put(bytes)).content });
      for (const path of [...batch.putFiles.map((one) => one.path), ...batch.deleteFiles])
        for (const item of [before.get(`files/${path}`), items.get(`files/${path}`)])
          if (item !== undefined) items.set(`sha256/${item.content}`, { ...item, namedBy: sequence });
    }
    const files = batch.putFiles.map(({ path }) => [path, versionOf(`files/${path}`) ?? ""] as const);
    const records = batch.putRecords.map(({ key }) => [key, versionOf(`records/${key}`) ?? ""] as const);
    return { committed: true, ...state.last, fileVersions: new Map(files), recordVersions: new Map(records) };
  }

  async function read(key: string, maxBytes = Number.POSITIVE_INFINITY) {
    const item = (await load()).items.get(key);
    if (item && item.byteLength > maxBytes) throw tooLongToRead(key, item.byteLength, maxBytes);
    return item && { ...item, bytes: await get(item.content) };
  }

  return {
    capabilities: { ...abilities, watch: false },
    open: async (options) => {
      opened = options;
      return { rolledForward: 0, rolledBack: 0, conflicts: [], pending: false };
    },
    close: async () => {},
    stat: async (path) => (await load()).items.get(`files/${path}`),
    read: (path, { maxBytes }) => read(`files/${path}`, maxBytes),
    readRecord: (key) => read(`records/${key}`),
    list: async function* ({ under, after }) {
      const folder = under ? `files/${under}/` : "files/";
      for (const [path, item] of below((await load()).items, folder, after)) yield { path, ...item };
    },
    listRecords: async function* (prefix, { after }) {
      for (const [key] of below((await load()).items, `records/${prefix}`, after)) yield key;
    },
    readChunks: async function* (source, { offset }) {
      const [[kind, name] = []] = Object.entries(source);
      const item = (await load()).items.get(`${kind === "path" ? "files" : kind}/${name}`);
      yield (await get(item?.content)).subarray(offset);
    },
    readLog: async function* ({ from, limit, reverse = false }) {
      const { log } = await load();
      const found = log.filter(({ sequence }) => !from || (reverse ? sequence <= from : sequence >= from));
      for (const { sequence, hash, entry } of (reverse ? found.reverse() : found).slice(0, limit))
        yield { sequence, hash, bytes: await get(entry) };
    },
    stageContent: async () => {
      const id = opened.ids("st");
      await change(async ({ items }) => items.set(`staged/${id}`, await put(new Uint8Array(0))));
      return id;
    },
    commit: async (batches) => {
      const done: CommitOutcome[] = [];
      for (const batch of batches) done.push(await change((state) => apply(state, batch)).catch(refusal));
      return done;
    },
    prune: ({ before, keep, staged }) =>
      change(async (state) => {
        for (const id of staged) state.items.delete(`staged/${id}`);
        state.log = state.log.filter(({ sequence }) => sequence >= before);
        for (const [key, { content, namedBy }] of state.items)
          if (key.startsWith("sha256/") && namedBy < before && !keep.has(content)) state.items.delete(key);
        return { bytesFreed: 0 };
      }),
  };
}
