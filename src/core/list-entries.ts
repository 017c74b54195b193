import type { ListOptions } from "../schema/list-options.ts";
import type { ListedEntry } from "../schema/read-results.ts";
import type { StorageAdapter } from "../storage/storage-adapter.ts";
import { isBelow } from "../tree/path-parts.ts";
import { parsePath } from "./parse-path.ts";
import { isExcluded, pathFilter } from "./path-filter.ts";
import { walkTree } from "./walk-tree.ts";

/** Lists files and folders as `FileView.list` promises; the options have been checked. */
export function listEntries(
  storage: StorageAdapter,
  options: ListOptions,
): AsyncGenerator<ListedEntry, void, undefined> {
  const filter = pathFilter(options);
  const under = options.under === undefined ? "" : parsePath(options.under, { folder: true });
  const after = options.after === undefined ? undefined : parsePath(options.after, { folder: true });
  const limit = options.limit ?? Number.POSITIVE_INFINITY;
  return (async function* () {
    if (under !== "" && isExcluded(filter, under)) return;
    const { signal, depth } = options;
    const place = after === undefined || after === "" ? undefined : await placeOf(storage, after, options);
    let given = 0;
    const skips = (folder: string) => filter.excludes(folder);
    for await (const entry of walkTree(storage, { signal, under, after: place, depth, skips })) {
      if (!filter.accepts(entry.path) || (entry.kind !== "directory" && filter.excludes(entry.path)))
        continue;
      yield entry;
      given += 1;
      if (given >= limit) return;
    }
  })();
}

/** The place of a path in the order of the walk: a folder's own place is its path with a trailing `/`. */
async function placeOf(storage: StorageAdapter, path: string, options: ListOptions): Promise<string> {
  if (options.after?.endsWith("/") === true) return `${path}/`;
  const { signal } = options;
  if ((await storage.stat(path, { signal })) !== undefined) return path;
  for await (const entry of storage.list({ signal, under: path }))
    return isBelow(entry.path, path) ? `${path}/` : path;
  return path;
}
