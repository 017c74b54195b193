import type { ListOptions } from "../schema/list-options.ts";
import type { ListedEntry } from "../schema/read-results.ts";
import type { StoredFiles } from "../storage/stored-files.ts";
import { isBelow } from "../tree/path-parts.ts";
import { followLinks } from "./follow-links.ts";
import { parsePath } from "./parse-path.ts";
import { isExcluded, pathFilter } from "./path-filter.ts";
import { walkTree } from "./walk-tree.ts";

/** Lists files and folders as `FileView.list` promises; the options have been checked. */
export function listEntries(
  files: StoredFiles,
  options: ListOptions,
): AsyncGenerator<ListedEntry, void, undefined> {
  const filter = pathFilter(options);
  const under = parsePath(options.under ?? "", { folder: true });
  const after = options.after === undefined ? undefined : parsePath(options.after, { folder: true });
  const limit = options.limit ?? Number.POSITIVE_INFINITY;
  return (async function* () {
    if (under !== "" && isExcluded(filter, under)) return;
    const { signal, depth } = options;
    // Only the folder that was asked for may be a link, or lie behind one: what is found below it has names as if it were in that place.
    const real = await followLinks(files, under, { signal });
    const named = (path: string) => moved(path, real, under);
    const isElsewhere = real !== under && after !== undefined && !isBelow(after, under);
    if (isElsewhere && after > `${under}/`) return;
    const from = after === undefined || isElsewhere ? "" : moved(after, under, real);
    const place = from === "" ? undefined : await placeOf(files, from, options);
    let given = 0;
    const skips = (folder: string) => filter.excludes(named(folder));
    for await (const entry of walkTree(files, { signal, under: real, after: place, depth, skips })) {
      const path = named(entry.path);
      if (!filter.accepts(path) || (entry.kind !== "directory" && filter.excludes(path))) continue;
      yield { ...entry, path };
      given += 1;
      if (given >= limit) return;
    }
  })();
}

/** The path of what is below one folder as it would be below another. */
function moved(path: string, from: string, to: string): string {
  if (from === to) return path;
  const rest = from === "" ? path : path.slice(from.length + 1);
  return to === "" ? rest : `${to}/${rest}`;
}

/** The place of a path in the order of the walk: a folder's own place is its path with a trailing `/`. */
async function placeOf(files: StoredFiles, path: string, options: ListOptions): Promise<string> {
  if (options.after?.endsWith("/") === true) return `${path}/`;
  const { signal } = options;
  if ((await files.stat(path, { signal })) !== undefined) return path;
  for await (const entry of files.list({ signal, under: path }))
    return isBelow(entry.path, path) ? `${path}/` : path;
  return path;
}
