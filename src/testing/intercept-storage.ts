import { loadPortableHashing } from "../base/hashing.ts";
import type { StorageAdapter } from "../storage/storage-adapter.ts";

/** What stands around the calls of an adapter. */
export interface StorageInterceptor {
  /** Around each call; of an iteration: around its first step. */
  call<T>(method: keyof StorageAdapter, work: () => Promise<T>): Promise<T>;
  /** Around each later step of an iteration. */
  step<T>(work: () => Promise<T>): Promise<T>;
}

/** Makes an adapter that passes every call on to another one through an interceptor. */
export function interceptStorage(inner: StorageAdapter, around: StorageInterceptor): StorageAdapter {
  const iterate = <T>(method: keyof StorageAdapter, begin: () => AsyncIterable<T>) =>
    interceptIteration(begin, (work) => around.call(method, work), around.step);
  return {
    get capabilities() {
      return inner.capabilities;
    },
    ...(inner.loadHashing === undefined
      ? {}
      : { loadHashing: () => inner.loadHashing?.() ?? loadPortableHashing() }),
    open: (options) => around.call("open", () => inner.open(options)),
    stat: (path, options) => around.call("stat", () => inner.stat(path, options)),
    read: (path, options) => around.call("read", () => inner.read(path, options)),
    list: (options) => iterate("list", () => inner.list(options)),
    readChunks: (source, options) => iterate("readChunks", () => inner.readChunks(source, options)),
    stageContent: (options) => around.call("stageContent", () => inner.stageContent(options)),
    readRecord: (key, options) => around.call("readRecord", () => inner.readRecord(key, options)),
    listRecords: (prefix, options) => iterate("listRecords", () => inner.listRecords(prefix, options)),
    readLog: (options) => iterate("readLog", () => inner.readLog(options)),
    commit: (batches, options) => around.call("commit", () => inner.commit(batches, options)),
    prune: (options) => around.call("prune", () => inner.prune(options)),
    ...(inner.watch === undefined ? {} : { watch: (listener, options) => inner.watch?.(listener, options) }),
    close: () => around.call("close", () => inner.close()),
  };
}

type Around = <T>(work: () => Promise<T>) => Promise<T>;

function interceptIteration<T>(
  begin: () => AsyncIterable<T>,
  first: Around,
  later: Around,
): AsyncIterable<T> {
  return {
    [Symbol.asyncIterator]: () => {
      let source: AsyncIterator<T> | undefined;
      return {
        next: async () => {
          if (source !== undefined) return await later(() => (source as AsyncIterator<T>).next());
          return await first(() => {
            source = begin()[Symbol.asyncIterator]();
            return source.next();
          });
        },
        return: async () => {
          await source?.return?.();
          return { done: true, value: undefined };
        },
      };
    },
  };
}
